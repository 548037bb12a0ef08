"""What people write becomes HTML that can do no harm."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_hub.pages.markdown import html, plain
from tests.tables import holds_for_all

TAGS = {
    "p", "strong", "em", "a", "ul", "ol", "li", "blockquote", "code", "pre", "h3", "h4", "h5", "h6", "hr",
    "br",
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<b onclick=x>", "<!-- -->",
     "<a href='javascript:x'>y</a>", "<style>*{}</style>"],
)  # fmt: skip
def test_html_is_shown_as_it_was_written(text):
    assert "&lt;" in html(text)
    assert not re.search(r"<(script|img|b |style|!--|a )", html(text))


@holds_for_all(
    "url",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example", "/billing",
     "mailto:a@b.c", "ftp://x.example", "file:///etc/passwd", "&#106;avascript:alert(1)", "http", "https:evil"],
)  # fmt: skip
def test_links_lead_to_http_and_https_only(url):
    found = re.findall(r'href="([^"]*)"', html(f"[x]({url}) <{url}> [y]\n\n[y]: {url}"))
    assert all(link.startswith(("http://", "https://")) for link in found)
    assert "script:" not in "".join(found)


def test_links_are_marked_as_not_ours():
    assert 'rel="nofollow ugc noopener"' in html("[x](https://example.org)")
    assert html("<https://example.org>").count('rel="nofollow ugc noopener"') == 1


def test_images_are_links_at_most():
    assert "<img" not in html("![x](https://example.org/x.png)")


def test_headings_stand_below_those_of_the_page():
    assert html("# a\n###### b") == "<h3>a</h3>\n<h6>b</h6>\n"


def test_the_usual_marks_do_what_they_do():
    rendered = html("**a** *b* `c`\n\n- d\n\n> e\n\n```\nf\n```\n")
    for part in ("<strong>a", "<em>b", "<code>c", "<li>d", "<blockquote>", "<pre><code>f"):
        assert part in rendered


def test_a_list_shows_the_words_without_the_marks():
    assert plain("# 题\n\n**a** `b`\n- c [d](https://e.org)\nnext") == "题 a b c d next"


@given(st.text(alphabet="ab<>&\"'[]()!*_`#->:/ \n\\=", max_size=120))
def test_whatever_is_written_only_harmless_tags_come_out(text):
    rendered = str(html(text))
    assert set(re.findall(r"</?([a-z0-9]+)", rendered)) <= TAGS
    for attributes in re.findall(r"<[a-z0-9]+ ([^>]*)>", rendered):
        assert re.fullmatch(
            r'(href="https?://[^"]*"|title="[^"]*"|rel="[^"]*"|start="\d+"|class="language-[^"]*"| )*/?',
            attributes,
        )
    assert "<" not in re.sub(r"<[^>]*>", "", rendered)
    plain(text)
