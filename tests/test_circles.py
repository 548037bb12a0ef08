"""No circle of modules in core and hub, neither of imports that run nor of those that only a type checker follows."""

from __future__ import annotations

import grimp
import pytest


def circles(imports: dict[str, set[str]]) -> list[set[str]]:
    """The largest sets of modules in which each is reached from each other.

    What nothing imports, or what imports nothing, is in no circle; what is left when such are taken away again and again
    are the circles and the paths between them.
    """
    left = {name: set(found) for name, found in imports.items()}
    while idle := [name for name, found in left.items() if not found & left.keys()]:
        for name in idle:
            del left[name]
    found = []
    reached = {name: _reached(name, left) for name in left}
    for name in sorted(left):
        circle = {other for other in reached[name] if name in reached[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def _reached(name: str, imports: dict[str, set[str]]) -> set[str]:
    """The modules to which imports lead from one; itself only if they lead back."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for other in imports[waiting.pop()] & imports.keys() - found:
            found.add(other)
            waiting.append(other)
    return found


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [{"a", "b"}]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}}, [{"a", "b", "c"}, {"d", "e"}]),
    ],
)
def test_a_circle_is_found_where_there_is_one(imports, expected):
    assert circles(imports) == expected


@pytest.mark.parametrize(
    ("package", "module", "for_types"),
    [
        ("bazi_core", "bazi_core.chart", "bazi_core.pattern.value"),
        ("bazi_hub", "bazi_hub.calls.state", "bazi_hub.calls.gate"),
    ],
)
def test_the_modules_of_a_package_import_each_other_in_no_circle_not_even_for_types(
    package: str, module: str, for_types: str
):
    graph = grimp.build_graph(package, exclude_type_checking_imports=False, cache_dir=None)
    imports = {name: set(graph.find_modules_directly_imported_by(name)) for name in graph.modules}
    assert module in imports[for_types], "imports for types are counted"
    assert circles(imports) == []
