"""Write what the commands print today into the console examples of the documentation, its tables of the hub, and what a hub
answers in the walkthroughs and sessions, and the published shapes of divination runs.

python -m tests.docs.renew [PAGE …]     # all pages and notebooks unless named; read the diff before it is committed
"""

import sys
import tempfile
from pathlib import Path

from tests.docs import hub_tables
from tests.docs.examples import DOCS, commands, pages, printed, text_of
from tests.examples import notebooks
from tests.hub.divination import published
from tests.hub.kit import sessions, walkthrough


def main() -> None:
    for page in sys.argv[1:] or pages():
        renew(page)
    if not sys.argv[1:]:
        hub_tables.renew()
        walkthrough.main()
        sessions.main()
        published.main()
        notebooks.renew()


def renew(page: str) -> None:
    """Replace the output of every command of a page; a page's commands share one folder, as in the tests."""
    text = text_of(page)
    with tempfile.TemporaryDirectory() as folder:
        for _, command, expected in commands(page):
            shown = printed(command, Path(folder))
            text = text.replace(f"$ {command}\n{expected}", f"$ {command}\n{shown}", 1)
    (DOCS / page).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
