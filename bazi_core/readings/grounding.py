"""The grounding of a reading: its statements, the free lines kept, and the parts dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from bazi_core.speech.plan import Plan
    from bazi_core.speech.reading import Reading

PASS, FALLBACK = "pass", "fallback"


class Coverage(NamedTuple):
    """The required statements of a reading; none is ever missing, since the program inserts them."""

    named: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"named": list(self.named), "missing": list(self.missing)}


class Grounding(NamedTuple):
    """The ids of the facts and statements of a reading, and the counts of a model's reply.

    `dropped` counts the parts of the reply that were left out by their reason; `verdict` is pass, or fallback where the
    rules stand in for a model.
    """

    cited_ids: tuple[str, ...]
    statements: tuple[str, ...]
    coverage: Coverage = Coverage()
    free_lines: int = 0
    dropped: tuple[tuple[str, int], ...] = ()
    verdict: str = PASS

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; the members about reading sentences back are always empty, since nothing does that."""
        return {
            "checked_terms": 0,
            "cited_ids": list(self.cited_ids),
            "unknown_ids": [],
            "contradicted": [],
            "uncited": [],
            "coverage": self.coverage.to_dict(),
            "verdict": self.verdict,
            "statements": list(self.statements),
            "free_lines": self.free_lines,
            "dropped": dict(self.dropped),
        }


def grounding_of(
    reading: Reading, plan: Plan | None = None, dropped: dict[str, int] | None = None
) -> Grounding:
    """The grounding of a reading of a plan."""
    said = tuple(sentence.statement for sentence in reading.sentences if sentence.statement is not None)
    required = {statement.id for statement in plan.statements if statement.required} if plan else set()
    free = sum(sentence.statement is None and sentence.kind == "transition" for sentence in reading.sentences)
    return Grounding(
        reading.cited, said, Coverage(tuple(name for name in said if name in required)), free,
        tuple(sorted((dropped or {}).items())),
    )  # fmt: skip
