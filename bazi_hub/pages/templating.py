"""How the templates of the pages are compiled."""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

_MARKS = re.compile("[&<>'\"]")


class _Writer(CodeGenerator):
    """Writes what a template says as plain text: it is joined right away, so that none needs to be marked as safe before."""

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        assert frame.eval_ctx.autoescape
        assert finalize.src is None
        self.write("environment.escaped(")


class Templates(Environment):
    """The templates of a folder, all of them HTML or XML."""

    code_generator_class = _Writer

    def __init__(self, folder: str) -> None:
        super().__init__(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def load(self) -> None:
        """Compiles every template: a page that is asked for the first time would take ten times as long."""
        for name in self.list_templates():
            self.get_template(name)

    @staticmethod
    def escaped(value: Any) -> str:
        """A value as text of a page; most have nothing to escape.

        >>> Templates.escaped("a < b"), Templates.escaped(Markup("<br>")), Templates.escaped(2027)
        ('a &lt; b', Markup('<br>'), '2027')
        """
        kind = type(value)
        if kind is int:
            return str(value)
        if kind is Markup or (kind is str and not _MARKS.search(value)):
            return value  # type: ignore[no-any-return]
        return str(escape(value))


__all__ = ["Templates"]
