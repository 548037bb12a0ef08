"""What a question asks of an object, and what of it no chart and no year can answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bazi_core.questions.marks import WHOLE_LIFE
from bazi_core.speech.catalogue import Phrase, Term, catalogue
from bazi_core.speech.plan import AGAINST, FOR, NEITHER
from bazi_core.year.rules import DOMAIN_ZH, OVERALL

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.speech.plan import Draft
    from bazi_core.year.span import YearsResult

# Domain of a question -> the score of a year that answers it.
SCORES = {
    "career": "career", "wealth": "wealth", "relationship": "relationship", "marriage": "relationship", "children": "family",
    "parents": "family", "study": "study", "health": "health_balance", "self": OVERALL, "general": OVERALL,
    "timing": OVERALL, "partnership": "wealth", "tai_sui": OVERALL,
    "trade": "career", "path": "career", "term": OVERALL, "gifts": OVERALL, "faults": OVERALL, "traits": OVERALL,
    "mate": "relationship", "match": "relationship",
}  # fmt: skip
# What no score of a year and no star of a chart stands for.
BEYOND = ("lawsuit", "travel_move", "direction")
# What is no question to a chart; what is asked of a side of life on which nothing is said; what is somebody else's own.
SET_ASIDE, LEFT_OUT, PRIVATE, PET, LOTTERY, LOST, BULLIED, BLAME, NAMED, CHILDS_NAME = UNANSWERED = (
    "set_aside", "left_out", "private", "pet", "lottery", "lost", "bullied", "blame", "named", "childs_name",
)  # fmt: skip
HIGH, LOW = 56, 45
GOOD, MIXED, BAD = "good", "mixed", "bad"
SIDES = {GOOD: FOR, BAD: AGAINST, MIXED: NEITHER}
# Kinds of question that are of time.
WHY, HOW, WHEN, HOW_MUCH, WHETHER = "why", "how", "when", "how_much", "whether"
TIMED = (WHEN, "which", "compare")
DAYS, MONTHS, LATELY, DECADE = "days", "months", "lately", "decade"
# Somebody who is no relative: what is asked is one's own side of it.
OTHER = "other"
# Domains that are told in a way of their own: a shared business, what offends 太岁, the field of work or study, two ways of
# working held against each other, what is looked up by its name, the good and weak sides of a character, what a partner is
# like and who would suit.
PARTNERSHIP, TAI_SUI, TRADE, PATH, TERM = "partnership", "tai_sui", "trade", "path", "term"
GIFTS, FAULTS, TRAITS = CHARACTER = ("gifts", "faults", "traits")
OF_MATES = MATE, MATCH = "mate", "match"
OWN_WAYS = (PARTNERSHIP, TAI_SUI, TRADE, PATH, TERM, *CHARACTER, *OF_MATES)
# What of these a chart tells without a verdict of good and bad.
UNWEIGHED = (PARTNERSHIP, PATH, TERM, *CHARACTER, *OF_MATES)
# Worry of every day, as far as it is asked what to do about it.
WORRY = "worry"
# How something is asked for yes or no that nobody wishes for.
FEARED = "feared"
# What is planned where a home is to be bought, and the kinds of question about it that are answered.
HOME, OF_PURCHASE = "home", (WHETHER, "compare")
# What one owes, and the kinds of question about it that are answered.
DEBT, OF_DEBT = "debt", (WHY, HOW, WHEN)
# What is to be won back at one stroke, with money that is borrowed.
STAKE = "stake"
# What is asked of the useful element besides a direction and a trade, and of two places which one it is to be.
COLOUR, NUMBERS, INCOME, PLACES, NAMING = "colour", "numbers", "income", "places", "naming"
# What stands in the place of a direction, where it is asked for.
OF_USE = (COLOUR, NUMBERS, NAMING)
# What takes place in a month that one cannot choose.
EXAM = "exam"
# Whether to stay or to go.
STAY_OR_GO, MOVE, ABROAD = "stay_or_go", "move", "abroad"
# What is planned or hoped for at a time of one's choosing.
WEDDING, DIVORCE, WILL, FIT = "wedding", "divorce", "will", "fit"
PLANS = (
    STAY_OR_GO,
    MOVE,
    ABROAD,
    HOME,
    WEDDING,
    "job_change",
    "job_search",
    "promotion",
    "business",
    "reunion",
    "journey",
)
# The horizons of a question for the best or the worst of the years in sight, not for the nearest.
BEST, WORST = "best", "worst"


class Asked(NamedTuple):
    """What a question asks of an object: the domain, the kind, the years and calendar months that it names, how near in time
    it looks, and of whom it is asked.

    `also` are further domains that it names beside the first. `ahead` are the years that it counts from a day that nobody
    told (0 this year, 1 the next), and `why` is the class for which a side of life is left out, or a part of it. `mate` is
    the word of the question for the partner, husband or wife. Months that ended before the instant `after` are no answer.
    `form` is how it asks for yes or no, `matter` what is planned or hoped for, and `extreme` whether the best or the worst
    is wanted. `until` is the last year in which something is to come; `asks_when` and `asks_whether` say that this is asked
    beside the kind. `beside` is the parent with whom one's own side is asked about. `owner` is the relative whose chart it
    is. `by_month` is the month of the year before which something is to come, `paths` are two ways of working of which one
    is to be chosen, `trades` fields of work that are weighed, `terms` names that are looked up in the chart. `this_year` is
    that of the question, 0 without a day. `claims` are what the asker takes for the day master and the branch of the year,
    `told` patterns and the like that are taken for given (`questions.doctrine`), `marks` what is told besides
    (`questions.marks`).
    """

    domain: str = "general"
    kind: str = "describe"
    years: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    horizon: str = "life"
    subject: str = "self"
    also: tuple[str, ...] = ()
    ahead: tuple[int, ...] = ()
    why: str = ""
    after: datetime | None = None
    mate: str = ""
    form: str = ""
    matter: str = ""
    extreme: str = ""
    until: int = 0
    asks_when: bool = False
    asks_whether: bool = False
    beside: str = ""
    owner: str = ""
    by_month: int = 0
    paths: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    this_year: int = 0
    claims: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()

    @property
    def is_of_days(self) -> bool:
        """Whether a particular day is asked for, which is not for a chart to choose."""
        return self.domain == "timing" and self.horizon == DAYS

    def is_of_late(self, year: int) -> bool:
        """Whether it is asked how things go at present, or why they go so in the present year."""
        is_now = (self.horizon == LATELY and not self.years) or (self.kind == WHY and self.years == (year,))
        return is_now and self.domain in SCORES and self.domain not in ("health", *OWN_WAYS)

    @property
    def is_of_plan(self) -> bool:
        """Whether it is asked if something planned is to be done, or will come about, and no time is named."""
        is_chosen = self.kind in (WHETHER, "compare") and self.matter in PLANS
        is_chosen = is_chosen and (self.horizon in ("life", LATELY) or self.by_month > 0)
        # Whether one will ever marry, or is made for it, is asked of a life.
        is_of_life = self.matter == WEDDING and (
            self.form == WILL or (self.kind == "compare" and self.form == FIT)
        )
        # Nobody is told to leave a partner.
        is_of_life = is_of_life or (self.matter == STAY_OR_GO and SCORES.get(self.domain) == "relationship")
        is_scored = (self.domain in SCORES or self.domain == "travel_move") and self.domain not in OWN_WAYS
        is_of_other = self.kind == WHETHER or self.matter == STAY_OR_GO
        is_own = self.subject == "self" or (self.subject == OTHER and is_of_other)
        is_own = is_own and self.domain != "children"
        return (
            is_chosen
            and is_scored
            and is_own
            and not (is_of_life or WHOLE_LIFE in self.marks or self.years or self.asks_when or self.until)
        )

    @property
    def is_of_side_in_decade(self) -> bool:
        """Whether it is asked how a side of life goes in a decade."""
        is_scored = SCORES.get(self.domain, OVERALL) != OVERALL and self.domain not in OWN_WAYS
        return self.horizon == DECADE and is_scored and self.subject in ("self", OTHER) and not self.years

    @property
    def is_timed(self) -> bool:
        return self.kind in TIMED or self.asks_when or self.horizon == MONTHS


# A further part of a question, and the years that are asked about in it or in sight.
FurtherQuestion: TypeAlias = "tuple[Asked, YearsResult | None]"


def verdict(score: int) -> str:
    """What a score says: good, mixed or bad."""
    return GOOD if score >= HIGH else BAD if score < LOW else MIXED


def named(domain: str) -> Any:
    """A score as a value of a sentence."""
    return Phrase("domain.whole", {}) if domain == OVERALL else Term(DOMAIN_ZH[domain], "domain")


# Domain that is told in a way of its own -> the side of life that it belongs to.
SIDE_OF = {TRADE: "career", PATH: "career", PARTNERSHIP: "wealth"} | dict.fromkeys(OF_MATES, "marriage")


def domain_of(domain: str) -> Any:
    """The domain of a question as a value of a sentence: what has no words of its own by its side of life, else the whole.

    >>> [domain_of(each).key for each in ("marriage", "trade", "tai_sui", "lawsuit")]
    ['domain.marriage', 'domain.career', 'domain.whole', 'domain.whole']
    """
    score = SCORES.get(domain, OVERALL)
    if score == OVERALL or domain == "health":
        return named(score)
    return Phrase(f"domain.{SIDE_OF.get(domain, domain)}", {})


def beyond_reach(draft: Draft, asked: Asked) -> bool:
    """Whether a number is asked for, or what somebody else has in mind, neither of which a chart holds; that is said."""
    is_of_work = asked.matter == STAY_OR_GO and SCORES.get(asked.domain) != "relationship"
    is_of_other = asked.subject == OTHER and asked.domain not in OWN_WAYS and not is_of_work
    key = "uncounted" if asked.kind == HOW_MUCH else "other_mind" if is_of_other else None
    if key is not None:
        draft.add(f"answer.{key}", weight=1, kind="transition", required=True)
    return key is not None


# What settles a choice, or is told of in a way of its own.
_CHOOSES = (
    "answer.choice.", "answer.stay.", "answer.path.", "answer.whether.", "answer.years.",
    "answer.trade", "answer.field", "answer.places", "answer.partnership.",
    "answer.direction", "answer.decades.", "answer.kin.", "answer.of_age", "answer.months",
    "answer.month.good", "answer.month.mixed", "answer.month.bad",
)  # fmt: skip


# What is held against each other where one stays with a partner or leaves.
_PARTING = (DIVORCE, STAY_OR_GO)


def unchosen(draft: Draft, asked: Asked) -> None:
    """Of things that are held against each other and that nothing in a chart tells apart, it is said first that it cannot
    choose; whom to stay with is nobody's to say."""
    for told in ("answer.places", "answer.places.open"):
        draft.move_up(told, 0)
    is_of_partner = SCORES.get(asked.domain) == "relationship"
    # What somebody else has in mind is no choice of one's own; what one is to do about it is.
    is_of_other = asked.subject == OTHER and asked.matter not in _PARTING and asked.form != "may"
    is_choice = asked.kind == "compare" and len(asked.years) < 2 and not is_of_other
    is_choice = is_choice or (asked.matter == DIVORCE and is_of_partner)
    is_scored = asked.domain == "general" or SCORES.get(asked.domain, OVERALL) not in (OVERALL, "family")
    is_unplaced = (
        asked.domain == "general" and asked.kind == WHETHER and asked.form == "may" and not asked.matter
    )
    if is_unplaced and asked.horizon == "life" and draft.says(*(f"answer.whole.{each}" for each in SIDES)):
        draft.add("answer.choice.unplaced", weight=1, kind="transition", required=True)
        draft.move_up("answer.choice.unplaced", 0)
    is_over = bool(asked.years) and max(asked.years) < asked.this_year
    if is_over or not is_choice or not is_scored or draft.says_any(*_CHOOSES):
        return
    told = "partner" if is_of_partner and asked.matter in _PARTING else "none"
    key = f"answer.choice.{told}{'.whole' if asked.domain == 'general' else ''}"
    draft.add(key, weight=1, kind="transition", required=True, domain=domain_of(asked.domain))
    draft.move_up(key, 0)


def form_of(asked: Asked, domain: str) -> tuple[str, Any]:
    """How yes or no is said, and of what: of what is planned by its name, else of the side of life. What one fears is no
    matter that one would have succeed, an exam none that one may do or leave, nor is a side of life."""
    wished = f"matter.{asked.matter or ('move' if asked.domain == 'travel_move' else '')}"
    planned = asked.form not in (FEARED, BAD) and wished in catalogue()
    matter = Phrase(wished, {}) if planned else named(domain)
    if asked.matter == EXAM and asked.form not in (FEARED, BAD):
        return EXAM, matter
    if domain == OVERALL and not planned and asked.form != FEARED:
        return "whole", matter
    is_choice = asked.form in ("may", "fit")
    return ("plain" if is_choice and not planned else asked.form or "plain"), matter
