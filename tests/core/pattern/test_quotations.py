"""What the rows quote: each quotation stands in the passage, chapter and layer (text or commentary) that its row names."""

from __future__ import annotations

from bazi_core.tables import rows
from tests.tables import holds_for_all

# The sentences around each quotation, by chapter. 原注 is the old note on 《滴天髓》, 阐微 the commentary of 任铁樵.
PASSAGES = {
    "滴天髓·天干": "五阳从气不从势，五阴从势无情义",
    "滴天髓·地支": "旺者冲衰衰者拔，衰神冲旺旺神发",
    "滴天髓·形象": "独象喜行化地，而化神要昌",
    "滴天髓·月令": "月令乃提纲之府，譬之宅也",
    "滴天髓·顺局": "从儿不管身强弱，只要吾儿又得儿",
    "滴天髓原注·从象": "日主孤立无气，天地人元，绝无一毫生扶之意，财官强甚，乃为真从也",
    "滴天髓原注·化象": "丁壬生于春月，独相作合，皆为真化",
    "滴天髓原注·衰旺": "旺则宜泄宜伤，衰则喜帮喜助，子平之理也",
    "滴天髓阐微·从象": "从旺者，四柱皆比劫，无官杀之制，有印绶之生，旺之极者，从其旺神也。"
    "从强者，四柱印绶重重，比劫叠叠，日主又当令，绝无一毫财星官杀之气，谓二人同心",
    "滴天髓阐微·反局": "只得顺母之性，助其子也",
    "滴天髓阐微·闲神": "有用神必有喜神，喜神者，辅格助用之神也。然有喜神，亦必有忌神，忌神者，破格损用之神也。"
    "自用神、喜神、忌神之外，皆闲神也",
    "滴天髓阐微·官杀": "众杀横行，一仁可化。一将当关，群凶自伏",
    "子平真诠·论十干配合性情": "甲用辛官，透丙作合，而官非其官；甲用癸印，透戊作合，而印非其印",
    "子平真诠·论十干得时不旺失时不弱": "通根如家室之可住；干多不如根重，理固然也",
    "子平真诠·论用神成败救应": "官格成也；财生官旺，或财逢食生而身强带比，或财格透印而位置妥贴，两不相克，财格成也；"
    "印轻逢煞，或官印双全，"
    "食神生财，或食带煞而无财，弃食就煞而透印，食格成也；身强七煞逢制，煞格成也；伤官生财，或伤官佩印而伤官旺，"
    "阳刃透官煞而露财印，不见伤官，刃格成也。财轻比重，财透七煞，财格败也；印轻逢财，食神逢枭，或生财露煞，食神格败也；"
    "伤官非金水而见官。成中有败，必是带忌；败中有成，全凭救应",
    "子平真诠·论用神格局高低": "其理之大纲，亦在有情无情、有力无力之间而已",
    "子平真诠·论用神配气候得失": "身印两旺，透食则贵，凡印格皆然。而用之冬木，尤为秀气，以冬木逢火，"
    "不惟可以泄身，而即可以调候也。"
    "伤官见官，为祸百端，而金水见之，反为秀气。伤官佩印，随时可用，而用之夏木，其秀百倍，火济水，水济火也。"
    "春木逢火，则为木火通明，而夏木不作此论；秋金遇水，则为金水相涵，而冬金不作此论",
    "子平真诠·论印绶": "有印而透官者，正官不独取其生印，而即可以为用。故身旺印强，不愁太过，只要官星清纯。"
    "有印多而用财者，印重身强，透财以抑太过，权而用之，只要根深，无防财破。若印轻财重，又无劫财以救，则为贪财破印，贫贱之局也",
    "子平真诠·论食神": "食神本属泄气，以其能生正财，所以喜之。故食神生财，美格也。"
    "至于食神忌印，夏火太炎而木焦，透印不碍。更有印来夺食，透财以解，亦有富贵",
    "子平真诠·论伤官": "有伤官佩印者，印能制伤，所以为贵，反要伤官旺，身稍弱，始为秀气",
    "子平真诠·论偏官": "煞用食制者，上也，煞旺食强而身健，极为贵格。煞用食制，不要露财透印，"
    "以财能转食生煞，而印能去食护煞也。"
    "然而财先食后，财生煞而食以制之，或印先食后，食太旺而印制，则格成大贵。"
    "有七煞用印者，印能护煞，本非所宜，而印有情，便为贵格。有煞而用财者，财以党煞，本非所喜，"
    "而或食被制，不能伏煞，而财以去印存食，便为贵格",
    "子平真诠·论偏官取运": "其以财而去印存食者，不利劫财。其以财而助煞不及者，财已足，则喜食印与帮身",
    "子平真诠·论阳刃": "官煞露而根深，其贵也大；官煞藏而不露，或露而根浅，其贵也小",
    "子平真诠·论建禄月劫": "其禄劫之格，无财官而用伤食，泄其太过，亦为秀气。唯春木秋金，用之则贵，盖木逢火则明，金生水则灵",
    "子平真诠·论杂格": "有取五行一方秀气者，取甲乙全亥卯未、寅卯辰，又生春月之类",
    "神峰通考·病药说": "何以为之病？原八字中原所害之神也；何以为之药？如八字原有所害之字，而得一字以去之。"
    "有病方为贵，无伤不是奇；格中如去病，财禄两相随",
    "三命通会·继善篇": "岁月时中，大怕官煞混杂。富而且贵，定因财旺生官。财多身弱，正为富屋贫人。身强煞浅，假煞为权；"
    "煞重身轻，终身有损。印绶被伤，倘若荣华不久",
    "渊海子平·喜忌篇": "柱中官星太旺，天元羸弱之名；日干旺甚无依，若不为僧即道",
}  # fmt: skip
QUOTED = [
    *((f"book_rules:{row['id']}", row["source"], row["quote"]) for row in rows("book_rules")),
    *((f"dynamics:{row['name']}", row["source"], row["phrase"]) for row in rows("dynamics")),
    *(
        (f"exceptions:{row['name']}:{row['condition']}", row["source"], row["phrase"])
        for row in rows("dynamic_exceptions")
    ),
    *(
        (f"role_causes:{row['role']}:{row['cause']}", row["source"], row["phrase"])
        for row in rows("role_causes")
    ),
    *((f"diagnosis:{row['key']}", row["source"], row["phrase"]) for row in rows("diagnosis")),
]
# Rows that rest on a whole chapter and quote no sentence of it.
WHOLE_CHAPTERS = {"diagnosis:absent"}


@holds_for_all("row, source, quote", QUOTED)
def test_a_quotation_stands_in_the_chapter_that_its_row_names(row, source, quote):
    if row in WHOLE_CHAPTERS:
        assert source == "子平真诠·论行运"
        assert quote == ""
    else:
        assert quote
        assert quote in PASSAGES[source]


def test_every_passage_is_quoted_by_some_row():
    assert {source for _, source, _ in QUOTED} >= PASSAGES.keys()
