"""Every port of the hub has its promises as a test class; four are published."""

import importlib
import pkgutil

from bazi_hub import ports, testing
from tests.docs.examples import DOCS
from tests.hub import promises
from tests.hub.promises.store import StoreContract
from tests.tables import holds_for_all


def classes_of(package):
    """Every class that a module of the package defines, by its name."""
    modules = [
        importlib.import_module(f"{package.__name__}.{each.name}")
        for each in pkgutil.iter_modules(package.__path__)
    ]
    return {
        name: kind
        for module in modules
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }


PORTS = {name for name, kind in classes_of(ports).items() if getattr(kind, "_is_protocol", False)}
CONTRACTS = classes_of(promises) | classes_of(testing)


def promised(contract):
    """How many promises a contract has."""
    return sum(name.startswith("test_") for name in dir(contract))


@holds_for_all("port", sorted(PORTS | {"ReadingPort"}))
def test_a_port_has_its_promises_as_a_test_class(port):
    assert promised(CONTRACTS[f"{port}Contract"])


def test_the_ports_are_found():
    assert {"Ledger", "RateLimiter", "RunLog", "Telemetry", "Clock"} <= PORTS


def test_four_small_contracts_are_published():
    counts = {name: promised(CONTRACTS[name]) for name in testing.__all__ if name in CONTRACTS}
    assert {name: count for name, count in counts.items() if count} == {
        "ModerationContract": 1,
        "RateLimiterContract": 10,
        "ReadingPortContract": 6,
        "StorageContract": 22,
    }


@holds_for_all("page", ["embedding.md", "zh/embedding.md"])
def test_a_page_tells_how_many_promises_a_store_keeps(page):
    assert f" {promised(StoreContract)} " in (DOCS / page).read_text(encoding="utf-8")
