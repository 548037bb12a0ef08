"""What bazi-chart says of given pillars: question lines in, answer lines out, run in an environment of its own.

python doctrine_peer.py < questions.jsonl > answers.jsonl        # needs bazi-chart and the standard library only
"""

import json
import sys
from datetime import datetime
from types import SimpleNamespace

# Its kinds and names in the words of the labels.
KINDS = {"专旺格": "专旺", "从格": "从格", "化气格": "化格"}
NAMES = {"偏财格": "财格", "正财格": "财格", "正印格": "印格", "偏印格": "印格", "七杀格": "七杀格", "偏官格": "七杀格",
         "羊刃格": "阳刃格", "月刃格": "阳刃格", "比肩格": "建禄格", "劫财格": "月劫格"}  # fmt: skip


def answer(inputs: dict) -> dict | None:
    from bazi.constants import WUXING
    from bazi.pattern import useful_god
    from bazi.pillars import FourPillars, Pillar, day_master_strength

    names = inputs["pillars"]
    pillars = [Pillar(*name) for name in names]
    at = datetime(1984, 2, 10, 12)
    four = FourPillars(
        *pillars, at, at, 1984, SimpleNamespace(), gender="女" if inputs["gender"] == "female" else "男"
    )
    strength, found = day_master_strength(four), useful_god(four)
    told = [found.yongshen, *found.xishen, *found.xianshen, *found.choushen, *found.jishen]
    order = list(dict.fromkeys(element for element in told if element in WUXING))
    return {
        "strength": "身强" if strength["score"] >= 50 else "身弱",
        "special": KINDS.get(found.kind),
        "useful_gods": order,
        "ge_ju": NAMES.get(found.name, found.name),
    }


def main() -> None:
    for line in sys.stdin:
        question = json.loads(line)
        try:
            found = answer(question["inputs"])
        except Exception as error:
            print(question["id"], error, file=sys.stderr)
            found = None
        print(json.dumps({"id": question["id"], "answer": found}, ensure_ascii=False))


if __name__ == "__main__":
    main()
