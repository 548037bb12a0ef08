"""What somebody hostile sends to a page: in every field of every form and in every query, to every route that takes a form.

The fields are those of the pages' own forms, found by walking past all of them, so that a new field is tried without a word
here.
"""

from __future__ import annotations

import asyncio
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from bazi_hub.http.connections import HEAD_BYTES
from bazi_hub.pages import PAGES
from bazi_hub.pages.request import MOST_FIELDS
from tests.growth import SIZES, repeated, steep
from tests.hub.pages.browsing import EMAIL, HOME, PASSWORD, in_town, town
from tests.hub.pages.tour import FILES, NOWHERE, POST, QUERY, Tour, quoted, tour

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hub.pages.browsing import Browser, Seen, Town

# A minute and a bit: what one may do in a minute may be done again.
A_MINUTE_S = 61.0
POSTED = [path.replace("{id}", NOWHERE) for path, _, post in PAGES if post is not None]
# What ends a session, a chart or an account is tried by its own tests.
LEFT_ALONE = ("/logout", "/account/sessions", "/delete", "/unshare")
FORM = {"origin": HOME, "content-type": "application/x-www-form-urlencoded"}


# --- what a page is made to hold

MARKS = (
    '"><svg onload=mark>',
    "' onfocus='mark",
    "</title></textarea></script><script>mark</script>",
    "javascript:mark",
    "[mark](javascript:mark) <img src=x onerror=mark> {{7*7191}}",
)
# As a template would compute it.
COMPUTED = str(7 * 7191)


