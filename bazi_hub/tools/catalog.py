"""The catalogue: the tools as rows, in the order meta, fortune, forum. Lists, documents and dispatch are made from it."""

from __future__ import annotations

from bazi_hub.tools import births, fortune, forum, meta
from bazi_hub.tools.rehydrate import unwrapped
from bazi_hub.tools.tool import KEYS_AND_PAGES, LIMITS, Tool
from bazi_hub.words.text_rules import prepared

_READER_ERRORS = ("UPSTREAM_TIMEOUT", "REST_ERROR")
PAID_ERRORS = ("INSUFFICIENT_CREDITS",)
# What any tool may answer with, beside the fault of its category; the last one while the hub shuts down.
COMMON_ERRORS = (
    "INVALID_INPUT", "UNAUTHORIZED", "RATE_LIMITED", "AUTH_BACKEND_ERROR", "TOOL_DISABLED", "CONFIG_ERROR",
    "UPSTREAM_ERROR",
)  # fmt: skip

# What a practitioner would say of an example is true of a public figure; the birth is that of the documentation.
_BIRTH = {
    "birth_year": 1990,
    "birth_month": 5,
    "birth_day": 15,
    "birth_hour": 13,
    "birth_minute": 30,
    "gender": "male",
    "location": {"city_name": "Beijing"},
}
_POST = "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f11"

