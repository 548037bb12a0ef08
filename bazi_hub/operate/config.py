"""The environment of a hub: every `BAZI_HUB_…` variable, its kind and its default.

Secrets come from here and nowhere else: no flag, no file but those that `--dev` makes. A name that is not known is an error,
so that a misspelt setting is not silently a default.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from dataclasses import fields
from ipaddress import ip_network
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.private_files import LEAST_SECRET_BYTES
from bazi_hub.words.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "BAZI_HUB_"
POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")
SQLITE = "sqlite:///"
_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _listed(value: Any) -> Any:
    return (
        tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
    )


def _seconds(value: Any) -> Any:
    found = re.fullmatch(r"(\d+)\s*([smhd])", value.strip()) if isinstance(value, str) else None
    return int(found[1]) * _UNITS_S[found[2]] if found else value


def _address(text: str) -> str:
    """An address of http or https; anything else would be passed over without a word where it is used."""
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = None
    if not known or "@" in parts.netloc or not text.isprintable() or " " in text:
        raise ValueError("not an address such as https://hub.example")
    return text


def _origin(text: str) -> str:
    if urlsplit(_address(text))[2:] not in (("", "", ""), ("/", "", "")):
        raise ValueError("not an origin such as https://other.example")
    return text


def _host(text: str) -> str:
    if not re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[^\s*@/\\?#,:\[\]]+)(:\d{1,5})?", text):
        raise ValueError("not a host name such as hub.example")
    return text


def _network(text: str) -> str:
    ip_network(text, strict=False)
    return text


def database_address(address: SecretStr) -> SecretStr:
    """The address of a database, which is one of PostgreSQL or the path of a file."""
    url = address.get_secret_value()
    scheme, sign, _ = url.partition("://")
    if sign and scheme not in POSTGRES and not url.startswith(SQLITE):
        raise ValueError("neither postgresql://… nor the path of a file")
    return address


Address = Annotated[str, AfterValidator(_address)]
Hosts = Annotated[tuple[Annotated[str, AfterValidator(_host)], ...], NoDecode, BeforeValidator(_listed)]
Origins = Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, BeforeValidator(_listed)]
Networks = Annotated[tuple[Annotated[str, AfterValidator(_network)], ...], NoDecode, BeforeValidator(_listed)]
Seconds = Annotated[int, BeforeValidator(_seconds), Field(gt=0)]


class Config(BaseSettings):
    """One field for each variable; descriptions are those of the documented table."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    database_url: SecretStr | None = Field(
        None, description="`postgresql://…`, or the path of an SQLite file."
    )
    public_url: Address | None = Field(
        None, description="Where people reach the hub, such as `https://hub.example`."
    )
    key_pepper: SecretStr | None = Field(
        None, description="Secret of the API keys: 32 bytes or more, base64. Required."
    )
    key_pepper_old: SecretStr | None = Field(
        None, description="The pepper before, while it is being changed."
    )
    session_secret: SecretStr | None = Field(None, description="Secret of the session cookies. Required.")
    allowed_hosts: Hosts = Field((), description="Further host names of the hub, comma separated.")
    allowed_origins: Origins = Field((), description="Further origins that browsers may call from.")
    cors_origins: Origins = Field((), description="Origins of other sites that may read answers.")
    trusted_proxies: Networks = Field((), description="Addresses whose X-Forwarded-For and -Proto count.")
    mcp_list_auth: Literal["open", "required"] = Field(
        "open", description="Whether listing tools needs a key."
    )
    starter_credits: int = Field(25, ge=0, le=10**12, description="Credits of a new account.")
    signup: Literal["open", "invite", "closed"] | None = Field(
        None, description="Who may sign up; open with the rule narrator, invite with a remote reader."
    )
    signin_failures: int = Field(
        5, ge=1, description="Wrong passwords of an e-mail from one address in a quarter of an hour."
    )
    signin_failures_address: int = Field(
        30, ge=1, description="Wrong passwords from one address in that time, whatever the e-mail."
    )
    signin_failures_account: int = Field(
        25,
        ge=1,
        description="Wrong passwords of an e-mail in that time, after which new addresses have one guess.",
    )
    signin_accounts_address: int = Field(
        10, ge=1, description="E-mails that one address may fail at in that time."
    )
    password_queue: int = Field(128, ge=8, description="Passwords that wait to be hashed in each process.")
    topup_url: Address | None = Field(None, description="Where credits are bought.")
    uncharged_readings: int = Field(20, ge=0, description="Failed readings of an account a day.")
    free_answers: int = Field(
        50,
        ge=0,
        description="Answers to distress that are stored for an account a day; more are given unstored.",
    )
    replay: Literal["undelivered", "off"] = Field(
        "undelivered", description="Whether an unseen answer is given again."
    )
    result_ttl: Seconds = Field(86_400, description="How long results can be given again.")
    run_log_ttl: Seconds = Field(7 * 86_400, description="How long event logs of runs are kept.")
    reader: str = Field("narrator", description="`narrator`, `openai`, or an entry point of `bazi.readers`.")
    llm_fallback: Literal["error", "narrator"] = Field("error", description="What a failed reading becomes.")
    llm_base_url: Address | None = Field(None, description="Of an OpenAI-compatible service.")
    llm_api_key: SecretStr | None = Field(None, description="Its key.")
    llm_model: str | None = Field(None, description="Its model.")
    llm_max_concurrency: int = Field(64, ge=1, description="Readings at a time in each process.")
    llm_account_concurrency: int | None = Field(
        None, ge=1, description="Of them at most so many of one account; a quarter of them."
    )
    llm_deadline_t2: Seconds = Field(60, description="Seconds for a pattern.")
    llm_deadline_t4: Seconds = Field(90, description="Seconds for a year.")
    llm_deadline_run: Seconds = Field(90, description="Seconds for a divination.")
    llm_max_cost: float | None = Field(None, gt=0, description="Most that one reading may cost.")
    call_cap: Seconds = Field(300, description="Seconds for any call.")
    drain_seconds: Seconds = Field(120, description="Time for running calls when the hub stops.")
    watchdog_seconds: Seconds = Field(
        10, ge=3, description="A worker that gave no sign of life for so long is killed and replaced."
    )
    anonymous_per_minute: int = Field(
        300,
        ge=1,
        description="Requests of an address without a key or session that holds, a minute in each process.",
    )
    requests_per_address: int = Field(
        128, ge=1, description="Requests and streams of an address that are open at once in each process."
    )
    connections_per_address: int = Field(
        256,
        ge=1,
        description="Connections of an address that are open at once in each process, but for a trusted proxy.",
    )
    body_limit: int = Field(262_144, ge=1024, description="Bytes of a request.")
    json_depth: int = Field(64, ge=4, description="Nesting of a request.")
    supabase_cookie: str | None = Field(None, description="Name of a Supabase sign-in cookie; none: off.")
    supabase_issuer: str | None = Field(None, description="Issuer of its tokens.")
    supabase_audience: str = Field("authenticated", description="Audience of its tokens.")
    supabase_secret: SecretStr | None = Field(None, description="Secret of HS256 tokens.")
    supabase_jwks_url: str | None = Field(None, description="Keys of ES256 or RS256 tokens.")
    metrics_token: SecretStr | None = Field(None, description="Opens /metrics to others than this machine.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least level that is logged."
    )

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, address: SecretStr | None) -> SecretStr | None:
        return address if address is None else database_address(address)

    def settings(self) -> Settings:
        """The settings of the hub in this configuration."""
        variables = ((each.name, _variable_of(each.name)) for each in fields(Settings))
        shared = {name: getattr(self, variable) for name, variable in variables if hasattr(self, variable)}
        remote = self.reader != "narrator"
        return Settings(**shared | {"signup": self.signup or ("invite" if remote else "open")})


