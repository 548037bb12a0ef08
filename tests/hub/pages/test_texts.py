"""The words of the pages: every language is complete, nothing is missing and nothing is left over."""

from __future__ import annotations

import re
from pathlib import Path

import bazi_hub.pages as web
from bazi_core.pattern.useful import ROLES
from bazi_core.school import OPTIONS
from bazi_core.speech.reading import SENTENCES
from bazi_core.speech.speaker import TONES
from bazi_core.tables import rows
from bazi_core.views.certainty import LEANING, OPEN, SETTLED
from bazi_hub.http.client_configs import CLIENTS
from bazi_hub.pages.address import CHOICES
from bazi_hub.pages.billing import EXPIRY_DAYS
from bazi_hub.pages.reading_view import DOMAINS, SECTIONS
from bazi_hub.pages.readings import OFFERS
from bazi_hub.pages.refusal import UNITS
from bazi_hub.pages.request import THEMES
from bazi_hub.pages.texts import LANGUAGES, catalogue, rows_of
from bazi_hub.people.guessable import SAID
from bazi_hub.ports import CallRecord
from bazi_hub.tools.meta import STATUS
from tests.tables import holds_for_all

HERE = Path(web.__file__).parent
SOURCES = [*HERE.glob("*.py"), *HERE.glob("templates/*.html")]
# What a question may be about, how it may be put, and for what one asks somebody else.
ASKED = {
    slot: {row["value"] for row in rows("intents") if row["slot"] == slot} | more
    for slot, more in (("domain", {"general"}), ("kind", {"describe"}))
}
REFERRED = [row["class"] for row in rows("questions") if row["answer"] == "topic_left_out"]
# Keys that are put together where they are used.
MADE = {
    *(f"tone.{tone}" for tone in TONES),
    *(f"phase.{phase}" for phase in ("computed", "reading", "kept")),
    *(f"offer.{kind}{more}" for kind in OFFERS for more in ("", ".name", ".about")),
    *(f"offers.{way}.{kind}" for kind in OFFERS for way in ("buy", "take")),
    *(f"length.{length}" for length in SENTENCES),
    *(f"heard.gibberish.{kind}" for kind in OFFERS),
    *(f"heard.domain.{domain}" for domain in ASKED["domain"]),
    *(f"heard.kind.{kind}" for kind in ASKED["kind"]),
    *(f"heard.left_out.{name}" for name in REFERRED),
    *(f"sure.{sure}" for sure in ("settled", "leaning", "open", "same")),
    *(f"part.{key}" for key in (*SECTIONS, *DOMAINS, "domains")),
    *(f"event.{kind}" for kind in ("good", "bad", "even")),
    *(f"years.{mark}" for mark in ("high", "low")),
    *(f"role.{at}" for at, _ in enumerate(ROLES)),
    *(f"status.{status}" for status in STATUS.values()),
    *(f"liuyao.understood.{how}" for how in ("stated", "words", "unknown")),
    *(f"liuyao.weighed.{side}" for side in ("for", "against")),
    *(f"liuyao.board.{name}" for name in ("place", "value", "line", "hidden")),
    *(f"keys.days.{days}" for days in EXPIRY_DAYS),
    *(f"client.{client}" for client in ("curl", *CLIENTS)),
    *(f"wait.{unit}" for unit, _ in UNITS),
    *(f"password.{why}" for why in SAID),
    *(f"kept.{name}" for name in ("chart", "reading", "cast")),
    *(f"keys.{name}" for name in ("personal", "agent", "id", "flavor", "created", "expiry", "used", "state")),
    *(f"keys.state.{state}" for state in ("active", "expired", "revoked")),
    *(f"billing.{name}" for name in ("balance", "held", "available")),
    *(f"theme.{theme}" for theme in THEMES),
    *(f"almanac.field.{name}" for name in "mdqpab"),
    *(
        f"almanac.{name}"
        for name in ("date", "lunar", "pillar", "officer", "grade", "for", "hours", "beware")
    ),
    *("forum.agent", "forum.human", "birth.male", "birth.female"),
    *("birth.solar", "birth.lunar", "birth.lon", "birth.lat", "birth.fold.0", "birth.fold.1"),
    *(f"birth.{name}" for name in CHOICES),
    *(f"birth.gives.{number}" for number in range(1, 6)),
    *(f"birth.zi.{value}" for value in OPTIONS["late_zi_hour_stem"]),
    *(f"chart.strength.{certainty}" for certainty in (SETTLED, LEANING, OPEN)),
    *(f"chart.other.{kind}" for kind in ("clock", "sun", "edge", "none")),
    *(f"day.{name}" for name in ("strength", "pattern", "useful")),
}
# Keys by what came back: codes of errors, arguments, fields of a form, a number of one.
FAMILIES = re.compile(r"error\.|argument\.|birth\.[A-Z]|birth\.wrong\.|.*\.one$")


def used() -> set[str]:
    """Every quoted text in the sources that is a key."""
    told = "\n".join(source.read_text(encoding="utf-8") for source in SOURCES)
    return set(re.findall(r"""["']([a-z][a-zA-Z_.0-9]*)["']""", told)) & set(catalogue())


def test_every_phrase_stands_there_in_every_language_once():
    keys = [row["key"] for file in HERE.glob("phrases/*.csv") for row in rows_of(file)]
    assert len(keys) == len(set(keys))
    for key, row in catalogue().items():
        assert all(row[language].strip() for language in LANGUAGES), key
        for language in LANGUAGES:
            assert set(re.findall(r"{\w+}", row[language])) == set(re.findall(r"{\w+}", row["en"])), key


def test_every_phrase_is_used():
    assert {key for key in set(catalogue()) - used() - MADE if not FAMILIES.match(key)} == set()


def test_every_phrase_that_templates_ask_for_is_there():
    asked = {
        key
        for source in HERE.glob("templates/*.html")
        for key in re.findall(r"""\bt\(["']([^"']+)["'][,)]""", source.read_text(encoding="utf-8"))
    }
    assert asked - set(catalogue()) == set()
    assert MADE - set(catalogue()) == set()


@holds_for_all("status", [400, 403, 404, 405, 408, 413, 415, 500, 503])
def test_every_status_that_a_page_can_have_is_told(status):
    assert f"error.{status}" in catalogue()


def test_a_state_of_a_call_is_one_that_is_told():
    assert CallRecord._fields
    assert set(STATUS.values()) == {"success", "failed", "expired", "running"}