class Looked(HTMLParser):
    """What of a page a browser would run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        runs = tag in ("script", "iframe", "object", "embed", "base") and not str(said.get("src")).startswith(
            "/static/"
        )
        acts = [name for name in said if name.startswith("on") or name in ("style", "srcdoc", "formaction")]
        leads = [
            name
            for name in ("href", "src", "action", "xlink:href")
            if (said.get(name) or "").strip().lower().startswith(("javascript:", "data:text", "vbscript:"))
        ]
        if runs or acts or leads:
            self.found.append(str(self.get_starttag_text()))


def hurt(page: Seen) -> list[str]:
    """What a page or a file would have a browser do that nobody of the hub wrote."""
    kind = page.headers.get("content-type", "")
    found = [COMPUTED] if COMPUTED in page.text else []
    if "html" in kind:
        return [*found, *Looked(page.text).found]
    if "json" in kind:
        json.loads(page.text)
    elif "xml" in kind:
        for node in ElementTree.fromstring(page.text).iter():
            runs = node.tag.endswith(("script", "foreignObject"))
            found += [node.tag] if runs else [name for name in node.attrib if name.startswith("on")]
    assert page.headers.get("x-content-type-options") == "nosniff" or page.status == 303, page.headers
    return found


def test_what_a_browser_would_run_is_found():
    for text in (
        "<svg onload=mark>",
        "<p title='' onfocus='mark'>",
        "<a href='  JavaScript:mark'>",
        "<script>mark</script>",
        "<script src='//evil.example/x.js'></script>",
        "<iframe srcdoc='x'>",
        "<form action='javascript:mark'>",
        "<p style='background:url(//evil.example)'>",
    ):
        assert Looked(text).found, text
    assert (
        Looked("<script src='/static/page.js' defer></script><a href='/c'>&lt;svg onload=mark&gt;</a>").found
        == []
    )


async def forms(tour: Tour) -> dict[tuple[str, str], tuple[str, dict[str, str]]]:
    """Every form that a page has, once: by its method and the pattern of its action where it stands and what is in it."""
    found: dict[tuple[str, str], tuple[str, dict[str, str]]] = {}
    for stop in tour.stops:
        for form in (await tour.see(stop)).shown.forms:
            action, method = str(form["action"]), str(form["method"])
            name = action
            for id in tour.ids.values():
                name = name.replace(id, "{id}")
            if method == "get" or not name.endswith(LEFT_ALONE):
                found.setdefault((method, name), (action, dict(form["fields"])))
    return found


async def sent(browser: Browser, method: str, action: str, fields: dict[str, str]) -> Seen:
    """A form sent, and the page that it leads to."""
    if method == "get":
        page = await browser.get(f"{action}?{urlencode(fields)}")
    else:
        page = await browser.post(action, fields)
    if page.status == 303 and page.to.startswith("/"):
        return await browser.get(quoted(page.to))
    return page


@in_town
async def test_nothing_that_is_typed_into_any_form_becomes_a_part_of_a_page(town):
    made, found = await tour(town), {}
    for (method, name), (action, fields) in (await forms(made)).items():
        mine = [each for each in fields if each not in ("csrf", "nonce", "token")]
        for mark in MARKS:
            for typed in (mine, *([each] for each in mine if mark is MARKS[0])):
                town.clock.advance(A_MINUTE_S)
                page = await sent(made.member, method, action, {**fields, **dict.fromkeys(typed, mark)})
                if told := hurt(page):
                    found[name, *typed, mark] = told
    # What was kept of it is shown to others.
    await made.member.submit("/account", "/account", display_name=MARKS[0])
    for mark in MARKS:
        town.clock.advance(A_MINUTE_S)
        marked = {**POST, "title": mark, "content": mark * 2, "tags": mark[:30], "author_display_name": mark}
        await made.member.submit("/forum/new", "/forum/new", **marked)
    town.clock.advance(A_MINUTE_S)
    for stop in made.stops:
        if told := hurt(await made.see(stop)):
            found[stop.name] = told
    for path in FILES:
        if path.startswith("/chart.pdf"):
            continue
        if told := hurt(await made.member.get(path)):
            found[path] = told
    assert (
        MARKS[0]
        in json.loads((await made.member.submit("/account", "/account/export")).text)["account"].values()
    )
    assert found == {}


async def names_of(tour: Tour) -> list[str]:
    """The names of all parameters that any page has in a link or in a form that asks."""
    found = {
        "lang", "theme", "next", "invite", "erased", "saved", "closed", "held", "below", "of", "kind",
        "page",
    }  # fmt: skip
    for stop in tour.stops:
        shown = (await tour.see(stop)).shown
        for href in (*shown.links, stop.path):
            found |= {name for name, _ in parse_qsl(urlsplit(href).query)}
        for form in shown.forms:
            found |= set(form["fields"]) if form["method"] == "get" else set()
    return sorted(found)


@in_town
async def test_nothing_in_a_query_becomes_a_part_of_a_page(town):
    made, found = await tour(town), {}
    names = await names_of(made)
    assert {"t", "place", "q", "who", "tag", "seed", "year"} <= set(names)
    paths = {each.path.partition("?")[0]: (each.member, each.path.partition("?")[2]) for each in made.stops}
    paths |= {each.partition("?")[0]: (False, each.partition("?")[2]) for each in FILES if ".pdf" not in each}
    for path, (member, query) in paths.items():
        browser = made.member if member else town.browser()
        own = dict(parse_qsl(query))
        for mark in MARKS:
            # All at once, all beside what is right, and each of its own alone.
            asked = [
                dict.fromkeys(names[: MOST_FIELDS - 1], mark),
                {**dict.fromkeys(names[: MOST_FIELDS - 1], mark), **own},
            ]
            asked += [{**own, name: mark} for name in own]
            for fields in asked:
                town.clock.advance(A_MINUTE_S)
                if told := hurt(await browser.get(f"{quoted(path)}?{urlencode(fields)}")):
                    found[path, mark] = told
    assert found == {}


@in_town
async def test_nothing_in_a_path_a_cookie_or_a_header_becomes_a_part_of_a_page(town):
    member = await town.member()
    for mark in MARKS:
        said = quote(mark, safe="")
        for path, get, _ in PAGES:
            if get is not None and "{" in path:
                for name in ("signs", "gender", "since", "id", "token"):
                    path = path.replace(f"{{{name}}}", said)
                assert hurt(await member.get(path)) == [], path
        assert hurt(await member.get(f"/{said}")) == []
        cookie = "; ".join(
            f"bazi_{name}={mark}" for name in ("language", "theme", "question", "session", "device")
        )
        for header in (
            {"cookie": cookie},
            {"accept-language": mark},
            {"user-agent": mark},
            {"referer": mark},
        ):
            assert hurt(await town.browser().get("/", **header)) == [], header


# --- who may send a form


@pytest.mark.parametrize("path", POSTED)
@in_town
async def test_no_form_is_taken_from_elsewhere_or_from_nowhere(town, path):
    browser = await town.member()
    token = (await browser.get("/account")).form("/account")["csrf"]
    body = urlencode({"csrf": token}).encode()
    for origin in (
        "null", "http://localhost.evil.example", "http://localhost:81", "https://localhost", "",
    ):  # fmt: skip
        assert (await browser.ask("POST", path, body, {**FORM, "origin": origin})).status == 403, origin
    no_origin = {"content-type": FORM["content-type"], "referer": f"{HOME}/account"}
    assert (await browser.ask("POST", path, body, no_origin)).status == 403
    for kind in ("text/plain", "application/json", "multipart/form-data; boundary=x", ""):
        assert (await browser.ask("POST", path, body, {**FORM, "content-type": kind})).status == 415, kind


@pytest.mark.parametrize("path", POSTED)
@in_town
async def test_no_form_is_taken_with_the_token_of_a_session_that_is_over(town, path):
    browser = await town.member()
    old = (await browser.get("/account")).form("/account")["csrf"]
    await browser.submit("/account", "/logout")
    await browser.post("/login", {"email": EMAIL, "password": PASSWORD})
    assert (await browser.post(path, {"csrf": old})).status == 403
    # Nor with the right one in the address.
    new = (await browser.get("/account")).form("/account")["csrf"]
    assert new != old
    assert (await browser.post(f"{path}?csrf={new}")).status == 403


@in_town
async def test_to_look_changes_nothing(town):
    made = await tour(town)
    before = told(town)
    token = (await made.member.get("/account")).form("/account")["csrf"]
    for path in POSTED:
        for id in made.ids.values():
            await made.member.get(
                f"{path.replace(NOWHERE, id)}?csrf={token}&sure=1&password={PASSWORD}&action=like"
            )
    assert told(town) == before


# --- sessions


@in_town
async def test_a_planted_cookie_is_not_kept_and_each_sign_in_has_a_session_of_its_own(town):
    await town.member()
    victim = town.browser()
    seen = set()
    for planted in ("planted", "A" * 43, None):
        victim.cookie = planted
        page = await victim.post("/login", {"email": EMAIL, "password": PASSWORD})
        assert page.status == 303
        assert victim.cookie not in ("planted", "A" * 43, None, *seen)
        seen.add(victim.cookie)
    attacker = town.browser()
    attacker.cookie = "planted"
    assert (await attacker.get("/account")).status == 303


@in_town
async def test_signing_in_again_or_with_a_new_password_ends_the_session_before_it(town):
    browser, other = await town.member(), town.browser()
    other.cookie = browser.cookie
    fields = {
        "email": EMAIL,
        "password": PASSWORD,
        "csrf": (await browser.get("/account")).form("/account")["csrf"],
    }
    assert (await browser.post("/login", fields)).status == 303
    assert browser.cookie != other.cookie
    assert (await other.get("/account")).status == 303
    other.cookie = browser.cookie
    changed = {"password": PASSWORD, "new_password": "another long secret 9"}
    assert (await browser.submit("/account", "/account/password", **changed)).status == 303
    assert (await other.get("/account")).status == 303
    assert (await browser.get("/account")).status == 200


# --- where one is led

ELSEWHERE = (
    "//evil.example", "///evil.example", "https://evil.example/", "http:evil.example", "/\\evil.example",
    "\\\\evil.example", "/\t/evil.example", "/\n/evil.example", " //evil.example", "%2F%2Fevil.example",
    "/%09/evil.example", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//evil.example\\@localhost",
    "http://localhost@evil.example/", "///\\evil.example", "/..//evil.example", "/.//evil.example",
    "//localhost.evil.example", "\u2028//evil.example", "／／evil.example", "/\u0000/evil.example",
)  # fmt: skip


@pytest.mark.parametrize("where", ELSEWHERE)
@in_town
async def test_nobody_is_led_to_another_site(town, where):
    member, stranger = await town.member(), town.browser()
    for page in ("/login", "/signup"):
        shown = await stranger.get(f"{page}?next={quote(where, safe='')}")
        if shown.status == 200:
            assert stays(shown.form(page)["next"]), shown.form(page)["next"]
        assert stays((await member.get(f"{page}?next={quote(where, safe='')}")).to)
    if "\0" not in where:
        signed_in = await stranger.post("/login", {"email": EMAIL, "password": PASSWORD, "next": where})
        assert signed_in.status == 303
        assert stays(signed_in.to)
        made = {"email": "other@example.org", "password": PASSWORD, "next": where}
        assert stays((await town.browser().post("/signup", made)).to)
    path = f"/{where.lstrip('/')}"
    assert stays((await stranger.get(quote(path, safe="/"))).to)


def stays(to: str) -> bool:
    """Whether a browser that is at the site stays there; it takes backslashes for slashes and leaves out line ends."""
    read = "".join(each for each in to.replace("\\", "/").strip() if each not in "\t\r\n")
    return urlsplit(urljoin(f"{HOME}/login", read)).netloc == urlsplit(HOME).netloc


# --- what every answer carries


@in_town
async def test_no_answer_may_be_framed_or_guessed_at_whatever_it_is(town):
    made = await tour(town)
    answers = [(each.name, await made.see(each)) for each in made.stops]
    answers += [(path, await made.member.get(path)) for path in FILES if ".pdf" not in path]
    answers.append(("export", await made.member.submit("/account", "/account/export")))
    answers.append(("to sign in", await town.browser().get("/billing")))
    answers.append(("wrong verb", await town.browser().ask("PUT", "/login")))
    answers.append(("no origin", await town.browser().ask("POST", "/login", b"", {})))
    answers.append(("another kind", await town.browser().ask("POST", "/login", b"{}", {"origin": HOME})))
    answers.append(("too large", await town.browser().ask("POST", "/login", b"x" * 300_000, FORM)))
    answers.append(("garbled", await town.browser().ask("POST", "/login", b"a=%ff", FORM)))
    for name, page in answers:
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"], name
        assert page.headers["x-content-type-options"] == "nosniff", name
        assert "max-age" not in page.headers["cache-control"], name
        kept = page.headers["cache-control"].split(", ")
        assert {"no-store", "private"} & set(kept), (name, kept)
        assert page.headers["referrer-policy"] in ("same-origin", "no-referrer"), name


@in_town
async def test_a_birth_goes_to_no_log_and_with_a_stranger_to_no_other_page(town):
    made = await tour(town)
    for stop in made.stops:
        page = await made.see(stop)
        if QUERY in stop.path and not stop.member:
            assert page.headers["referrer-policy"] == "no-referrer", stop.name
            assert page.headers["x-robots-tag"] == "noindex", stop.name
    # The line that a request writes, and everything else that is told.
    log = json.dumps(town.voices.logged, ensure_ascii=False, default=str)
    for private in ("1990-05-15", "110000", "Beijing", "适合换工作", "new job", EMAIL, PASSWORD):
        assert private not in log


# --- what no form can change

MORE = {
    "id": NOWHERE, "account_id": NOWHERE, "author_id": NOWHERE, "author_type": "agent", "status": "operator",
    "role": "admin", "is_admin": "1", "email": "evil@example.org", "email_verified": "1", "password_hash": "x",
    "posted": "999999", "credits": "999999", "balance": "999999", "held": "-1", "cost": "0", "price": "0",
    "created_ms": "1", "created_at": "1", "shared_ms": "1", "seen": "1", "likes": "999", "hidden": "0", "foreign_id": "x",
}  # fmt: skip


def told(town: Town) -> dict[str, Any]:
    """What stands about accounts and their things, but for names and languages, which are their owners'."""
    rows = town.rows
    return {
        "accounts": {
            id: each._replace(display_name=None, language=None, posted=0, held=0)
            for id, each in rows.accounts.items()
        },
        "charts": {id: (each.account_id, each.kind, each.created_ms) for id, each in rows.charts.items()},
    }


