"""One key for all spellings of a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.place import store
from bazi_core.place.folding import fold, letter_map
from tests.sizes import sizes
from tests.tables import holds_for_all


def key(text: str) -> str:
    return fold(text, store.letters())


@holds_for_all(
    "spellings",
    [
        ("São Paulo", "sao paulo", "SAO  PAULO", "Sa\u0303o Paulo", "São-Paulo"),
        ("臺北", "台北", "臺 北", "台・北"),
        ("Xi'an", "Xi’an", "Xiʻan", "XIAN", "xi an", "Xi´an", "Xi`an"),
        ("Łódź", "Lodz", "ŁÓDŹ"),
        ("Đà Nẵng", "Da Nang", "đà nẵng"),
        ("İstanbul", "istanbul", "ISTANBUL", "Istanbul"),
        ("Tromsø", "TROMSØ", "Tromso"),
        ("Ħamrun", "hamrun"),
        ("Ærø", "AERO"),
        ("Þorlákshöfn", "thorlakshofn"),
        ("ソウル", "ｿｳﾙ"),
        ("서울", "\u1109\u1165\u110b\u116e\u11af"),
        ("刚果（金）", "刚果(金)", "剛果金"),
        ("St. Louis", "St Louis", "st.louis"),
        ("Zürich\u200b", "Zurich", "Zu\u00adrich"),
    ],
)
def test_spellings_of_one_name_have_one_key(spellings: tuple[str, ...]) -> None:
    assert len({key(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("大同", "大通"), ("Paris", "Pari"), ("三亚", "三门"), ("台州", "泰州"), ("a1", "a2")]
)
def test_different_names_keep_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@sizes(10_000, 100_000)
def test_every_key_of_the_table_is_its_own_key(count: int) -> None:
    keys = [n for (n,) in store.rows("SELECT DISTINCT n FROM name UNION SELECT DISTINCT n FROM area")]
    assert 100_000 < len(keys) < 200_000
    assert [n for n in keys[:: 100_000 // count] if key(n) != n] == []


@given(st.text(max_size=20))
def test_folding_a_key_again_changes_nothing(text: str) -> None:
    assert key(key(text)) == key(text)


def test_no_simplified_character_is_itself_simplified_further() -> None:
    letters = store.letters()
    assert len(letters) > 800
    assert [to for to in letters.values() if len(to) == 1 and ord(to) in letters] == []


def test_simplified_characters_stay_and_are_never_made_traditional() -> None:
    assert key("丑") == "丑"
    assert key("干") == "干"


def test_names_of_punctuation_alone_have_an_empty_key() -> None:
    assert key(" .,-·()'") == ""


def test_the_map_needs_both_strings_of_one_length() -> None:
    with pytest.raises(ValueError, match="shorter"):
        letter_map("臺北", "台")