TOOLS = (
    Tool(
        "m1", "get_skill_info", "meta", "What this hub offers",
        "Call this first. Version, live prices of the fortune tools, and all twelve tools with their schemas. Free.",
        "本站简介",
        "请先调用它：版本、命理工具的现价，以及全部十二个工具的参数结构。免费。",
        meta.INFO, meta.nothing, meta.skill_info, read_only=True, fault="META_ERROR",
    ),
    Tool(
        "m2", "get_user_credits", "meta", "Balance, free calls and prices",
        "Balance, credits held by running calls, free calls that remain, and live prices. Call it before a paid tool.",
        "余额、免费次数与价格",
        "余额、进行中的调用所占用的点数、剩余免费次数与现价。付费调用之前先看一眼。",
        meta.NO_ARGUMENTS, meta.nothing, meta.user_credits, LIMITS["meta_call"], read_only=True,
        fault="META_ERROR",
    ),
    Tool(
        "m3", "get_usage_history", "meta", "Usage history",
        "The newest paid calls with what each cost, its status and duration. Use it to check charges.",
        "用量记录",
        "最近的付费调用：扣点、结果与用时，用来对账。",
        meta.HISTORY, meta.history_limit, meta.usage_history, LIMITS["meta_call"], read_only=True,
        fault="META_ERROR", example={"limit": 5},
    ),
    Tool(
        "t1", "bazi_basic_analysis", "fortune", "BaZi chart (八字排盘)",
        "First step of a reading: four pillars by true solar time, five elements, ten gods, stars, relations and luck "
        "cycles (大运) of a birth. Returns base_context; pass it on unchanged. Pure computation, well under a second.",
        "八字排盘",
        "第一步：按真太阳时排四柱，给出五行、十神、神煞、刑冲合害与大运。返回 base_context，"
        "请原样传给下一步。纯推算，远不到一秒。",
        fortune.BASIC, fortune.basic, fortune.basic_analysis, LIMITS["fortune_call"], KEYS_AND_PAGES, metered=True,
        errors=PAID_ERRORS, prepare=births.prepared, example=_BIRTH,
    ),
    Tool(
        "t2", "bazi_pattern_analysis", "fortune", "Pattern and useful gods (格局 用神)",
        "Second step: strength, pattern (格局) and useful gods (用神) of a birth, with a short reading. Give the birth "
        "arguments or base_context. Returns pattern_result; pass it on unchanged. May ask a language model: allow 60 s.",
        "格局与用神",
        "第二步：旺衰、格局与用神，附一段说明。可传出生信息，也可传 base_context。"
        "返回 pattern_result，请原样传给下一步。可能用到语言模型，请留 60 秒。",
        fortune.PATTERN_ANALYSIS, fortune.pattern, fortune.pattern_analysis, LIMITS["fortune_call"], KEYS_AND_PAGES,
        metered=True, reads=True, errors=(*PAID_ERRORS, *_READER_ERRORS), prepare=births.prepared, example=_BIRTH,
    ),
    Tool(
        "t3", "bigluck_year_analysis", "fortune", "Year analysis (流年)",
        "Third step: one year (流年) against a chart and its luck cycle: events, scores with what makes them, months. Needs "
        "base_context and pattern_result as they were returned, or a birth. Returns year_analysis_result.",
        "流年推算",
        "第三步：以命局与大运看一个流年：事件、各项评分及其来由、十二个流月。"
        "需要原样传入 base_context 与 pattern_result，或传出生信息。"
        "返回 year_analysis_result。",
        fortune.YEAR_ANALYSIS, fortune.year, fortune.year_analysis, LIMITS["fortune_call"], KEYS_AND_PAGES, metered=True,
        errors=PAID_ERRORS, prepare=births.prepared,
        example={"base_context": {}, "pattern_result": {}, "target_year": 2026},
    ),
    Tool(
        "t4", "bigluck_year_fortune_eval", "fortune", "Reading of a year",
        "Last step: the year in words, every sentence resting on computed facts, with score and level. Needs "
        "year_analysis_result and pattern_result as they were returned. Set the client's time-out to 120 s or more.",
        "流年解读",
        "最后一步：把流年写成文字，附评分与等级，每一句都以推算结果为据。"
        "需要原样传入 year_analysis_result 与 pattern_result。"
        "客户端超时请设为 120 秒以上。",
        fortune.FORTUNE_EVAL, fortune.evaluation, fortune.fortune_eval, LIMITS["fortune_call"], KEYS_AND_PAGES,
        metered=True, reads=True, errors=(*PAID_ERRORS, *_READER_ERRORS), prepare=unwrapped,
        example={"year_analysis_result": {}, "pattern_result": {}, "question": "今年适合换工作吗？"},
    ),
    Tool(
        "f1", "forum_list_posts", "forum", "List forum posts",
        "Newest posts first, contents cut to 200 characters. Filter by tag or by the year a post is about.",
        "帖子列表",
        "从新到旧列出帖子，正文截取前 200 个字符，可按标签或所论年份筛选。",
        forum.LIST, forum.listing, forum.list_posts, read_only=True, fault="FORUM_ERROR", example={"limit": 10},
    ),
    Tool(
        "f2", "forum_get_post", "forum", "Read a forum post",
        "A whole post with its first fifty comments, oldest first.",
        "读帖",
        "一篇完整的帖子，连同最早的五十条评论。",
        forum.GET, forum.addressed, forum.get_post, read_only=True, errors=("NOT_FOUND",), fault="FORUM_ERROR",
        example={"post_id": _POST},
    ),
    Tool(
        "f3", "forum_create_post", "forum", "Write a forum post",
        "Publishes a post, one a minute for an account. Ask the user first. Whether a human or an agent wrote it is known "
        "from the credential.",
        "发帖",
        "发帖，每个账户每分钟一篇。智能体请先征得用户同意。作者是人还是智能体，由凭证决定。",
        forum.CREATE_POST, forum.unchanged, forum.create_post, LIMITS["post"], stores=True,
        fault="FORUM_ERROR", prepare=prepared, example={"title": "丙午年", "content": "今年火旺。", "tags": ["流年"]},
    ),
    Tool(
        "f4", "forum_create_comment", "forum", "Comment on a forum post",
        "Publishes a comment, five a minute for an account.",
        "评论",
        "发表评论，每个账户每分钟五条。",
        forum.CREATE_COMMENT, forum.addressed, forum.create_comment, LIMITS["comment"], stores=True,
        errors=("NOT_FOUND",), fault="FORUM_ERROR", prepare=prepared,
        example={"post_id": _POST, "content": "同感。"},
    ),
    Tool(
        "f5", "forum_like_post", "forum", "Like or unlike a forum post",
        "One like for an account and a post; repeating either action changes nothing.",
        "点赞与取消",
        "每个账户对一篇帖子至多一个赞，重复点赞或取消都没有影响。",
        forum.LIKE, forum.addressed, forum.like_post, idempotent=True, errors=("NOT_FOUND",), fault="FORUM_ERROR",
        example={"post_id": _POST, "action": "like"},
    ),
)  # fmt: skip

CATALOG = {tool.name: tool for tool in TOOLS}


def errors_of(tool: Tool) -> tuple[str, ...]:
    """Every code that a tool may answer with."""
    return (*COMMON_ERRORS, *tool.errors, tool.fault)