@in_town
async def test_no_form_takes_what_it_does_not_show(town):
    made = await tour(town)
    before = told(town)
    account = next(iter(before["accounts"]))
    spent = (await town.storage.ledger.account(account)).posted
    for (method, name), (action, fields) in (await forms(made)).items():
        if method == "post":
            more = {each: value for each, value in MORE.items() if each not in fields}
            town.clock.advance(A_MINUTE_S)
            page = await made.member.post(action, {**fields, **more})
            assert page.status < 500, name
    after = told(town)
    assert after["accounts"] == before["accounts"]
    assert before["charts"].items() <= after["charts"].items()
    assert {owner for owner, *_ in after["charts"].values()} == {account}
    assert NOWHERE not in after["charts"]
    assert (await town.storage.ledger.account(account)).posted <= spent
    posts, comments = await town.storage.forum.written_by(account)
    assert {each.author_type for each in (*posts, *comments)} == {"human"}
    assert all(each.created_ms > 1 for each in posts)


# --- what takes long

UNITS = ("a", "年", "1", "[", "<", "`a ", "*_", "\u0301", "％")
NOT_TYPED = ("csrf", "nonce", "token")


class Typing(NamedTuple):
    """A way to fill in a form or a query: in one field or several at once, and what the others hold."""

    name: str
    method: str
    action: str
    fields: dict[str, str]
    typed: tuple[str, ...]


