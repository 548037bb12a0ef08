"""What a text on a cast says: statements about a line, the calendar, a hexagram, a sign, and ties between them.

A statement gathers what is said of one thing: 用神官鬼己亥水在三爻，持世而发动 names one line five times over, and there
must be a line of which all of it is true. A word of a kind that the statement has already (another line, another
relative) begins the next one; so does a clause that begins with a name, unless 为, 在 or "is" links it to what came
before. A verb ties two statements: 日辰未土克三爻.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.readings.claims import NUMBERS
from bazi_core.readings.denial import denied
from bazi_core.readings.divination.words import further_lines, vocabulary
from bazi_core.readings.vocabulary import Token, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE, CALENDAR, HEXAGRAM, TRINE, TIMING, ALONE = "line", "calendar", "hexagram", "trine", "timing", "alone"
# Words that name a thing, by what sort of thing it is; the others say something of it.
NAMES = {
    **dict.fromkeys(("line", "seat", "relative", "pillar", "branch", "stem", "role", "spirit"), LINE),
    **dict.fromkeys(("calendar", "dated"), CALENDAR),
    **dict.fromkeys(("gua", "hexagram", "palace", "part"), HEXAGRAM),
}
_SAID_OF = {
    **dict.fromkeys(
        ("moving", "void", "season", "stage", "change", "star", "hidden", "flying", "absent", "broken_month",
         "broken_day", "clashed_day", "moved", "board_still"), LINE,
    ),
    **dict.fromkeys(("generation", "tag"), HEXAGRAM),
    **dict.fromkeys(("trine", "trine_set", "trine_kind"), TRINE),
    **dict.fromkeys(("trigger", "when"), TIMING),
    **dict.fromkeys(("sign", "transition", "number", "yao_name", "gloss", "misnamed"), ALONE),
}  # fmt: skip
# Words that say nothing by themselves.
_SILENT = frozenset(("negator", "break", "timing", "turned", "verb", "verb_by", "plain", "position"))
# Names of places; a clause that begins with one tells no time.
_PLACED = frozenset(("line", "seat", "relative", "role", "calendar", "dated"))
_SIGNS = ("pillar", "branch", "stem", "element")
_ENDS = frozenset("。！？!?\n.")
_LINK = re.compile(
    r"(?:[为為是持临臨居在于於取即属屬落乃坐守带帶得称稱名以用化入到]|"
    r"\b(?:is|are|was|at|in|on|of|as|to|from|holds?|holding|bears?|bearing|with|named|called|namely|taken|stands|also|being)"
    r"(?: the| a| an| its)?)[ 「（(《“]*\Z"
)
_LIST = re.compile(r"[」）)》”]? ?(?:、|和|与|與|及|跟|以及|,? and |,? or |, ?| ?& ?)(?:the )?[「（(《“]?\Z")
_AND = re.compile(r"(?:和|与|與|跟|及|、| and )(?:the )?\Z")
_BY = re.compile(
    r"(?:[得受被蒙逢遇遭有与與和同从從]|得到|受到|\b(?:by|from|with))(?: the)?(?:[当當]月|[当當]日)? ?\Z"
)
_AT = re.compile(r" ?(?:于|於|upon|on)(?: the)? ?\Z")
# Words that name the signs right after them: 旬空寅卯, 月破酉金.
_OF_SIGNS = frozenset(("void", "broken_month", "clashed_day"))
# A colon or a "but" begins a clause as a comma does.
_TURNS = re.compile(r"[：:而但却卻]|\b(?:but|while|whereas)\b")
_ITSELF = re.compile(r" ?(?:[之它其他]|(?:it|this line|that line)\b)")
_DURATION = re.compile(
    r"[一二两兩三四五六七八九十百半几幾\d]+\s?多?(?:天|个月|個月|周(?!易)|週|年|小时|小時|[个個]?星期|[个個]?[礼禮]拜)"
    r"|(?<![以之天地])[下上][个個]?(?:月|周(?![期围圍边邊])|週|星期|礼拜|禮拜)|[明来來]年|明[天日]|[年月][底内內]|[一二三四五六七八九十廿]{2,3}[号號]"
    r"|第[一二三四五六七八九十\d]+卦|(?:得分|分数|分數|评分|評分)[为為是]?[正负負]?[零一二三四五六七八九十]"
    r"|\b(?:next (?:week|month|year)|tomorrow)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)[ -](?:more )?"
    r"(?:day|week|month|year|hour)s?\b"
    r"|\b(?:in|by|before|after|until|since|around|of|early|late|mid) (?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december)\b"
)


class Said(NamedTuple):
    """A word of a statement; `sense` is denial or absence where it is denied."""

    category: str
    term: str
    sense: str
    surface: str


class Statement:
    """What is said of one thing; `turned` is what it turned from, `start` where in the text it begins."""

    __slots__ = ("kind", "said", "start", "turned")

    def __init__(self, kind: str, turned: Statement | None = None, start: int = 0) -> None:
        self.kind, self.turned, self.start = kind, turned, start
        self.said: list[Said] = []

    def terms(self, category: str) -> list[str]:
        return [each.term for each in self.said if each.category == category]

    def each_line(self) -> tuple[Statement, Statement]:
        """What is said of two lines together, said of either."""
        first, then = (Statement(self.kind, self.turned, self.start) for _ in range(2))
        own = dict.fromkeys(self.terms("line"))
        for made, line in zip((first, then), own, strict=True):
            made.said += [each for each in self.said if each.category != "line" or each.term == line]
        return first, then

    @property
    def surface(self) -> str:
        return self.said[-1].surface if self.said else ""


class Tie(NamedTuple):
    """What one thing does to another: 生, 克, 冲, 合 … ; `mutual` where either may do it to the other."""

    verb: str
    one: Statement
    other: Statement
    mutual: bool
    denied: bool
    surface: str


class Text(NamedTuple):
    """A text as it was understood, and where its terms stand."""

    statements: tuple[Statement, ...]
    ties: tuple[Tie, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def claims(self) -> int:
        return sum(len(each.said) for each in self.statements) + len(self.ties)


@lru_cache(maxsize=1 << 13)
def understood(text: str) -> Text:
    """The statements of a text.

    >>> [[(each.category, each.term) for each in one.said] for one in understood("三爻官鬼持世，四爻发动").statements]
    [[('line', '3'), ('relative', '官鬼'), ('seat', '世')], [('line', '4'), ('moving', '发动')]]
    """
    found, read = tokens(text, vocabulary())
    found = [*_with_lines(found, read)]
    spans = tuple((each.start, each.end) for each in found if each.category not in ("break", "negator"))
    walk = _Walk(found, read)
    for number in range(len(found)):
        walk.step(number)
    alone = [*_durations(read)]
    return Text((*(each for each in walk.made if each.said), *alone), tuple(walk.ties), spans)


def _with_lines(found: list[Token], read: str) -> Iterator[Token]:
    """The words of a text, with a line for every number of "lines 2, 3 and 5"."""
    end = 0
    for each in found:
        if each.start < end:
            continue
        yield each
        if each.category == "line" and read[each.start : each.start + 4] == "line":
            for match in further_lines(read, each.end):
                yield Token(match.start(1), match.end(1), "line", match[1], match[1])
                end = match.end(1)


def _durations(read: str) -> Iterator[Statement]:
    """三天, two months: an amount of time, which no fact of a cast states."""
    for match in _DURATION.finditer(read):
        made = Statement(ALONE)
        made.said.append(Said("number", match[0], "", match[0]))
        yield made


class _Walk:
    """One pass over the words of a text."""

    def __init__(self, found: list[Token], read: str) -> None:
        self._found, self._read = found, read
        self._turned = denied(found, read)
        self.made: list[Statement] = []
        self.ties: list[Tie] = []
        self._end = self._at = 0
        self._reset()

    def _reset(self) -> None:
        self._now: dict[str, Statement] = {}
        self._last: Statement | None = None
        self._tied: tuple[Token, Statement, bool] | None = None
        self._fresh, self._timed = True, False

    def step(self, number: int) -> None:
        token = self._found[number]
        self._at = token.start
        gap = self._read[self._end : token.start]
        if token.category == "break":
            self._broken(token)
        elif token.category in ("verb", "verb_by"):
            self._verb(number)
        elif token.category == "turned":
            self._turn()
        elif token.category == "timing":
            self._timed = True
        elif token.category not in _SILENT:
            self._fresh = self._fresh or _TURNS.search(gap) is not None
            self._word(number, token, gap)
            self._fresh = False
        self._end = token.end

    def _broken(self, token: Token) -> None:
        if token.term in _ENDS:
            self._reset()
        self._fresh, self._tied = True, None

    def _word(self, number: int, token: Token, gap: str) -> None:
        category = self._category(token)
        if self._fresh and (category in _PLACED or self._names_signs(number)):
            self._timed = False
            self._now.pop(TIMING, None)
        kind = self._kind(number, category)
        sense = self._turned.get(number, "").replace("presence", "")
        if self._tied is not None and self._found.index(self._tied[0]) in self._turned:
            sense = ""  # 不克子孙 denies what is done, not to whom
        said = Said(category, token.term, sense, token.surface)
        statement = self._statement(number, said, kind, gap)
        statement.said.append(said)
        if self._tied is not None and kind in (LINE, CALENDAR):
            verb, one, by = self._tied
            self._tie(verb, *((statement, one) if by else (one, statement)))
            self._tied = None

    def _category(self, token: Token) -> str:
        """进神 and 退神 are triggers too, where a time is told."""
        if token.category == "change" and self._timed and token.term in ("进神", "退神"):
            return "trigger"
        return "number" if token.category in NUMBERS else token.category

    def _kind(self, number: int, category: str) -> str:
        """What sort of thing a word speaks of; signs and elements follow what stands before them."""
        token = self._found[number]
        if category == "branch" and len(token.surface) == 1 and self._is_timed(number):
            return TIMING
        if category in _SIGNS:
            last = self._last
            of_all = category == "element" and last is not None and last.kind in (HEXAGRAM, TRINE)
            if last is not None and (last.kind == CALENDAR or of_all):
                return last.kind if not self._tied else LINE
            return LINE
        if category == "turning":
            return HEXAGRAM if self._last is None or self._last.kind == HEXAGRAM else LINE
        return NAMES.get(category) or _SAID_OF.get(category, ALONE)

    def _is_timed(self, number: int) -> bool:
        """Whether a bare branch tells a time: after 应期 or a trigger, or in a list that ends with 亥日."""
        if self._timed:
            return True
        at = number + 1
        while at < len(self._found) and _LIST.match(
            self._read[self._found[at - 1].end : self._found[at].start] or " "
        ):
            if self._found[at].category == "when":
                return True
            if self._found[at].category != "branch":
                break
            at += 1
        return False

    def _statement(self, number: int, said: Said, kind: str, gap: str) -> Statement:
        """The statement that a word belongs to."""
        now = self._now.get(kind)
        if kind == ALONE:
            return self._begin(kind, keep=False)
        if kind == TIMING:
            if said.category == "trigger":
                self._timed = True
                return self._begin(kind)
            return now if now is not None and now.terms("trigger") else self._begin(kind, keep=False)
        if now is None or self._tied is not None:
            return self._begin(kind)
        if kind == TRINE:
            another = said.category in ("trine", "trine_set") and now.terms(said.category)
            return self._begin(kind) if another else self._kept(now)
        if said.category not in NAMES:
            if self._fresh and self._names_signs(number):
                return self._begin(kind)
            if said.category == "element" and self._last is not now and self._last is not None:
                return self._begin(kind)
            self._last = now
            return now
        return self._begin(kind) if self._is_another(number, said, now, gap) else self._kept(now)

    def _names_signs(self, number: int) -> bool:
        """Whether a word has the branches that it names right after it."""
        token, then = self._found[number], self._found[number + 1 : number + 2]
        named = bool(then) and then[0].category == "branch" and then[0].start == token.end
        return named and token.category in _OF_SIGNS

    def _kept(self, now: Statement) -> Statement:
        self._last = now
        return now

    def _is_another(self, number: int, said: Said, now: Statement, gap: str) -> bool:
        """Whether a name is that of another thing than the one spoken of."""
        had = now.terms(said.category)
        if self._last is not None and self._last.kind == CALENDAR and _AT.match(gap):
            return True
        if said.term in had:
            return self._fresh and said.category == "line"
        listed = bool(not gap or _LIST.match(gap)) and number > 0
        before = self._found[number - 1].category if number else ""
        if had and said.surface[0] in "持临臨":
            return False
        if had:
            together = said.category == "line" or bool(
                {"void", "broken_month"} & {each.category for each in now.said}
            )
            return not (listed and before == said.category and together)
        if self._last is not now and self._last is not None and self._last.kind != CALENDAR:
            return True
        if self._fresh:
            return not (_LINK.search(gap) or said.surface[0] in "持临臨")
        return bool(_AND.search(gap)) and before in NAMES

    def _begin(self, kind: str, keep: bool = True, turned: Statement | None = None) -> Statement:
        made = Statement(kind, turned, self._at)
        self.made.append(made)
        if keep:
            self._now[kind] = made
            self._last = made
        return made

    def _turn(self) -> None:
        """变为: what follows is what the line, or the hexagram, turned into."""
        last = self._last
        if last is None or last.kind not in (LINE, HEXAGRAM):
            return
        made = self._begin(last.kind, turned=last)
        made.said.append(Said("turned", "", "", "变"))
        self._fresh = False

    def _verb(self, number: int) -> None:
        """What a verb ties: what was spoken of last and the name that follows, or two that came before."""
        token, last = self._found[number], self._last
        if last is None or last.kind not in (LINE, CALENDAR):
            return
        if self._leads_on(number):
            self._tied = (token, last, token.category == "verb_by")
            return
        pair = self._pair(number, last)
        if pair is not None:
            self._tie(token, *pair)

    def _leads_on(self, number: int) -> bool:
        if number + 1 >= len(self._found):
            return False
        token, then = self._found[number], self._found[number + 1]
        if then.category not in NAMES and then.category not in ("element", "hidden", "flying"):
            return False
        if NAMES.get(then.category, LINE) not in (LINE, CALENDAR) or token.surface.startswith("相"):
            return False
        gap = self._read[token.end : then.start]
        return len(gap) <= (14 if gap.isascii() and gap.strip() else 3) and not _LIST.fullmatch(gap or "x")

    def _pair(self, number: int, last: Statement) -> tuple[Statement, Statement] | None:
        """得日辰生扶, 日辰于三爻为克, 日辰生之, 为日辰所生, 世与应相冲, 二爻与五爻相合."""
        line, near = self._now.get(LINE), self._now.get(CALENDAR)
        mutual = self._found[number].surface[0] in "相六比"
        if mutual and len({*last.terms("line")}) == 2:
            return last.each_line()
        if last.kind == CALENDAR and line is not None:
            at = next((n for n in range(number - 1, -1, -1) if self._found[n].category == "calendar"), number)
            by = _BY.search(self._read[: self._found[at].start])
            itself = _ITSELF.match(self._read, self._found[number].end)
            suffered = self._read.endswith("所", 0, self._found[number].start)
            return (last, line) if by or itself or suffered else None
        lines = [each for each in self.made if each.kind == LINE and each.said]
        if last.kind == LINE and len(lines) > 1 and _BY.search(self._read[: last.start]):
            return lines[-1], lines[-2]
        if last.kind == LINE and near is not None:
            return near, last
        return (lines[-2], lines[-1]) if mutual and len(lines) > 1 else None

    def _tie(self, verb: Token, one: Statement, other: Statement) -> None:
        at = self._found.index(verb)
        ends = [each for each in (one, other) if each.kind == CALENDAR]
        spoken = self._turned.get(at, "presence") != "presence"
        for each in ends:
            # 不受日辰克: the negator stands before the day, and denies what it does.
            for n, said in enumerate(each.said):
                if said.category == "calendar" and said.sense:
                    spoken, each.said[n] = True, said._replace(sense="")
        mutual = verb.surface[0] in "相六比" or verb.term in ("冲", "合", "临")
        self.ties.append(Tie(verb.term, one, other, mutual, spoken, verb.surface))
