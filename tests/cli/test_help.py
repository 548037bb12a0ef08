"""Every line of help is a row of the table, in three languages."""

import re
from itertools import product

import click
import pytest

from bazi_cli.app import COMMANDS, cli
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.tables import holds_for_all

# Words that an English sentence has; inside flags, codes and examples they stand beside - or _ or in capitals.
ENGLISH = re.compile(r"(?<![\w-])(the|an?|of|in|or|and|is|to|for|with|at|it|not|when|one|by|from)(?![\w=-])")


def context_of(command):
    # As the program makes it: a command keeps the help option that it is first asked for.
    return click.Context(command, help_option_names=["-h", "--help"])


def commands(command=cli, path=()):
    yield path, command
    if isinstance(command, click.Group):
        context = context_of(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))


PATHS = dict(commands())


def keys():
    """What help needs: two rows of a command, one of each option."""
    for path, command in PATHS.items():
        name = " ".join(path) or "bazi"
        yield from ((name, of) for of in ("list", "about") if path or of == "about")
        flags = [
            param.opts for param in command.get_params(context_of(command)) if isinstance(param, click.Option)
        ]
        yield from ((name, next(flag for flag in each if flag.startswith("--"))) for each in flags)


def test_every_command_and_option_has_its_row_and_no_row_is_without_one():
    written = {(row["command"], row["of"]) for row in rows("help")}
    needed = {key if key in written else ("*", key[1]) for key in keys()}
    assert needed == written
    assert all(all(row[lang].strip() for lang in LANGUAGES) for row in rows("help"))
    assert len(written) == len(rows("help"))


@holds_for_all("path, lang", product(PATHS, ["zh", "zh-TW"]))
def test_a_chinese_help_holds_no_english_sentence(bazi, path, lang):
    flag = "--help-all" if "help_all" in {param.name for param in PATHS[path].params} else "--help"
    told = bazi.text(*path, flag, "--lang", lang)
    assert [line for line in told.splitlines() if ENGLISH.search(line)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_completion_tells_commands_and_options_in_the_language_of_the_reader(bazi, lang):
    row = {(row["command"], row["of"]): row[lang] for row in rows("help")}
    for line, told in (("bazi cha", row["chart", "list"]), ("bazi chart --gen", row["*", "--gender"])):
        *_, word = line.split(" ")
        done = bazi.text(_BAZI_COMPLETE="fish_complete", COMP_WORDS=line, COMP_CWORD=word, BAZI_LANG=lang)
        assert told in done


def test_every_command_of_the_program_is_walked():
    assert {path[0] for path in PATHS if path} == set(COMMANDS)