# What any page takes is read by one function before the page is known.
ANYWHERE = ("lang", "theme")


async def typings(made: Tour) -> tuple[list[Typing], list[Typing]]:
    """All fields of each form and query at once; and each alone that a form shows or that a query of a page holds, on one
    page of a kind, and on one page of all if every page takes it."""
    together: list[Typing] = []
    for (method, name), (action, fields) in (await forms(made)).items():
        mine = tuple(each for each in fields if each not in NOT_TYPED)
        together += [Typing(name, method, action, fields, mine)] if mine else []
    alone = [each._replace(typed=(field,)) for each in together for field in each.typed]
    names = (await names_of(made))[: MOST_FIELDS - 1]
    asked: dict[str, dict[str, str]] = {}
    for stop in made.stops:
        path, _, query = stop.path.partition("?")
        own = dict(parse_qsl(query))
        for href in (stop.path, *(await made.see(stop)).shown.links):
            to = urlsplit(urljoin(HOME + path, href))
            for field, value in parse_qsl(to.query):
                asked.setdefault(to.path, {}).setdefault(field, value)
        if not stop.member:
            together.append(
                Typing(stop.name, "get", quoted(path), dict.fromkeys(names, "") | own, tuple(names))
            )
    for path, own in asked.items():
        alone += [Typing(path, "get", quoted(path), own, (field,)) for field in own]
    kinds = {
        (one.method, "" if field in ANYWHERE else re.sub("/[0-9a-f-]{32,}", "/{id}", one.action), field): one
        for one in alone for field in one.typed
    }  # fmt: skip
    return together, list(kinds.values())


