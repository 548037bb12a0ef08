"""What a built wheel must and must not contain: `python tests/wheel_contents.py dist`."""

import sys
import zipfile
from pathlib import Path

NEEDED = (
    "bazi_core/py.typed",
    "bazi_core/astro/data/terms.bin",
    "bazi_core/astro/data/MANIFEST.json",
    "bazi_core/astro/data/sun_1600_2200.bsp",
    "bazi_core/place/data/places.sqlite",
    "bazi_core/tables/hidden_stems.csv",
    "bazi_core/tables/stars.csv",
    "bazi_core/tables/statements.csv",
    "bazi_core/tables/liuyao/hexagrams.csv",
    "bazi_core/tables/picture_colors.csv",
    "bazi_core/pictures/page.css",
    "bazi_core/pictures/sheet.typ",
    "bazi_core/schemas/definitions.json",
    "bazi_core/schemas/base_context.schema.json",
    "bazi_core/schemas/pattern_result.schema.json",
    "bazi_core/schemas/divination.schema.json",
    "bazi_cli/main.py",
    "bazi_hub/py.typed",
    "bazi_hub/store/migrations/env.py",
    "bazi_hub/http/wire/chart_card.html",
    "bazi_hub/skills/bazi/SKILL.md",
    "bazi_hub/pages/chinese.csv",
    "bazi_hub/pages/reading.typ",
    "bazi_hub/pages/static/page.js",
    "bazi_hub/pages/static/style.css",
    "bazi_hub/pages/templates/base.html",
    "bazi_hub/pages/phrases/site.csv",
)
FORBIDDEN = ("tests/", "data/", "docs/", "benchmarks/")


def problems(wheel: Path) -> list[str]:
    names = zipfile.ZipFile(wheel).namelist()
    missing = [f"missing: {needed}" for needed in NEEDED if needed not in names]
    surplus = [f"surplus: {name}" for name in names if name.startswith(FORBIDDEN)]
    return missing + surplus


if __name__ == "__main__":
    wheels = list(Path(sys.argv[1]).glob("*.whl"))
    found = [problem for wheel in wheels for problem in problems(wheel)] if wheels else ["no wheel was built"]
    print("\n".join(found) or f"{wheels[0].name}: complete")
    sys.exit(bool(found))
