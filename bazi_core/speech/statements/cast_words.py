"""What every statement on a cast has at hand: its facts, the line that is judged, and its words as values.

A statement that stands on the other side of the sign is a counter-ground; how that is said is the speaker's part.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bazi_core.alphabet import ELEMENTS
from bazi_core.facts import digest
from bazi_core.liuyao import marks
from bazi_core.liuyao.asked import expecting
from bazi_core.liuyao.force import IDLE, able, acting, chain, is_empty, is_held, works_back
from bazi_core.liuyao.hexagrams import clash, combination, relation
from bazi_core.liuyao.matters import HEALTH, LAW, LOST, STAKES, asks_when, matter_of, names, unjudged
from bazi_core.liuyao.yongshen import SHI, YING, label_of
from bazi_core.questions.intent import intent
from bazi_core.questions.marks import FORMER
from bazi_core.speech.catalogue import LinePlace, Najia, Phrase, Sign, Term
from bazi_core.speech.plan import AGAINST, CLAIM, COUNTER, FOR, LEANING, NEITHER, SETTLED, Draft
from bazi_core.tables import rows

if TYPE_CHECKING:
    from bazi_core.alphabet import Branch, Element
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import Line, State
    from bazi_core.liuyao.force import Standing
    from bazi_core.liuyao.timing import TimingTrigger
    from bazi_core.liuyao.yongshen import YongshenCandidate

SEATS = {SHI: "世爻", YING: "应爻"}
# Terms that many sentences name, by the name of their slot.
NAMED = {
    "role": "用神", "shi": "世爻", "ying": "应爻", "timing": "应期", "ben": "本卦", "zhi": "之卦", "day_word": "日辰",
    "month_word": "月建", "moving": "发动", "trine": "三合", "helper": "原神", "harmer": "忌神", "rival": "仇神",
    "broken_word": "月破",
}  # fmt: skip
# What an element is to that of the line that is judged, by how far it lies after it in the order of generation, and on which
# side that stands: alike, drained by it, 仇神, 忌神, 原神.
BEARINGS = (("alike", FOR), ("drain", NEITHER), ("rival", AGAINST), ("harmer", AGAINST), ("helper", FOR))
# What 应 is to 世, by how far the element of 世 lies after that of 应.
_BONDS = ("世应和", "应生世", "应克世", "世克应", "世生应")
# Topics in which one decides or agrees on something.
_DECIDING = ("career", "wealth", "partner", "home", "law", "other")
# Kinds of questions that keep their own line, whoever they are asked for.
EXPECTING = ("怀孕", "懷孕")
INVESTMENT = "投资"
# Who is a former one where the question says so.
_PARTNERS = ("spouse", "wife", "husband", "girlfriend", "boyfriend")
ALL_LINES = tuple(f"ly.line.{n}" for n in range(1, 7))


# From a verdict against what is asked to one for it.
STANCES = ("no", "hardly", "open", "rather", "yes")
OPEN = STANCES.index("open")


class Lean(NamedTuple):
    """The stance as an index of `STANCES`, and its side; of an open cast the side of the sign."""

    stance: int
    side: str

    @property
    def name(self) -> str:
        return STANCES[self.stance]


class Omen(NamedTuple):
    """A mark of the board that speaks for or against what is asked: its row, its side, its values and its facts."""

    key: str
    side: str
    evidence: tuple[str, ...]
    values: dict[str, Any]
    steps: int = 1


class Condition(NamedTuple):
    """What would have to change: its clause (`cast.if.`), the rule of 应期 that says when, and what the clause names.

    The rule is the one by which 应期 is told, so that what must change, on which branch and with which date are one account.
    """

    kind: str
    rule: TimingTrigger | None
    rule_id: str
    facts: tuple[str, ...]
    values: dict[str, Any]

    def told(self, who: Phrase, wait: Phrase | None) -> tuple[Phrase, tuple[str, ...]]:
        """The clause with its facts; with the branch that brings the change where one is told."""
        if wait is None:
            return Phrase(f"cast.if.{self.kind}", words(who=who, **self.values)), self.facts
        values = words(who=who, wait=wait, **self.values)
        return Phrase(f"cast.if.{self.kind}.by", values), (*self.facts, self.rule_id)


class Waits(Protocol):
    """The wait until what holds a cast back ends, as 应期 has it."""

    def wait(self, dated: bool = False) -> Phrase | None: ...

    def tell_limit(self, running: bool) -> None: ...

    @property
    def facts_of_wait(self) -> tuple[str, ...]: ...


class CastDraft:
    """The statements on one cast in the making."""

    # To which side the cast leans, the one thing that would have to change, and 应期.
    lean: Lean
    held: Condition | None
    times: Waits
    # Whether the grounds of the verdict were told in full, as in the running text.
    verdict_told = False

    def __init__(self, found: Analysis, question: str) -> None:
        assert found.sign is not None
        self.found, self.chart, self.sign = found, found.chart, found.sign
        # The places of lines of which the verdict told that what they do comes to nothing.
        self.in_vain: set[int] = set()
        self.asked = asked = question or found.question
        self.subject, self.own = found.subject, found.subject_id
        self.month, self.day = found.chart.month_branch, found.chart.day.branch
        self.rel = word(SEATS.get(self.subject.target, self.subject.target))
        self.is_seat = self.subject.target in SEATS
        kind = "open" if found.yongshen.undecided else "seat" if self.is_seat else "role"
        self.who = Phrase(f"cast.who.{kind}", words(rel=self.rel))
        self.seat = seat(self.subject)
        on_line = self.subject.source == "line"
        # The state of what is not on a line follows from the month alone.
        self.states = (f"ly.line.{self.subject.position}.state",) if on_line else ()
        self.shi, self.ying = (
            found.lines[at - 1] for at in (self.chart.primary.shi, self.chart.primary.ying)
        )
        self.matter = matter_of(asked, found.question_type)
        self.intent = intent(asked) if asked else None
        self.treats = self.matter.treats
        # What no cast says: whether somebody is with child, what an illness is, how an operation goes, what a court imposes,
        # whether one is deceived, and what chance brings.
        self.unjudged = unjudged(asked, found.question_type)
        self.asks_when = asks_when(asked) or (self.intent is not None and self.intent.kind == "when")
        self.party = Phrase(f"cast.party.{self.matter.party or 'other'}", {})
        # A matter that keeps its own line may still be somebody else's.
        self.kin = found.kinship or (expecting(asked) if found.question_type in EXPECTING else None)
        is_former = self.intent is not None and FORMER in self.intent.marks
        person = "former" if is_former and self.kin in _PARTNERS else self.kin or "other"
        self.person = Phrase(f"cast.person.{person}", {})
        # What the lines that act do together, where the 用神 is known.
        self.chain = None if found.yongshen.undecided else chain(found.lines, found.standings, self.subject)
        self.draft = Draft(found.facts, _digest(found, question))

    def say(self, key: str, *evidence: str, side: str = NEITHER, weight: float = 2, **values: Any) -> None:
        """One statement; what speaks against the verdict is a counter-ground."""
        other = {FOR: AGAINST, AGAINST: FOR}[self.lean.side]
        # Where no grade is given there is no fact of it.
        facts = [name for name in evidence if name != "ly.sign" or not self.found.ungraded]
        self.draft.add(
            f"cast.{key}", *facts, side=side, relation=COUNTER if side == other else CLAIM, weight=weight,
            kind="inference" if evidence else "advice", certainty=LEANING if side != NEITHER else SETTLED,
            **words(**values),
        )  # fmt: skip

    def side(self, *rules: str) -> str:
        """The side of the ground that one of these rules of the sign is; neither where none of them applied."""
        met = (
            contribution.side
            for contribution in self.sign.contributions
            if contribution.rule.startswith(rules)
        )
        side = next(met, NEITHER)
        return NEITHER if side == FOR and self.opposes else side

    def answer(self, which: str, matter: str = "") -> Phrase:
        """What is asked, or another matter beside it, come about (`yes`) or not (`no`), as a clause."""
        whose = {name: Phrase(f"cast.{name}.{self.matter.whose}", {}) for name in ("they", "their")}
        name = matter or self.matter.name
        if self.matter.topic == LAW and name == "verdict" and self.is_of_kin:
            name = "verdict_kin"
        return Phrase(f"cast.matter.{name}.{which}", whose)

    def stands(self, own: State) -> Phrase:
        """How the season stands to a line, in words that frighten nobody."""
        return Phrase(f"cast.state.{own.month_state}", words(state=word(own.month_state)))

    def standing(self, line: Line) -> Standing:
        """How a line stands; every sentence of it follows that."""
        return self.found.standings[line.position - 1]

    def is_subject(self, line: Line) -> bool:
        """Whether a line is itself what is judged."""
        return self.subject.source == "line" and self.subject.position == line.position

    def is_within(self, half: str) -> bool:
        """Whether the subject stands in the inner or the outer trigram."""
        return self.subject.source == "line" and (line_of(self.subject).position <= 3) is (half == "inner")

    @property
    def presses(self) -> bool:
        """Whether 应 that controls 世 does press on it: what is still controls nothing that moves (静不克动), and what stirs
        must be able to act."""
        if self.ying.active:
            return self.standing(self.ying).is_able
        return not self.shi.active and self.standing(self.ying).cause is None

    @property
    def opposes(self) -> bool:
        """Whether what is judged is 应 and presses on 世: its strength is strength against whoever asks."""
        is_pressing = bool(self.matter.party) and self.subject.target == YING and self.presses
        return is_pressing and bond(self.shi, self.ying, void=False) == "应克世"

    @property
    def held_facts(self) -> tuple[str, ...]:
        """The rule by which the one condition comes about, as a fact."""
        return (self.held.rule_id,) if self.held is not None and self.held.rule is not None else ()

    @property
    def decides(self) -> bool:
        """Whether a decision or an agreement lies in what is asked, so that a word on either is in its place (P)."""
        return self.matter.is_advised or self.matter.topic in _DECIDING

    @property
    def is_lost(self) -> bool:
        """Whether something, or a pet, is looked for."""
        return self.matter.topic == LOST or self.matter.name == "pet_found"

    @property
    def is_at_risk(self) -> bool:
        """Whether shares, coins or the like are to be bought, kept or sold."""
        is_stake = self.matter.topic == "wealth" and names(self.asked, STAKES)
        return label_of(self.found.question_type) == INVESTMENT or is_stake

    @property
    def is_parted(self) -> bool:
        """Whether day or month clashes with the line that is judged."""
        own = self.subject.state
        return self.subject.source == "line" and bool({"冲", "破"} & {*own.day, *own.month})

    @property
    def is_of_health(self) -> bool:
        """Whether it is an illness or a pregnancy, of which no word is to be read as one on survival."""
        return self.matter.topic == HEALTH or self.found.question_type in EXPECTING

    @property
    def is_unjudged(self) -> bool:
        """Whether nothing is judged of what is asked."""
        return bool(self.unjudged)

    @property
    def healer(self) -> str:
        """The sentence that leaves a treatment to whom it belongs."""
        return "treatment" if self.is_of_health else "treatment.pet"

    @property
    def is_soon(self) -> bool:
        """Whether what is asked is over in these days, and not when it comes."""
        return self.matter.soon and not self.asks_when

    @property
    def is_of_kin(self) -> bool:
        """Whether somebody else's own matter is asked about, whose line is known."""
        return self.kin not in (None, "self") and not self.found.yongshen.undecided

    @property
    def is_broken_in_season(self) -> bool:
        """Whether the subject is of the element of the month and is broken by it, as earth by earth."""
        own = self.subject.state
        return own.month_broken and own.is_prosperous and "临" not in own.day

    @property
    def harms_from_self(self) -> bool:
        """Whether 忌神 holds 世; of 世 and 应 alone the one controls the other, which is told as that."""
        if self.is_seat or self.found.yongshen.undecided or self.is_subject(self.shi):
            return False
        return self.bearing(self.shi.state.element)[0] == "harmer"

    def element_of(self, relative: str) -> Element:
        """The element of a relative in the palace of the cast."""
        return next(each for each in ELEMENTS if relation(self.chart.primary.element, each) == relative)

    @property
    def about(self) -> str:
        """The topic by which a term has but one sense: of love by the line of the partner, of what is lost by whether it
        lives."""
        topic, target = self.matter.topic, self.subject.target
        if self.treats or self.is_lost:
            return HEALTH if self.treats else "lost.pet" if target == "子孙" else LOST
        return topic if topic != "love" or target in (SHI, YING) else f"{topic}.{target}"

    @property
    def is_filled(self) -> bool:
        """Whether the subject is void and the day fills it by a clash (《增删卜易·日辰章》「冲空即起」,
        《卜筮正宗·旬空论》「冲实」)."""
        return self.subject.source == "line" and self.subject.state.void and self.subject.state.day_clashed

    @property
    def turns_to_store(self) -> bool:
        """Whether the subject enters its store by its own change."""
        line = self.subject.line if self.subject.source == "line" else None
        return line is not None and works_back(line, "化墓")

    @property
    def is_clashed_faint(self) -> bool:
        """Whether the subject moves without 气 and the day clashes with it: out of season and its remainder, fed neither by
        the day nor by a line. Others call it scattered; 《增删卜易·动散章》 tried that and hardly ever saw it."""
        own = self.subject.state
        if not self.subject.moving or not own.day_clashed or own.void or own.is_prosperous or is_held(own):
            return False
        helped = able(acting(self.found.lines, self.subject, "helper"), self.found.standings)
        return not helped and marks.RESIDUAL.get(self.month) is not own.element

    def bearing(self, element: Element) -> tuple[str, str]:
        """What an element is to the line that is judged, and its side."""
        return BEARINGS[(element.index - self.subject.state.element.index) % 5]


