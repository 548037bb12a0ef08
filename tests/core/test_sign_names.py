"""English names of the twenty-two signs: no two are written alike."""

import bazi_core as bz
from bazi_core.tables.words import term
from bazi_core.wording import branch_name, stem_name


def test_no_two_signs_share_their_pinyin_or_their_name():
    pinyin = [
        term(each.value, "en", kind)
        for kind, all_of in (("stem", bz.Stem), ("branch", bz.Branch))
        for each in all_of
    ]
    assert len(pinyin) == len(set(pinyin)) == 22
    names = [*(stem_name(each.value) for each in bz.Stem), *(branch_name(each.value) for each in bz.Branch)]
    assert len(names) == len(set(names)) == 22
    assert (stem_name("戊"), branch_name("午")) == ("Yang Earth (戊 Wù)", "Horse (午 Wu)")
