"""The narrator and the layout of a reading on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_cli import output
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from bazi_core.readings.result import NarratedReading, Provenance


def port_of(given: dict[str, Any]) -> Any:
    """The port of `--reader model`, set up by the environment; None for the rules."""
    if given["reader"] != "model":
        return None
    from bazi_core.model.openai_compatible import OpenAICompatible

    return OpenAICompatible.from_environment()


def wished(given: dict[str, Any], lang: str) -> dict[str, Any]:
    """The keyword arguments of a reading from the options."""
    names = ("question", "tone", "length", "on_failure")
    return {
        "language": lang,
        "plain": not given["no_plain"],
        **{name: given[name] for name in names if given[name] is not None},
    }


def manner(given: dict[str, Any]) -> dict[str, Any]:
    """How a day or a search is told, from the options: its length, and whether terms are explained."""
    return {"length": given["length"] or "standard", "plain": not given["no_plain"]}


def told(reading: NarratedReading, form: str) -> str:
    """A reading of the almanac as text, Markdown or JSON, under its title."""
    if form == "json":
        return output.as_json(reading.to_dict())
    title = reading.reading.title
    if form == "md":
        return f"# {title}\n\n{reading.narrative}\n"
    return f"{wrapped(title)}\n\n{wrapped(reading.narrative)}\n"


def note_fallback(provenance: Provenance, lang: str) -> None:
    """Write a note to stderr if the rules stood in for the model."""
    if provenance.fallback_used:
        output.note(label("fallback_note", lang))


def wrapped(text: str) -> str:
    """Paragraphs folded to the display, at most eighty columns."""
    from bazi_core.render.width import fold

    columns = max(40, min(output.columns(), 80))
    return "\n\n".join("\n".join(fold(paragraph, columns)) for paragraph in text.split("\n\n"))
