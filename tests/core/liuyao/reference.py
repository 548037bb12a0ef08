"""The rules of 六爻 once more, written from the books with strings alone and without the library's tables.

What the library says is compared with this over whole domains. Chapters are those of 《增删卜易》.
"""

from __future__ import annotations

STEMS, BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
PILLARS = [STEMS[i % 10] + BRANCHES[i % 12] for i in range(60)]
ELEMENT = dict(zip(BRANCHES, "水土木木土火火土金金土水", strict=True))
GENERATES = dict(zip("木火土金水", "火土金水木", strict=True))
CONTROLS = dict(zip("木土水火金", "土水火金木", strict=True))
CLASHES = ("子午", "丑未", "寅申", "卯酉", "辰戌", "巳亥")
COMBINES = ("子丑", "寅亥", "卯戌", "辰酉", "巳申", "午未")
TRINES = {"水": "申子辰", "金": "巳酉丑", "火": "寅午戌", "木": "亥卯未"}
ADVANCES = ("亥子", "寅卯", "巳午", "申酉", "丑辰", "辰未", "未戌", "戌丑")
STAGES = {
    "金": dict(zip("巳酉丑寅", ("长生", "帝旺", "墓", "绝"), strict=True)),
    "木": dict(zip("亥卯未申", ("长生", "帝旺", "墓", "绝"), strict=True)),
    "火": dict(zip("寅午戌亥", ("长生", "帝旺", "墓", "绝"), strict=True)),
    "水": dict(zip("申子辰巳", ("长生", "帝旺", "墓", "绝"), strict=True)),
    "土": dict(zip("申子辰巳", ("长生", "帝旺", "墓", "绝"), strict=True)),
}
VOIDS = ("戌亥", "申酉", "午未", "辰巳", "寅卯", "子丑")
SPIRITS = ("青龙", "朱雀", "勾陈", "螣蛇", "白虎", "玄武")
FIRST_SPIRIT = dict(zip(STEMS, "青青朱朱勾螣白白玄玄", strict=True))
# Trigram → bits from the bottom, element, first branch of the inner and of the outer lines, and their stems.
TRIGRAMS = {
    "乾": ("111", "金", "子", "午", "甲壬"),
    "兑": ("110", "金", "巳", "亥", "丁丁"),
    "离": ("101", "火", "卯", "酉", "己己"),
    "震": ("100", "木", "子", "午", "庚庚"),
    "巽": ("011", "木", "丑", "未", "辛辛"),
    "坎": ("010", "水", "寅", "申", "戊戊"),
    "艮": ("001", "土", "辰", "戌", "丙丙"),
    "坤": ("000", "土", "未", "丑", "乙癸"),
}
YANG = "乾震坎艮"
OF_BITS = {row[0]: name for name, row in TRIGRAMS.items()}
# Generation → 世; 应 stands three lines away.
SELF = {"本宫": 6, "一世": 1, "二世": 2, "三世": 3, "四世": 4, "五世": 5, "游魂": 4, "归魂": 3}


def other(pairs: tuple[str, ...], branch: str) -> str:
    """The other member of the pair of a branch."""
    pair = next(pair for pair in pairs if branch in pair)
    return pair.replace(branch, "")


def lines_of(trigram: str, outer: bool) -> list[str]:
    """纳甲 of three lines: branches forward by two in yang trigrams, backward in yin ones."""
    _, _, inside, outside, stems = TRIGRAMS[trigram]
    first = BRANCHES.index(outside if outer else inside)
    step = 2 if trigram in YANG else -2
    return [stems[outer] + BRANCHES[(first + step * k) % 12] for k in range(3)]


def pillars_of(bits: str) -> list[str]:
    """纳甲 of six lines."""
    return lines_of(OF_BITS[bits[:3]], False) + lines_of(OF_BITS[bits[3:]], True)


def flipped(bits: str, *lines: int) -> str:
    return "".join(str(1 - int(bit)) if n in lines else bit for n, bit in enumerate(bits, 1))


