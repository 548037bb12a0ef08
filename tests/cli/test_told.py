"""What the text of a line holds, whatever stands around it and wherever it is broken."""

import shlex
from itertools import groupby

from tests.tables import holds_for_all, rows_of

LINES = [
    (line, [words for _, words in rows])
    for line, rows in groupby(rows_of("cli/told.csv"), lambda row: row[0])
]


@holds_for_all("line, words", LINES, lambda row: row[0])
def test_a_text_holds_what_its_line_asks_for(bazi, line, words):
    text = bazi.text(*shlex.split(line))
    # Where the width breaks a sentence there is nothing in Chinese and a space in English.
    whole = [text, text.replace("\n    ", ""), " ".join(text.split())]
    assert [each for each in words if not any(each in form for form in whole)] == []
