"""A file of births becomes a file of charts, whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.batch import job as jobs
from bazi_core.batch import sources
from bazi_core.batch.job import run
from tests.core.batch.files import ROWS, job, many, read, written
from tests.waiting import eventually_there


@pytest.mark.parametrize("target", ["csv", "tsv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("origin", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_every_form_becomes_every_form(tmp_path, origin, target):
    source = written(tmp_path / f"births.{origin}")
    done = run(job(source, tmp_path / f"charts.{target}", words=True))
    assert done == (4, {"BIRTH_REQUIRED": 1, "NONEXISTENT_LOCAL_TIME": 1})
    rows = read(tmp_path / f"charts.{target}")
    assert [row["id"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["status"] for row in rows] == ["OK", "NONEXISTENT_LOCAL_TIME", "BIRTH_REQUIRED", "OK"]
    found = [" ".join(row[name] or "–" for name in ("year", "month", "day", "hour")) for row in rows]
    assert found == ["庚午 辛巳 庚辰 壬午", "– – – –", "– – – –", "庚午 壬午 己未 庚午"]
    assert rows[0]["note"] == ROWS[0]["note"]
    assert not (tmp_path / f"charts.{target}.partial").exists()


def test_rows_that_cannot_be_computed_are_left_empty_left_out_or_end_the_run(tmp_path):
    source = written(tmp_path / "births.csv")
    run(job(source, tmp_path / "null.csv", keep=("id",)))
    assert (tmp_path / "null.csv").read_text() == (
        "id,year,month,day,hour,status\n1,6,17,16,18,0\n2,,,,,7\n3,,,,,1\n4,6,18,55,6,0\n"
    )
    run(job(source, tmp_path / "skip.csv", keep=("id",), on_error="skip"))
    assert [row["id"] for row in read(tmp_path / "skip.csv")] == ["1", "4"]
    with pytest.raises(bz.NonexistentLocalTime, match="line 4: 1990-04-15") as caught:
        run(job(source, tmp_path / "fail.csv", on_error="fail"))
    assert caught.value.data["line"] == 4
    assert [each.name for each in tmp_path.glob("fail*")] == []


FIELDS = {
    "plain": ["a", "", "北京", " s ", "é", "1.5", "'"],
    "quoted": ["a", "", 'x"y', "a,b", "a\tb", "l\nm", "l\r\nm", "\r", "北京"],
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", ""])
@pytest.mark.parametrize("fields", FIELDS.values(), ids=FIELDS)
@pytest.mark.parametrize("form", sources.DELIMITERS)
def test_columns_of_the_input_stand_in_the_output_as_they_were(tmp_path, form, fields, ends):
    draw = random.Random(len(fields))
    rows = [[draw.choice(fields), "1990-05-15 13:30", draw.choice(fields)] for _ in range(60)]
    text = io.StringIO()
    quoting = csv.QUOTE_ALL if "\r" in fields else csv.QUOTE_MINIMAL
    writer = csv.writer(
        text, delimiter=sources.DELIMITERS[form], lineterminator=ends or "\n", quoting=quoting
    )
    writer.writerows([["one", "datetime", "other"], *rows])
    source = tmp_path / f"births.{form}"
    source.write_text(text.getvalue() if ends else text.getvalue().rstrip("\n"), "utf-8", newline="")
    run(job(source, tmp_path / f"charts.{form}", constants={"city": "北京"}))
    found = [
        [row[name] for name in ("one", "datetime", "other", "hour")]
        for row in read(tmp_path / f"charts.{form}")
    ]
    assert found == [[*row, "18"] for row in rows]


def test_what_cannot_be_done_is_said_before_anything_is_computed(tmp_path):
    source = written(tmp_path / "births.csv")
    for options, words in (
        ({"keep": ("nowhere",)}, "nowhere"),
        ({"on_error": "ignore"}, "ignore"),
        ({"columns": ("colours",)}, "colours"),
        ({"encoding": "utf-16"}, "utf-16"),
        ({"encoding": "klingon"}, "klingon"),
    ):
        with pytest.raises(bz.BaziError, match=words):
            run(job(source, tmp_path / "charts.csv", **options))
    with pytest.raises(bz.BaziError, match="known endings"):
        run(job(source, tmp_path / "charts.doc"))
    source.write_text("when,city\n1990-05-15 13:30,北京\n", encoding="utf-8")
    with pytest.raises(bz.InvalidInput, match="no column datetime"):
        run(job(source, tmp_path / "charts.csv"))
    source.write_text("datetime,year\n1990-05-15 13:30,1990\n", encoding="utf-8")
    with pytest.raises(bz.InvalidInput, match="a column year"):
        run(job(source, tmp_path / "charts.csv", constants={"city": "北京"}))
    assert [each.name for each in tmp_path.iterdir()] == ["births.csv"]


def test_json_of_several_shapes_becomes_lines_but_no_table(tmp_path):
    source = tmp_path / "births.jsonl"
    source.write_text('{"datetime": "1990-05-15 13:30"}\n{"datetime": "1990-05-15 13:30", "extra": [1]}\n')
    run(job(source, tmp_path / "charts.jsonl", constants={"city": "北京"}))
    assert [row.get("extra") for row in read(tmp_path / "charts.jsonl")] == [None, [1]]
    with pytest.raises(bz.BaziError, match="line 2: extra"):
        run(job(source, tmp_path / "charts.csv", constants={"city": "北京"}))


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(sources, "ROWS", 3)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_interrupted_run_goes_on_to_the_bytes_of_a_whole_one(tmp_path, small_pieces, form, monkeypatch):
    source = many(tmp_path / "births.csv")
    whole, broken = tmp_path / f"whole.{form}", tmp_path / f"broken.{form}"
    run(job(source, whole))
    computed: list[int] = []
    inner = jobs.Worker.compute

    def compute(self: jobs.Worker, piece: sources.Piece) -> Any:
        if len(computed) == 4:
            raise KeyboardInterrupt
        computed.append(piece.number)
        return inner(self, piece)

    monkeypatch.setattr(jobs.Worker, "compute", compute)
    with pytest.raises(KeyboardInterrupt):
        run(job(source, broken))
    assert not broken.exists()
    assert (tmp_path / f"broken.{form}.partial").is_dir()
    monkeypatch.setattr(
        jobs.Worker, "compute", lambda self, piece: (computed.append(piece.number), inner(self, piece))[1]
    )
    done = run(job(source, broken), resume=True)
    assert done.rows == 20
    assert broken.read_bytes() == whole.read_bytes()
    kept = [number for number in set(computed) if computed.count(number) == 1]
    assert 0 in kept, "what was there is not computed again"


def test_a_part_that_is_not_whole_is_computed_again(tmp_path, small_pieces, monkeypatch):
    source = many(tmp_path / "births.csv")
    run(job(source, tmp_path / "whole.csv"))
    monkeypatch.setattr(jobs.sinks, "joined", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(job(source, tmp_path / "charts.csv"))
    monkeypatch.undo()
    part = tmp_path / "charts.csv.partial" / "part-000001"
    part.write_bytes(part.read_bytes()[:-5])
    monkeypatch.setattr(sources, "ROWS", 3)
    run(job(source, tmp_path / "charts.csv"), resume=True)
    assert (tmp_path / "charts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def _interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("change", ["input", "options"])
def test_parts_of_another_job_are_refused(tmp_path, small_pieces, change, monkeypatch):
    source, output = many(tmp_path / "births.csv"), tmp_path / "charts.csv"
    with monkeypatch.context() as patch:
        patch.setattr(jobs.sinks, "joined", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(job(source, output))
    if change == "input":
        many(source, 21)
    with pytest.raises(bz.BaziError, match="another run"):
        run(job(source, output, words=change == "options"), resume=True)
    assert run(job(source, output)).rows == (21 if change == "input" else 20)


@pytest.mark.process
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_that_is_killed_is_never_whole_and_resumes_to_the_same_bytes(tmp_path, processes):
    source = many(tmp_path / "births.csv", 400_000)
    whole, output = tmp_path / "whole.csv", tmp_path / "charts.csv"
    run(job(source, whole, columns=("pillars", "luck", "relations")))
    command = [
        sys.executable, "-m", "bazi_cli", "batch", str(source), "-o", str(output),
        "--columns", "pillars,luck,relations", "--jobs", str(processes),
    ]  # fmt: skip
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    partial = Path(f"{output}.partial")
    eventually_there(lambda: (partial / "part-000001").exists(), 60)
    workers = [each for each in _children(running.pid) if "spawn_main" in _command(each)]
    assert len(workers) == (processes if processes > 1 else 0)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    eventually_there(lambda: not any(_command(each) for each in workers), 30)
    assert not output.exists()
    subprocess.run([*command, "--resume"], check=True, stderr=subprocess.DEVNULL)
    assert output.read_bytes() == whole.read_bytes()
    assert not partial.exists()


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def _command(pid: int) -> str:
    """The command line of a process; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@pytest.mark.process
def test_the_number_of_processes_does_not_change_the_bytes(tmp_path):
    source = many(tmp_path / "births.csv", 150_000)
    outputs = [tmp_path / f"{processes}.csv" for processes in (1, 3)]
    for processes, output in zip((1, 3), outputs, strict=True):
        command = [
            sys.executable,
            "-m",
            "bazi_cli",
            "batch",
            str(source),
            "-o",
            str(output),
            "--jobs",
            str(processes),
        ]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
