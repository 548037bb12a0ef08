"""Census of 六爻: what the 4,096 casts and the 64 hexagrams in 720 times are made of, and the digest of all strict objects.

    python -m tests.census.liuyao        # counts all and writes data/census/liuyao.json

Casts are numbered 0–4095,
line k + 1 being the k-th pair of bits: 老阴 少阳 少阴 老阳. They are derived on 丙午 辛卯 丁未 庚戌; boards
without motion in all months on all days.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS, Pillar
from bazi_core.facts import canonical_json
from bazi_core.liuyao import board, marks

FILE = Path(__file__).parents[2] / "data" / "census" / "liuyao.json"
FOUR = ("丙午", "辛卯", "丁未", "庚戌")
LINES = ("老阴", "少阳", "少阴", "老阳")
KINDS = {
    "父母": "家宅", "兄弟": "朋友", "子孙": "子女", "妻财": "财运", "官鬼": "事业", "世": "其他",
    "应": "合作",
}  # fmt: skip
POLICIES = ("zs_strict", "zs_practice", "hjc_any")
Counts = dict[str, Any]


def lines_of(number: int) -> list[str]:
    """The lines of a numbered cast."""
    return [LINES[number >> 2 * k & 3] for k in range(6)]


def casts() -> list[ly.LiuyaoChart]:
    """All 4,096 casts on one day."""
    return [ly.derive(lines_of(number), pillars=FOUR) for number in range(4096)]


def digest_of(charts: list[ly.LiuyaoChart]) -> str:
    """SHA-256 of the strict objects, each as canonical JSON with a newline."""
    sums = sha256()
    for chart in charts:
        made = chart.to_divination("占", "其他", "手动起卦", divination_time="2026年04月03日 20:30")
        sums.update(canonical_json(made).encode("utf-8") + b"\n")
    return sums.hexdigest()


def of_casts(charts: list[ly.LiuyaoChart]) -> Counts:
    """Moving lines with their change marks, 三合局 by motion, and marks of the hexagrams, over all casts."""
    changes: Counter[str] = Counter()
    trines: Counter[str] = Counter()
    turns: Counter[str] = Counter()
    for chart in charts:
        found = board.lines(chart)
        changes.update(mark for line in found for mark in line.changes)
        branches = [line.turned.state.branch if line.turned else None for line in found]
        moving = [line.moving for line in found]
        trines.update(
            each.kind
            for each in marks.trines(
                chart.primary.branches, branches, moving, chart.month_branch, chart.day.branch
            )
        )
        turned = marks.fan_fu(chart.primary, chart.target)
        turns.update({kind for kind in turned.values() if kind})
        turns["卦反吟"] += marks.gua_fan_yin(chart.primary, chart.target)
        turns[marks.gua_bian(chart.primary, chart.target)] += 1
    return {
        "moving_lines": sum(len(chart.moving) for chart in charts),
        "changes": sorted_(changes),
        "trines": sorted_(trines),
        "turns": sorted_({name: count for name, count in turns.items() if name}),
    }


def of_hexagrams() -> Counts:
    """Hidden lines, tags, 卦身 on the board, and transitions between the sixty-four."""
    all_ = ly.HEXAGRAMS
    transitions = Counter(marks.transition(one, other) for one, other in product(all_, all_))
    del transitions[""]
    return {
        "hidden_lines": sorted_(Counter(str(len(each.hidden)) for each in all_)),
        "missing": sorted_(Counter(name for each in all_ for name in each.missing)),
        "flying": sorted_(Counter(line.flying_relation for each in all_ for line in hidden_of(each))),
        "tags": sorted_(Counter(tag for each in all_ for tag in each.tags)),
        "gua_shen_on_board": sum(bool(each.gua_shen_lines) for each in all_),
        "transitions": sorted_(transitions),
    }


def hidden_of(each: ly.Hexagram) -> tuple[board.HiddenLine, ...]:
    return board.hidden_lines(
        ly.derive(each.binary.translate(str.maketrans("10", "78")), month_branch="卯", day="丁未")
    )


def of_slots() -> Counts:
    """Lines of all hexagrams without motion in all months on all days: 276,480 slots."""
    held = Counter(branch for each in ly.HEXAGRAMS for branch in each.branches)
    found: Counter[str] = Counter()
    for month, day in product(BRANCHES, PILLARS):
        for branch, count in held.items():
            own = board.state(branch, month, day)
            found["slots"] += count
            for name, holds in (
                ("void", own.void),
                ("yuePo", own.month_broken),
                ("riChong", own.day_clashed),
            ):
                found[name] += count * holds
            for name in (
                f"月令{own.month_state}",
                f"日{own.day_stage}" if own.day_stage else "",
                *(f"月{b}" for b in own.month),
            ):
                found[name] += count
            for name in own.day:
                found[f"日{name}"] += count
    del found[""]
    return sorted_(found)


def of_verdicts(days: Iterable[Pillar] = PILLARS) -> Counts:
    """What the policies make of still lines, over the same 46,080 boards or those of some days."""
    found: Counter[str] = Counter()
    still = [each.binary.translate(str.maketrans("10", "78")) for each in ly.HEXAGRAMS]
    for policy in POLICIES:
        chosen = ly.LiuyaoPolicy(an_dong=policy)
        for month, day, lines in product(BRANCHES, days, still):
            chart = ly.derive(lines, month_branch=month.value, day=day.value, policy=chosen)
            for line in board.lines(chart):
                if line.state.day_clashed:
                    found[f"{policy}.{'暗动' if line.an_dong else '日破'}"] += 1
                if line.void_kind and policy == POLICIES[0]:
                    found[f"{line.void_kind}空"] += 1
    return sorted_(found)


def of_questions(charts: list[ly.LiuyaoChart]) -> Counts:
    """Sources of the 用神, triggers of 应期, rules and levels of the sign, for seven kinds of questions on these casts."""
    sources: Counter[str] = Counter()
    triggers: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    levels: Counter[str] = Counter()
    for (target, kind), chart in product(KINDS.items(), charts):
        found = chart.analyze(kind)
        sources[f"{target}.{found.subject.source}"] += 1
        triggers.update(each.trigger for each in found.timing)
        rules.update(each.rule for each in found.sign.contributions)
        levels[found.sign.level] += 1
    return {
        "sources": sorted_(sources),
        "timing": sorted_(triggers),
        "sign": sorted_(rules),
        "levels": sorted_(levels),
    }


def sorted_(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def census() -> Counts:
    """All of it."""
    charts = casts()
    return {
        "digest": digest_of(charts),
        "hexagrams": of_hexagrams(),
        "casts": of_casts(charts),
        "slots": of_slots(),
        "verdicts": of_verdicts(),
        "questions": of_questions(charts),
        "small": small(charts),
    }


def small(charts: list[ly.LiuyaoChart]) -> Counts:
    """The same of six days, and of every eighth cast, for who counts in a hurry."""
    return {"verdicts": of_verdicts(PILLARS[::10]), "questions": of_questions(charts[::8])}


def main() -> None:
    FILE.write_text(json.dumps(census(), ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
