"""Problems as they go over HTTP: RFC 9457, `application/problem+json`."""

from __future__ import annotations

from html import escape
from typing import Any

from bazi_hub.divination.problems import PROBLEMS, Problem, ProblemEntry, RunProblem, traced
from bazi_hub.http.wire.answer import Answer, error_headers

PROBLEM_JSON = "application/problem+json"
PROBLEMS_PATH, PROBLEM_PATH = "/problems", "/problems/{slug}"


def document(problem: RunProblem, request_id: str) -> str:
    """The JSON of a problem document."""
    problem = traced(problem, request_id)
    told: dict[str, Any] = {"params": problem.params} if problem.params else {}
    made = Problem(
        type=problem.row.type,
        title=problem.row.title,
        status=problem.status,
        detail=problem.detail,
        instance=f"urn:uuid:{request_id}",
        code=problem.code,
        **told,
    )
    return made.model_dump_json(exclude_unset=True)


def answer(problem: RunProblem, request_id: str) -> Answer:
    """A problem as a response."""
    body = document(problem, request_id).encode()
    return Answer(problem.status, body, error_headers(problem.code, problem.params), PROBLEM_JSON)


# --- the registry, for whoever looks a type up ----------------------------------------------------------------------------


def registry() -> list[dict[str, Any]]:
    """The whole table."""
    return [problem.model_dump() for problem in PROBLEMS.values()]


def page(problems: list[ProblemEntry], root: str = "") -> str:
    """Rows for people to read."""
    rows = "".join(
        f'<tr><td><a href="{root}{problem.type}">{problem.code}</a></td><td>{problem.status or "in a log only"}</td>'
        f"<td>{escape(problem.title)}</td><td>{escape(problem.when)}</td>"
        f"<td>{', '.join(map(escape, problem.params)) or '–'}</td></tr>"
        for problem in problems
    )
    title = problems[0].code if len(problems) == 1 else "Problems"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body><h1>{title}</h1>'
        "<table><thead><tr><th>code</th><th>status</th><th>title</th><th>when</th><th>params</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></body></html>\n"
    )
