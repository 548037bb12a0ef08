"""The settings of a hub, one plain value. `app` fills it from the environment; an embedder fills it by hand.

A setting is one line: its default, what it means in English and Chinese, and what a value has to be. From it are made the
variable of the environment (`operate.config`) and the tables of the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

KEY_CACHE_S = 5.0


class Variable(NamedTuple):
    """The variable of the environment for a setting: `name` if it is not that of the field, `kind` if not its type."""

    english: str
    chinese: str
    kind: str
    name: str
    bounds: dict[str, float]


def setting(
    default: Any, english: str, chinese: str, *, kind: str = "", name: str = "", **bounds: float
) -> Any:
    """A field of `Settings` with its default, and its `Variable` as metadata."""
    return field(default=default, metadata={"variable": Variable(english, chinese, kind, name, bounds)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every default is that of a hub on one machine with the rule narrator as its reader."""

    public_url: str | None = setting(
        None,
        "Where people reach the hub, such as `https://hub.example`.",
        "别人访问 hub 的地址，例如 `https://hub.example`。",
        kind="address",
    )
    allowed_hosts: tuple[str, ...] = setting(
        (), "Further host names of the hub, comma separated.", "hub 的其他主机名，逗号分隔。", kind="hosts"
    )
    allowed_origins: tuple[str, ...] = setting(
        (),
        "Further origins that browsers may call from.",
        "浏览器可以从其发起调用的其他来源。",
        kind="origins",
    )
    cors_origins: tuple[str, ...] = setting(
        (), "Origins of other sites that may read answers.", "可以读取答复的别站来源。", kind="origins"
    )
    trusted_proxies: tuple[str, ...] = setting(
        (),
        "Addresses whose X-Forwarded-For and -Proto count.",
        "其 X-Forwarded-For 和 -Proto 可信的地址。",
        kind="networks",
    )
    mcp_list_auth: Literal["open", "required"] = setting(
        "open", "Whether listing tools needs a key.", "列出工具是否要密钥。"
    )
    tool_errors: Literal["by_revision", "jsonrpc", "result"] = setting(
        "by_revision",
        "Errors of tools over MCP: `jsonrpc` in place of a result, `result` as one that models read, or by revision.",
        "工具的错误在 MCP 里怎样给出：`jsonrpc` 代替结果，`result` 作为模型能读的结果，或按修订版而定。",
    )
    toolset: Literal["core", "all"] = setting(
        "core",
        "Which tools are served: `core` the twelve, `all` also casts, days of the almanac, places and years.",
        "提供哪些工具：`core` 是十二个，`all` 另加占问、黄历、地点与流年比较。",
    )

    starter_credits: int = setting(25, "Credits of a new account.", "新账户的点数。", ge=0, le=10**12)
    topup_url: str | None = setting(None, "Where credits are bought.", "购买点数的地方。", kind="address")
    signup: Literal["open", "invite", "closed"] | None = setting(
        None,
        "Who may sign up; open with the rule narrator, invite with a remote reader.",
        "谁可以注册；规则撰写时开放，远程解读者时凭邀请。",
    )
    uncharged_readings: int = setting(
        20, "Failed readings of an account a day.", "一个账户一天内失败的解读数。", ge=0
    )
    free_answers: int = setting(
        50,
        "Answers to distress that are stored for an account a day; more are given unstored.",
        "一个账户一天内存下的危急求助答复数；再多的照样答复，但不存。",
        ge=0,
    )

    signin_failures: int = setting(
        5,
        "Wrong passwords of an e-mail from one address in a quarter of an hour.",
        "一刻钟内同一地址对同一邮箱可以输错密码的次数。",
        ge=1,
    )
    signin_failures_address: int = setting(
        30,
        "Wrong passwords from one address in that time, whatever the e-mail.",
        "同样时间内同一地址可以输错密码的次数，不论邮箱。",
        ge=1,
    )
    signin_failures_account: int = setting(
        25,
        "Wrong passwords of an e-mail in that time, after which new addresses have one guess.",
        "同样时间内同一邮箱输错密码的次数；满了之后新地址只能猜一次。",
        ge=1,
    )
    signin_accounts_address: int = setting(
        10, "E-mails that one address may fail at in that time.", "同样时间内同一地址可以输错的邮箱数。", ge=1
    )
    password_queue: int = setting(
        128, "Passwords that wait to be hashed in each process.", "每个进程里等待计算散列的密码数。", ge=8
    )

    replay: Literal["undelivered", "off"] = setting(
        "undelivered", "Whether an unseen answer is given again.", "没送出的答复是否再给一次。"
    )
    result_ttl_s: int = setting(24 * 3600, "How long results can be given again.", "结果可以再给的时长。")
    run_log_ttl_s: int = setting(
        7 * 24 * 3600, "How long event logs of runs are kept.", "运行的事件日志保留多久。"
    )

    llm_fallback: Literal["error", "narrator"] = setting(
        "error", "What a failed reading becomes.", "解读失败时怎么办。"
    )
    llm_max_concurrency: int = setting(
        64, "Readings at a time in each process.", "每个进程同时进行的解读数。", ge=1
    )
    llm_account_concurrency: int | None = setting(
        None,
        "Of them at most so many of one account; a quarter of them.",
        "其中一个账户最多占多少，默认四分之一。",
        ge=1,
    )
    llm_max_cost: float | None = setting(
        None, "Most that one reading may cost.", "一次解读至多花费多少。", gt=0
    )
    llm_deadline_t2_s: float = setting(60, "Seconds for a pattern.", "格局的秒数。")
    llm_deadline_t4_s: float = setting(90, "Seconds for a year.", "流年的秒数。")
    llm_deadline_run_s: float = setting(90, "Seconds for a divination.", "占问的秒数。")
    call_cap_s: float = setting(300, "Seconds for any call.", "任何调用的秒数。")
    drain_s: float = setting(
        120,
        "Time for running calls when the hub stops.",
        "hub 停止时留给进行中调用的时间。",
        name="drain_seconds",
    )

    anonymous_per_minute: int = setting(
        300,
        "Requests of an address without a key or session that holds, a minute in each process.",
        "一个地址不带有效密钥或会话的请求，每个进程每分钟多少次。",
        ge=1,
    )
    requests_per_address: int = setting(
        128,
        "Requests and streams of an address that are open at once in each process.",
        "一个地址在每个进程里同时打开的请求和事件流数。",
        ge=1,
    )
    connections_per_address: int = setting(
        256,
        "Connections of an address that are open at once in each process, but for a trusted proxy.",
        "一个地址在每个进程里同时打开的连接数；受信任的代理不计。",
        ge=1,
    )
    body_limit: int = setting(262_144, "Bytes of a request.", "请求的字节数。", ge=1024)
    json_depth: int = setting(64, "Nesting of a request.", "请求的嵌套层数。", ge=4)

    # Verified keys are remembered so long; revocation binds after it at the latest.
    key_cache_s: float = KEY_CACHE_S

    @property
    def deadlines_s(self) -> dict[str, float]:
        """The deadline of a reading in seconds, by the name of the tool."""
        return {
            "bazi_pattern_analysis": min(self.llm_deadline_t2_s, self.call_cap_s),
            "bigluck_year_fortune_eval": min(self.llm_deadline_t4_s, self.call_cap_s),
            "divination_run": min(self.llm_deadline_run_s, self.call_cap_s),
        }
