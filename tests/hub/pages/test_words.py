"""The words of the pages as readers meet them: Traditional signs and words where they are promised, the same of one thing
everywhere.
"""

import re

from bazi_hub.pages.chinese import rows
from bazi_hub.pages.texts import LANGUAGES, catalogue
from bazi_hub.words.languages import traditional
from tests.tables import holds_for_all

# Signs that are written in Simplified Chinese only.
SIMPLIFIED = frozenset(
    "们这说对时间会见过还没发点业东两个为义乐习书买乱争亚产亲亿仅从仓仪众优伙传伤伦债儿兰关兴养兽内冈册写军农冯决况冻净减"
    "凑凤凭凯击则刚创删别剑剧剥劝办务动励劲劳势勋匀华协单卖卢卫却厅历厉压厌县参双变叙叠叹吓吗启员响唤啸嘱团园围国图圆圣场"
    "坏块坚坛坝坟坠垄垒垦垫堕墙壮声壳处备复够头夹夺奋奖妆妇妈娱婴学孙宁宝实审宪宫宽宾寝导寿将尔尘尝尽层属岁岂岗岛岭峡币师"
    "帐帘带帮库应庙庞废开异弃张弥弯弹强归当录彻径忆忧怀态怜总恋恳恶悬惊惧惨惩惯愤愿慑懒战户执扩扫扬扰抚抛抢护报担拟拢拣拥"
    "拦拨择挂挚挤挥捞损换据掷摄摆摇撑敌数斋断无旧旷显晋晓晕暂术机杀杂权条来杨极构枪枫柜标栋栏树样桥检楼横欢欧残毁毕气汇汉"
    "汤沟泪泻泽洁浅浆测济浑浓涛润涨渊渐渔温湾湿满滤滥灭灯灵灾炉炼烂烛烟烦烧热爱爷牵犹独狭狮猎猪猫献环现电画畅疗疯皱盏盐监"
    "盖盘码砖础硕确碍礼祸离种积称税稳穷窃窍窝窥竞笔笋筑签简粮紧纠红约级纪纯纲纳纵纷纸纹线组细织终绍经结绕绘给络绝统继绩续绪"
    "绳维绵综绿缓编缘缝缠缩罗罚职联聪肃肠肤肾肿胀胁胜脉脏脑脚脱腾舆舰艺节芦苍苏荐荣药莲获萝营萧蓝虑虚虫虽蚀蛮蜡装观规视览"
    "觉触誉计订认讨让训议记讲许论设访证评识诉词译试话询该详误请诸诺读课谁调谈谊谋谓谢谣谱贝负贡财责贤败账货质贪贫购贯贴贵贷"
    "费贺贼资赋赌赏赔赖赚赛赞赢赵赶趋跃践踪车轨转轮软轰轻载较辅辆辈辉输辑辞边达迁迈运进远违连迟适选逊递逻遗邓邮邻郑酝酱释"
    "鉴针钉钟钢钱铁铃铜铭银铺链销锁锋锐错锡锦键镇镜长门闪闭问闲闷闸闹闻阁阅阔队阳阴阵阶际陆陈险随隐难雏雾静韩页顶项顺须顾"
    "顿预领频题颜额风飞饥饭饮饰饱饼馆马驰驱驾驻验骑骗骤鱼鲁鲜鸟鸡鸣鸭鸿鹤麦黄齐龄龙龟"
)
MAINLAND = re.compile(
    "帖子|發帖|密鑰|充值|登錄|賬|網絡|程序|屏幕|信息|默認|鏈接|郵箱|點贊|質量|視頻|軟件|硬件|文件夾|打印|保存|刷新|智能體|客戶端"
    "|服務器|字符|字節|數組|復制|夏令時(?!間)|農歷|黃歷|回復|[“”‘’]"
)


def in_traditional():
    """Every phrase in Traditional Chinese, under what it is found by."""
    yield from ((key, row["zh-Hant"]) for key, row in catalogue().items())
    yield from rows("zh-Hant").items()
    yield from traditional().items()


def test_traditional_phrases_have_no_sign_that_is_simplified_only():
    found = {
        key: wrong
        for key, phrase in in_traditional()
        if key != "language" and (wrong := "".join(sorted(set(phrase) & SIMPLIFIED)))
    }
    assert found == {}


def test_the_table_of_signs_finds_what_is_simplified():
    simplified = [row["zh-Hans"] for row in catalogue().values()]
    assert sum(bool(set(phrase) & SIMPLIFIED) for phrase in simplified) > len(simplified) / 2


def test_traditional_phrases_use_the_words_and_quotes_of_their_readers():
    found = {key: wrong[0] for key, phrase in in_traditional() if (wrong := MAINLAND.search(phrase))}
    assert found == {}


@holds_for_all("language", LANGUAGES)
def test_a_visitor_is_addressed_in_one_way(language):
    assert [key for key, row in catalogue().items() if "您" in row[language]] == []


# Keys that name one thing on several pages.
SAME = [
    ("reading.next.years", "chart.luck.years"),
    ("share.new", "saved.share.new"),
    ("share.close", "saved.share.close"),
    ("offers.this", "liuyao.cost"),
    ("chart.close", "reading.close"),
    ("chart.close", "liuyao.evidence.close"),
    ("chart.evidence", "liuyao.evidence"),
]


@holds_for_all("pair", SAME)
def test_one_thing_is_called_the_same_everywhere(pair):
    one, other = (catalogue()[key] for key in pair)
    assert {language: one[language] for language in LANGUAGES} == {
        language: other[language] for language in LANGUAGES
    }
