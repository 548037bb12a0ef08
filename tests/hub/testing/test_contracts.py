"""Every port of the hub has its promises as a test class."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from bazi_hub import ports, testing

MODULES = [
    importlib.import_module(f"bazi_hub.ports.{each.name}") for each in pkgutil.iter_modules(ports.__path__)
]
PORTS = {
    name
    for module in MODULES
    for name, kind in vars(module).items()
    if getattr(kind, "_is_protocol", False) and kind.__module__ == module.__name__
}


@pytest.mark.parametrize("port", sorted(PORTS | {"ReadingPort"}))
def test_a_port_has_its_promises_as_a_test_class(port):
    contract = getattr(testing, f"{port}Contract", None)
    assert contract is not None
    assert contract.__name__ in testing.__all__


def test_the_ports_are_found():
    assert {"Ledger", "RateLimiter", "RunLog", "Telemetry", "Clock"} <= PORTS