def palaces() -> dict[str, tuple[str, str]]:
    """Bits → palace and generation, by turning the lines of the doubled trigrams one after the other."""
    found = {}
    for palace, (bits, *_) in TRIGRAMS.items():
        at = bits * 2
        found[at] = (palace, "本宫")
        for n, generation in enumerate(("一世", "二世", "三世", "四世", "五世"), 1):
            at = flipped(at, n)
            found[at] = (palace, generation)
        at = flipped(at, 4)
        found[at] = (palace, "游魂")
        found[flipped(at, 1, 2, 3)] = (palace, "归魂")
    return found


def relative(palace: str, element: str) -> str:
    """六亲 of an element in a palace of an element."""
    if palace == element:
        return "兄弟"
    if GENERATES[element] == palace:
        return "父母"
    if GENERATES[palace] == element:
        return "子孙"
    return "妻财" if CONTROLS[palace] == element else "官鬼"


def season(month: str, element: str) -> str:
    """旺相休囚死 (ch. 16)."""
    ruling = ELEMENT[month]
    if ruling == element:
        return "旺"
    if GENERATES[ruling] == element:
        return "相"
    if GENERATES[element] == ruling:
        return "休"
    return "囚" if CONTROLS[element] == ruling else "死"


def void(day: str) -> str:
    return VOIDS[PILLARS.index(day) // 10]


def bearing(reference: str, branch: str, breaks: str) -> list[str]:
    """What month or day is to a branch."""
    if reference == branch:
        return ["临"]
    one, two = ELEMENT[reference], ELEMENT[branch]
    found = [breaks] if other(CLASHES, reference) == branch else []
    found += ["合"] if other(COMBINES, reference) == branch else []
    if one == two:
        return [*found, "扶"]
    if GENERATES[one] == two:
        return [*found, "生"]
    if CONTROLS[one] == two:
        return [*found, "克"]
    return [*found, "泄" if GENERATES[two] == one else "耗"]


def changes(branch: str, changed: str, month: str, day: str) -> list[str]:
    """What a moving line meets in what it turns into (ch. 15, 36)."""
    own, new = ELEMENT[branch], ELEMENT[changed]
    found = ["伏吟"] if branch == changed else []
    found += ["进神"] if branch + changed in ADVANCES else []
    found += ["退神"] if changed + branch in ADVANCES else []
    found += ["回头冲"] if other(CLASHES, branch) == changed else []
    found += ["化合"] if other(COMBINES, branch) == changed else []
    if branch != changed:
        if own == new:
            found.append("化比")
        elif GENERATES[new] == own:
            found.append("回头生")
        elif CONTROLS[new] == own:
            found.append("回头克")
        else:
            found.append("化泄" if GENERATES[own] == new else "化耗")
    found += ["化空"] if changed in void(day) else []
    found += ["化破"] if other(CLASHES, month) == changed else []
    return [*found, f"化{STAGES[own][changed]}"] if changed in STAGES[own] else found


def spirits(day: str) -> list[str]:
    """六神 of six lines by the stem of the day (ch. 19)."""
    first = next(at for at, name in enumerate(SPIRITS) if name[0] == FIRST_SPIRIT[day[0]])
    return [SPIRITS[(first + k) % 6] for k in range(6)]


def trines(branches: list[str], changed: list[str | None], active: list[bool]) -> list[tuple[str, str, str]]:
    """三合局 (ch. 21) as (element, kind, missing member)."""
    found = []
    acting = {branch for branch, acts in zip(branches, active, strict=True) if acts}
    for element, three in TRINES.items():
        members = acting & {*three}
        rest = [branch for branch in three if branch not in members]
        if not rest:
            found.append((element, "三爻动", ""))
        elif len(members) == 2:
            found.append((element, "两动一静", "") if rest[0] in branches else (element, "虚一待用", rest[0]))
        for kind, one, two in (("内卦初三爻动变", 0, 2), ("外卦四六爻动变", 3, 5)):
            if changed[one] and changed[two]:
                for each in dict.fromkeys((changed[one], changed[two])):
                    if {branches[one], branches[two], each} == {*three}:
                        found.append((element, kind, ""))
    return found
