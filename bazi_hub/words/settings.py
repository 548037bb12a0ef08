"""What an operator decides, as one plain value. `app` fills it from the environment; an embedder fills it by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every default is that of a hub on one machine with the rule narrator as its reader."""

    public_url: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    mcp_list_auth: Literal["open", "required"] = "open"

    starter_credits: int = 25
    topup_url: str | None = None
    signup: Literal["open", "invite", "closed"] | None = None
    uncharged_readings: int = 20
    free_answers: int = 50

    # Wrong passwords of a quarter of an hour: of one e-mail from one address, of one address, of one e-mail from anywhere;
    # and the e-mails that one address may fail at.
    signin_failures: int = 5
    signin_failures_address: int = 30
    signin_failures_account: int = 25
    signin_accounts_address: int = 10
    password_queue: int = 128

    replay: Literal["undelivered", "off"] = "undelivered"
    result_ttl_s: int = 24 * 3600
    run_log_ttl_s: int = 7 * 24 * 3600

    llm_fallback: Literal["error", "narrator"] = "error"
    llm_max_concurrency: int = 64
    # None: a quarter of them.
    llm_account_concurrency: int | None = None
    llm_max_cost: float | None = None
    llm_deadline_t2_s: float = 60
    llm_deadline_t4_s: float = 90
    llm_deadline_run_s: float = 90
    call_cap_s: float = 300
    drain_s: float = 120

    # Of one address, in each process: requests without a credential, requests open at once, and connections.
    anonymous_per_minute: int = 300
    requests_per_address: int = 128
    connections_per_address: int = 256
    body_limit: int = 262_144
    json_depth: int = 64

    # Verified keys are remembered so long; revocation binds after it at the latest.
    key_cache_s: float = 5.0

    @property
    def deadlines_s(self) -> dict[str, float]:
        """The deadline of a reading in seconds, by the name of the tool."""
        return {
            "bazi_pattern_analysis": min(self.llm_deadline_t2_s, self.call_cap_s),
            "bigluck_year_fortune_eval": min(self.llm_deadline_t4_s, self.call_cap_s),
            "divination_run": min(self.llm_deadline_run_s, self.call_cap_s),
        }
