"""`bazi batch`: a file in, a file out, notes on stderr."""

import pytest

BIRTHS = "id,datetime,gender\n1,1990-05-15 13:30,male\n2,1990-04-15 02:30,male\n"


@pytest.fixture
def births(tmp_path):
    path = tmp_path / "births.csv"
    path.write_text(BIRTHS, encoding="utf-8")
    return path


def test_what_holds_for_all_rows_is_said_by_options(bazi, births, tmp_path):
    output = tmp_path / "charts.csv"
    result = bazi("batch", str(births), "-o", str(output), "--city", "北京", "--words", "--keep", "id")
    assert (result.exit_code, result.stdout) == (0, "")
    assert output.read_text(encoding="utf-8") == (
        "id,year,month,day,hour,status\n1,庚午,辛巳,庚辰,壬午,OK\n2,,,,,NONEXISTENT_LOCAL_TIME\n"
    )
    first, second = result.stderr.splitlines()
    assert first.startswith("已写2行，每秒")
    assert second.split() == ["NONEXISTENT_LOCAL_TIME", "1"]


def test_options_of_the_school_are_flags_too(bazi, births, tmp_path):
    births.write_text("datetime,late\n1990-05-15 23:30,x\n", encoding="utf-8")
    output = tmp_path / "charts.csv"
    arguments = ("batch", str(births), "-o", str(output), "--tz", "Asia/Shanghai", "--words")
    assert bazi(*arguments, "--day-boundary", "00:00").exit_code == 0
    assert output.read_text(encoding="utf-8").splitlines()[1] == "1990-05-15 23:30,x,庚午,辛巳,庚辰,戊子,OK"
    assert bazi(*arguments).exit_code == 0
    assert output.read_text(encoding="utf-8").splitlines()[1] == "1990-05-15 23:30,x,庚午,辛巳,辛巳,戊子,OK"


def test_a_row_that_cannot_be_computed_ends_the_command_where_that_is_asked_for(bazi, births, tmp_path):
    output = tmp_path / "charts.csv"
    result = bazi(
        "batch", str(births), "-o", str(output), "--city", "北京", "--on-error", "fail", "--lang", "en"
    )
    assert result.exit_code == 4
    assert "NONEXISTENT_LOCAL_TIME" in result.stderr
    assert "line 3: 1990-04-15T02:30:00 was skipped" in result.stderr
    assert not output.exists()


def test_wrong_use_is_told_before_anything_is_read(bazi, births, tmp_path):
    for arguments, words in (
        (("batch", str(births)), "-o charts.csv"),
        (("batch", str(tmp_path / "none.csv"), "-o", str(tmp_path / "charts.csv")), "none.csv"),
        (("batch", str(births), "-o", str(tmp_path / "nowhere" / "charts.csv"), "--city", "北京"), "nowhere"),
    ):
        result = bazi(*arguments, "--lang", "en")
        assert result.exit_code == 2
        assert words in result.stderr


def test_a_corrupt_file_is_refused_with_its_line(bazi, births, tmp_path):
    births.write_text(BIRTHS + "3,1990-05-15 13:30\n", encoding="utf-8")
    result = bazi("batch", str(births), "-o", str(tmp_path / "charts.csv"), "--city", "北京", "--lang", "en")
    assert result.exit_code == 4
    assert "TABLE_CORRUPT" in result.stderr
    assert "births.csv, line 4: 2 fields where the header has 3" in result.stderr
