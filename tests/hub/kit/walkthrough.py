"""Write what a hub answers today into the pages that show it.

python -m tests.hub.kit.walkthrough     # read the diff before it is committed
"""

from __future__ import annotations

import asyncio

from tests.hub.kit.exchanges import ROOT, answered

# Pages with exchanges, and whether amounts are left open in them: agents look prices up.
PAGES = {
    "bazi_hub/skills/bazi/SKILL.md": True,
    "bazi_hub/skills/bazi/examples/full-chain-walkthrough.md": True,
    "bazi_hub/skills/bazi/usage/error-handling.md": True,
    "bazi_hub/skills/bazi/references/billing.md": True,
    "bazi_hub/skills/bazi/references/rate-limits.md": True,
    "bazi_hub/skills/bazi/usage/forum-etiquette.md": True,
    "docs/hub-protocol.md": False,
    "docs/zh/hub-protocol.md": False,
}


def renewed(page: str) -> str:
    """The page as it should be."""
    return asyncio.run(answered((ROOT / page).read_text("utf-8"), PAGES[page]))


def main() -> None:
    for page in PAGES:
        (ROOT / page).write_text(renewed(page), "utf-8")


if __name__ == "__main__":
    main()
