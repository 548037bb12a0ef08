"""Statements and plans: what is true of an object and can be said, and the order in which it is said.

A statement holds no text. Its key names rows of the catalogue, its values fill their slots, its evidence are the facts from
which all of it follows. A plan is an order of statements under topics; how long a reading is, what it leaves out and which
question it answers choose among them before anything is worded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.facts import collect

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bazi_core.facts import Fact

SUMMARY = "summary"
# What stands first in a reading: of a chart or years the summary, of a cast its conclusion or its answer.
ANSWERS = (SUMMARY, "conclusion", "answer")
# What a statement does for the statement that it stands with.
CLAIM, GROUND, COUNTER, CONSEQUENCE, DOUBT, ADVICE, FURTHER = (
    "claim", "ground", "counter", "consequence", "doubt", "advice", "further",
)  # fmt: skip
# How a judgement was reached, for whoever practises, and what a plain reading has in its place.
METHOD, IN_PLACE = "method", "in_place"
# Which way a statement speaks, seen from the verdict or the question to which it belongs.
FOR, AGAINST, NEITHER = "for", "against", "neither"
SETTLED, LEANING, OPEN = "settled", "leaning", "open"
# So many statements answer each further part of a question.
BRIEF = 3
# The heaviest statements that each length tells: 1 belongs to every length, 2 to standard, 2.5 to standard as long as there
# is room, 3 to long.
DEPTHS = {"short": 1.0, "standard": 2.5, "long": 3.0}
# As many are told at most; what is left of the allowance is for the disclaimer and a referral.
ROOM = {"short": 8, "standard": 25, "long": 57}


class Statement(NamedTuple):
    """Something true that can be said of an object.

    `id` is its key, with a number where the key is said again; `relation` is what it does for the claim before it; `side`
    and `certainty` are those of the facts it rests on; `kind` is fact, inference, advice or transition, of which the first
    two cite evidence. A `required` statement stands in every reading of its topic.

    >>> Statement("rank", "rank", {"rank": 3}, ("pat.rank",), "pattern").hedge
    False
    """

    id: str
    key: str
    values: dict[str, Any]
    evidence: tuple[str, ...]
    topic: str
    relation: str = CLAIM
    side: str = NEITHER
    certainty: str = SETTLED
    weight: float = 2
    kind: str = "inference"
    required: bool = False

    @property
    def hedge(self) -> bool:
        """Whether it states a tendency."""
        return self.certainty != SETTLED


class Plan(NamedTuple):
    """Statements in the order in which they are said, with the title and keywords as values of the catalogue.

    `facts` are those that the statements may cite. `digest` is that of the object: it chooses among variants, so that the
    same object always reads the same. Where topics are read by themselves (`separate`), each glosses its terms anew. `about`
    is the topic of the question, by which terms are explained. What `is_over` is told without advice.
    """

    statements: tuple[Statement, ...]
    facts: Mapping[str, Fact]
    digest: str
    title: Any = ""
    keywords: tuple[Any, ...] = ()
    separate: bool = False
    about: str = ""
    is_over: bool = False

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics in their order."""
        return tuple(dict.fromkeys(statement.topic for statement in self.statements))

    def shortened(self, length: str, most: int | None = None, plain: bool = False) -> Plan:
        """The plan with the statements that belong to a length; where room is short, every topic keeps
        its first one, and of the heaviest the last give way. A `plain` reading tells of methods only when it is long."""
        room = ROOM[length] if most is None else most
        left_out = METHOD if plain and length != "long" else IN_PLACE
        within = [
            statement
            for statement in self.statements
            if statement.weight <= DEPTHS[length] and statement.relation != left_out
        ]
        opens = {each.topic: at for at, each in reversed([*enumerate(within)])}
        order = sorted(
            range(len(within)),
            key=lambda at: (not within[at].required, opens[within[at].topic] != at, within[at].weight, at),
        )
        return self._replace(statements=tuple(within[at] for at in sorted(order[:room])))


# Statements that tell one score or one verdict in other words.
_ALIKE = ("answer.score.", "answer.also.", "answer.year.")


def _gist(statement: Statement) -> tuple[object, ...]:
    """What a statement comes down to: its words and values, of a score the score."""
    if statement.key.startswith(_ALIKE):
        return ("score", statement.values.get("year"), statement.values.get("domain"))
    return (statement.key, statement.values)


