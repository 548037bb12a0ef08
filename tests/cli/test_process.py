"""Whole processes: pipes, encodings, signals, and what is imported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).parents[2])
BAZI = [sys.executable, "-m", "bazi_cli"]
BORN = ["chart", "1990-05-15 13:30", "--city", "北京", "--gender", "male"]
CLOSE = ["--boundary-window-s", "7200"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes and signals of POSIX")


def exhaustive(value):
    """A case for the whole suite: a process takes long to start."""
    return pytest.param(value, marks=pytest.mark.exhaustive)


def environment(tmp_path, **more):
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PYTHONPATH": ROOT, "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path), **more}


def run(arguments, tmp_path, **more):
    return subprocess.run(arguments, env=environment(tmp_path, **more), capture_output=True, check=False)


@pytest.mark.process
def test_utf8_goes_out_whatever_the_locale(tmp_path):
    for locale in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"}, {"PYTHONUTF8": "0"}):
        done = run([*BAZI, *BORN], tmp_path, **locale)
        assert done.returncode == 0
        assert "庚 Geng" in done.stdout.decode("utf-8")


@POSIX
@pytest.mark.process
def test_bytes_that_are_not_utf8_do_not_crash(tmp_path):
    done = run([*BAZI, "chart", b"\xff\xfe", "--city", b"\xe5\x8c\x97\xff"], tmp_path)
    assert done.returncode == 4
    assert "INVALID_DATETIME" in done.stderr.decode("utf-8")
    label = run(
        [*BAZI, *BORN[:2], "--lon", "116", "--tz", "Asia/Shanghai", "--city", b"\xff", "-f", "json"], tmp_path
    )
    assert json.loads(label.stdout.decode("utf-8"))["input"]["place"]["name"] == "\ufffd"


@POSIX
def test_a_reader_that_goes_away_is_no_error(tmp_path):
    with subprocess.Popen(
        [*BAZI, *BORN, "-f", "json"],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (141, b"")


@POSIX
@pytest.mark.parametrize("closed", [*map(exhaustive, [(0,), (1,), (1, 2), (0, 1, 2)]), (2,)])
@pytest.mark.process
def test_closed_descriptors_change_no_exit_status_and_no_file(closed, tmp_path):
    shut = " ".join(f"{number}>&-" for number in closed)
    written = tmp_path / "chart.json"
    for arguments, status in (
        ([*BORN, "-f", "json", "-o", str(written)], 0),
        (BORN, 0),
        (["chart", "yesterday"], 4),
        (["liuyao", "verify", "-"], 4),
        (["--version"], 0),
    ):
        done = run(["sh", "-c", f'"$@" </dev/null {shut}', "sh", *BAZI, *arguments], tmp_path)
        assert (done.returncode, b"INTERNAL" in done.stderr) == (status, False), (arguments, done.stderr)
    assert json.loads(written.read_text("utf-8"))["pillars"]


@POSIX
@pytest.mark.exhaustive
def test_notes_that_nobody_reads_keep_back_neither_data_nor_exit_status(tmp_path):
    for arguments, status in (
        (["chart", "-f", "json"], 0),
        (["chart", "yesterday"], 4),
        ([*BORN, *CLOSE, "--strict"], 9),
    ):
        ours, theirs = os.pipe()
        os.close(ours)
        done = subprocess.run(
            [*BAZI, *arguments],
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=False,
        )
        os.close(theirs)
        assert (done.returncode, bool(done.stdout)) == (status, status != 4), arguments


@POSIX
@pytest.mark.parametrize("clock", ["UTC-25", *map(exhaustive, ["LMT-8:05:43", "UTC+24", "Nowhere/At/All"])])
@pytest.mark.parametrize("command", [("chart",), ("liuyao", "--time"), ("liuren",)])
def test_now_is_known_on_a_device_with_a_strange_clock(command, clock, tmp_path):
    done = run([*BAZI, *command], tmp_path, TZ=clock)
    assert (done.returncode, done.stderr.count(b"INTERNAL")) == (0, 0), done.stderr.decode()


def test_errors_go_to_stderr_and_the_exit_status_out(tmp_path):
    done = run([*BAZI, "chart", "1990-05-15 13:30", "--city", "Springfield"], tmp_path)
    assert (done.returncode, done.stdout) == (3, b"")
    assert "gn:4951788" in done.stderr.decode("utf-8")


def test_in_a_pipe_there_is_no_colour(tmp_path):
    assert b"\x1b" not in run([*BAZI, *BORN], tmp_path, TERM="xterm-256color").stdout


def test_nothing_heavy_is_imported_for_a_chart(tmp_path):
    look = (
        "import sys; from bazi_cli.main import main; sys.argv = ['bazi', *{arguments!r}]\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    for arguments in (BORN, [*BORN, "-f", "json"], ["luck", *BORN[1:]], ["terms", "2026"]):
        done = run([sys.executable, "-c", look.format(arguments=arguments)], tmp_path)
        loaded = set(done.stderr.decode("utf-8").split())
        assert "bazi_core.astro.terms" in loaded
        heavy = {"numpy", "skyfield", "pydantic", "jsonschema", "asyncio", "socket", "tomllib"}
        assert heavy & loaded == set()


def test_only_the_command_that_runs_is_imported(tmp_path):
    look = (
        "import sys; from bazi_cli.main import main; sys.argv = ['bazi', 'schema']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*[name for name in sys.modules if name.startswith('bazi_cli.commands.')], file=sys.stderr)"
    )
    assert run([sys.executable, "-c", look], tmp_path).stderr.decode().split() == ["bazi_cli.commands.schema"]


@POSIX
def test_on_a_terminal_the_elements_are_coloured(tmp_path):
    pty = pytest.importorskip("pty", reason="terminals of POSIX")
    for extra, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [*BAZI, *BORN],
            env=environment(tmp_path, TERM="xterm", COLUMNS="80", BAZI_LANG="zh-Hans", **extra),
            stdout=theirs,
        ) as process:
            os.close(theirs)
            told = _all_of(ours)
        assert process.returncode == 0
        assert ("\x1b[31m午火".encode() in told) is coloured


def _all_of(terminal):
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            part = b""
        if not part:
            os.close(terminal)
            return b"".join(parts)
        parts.append(part)
