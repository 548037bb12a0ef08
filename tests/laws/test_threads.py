"""Schools are values: charts made at the same time in many threads are those made one after the other."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import bazi_core as bz
from bazi_core.school import OPTIONS, School
from tests.sizes import sizes

THREADS = 8
CITIES = ["北京", "上海", "西安", "喀什", "New York", "London", "Tokyo", "São Paulo"]


def asked(seed: int) -> dict[str, Any]:
    """Birth and School of a number."""
    draw = random.Random(seed)
    options = {
        name: draw.choice(values) for name, values in OPTIONS.items() if name not in ("clock", "validate")
    }
    when = datetime(1900, 6, 1) + timedelta(seconds=draw.randrange(199 * 365 * 86_400))
    where = (
        {"city": draw.choice(CITIES), "fold": 0}
        if draw.random() < 0.5
        else {"longitude": draw.uniform(-180, 180), "utc_offset": draw.randint(-11, 13)}
    )
    return {"when": when, **where, "gender": draw.choice(["male", "female"]), "school": School(**options)}


def result(seed: int) -> tuple[Any, ...]:
    """Everything of a chart that a School decides."""
    try:
        chart = bz.chart(**asked(seed))
    except bz.BaziError as error:
        return error.code, error.message
    codes = [doubt.code for doubt in chart.warnings]
    digest = chart.to_dict(facts=False)["digest"] if seed % 20 == 0 else ""
    return chart, chart.columns, chart.siling, chart.ming_gong, chart.luck, codes, digest


@sizes(105, 4_200)
def test_eight_threads_with_mixed_schools_make_no_other_chart_than_one(count):
    alone = [result(seed) for seed in range(count)]
    start = Barrier(THREADS)

    def work(first: int) -> list[tuple[int, tuple[Any, ...]]]:
        start.wait()
        return [(seed, result(seed)) for seed in range(first, count, THREADS)]

    with ThreadPoolExecutor(THREADS) as pool:
        together = dict(pair for made in pool.map(work, range(THREADS)) for pair in made)
    assert [seed for seed in range(count) if together[seed] != alone[seed]] == []
    made = [each for each in alone if len(each) > 2]
    assert len(made) > 0.95 * count
    assert len({each[0] for each in made}) == len(made)


COLD = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
start = Barrier(8)

def work(hour):
    start.wait()
    import bazi_core as bz
    stages = ("yang_shun_yin_ni", "water_earth_same")[hour % 2]
    school = bz.School(day_boundary=("23:00", "00:00")[hour % 2], twelve_stages=stages)
    chart = bz.chart(f"1990-05-15 {hour:02}:30", city="北京", gender="male", school=school)
    return chart.to_json()

sys.setswitchinterval(1e-5)
with ThreadPoolExecutor(8) as pool:
    texts = list(pool.map(work, range(16, 24)))
import bazi_core as bz
print(all(bz.Chart.from_json(text).to_json() == text for text in texts), len(set(texts)))
"""


@sizes(1, 3)
def test_threads_that_load_the_tables_at_the_same_moment_all_get_whole_ones(count):
    for _ in range(count):
        done = subprocess.run([sys.executable, "-c", COLD], capture_output=True, text=True, check=False)
        assert (done.stdout.split(), done.stderr) == (["True", "8"], "")
