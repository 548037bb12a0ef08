"""A table of charts as a notebook shows it: the first rows and the last, in words."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, Protocol

from bazi_core.tables.words import label, spoken, term

MOST_ROWS, MOST_COLUMNS = 10, 16


class TableRequest(Protocol):
    """The members of `Charts` that the HTML table reads."""

    @property
    def status(self) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def decode(self, name: str) -> list[Any]: ...
    def rows(self, numbers: Any) -> TableRequest: ...


def html_of(charts: TableRequest) -> str:
    """The rows as an HTML table, five from either end where there are more than ten; codes as words.

    >>> import bazi_core as bz
    >>> html_of(bz.charts({"datetime": ["1990-05-15 13:30"]}, city="北京")).count("<tr>")
    2
    """
    lang, count = spoken(), len(charts)
    half = MOST_ROWS // 2
    numbers = [*range(count)] if count <= MOST_ROWS else [*range(half), *range(count - half, count)]
    part, names = charts.rows(numbers), [*charts][:MOST_COLUMNS]
    columns = [[_cell(each, lang) for each in part.decode(name)] for name in names]
    more = ["…"] if len([*charts]) > MOST_COLUMNS else []
    body = []
    for at, cells in enumerate(zip(*columns, strict=True)):
        if at == half and count > MOST_ROWS:
            body.append(f"<tr>{'<td>…</td>' * (len(names) + len(more) + 1)}</tr>")
        told = "".join(f"<td>{escape(each)}</td>" for each in (*cells, *more))
        body.append(f'<tr><th scope="row">{numbers[at]}</th>{told}</tr>')
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in (*names, *more))
    failed = sum(1 for _ in charts.status.nonzero()[0])
    caption = label("charts_caption", lang, rows=count, columns=len([*charts]), failed=failed)
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>"
    )


def _cell(value: Any, lang: str) -> str:
    """A value in words: terms by the language, sets with commas, nothing for null."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return (", " if lang == "en" else "、").join(_cell(each, lang) for each in value)
    return term(value, lang) if isinstance(value, str) else str(value)
