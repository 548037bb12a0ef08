"""Rows of cells as a framed table for the terminal, or as a Markdown table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_cli.output import columns
from bazi_core.render.width import table

if TYPE_CHECKING:
    from collections.abc import Sequence


def drawn(form: str, rows: Sequence[Sequence[str]]) -> str:
    """The rows, the head first, as a table with a line end."""
    if form == "md":
        from bazi_core.render.markdown import pipe_table

        return "\n".join(pipe_table(rows)) + "\n"
    return "\n".join(table(rows, columns())) + "\n"


def headed(form: str, text: str, level: int = 1) -> str:
    """A heading with a line end, and in Markdown its marks and an empty line."""
    return f"{'#' * level} {text}\n\n" if form == "md" else f"{text}\n"