def _variable_of(setting: str) -> str:
    """The field of `Config` for a setting of the hub: times are given with a unit, so their names need none.

    >>> _variable_of("result_ttl_s"), _variable_of("drain_s"), _variable_of("signup")
    ('result_ttl', 'drain_seconds', 'signup')
    """
    return "drain_seconds" if setting == "drain_s" else setting.removesuffix("_s")


def configured(environment: Mapping[str, str] | None = None) -> Config:
    """The configuration of an environment; `ConfigurationError` for a name or value that is wrong."""
    told = os.environ if environment is None else environment
    known = {PREFIX + name.upper() for name in Config.model_fields}
    unknown = sorted(name for name in told if name.upper().startswith(PREFIX) and name.upper() not in known)
    if unknown:
        raise ConfigurationError(f"unknown setting {', '.join(unknown)}")
    given = {name[len(PREFIX) :].lower(): value for name, value in told.items() if name.upper() in known}
    try:
        return Config.model_validate({name: value for name, value in given.items() if value != ""})
    except ValidationError as error:
        wrong = (f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}" for each in error.errors())
        raise ConfigurationError("; ".join(wrong)) from None


def secret_bytes(name: str, text: str) -> bytes:
    """A secret of enough bytes; the message names the setting only.

    >>> len(secret_bytes("KEY_PEPPER", base64.b64encode(bytes(32)).decode()))
    32
    """
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if len(found) < LEAST_SECRET_BYTES:
        raise ConfigurationError(f"{PREFIX}{name} is not {LEAST_SECRET_BYTES} bytes or more in base64")
    return found
