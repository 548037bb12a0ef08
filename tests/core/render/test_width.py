"""Layout by display width: measuring, folding, packing, tables that align and that continue below."""

from hypothesis import given
from hypothesis import strategies as st

from bazi_core.alphabet import PILLARS
from bazi_core.render.width import fold, pack, pad, table, width
from tests.tables import holds_for_all

LINES = st.text(alphabet="abc 年月日，。（）-", max_size=60)


@holds_for_all(
    "text, columns",
    [("", 0), ("a", 1), ("午", 2), ("（", 2), ("e\u0301", 1), ("─", 1), ("ﾊ", 1), ("\u200b", 0)],
)
def test_width_follows_the_east_asian_class(text, columns):
    assert width(text) == columns


def test_colour_takes_no_columns():
    assert width("\x1b[1;31m午火\x1b[0m") == 4


def test_padding_counts_columns_not_characters():
    assert [pad(text, 5) for text in ("午", "ab", "too long")] == ["午   ", "ab   ", "too long"]


@given(LINES, st.integers(8, 40))
def test_folded_lines_fit_and_lose_nothing_but_spaces(text, columns):
    lines = fold(text, columns)
    assert "".join("".join(lines).split()) == "".join(text.split())
    # A run that cannot be broken may be longer than the line: latin letters, or marks that must not begin one.
    longest = max((width(piece) for piece in text.split()), default=0)
    assert max(map(width, lines)) <= max(columns, longest)


def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one():
    for columns in range(6, 30):
        for line in fold("年柱（庚午），月柱（辛巳）。日柱，时柱：未知！", columns):
            assert line[0] not in "，。）：！"
            assert line[-1] != "（"


def test_a_pillar_is_never_cut_in_two():
    text = "".join(pillar.value for pillar in PILLARS)
    for columns in range(8, 24):
        assert all(len(line) % 2 == 0 for line in fold(text, columns))


def test_later_lines_are_indented():
    assert fold("one two three four", 9, "  ") == ["one two", "  three", "  four"]


def test_packed_items_are_never_cut():
    items = ["胎元 壬申", "胎息 乙酉", "命宫 壬午", "身宫 戊子"]
    for columns in range(9, 60):
        lines = pack(items, columns, "   ")
        assert [item for line in lines for item in line.split("   ")] == items
        assert max(map(width, lines)) <= columns


def test_an_item_that_is_alone_too_long_is_folded():
    assert pack(["one", "two words here", "x"], 9, " ") == ["one", "two words", "  here x"]


CELLS = st.text(alphabet="ab年月", max_size=4)


@given(st.lists(st.lists(CELLS, min_size=4, max_size=4), min_size=2, max_size=5), st.integers(24, 80))
def test_every_line_of_a_table_is_equally_wide_and_fits(rows, columns):
    lines = table(rows, columns)
    starts = [at for at, line in enumerate(lines) if line[0] == "┌"]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        assert len({width(line) for line in lines[start:end]}) == 1
        assert width(lines[start]) <= columns


def test_columns_that_do_not_fit_continue_below_with_their_labels():
    lines = table([["", "年", "月", "日"], ["干", "庚", "辛", "庚"]], 18)
    assert lines[1] == "│    │ 年 │ 月 │"
    assert lines[6] == "│    │ 日 │"


def test_one_column_is_shown_even_where_nothing_fits():
    assert len(table([["label", "a long cell"], ["x", "y"]], 5)) == 5


def test_cells_are_widened_only_while_all_of_them_fit():
    rows = [["", "a", "b"], ["x", "c", "d"]]
    assert width(table(rows, 80, 10)[0]) == 1 + 4 + 13 + 13
    assert width(table(rows, 30, 10)[0]) < 30