def word(name: str) -> Term:
    """A word of 六爻 as a value of a sentence."""
    return Term(name, "cast")


def branch_sign(branch: Branch) -> Sign:
    return Sign(branch.value, plain=True)


def words(**values: Any) -> dict[str, Any]:
    """Values of a sentence with the words that many need."""
    return {name: word(each) for name, each in NAMED.items()} | values


def part(key: str, *evidence: str, **values: Any) -> tuple[Phrase, tuple[str, ...]]:
    """A clause, and the facts that it rests on."""
    return Phrase(f"cast.{key}", words(**values)), evidence


def kind_of(stands: Standing) -> str:
    """How a line stands, by a word of its own where it is still and part of a 三合局 of another element."""
    is_joined = stands.kind == IDLE and stands.cause is not None and stands.cause.kind == "joined"
    return "idle.joined" if is_joined else stands.kind


def fares(stands: Standing, line: Line) -> Phrase:
    """How and where a line stands, as a clause."""
    return Phrase(f"cast.fares.{kind_of(stands)}", words(place=LinePlace(line.position)))


def line_of(subject: YongshenCandidate) -> LinePlace:
    """The line of a subject; of one that is off the board no sentence names it."""
    return LinePlace(subject.position or 0)


def placed(line: Line) -> dict[str, Any]:
    """A line by its place and its stem and branch."""
    return {"place": LinePlace(line.position), "pillar": Najia(line.pillar.value)}


