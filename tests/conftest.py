"""What all tests share: the repository's root on the path, and settings that leave nothing to luck or speed."""

import gc
import linecache
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:
    # `tests.golden.answer` is run as a program and imported by tests, however pytest was started.
    sys.path.insert(0, ROOT)

# Whoever runs the tests may keep a configuration of their own, in a file or in the environment: no test reads it.
NO_CONFIG = str(Path(gettempdir(), "bazi-tests-without-configuration"))
os.environ.update(dict.fromkeys(("XDG_CONFIG_HOME", "APPDATA"), NO_CONFIG))
for name in ("BAZI_CONFIG", "BAZI_LANG"):
    os.environ.pop(name, None)

# What is chosen by whoever asks for the whole suite.
WHOLE = "not sample"
# How many examples a law is tried with: some for whoever waits for the verdict, more in the whole suite.
EXAMPLES = {"sample": 25, "whole": 100}
for profile, count in EXAMPLES.items():
    settings.register_profile(
        profile,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=count,
    )


def pytest_configure(config: pytest.Config) -> None:
    """The whole suite takes all examples. Nothing of what is collected is garbage."""
    gc.disable()
    settings.load_profile("whole" if config.option.markexpr == WHOLE else "sample")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whatever asks for the PostgreSQL server is marked so, and a whole census has half an hour: it takes five minutes of
    two cores, and others run beside it. In the whole suite files with such tests come first: short ones fill up what
    the workers have left at the end."""
    long = set[Path]()
    for item in items:
        if "postgres" in getattr(item, "fixturenames", ()):
            item.add_marker("postgres")
        if item.get_closest_marker("exhaustive"):
            item.add_marker(pytest.mark.timeout(1800))
            long.add(item.path)
    if config.option.markexpr == WHOLE:
        items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish() -> None:
    """Modules and items stay to the end, and so do tables and charts that are kept for the next test: the
    collector of garbage need not look at them again and again. Nor need each doctest ask of every source that was read
    so far whether it has changed."""
    linecache.clearcache()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """No workers for single files: they would take longer to start than to do their work."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    return 0 if named and all(Path(each.partition("::")[0]).is_file() for each in config.args) else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The test command goes by folders. A part of the tests and the whole suite go by files: one folder is a part, and some
    folders of the whole would keep a worker for long."""
    if config.option.dist != "loadfile":
        return None
    # Neither the root on the path nor xdist is needed before.
    from tests.scopes import Scopes

    named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    return Scopes(config, log, by_folder=not named and config.option.markexpr != WHOLE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says when this is not the whole suite."""
    if (chosen := config.option.markexpr) != WHOLE:
        terminalreporter.write_line(f'Tests that are {chosen}; `python -m pytest -m "not sample"` runs all.')


@pytest.fixture(scope="module")
def compact() -> Iterator[Any]:
    """The ephemeris that is shipped."""
    from bazi_core.astro import live

    with live.Ephemeris(live.COMPACT) as ephemeris:
        yield ephemeris


@pytest.fixture(scope="module")
def de440() -> Iterator[Any]:
    from bazi_core.astro import live

    with live.Ephemeris(live.naif_path()) as ephemeris:
        yield ephemeris


# Asserts in contracts are shown as those of a test are.
pytest.register_assert_rewrite("bazi_hub.testing", "tests.hub.promises")
