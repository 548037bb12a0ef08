"""Texts of the forum as HTML: a part of CommonMark that can do no harm.

No HTML of their own, no images, links to http and https only and marked as not ours; headings stand below those of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it.renderer import RendererProtocol
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

LINK_REL = "nofollow ugc noopener"
SCHEMES = ("http", "https")
# The page has a title and sections; a post begins below them.
HEADING_SHIFT, DEEPEST_HEADING = 2, 6
MOST_NESTED = 12
# Posts are read more often than written, and some are slow to render.
MOST_KEPT = 256


@lru_cache(MOST_KEPT)
def html(text: str) -> Markup:
    """The text as HTML that may stand in a page.

    >>> print(html("**八字** <b> [x](https://example.org)"), end="")
    <p><strong>八字</strong> &lt;b&gt; <a href="https://example.org" rel="nofollow ugc noopener">x</a></p>
    """
    return Markup(_RENDERER.render(text))


def plain(text: str) -> str:
    """The words of the text in one line, for lists.

    >>> plain("# 丙午\\n\\n**火**旺 [x](https://example.org)")
    '丙午 火旺 x'
    """
    blocks = (token.children for token in _RENDERER.parse(text) if token.children)
    return " ".join(
        "".join(child.content or " " * (child.type == "softbreak") for child in block) for block in blocks
    )


def _allowed(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in SCHEMES and bool(parts.netloc)


def _link(
    self: RendererProtocol, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    tokens[at].attrSet("rel", LINK_REL)
    return _plain(self, tokens, at, options, env)


def _heading(
    self: RendererProtocol, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    tokens[at].tag = f"h{min(int(tokens[at].tag[1]) + HEADING_SHIFT, DEEPEST_HEADING)}"
    return _plain(self, tokens, at, options, env)


def _plain(self: Any, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    rendered: str = self.renderToken(tokens, at, options, env)
    return rendered


def _renderer() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": MOST_NESTED}).disable("image")
    made.validateLink = _allowed  # type: ignore[method-assign]
    made.add_render_rule("link_open", _link)
    made.add_render_rule("heading_open", _heading)
    made.add_render_rule("heading_close", _heading)
    return made


_RENDERER = _renderer()