def bond(shi: Line, ying: Line, void: bool) -> str:
    """What 应 and 世 are to each other; what is empty comes first where it is looked at, then clash and combination."""
    if void and is_empty(ying.state):
        return "俱空" if is_empty(shi.state) else "应空"
    if clash(shi.state.branch) is ying.state.branch:
        return "世应冲"
    if combination(shi.state.branch) is ying.state.branch:
        return "世应合"
    return _BONDS[(shi.state.element.index - ying.state.element.index) % 5]


def spent_of(cast: CastDraft, line: Line) -> tuple[Phrase, tuple[str, ...]] | None:
    """What keeps a line from acting, as a clause with its facts; None where nothing does."""
    stands = cast.standing(line)
    found = stands.cause
    if found is None:
        return None
    values: dict[str, Any] = {
        "day": Najia(cast.day.value), "month": Najia(cast.month.value), "void": word("旬空"), "jolted": word("日冲"),
    }  # fmt: skip
    if found.kind == "change":
        values["mark"] = word(found.tails[0].removeprefix("change."))
    if found.kind == "joined":
        values["element"] = word(stands.facts[0].split(".")[2])
    facts = ("ly.richen", "ly.yuejian", "ly.void.day", *stands.facts)
    return Phrase(f"cast.spent.{found.kind}", words(**values)), facts