def sizes_of(one: Typing, unit: str, doublings: int) -> tuple[int, ...]:
    """The lengths of text that are tried: of a query up to what the head of a request may hold, of a form up to 16,384."""
    bytes_each = len(quote(unit)) * len(one.typed) // len(unit)
    most = SIZES[6] if one.method == "post" else HEAD_BYTES // bytes_each
    return tuple(most >> step for step in reversed(range(doublings + 1)))


def slow(
    units: tuple[str, ...], doublings: int, chosen: Callable[[list[Typing], list[Typing]], list[Typing]]
) -> dict[Any, str]:
    """The typings at which twice the text took more than about twice the time."""
    found: dict[Any, str] = {}
    with asyncio.Runner() as runner:
        place = town()
        here = runner.run(place.__aenter__())
        made = runner.run(tour(here))
        for one in chosen(*runner.run(typings(made))):
            for unit in units:

                def work(text: str, one: Typing = one) -> None:
                    here.clock.advance(A_MINUTE_S)
                    fields = one.fields | dict.fromkeys(one.typed, text)
                    runner.run(sent(made.member, one.method, one.action, fields))

                if worse := steep(work, repeated("", unit, ""), sizes_of(one, unit, doublings)):
                    found[one.name, *one.typed, unit] = str(worse)
        runner.run(place.__aexit__(None, None, None))
    return found


def test_twice_the_text_in_all_fields_of_a_form_takes_about_twice_the_time():
    assert slow(UNITS[:2], 1, lambda together, alone: together) == {}


@pytest.mark.exhaustive
def test_twice_the_text_in_any_field_of_a_form_or_query_takes_about_twice_the_time():
    assert slow(UNITS, 4, lambda together, alone: together + alone) == {}