class Draft:
    """Statements in the making: what may be said of an object, collected topic after topic.

    Every id of evidence must be a fact of the object; a statement that cites another is a defect and raises `KeyError`.
    """

    def __init__(
        self, facts: Mapping[str, Fact], digest: str, left_out: frozenset[str] = frozenset()
    ) -> None:
        self.facts, self.left_out = dict(facts), left_out
        self._digest = digest
        self._topic = SUMMARY
        self._statements: list[Statement] = []
        self._uses: dict[str, int] = {}

    def learn(self, facts: Iterable[Fact]) -> None:
        """Statements may cite these facts as well."""
        self.facts |= collect(facts)

    def topic(self, name: str) -> None:
        """What follows belongs to this topic."""
        self._topic = name

    def add(
        self,
        key: str,
        *evidence: str,
        weight: float = 2,
        kind: str = "inference",
        relation: str = CLAIM,
        side: str = NEITHER,
        certainty: str = SETTLED,
        required: bool = False,
        **values: Any,
    ) -> None:
        """One statement of the present topic."""
        if self._topic in self.left_out:
            return
        for name in evidence:
            self.facts[name]
        self._uses[key] = self._uses.get(key, 0) + 1
        number = self._uses[key]
        self._statements.append(
            Statement(
                key if number == 1 else f"{key}.{number}", key, values, tuple(dict.fromkeys(evidence)), self._topic,
                relation, side, certainty, weight, kind, required,
            )
        )  # fmt: skip

    def another(self) -> Draft:
        """An empty draft of the same object, for the answer to a further part of a question."""
        return Draft(self.facts, self._digest, self.left_out)

    def answer_too(self, other: Draft, is_same: bool = True) -> None:
        """The first statements of another answer, those aside that were said before, stand behind this one, introduced as
        the answer to a further question. Where nothing is left of one that does not ask the same (`is_same`), it is said
        that more was asked."""
        self.learn(other.facts.values())
        said = [_gist(each) for each in self._statements]
        own = [each for each in other._statements if each.topic == SUMMARY]
        new = [each for each in own if _gist(each) not in said][:BRIEF]
        if own and not new:
            # What was left to others has no place in the chart on which it could rest.
            key = "answer.same" if any(each.evidence for each in own) else "answer.same.left"
            if is_same:
                self.add(key, weight=1, kind="transition", relation=FURTHER, required=True)
            elif not self.says("answer.more"):
                self.add("answer.more", weight=1, kind="transition", required=True)
        for number, each in enumerate(new):
            self.add(
                each.key, *each.evidence, weight=each.weight, kind=each.kind, side=each.side, certainty=each.certainty,
                relation=each.relation if number else FURTHER, required=each.required, **each.values,
            )  # fmt: skip

    def require(self) -> None:
        """The statements of the present topic so far are told in every length, as parts of an answer: what is said
        elsewhere under the same key keeps its id."""
        for at, each in enumerate(self._statements):
            if each.topic == self._topic:
                self._statements[at] = each._replace(weight=1, required=True)
                if not each.key.startswith("answer."):
                    self._statements[at] = self._statements[at]._replace(
                        id=f"answer.{each.id.removeprefix('answer.')}"
                    )
                    self._uses[each.key] = 0

    def number_of(self, beginning: str) -> int:
        """How many statements of the present topic have a key that begins so."""
        own = [each for each in self._statements if each.topic == self._topic]
        return sum(each.key.startswith(beginning) for each in own)

    def keep_first(self, most: int) -> None:
        """Only the first so many statements of the present topic stay."""
        own = [statement for statement in self._statements if statement.topic == self._topic][most:]
        self._statements = [statement for statement in self._statements if statement not in own]

    def move_up(self, key: str, place: int) -> None:
        """The statements of this key stand at a place among those of their topic."""
        own = [each for each in self._statements if each.key == key]
        if not own:
            return
        rest = [each for each in self._statements if each.key != key]
        at = [number for number, each in enumerate(rest) if each.topic == own[0].topic]
        before = (at[place - 1] + 1 if place else at[0]) if len(at) >= max(place, 1) else len(rest)
        self._statements = rest[:before] + own + rest[before:]

    def put_off(self, key: str, topic: str, told: str) -> None:
        """The statement of this key belongs to a topic where it is told by another one."""
        own = [
            statement._replace(id=told, key=told, topic=topic)
            for statement in self._statements
            if statement.key == key
        ]
        rest = [statement for statement in self._statements if statement.key != key]
        self._statements = rest if topic in self.left_out else rest + own[:1]

    def rename(self, key: str, told: str) -> None:
        """The statement of this key is told by another one."""
        self._statements = [
            each._replace(id=told, key=told) if each.key == key else each for each in self._statements
        ]

    def leave_to_long(self, topics: Collection[str]) -> None:
        """The statements of these topics belong to long readings only, and those of others but the summary that would be
        told where there is room."""
        fills = DEPTHS["standard"]
        self._statements = [
            statement._replace(weight=DEPTHS["long"], required=False)
            if statement.topic in topics or (statement.weight == fills and statement.topic != SUMMARY)
            else statement
            for statement in self._statements
        ]

    def take_back(self, key: str) -> None:
        """Say nothing under a key after all."""
        self._statements = [each for each in self._statements if each.key != key]
        self._uses.pop(key, None)

    def says(self, *keys: str) -> bool:
        """Whether one of these keys was added."""
        return any(key in self._uses for key in keys)

    def says_any(self, *beginnings: str) -> bool:
        """Whether a key was added that begins so."""
        return any(key.startswith(beginnings) for key in self._uses)

    def cites(self, name: str) -> bool:
        """Whether a statement cites this fact."""
        return any(name in statement.evidence for statement in self._statements)

    def cited(self, *keys: str) -> frozenset[str]:
        """The facts that the statements of these keys cite."""
        return frozenset(
            name for statement in self._statements if statement.key in keys for name in statement.evidence
        )

    def value(self, name: str) -> str:
        """The value of a fact as text."""
        return str(self.facts[name].value)

    def plan(
        self, title: Any = "", keywords: Iterable[Any] = (), order: Sequence[str] = (), separate: bool = False
    ) -> Plan:
        """The plan of all that was added, without what the summary has said already; topics that `order` names stand in that
        order, the others as they were added."""
        places = {topic: place for place, topic in enumerate(order)}
        answered = [_gist(each) for each in self._statements if each.topic == SUMMARY and each.evidence]
        told = [each for each in self._statements if each.topic == SUMMARY or _gist(each) not in answered]
        statements = sorted(told, key=lambda each: places.get(each.topic, -1))
        return Plan(tuple(statements), self.facts, self._digest, title, tuple(keywords), separate)