@cache
def bonds() -> dict[str, dict[str, str]]:
    """What 应 is to 世, each with its row."""
    return {row["bond"]: row for row in rows("liuyao/bonds")}


def store_of(cast: CastDraft) -> Line | str | None:
    """What stores the subject: `day`, or the line that acts and is its store; nothing where the day supports it."""
    own, store = cast.subject.state, marks.tomb(cast.subject.state.element)
    if own.day_stage == "墓" and not {"临", "扶", "生"} & {*own.day}:
        return "day"
    acting = (
        line for line in cast.found.lines if cast.standing(line).is_able and line is not cast.subject.line
    )
    return next((line for line in acting if line.state.branch is store), None)


def void_of(line: Line) -> Term:
    return word(f"{line.void_kind}空" if line.void_kind else "旬空")


def seat(subject: YongshenCandidate) -> str:
    """The fact of the place in which the subject was found."""
    if subject.source == "hidden":
        return f"ly.hidden.{subject.position}"
    if subject.source == "changed":
        return f"ly.target.{subject.position}"
    return {"month": "ly.yuejian", "day": "ly.richen"}.get(subject.source, f"ly.line.{subject.position}")


def _digest(found: Analysis, question: str) -> str:
    """What chooses among wordings: the cast, what it was asked about, and the question."""
    chart = found.chart
    stated = [
        list(chart.lines), chart.month_branch.value, chart.day.value, found.question_type, found.asker, found.kinship,
        question,
    ]  # fmt: skip
    return digest(stated)
