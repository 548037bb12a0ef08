"""What readers of three languages are shown of a place."""

import pytest

from bazi_core.place import store
from bazi_core.place.display import Former, former_names, name_shown, region_shown
from bazi_core.place.folding import fold
from bazi_core.place.gazetteer import Place, look_up
from tests.tables import holds_for_all


def shown(query: str, lang: str) -> tuple[str, str]:
    place = look_up(query)
    return (
        name_shown(place.ref, place.name, lang),
        region_shown(place.ref, place.admin, place.country, lang),
    )


@pytest.mark.parametrize(
    ("query", "hans", "hant", "english"),
    [
        ("纽约", ("纽约", "美国纽约州"), ("紐約", "美國紐約州"), ("New York City", "New York, United States")),
        ("雪梨", ("悉尼", "澳大利亚新南威尔士州"), ("雪梨", "澳洲新南威爾士州"), ("Sydney", "New South Wales, Australia")),
        ("大阪", ("大阪", "日本大阪府"), ("大阪", "日本大阪府"), ("Osaka", "Osaka, Japan")),
        ("Lima, PE", ("利马", "秘鲁"), ("利馬", "秘魯"), ("Lima", "Peru")),
        ("长春朝阳区", ("朝阳区", "吉林省长春市"), ("朝陽區", "吉林省長春市"),
         ("Chaoyang (朝阳区)", "Changchun, Jilin, China")),
        ("北京", ("北京市", "中国"), ("北京市", "中國"), ("Beijing (北京市)", "Beijing, China")),
        ("Hohhot", ("呼和浩特市", "内蒙古自治区"), ("呼和浩特市", "內蒙古自治區"),
         ("Hohhot (呼和浩特市)", "Inner Mongolia, China")),
    ],
)  # fmt: skip
def test_a_place_is_shown_in_the_language_of_its_reader(query: str, hans, hant, english) -> None:
    assert [shown(query, lang) for lang in ("zh-Hans", "zh-Hant", "en")] == [hans, hant, english]


def test_a_place_of_the_user_is_shown_as_it_was_given() -> None:
    farm = Place("a farm", -70.5, -33.25)
    for lang in ("zh-Hans", "zh-Hant", "en"):
        assert name_shown(farm.ref, farm.name, lang) == "a farm"
        assert region_shown(farm.ref, farm.admin, farm.country, lang) == ""


@pytest.mark.parametrize(
    ("query", "former"),
    [
        ("新京", [Former("新京", 1932, 1945)]),
        ("奉天", [Former("奉天", 1657, 1929), Former("奉天", 1931, 1945)]),
        ("leningrad", [Former("Leningrad", 1924, 1991)]),
        ("Mukden", [Former("Mukden", None, None)]),
        ("长春", []),
        ("Leningrad, Russia", []),
    ],
)
def test_a_former_name_is_told_with_its_years(query: str, former: list[Former]) -> None:
    assert former_names(query, look_up(query)) == former


@holds_for_all(
    "hans, hant",
    [("青岛市", "青島市"), ("腾冲市", "騰衝市"), ("沈阳市", "瀋陽市"), ("沈丘县", "沈丘縣"), ("台州市", "台州市"),
     ("烟台市", "煙臺市"), ("余干县", "餘干縣"), ("钟祥市", "鍾祥市"), ("海淀区", "海淀區"), ("道里区", "道里區"),
     ("岳阳市", "岳陽市"), ("石家庄市", "石家莊市")],
)  # fmt: skip
def test_a_chinese_division_bears_its_traditional_name_in_traditional_text(hans, hant):
    place = look_up(hans)
    assert (name_shown(place.ref, place.name, "zh-Hans"), name_shown(place.ref, place.name, "zh-Hant")) == (
        hans,
        hant,
    )


def test_every_traditional_name_of_a_division_is_found_as_its_simplified_one_is():
    names = {name for (name,) in store.rows("SELECT name FROM entry WHERE id < 0", [])}
    assert len(names) > 2500
    letters = store.letters()
    for name in names:
        hant = name_shown("cn:1", name, "zh-Hant")
        assert len(hant) == len(name)
        assert fold(hant, letters) == fold(name, letters)
