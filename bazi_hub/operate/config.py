"""The environment of a hub: every `BAZI_HUB_…` variable, its kind and its default.

Secrets come from here and nowhere else: no flag, no file but those that `--dev` makes. A name that is not known is an error,
so that a misspelt setting is not silently a default.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from dataclasses import fields
from ipaddress import ip_network
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    create_model,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.private_files import LEAST_SECRET_BYTES
from bazi_hub.words.settings import Settings

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
# What a setting has to be where its type does not say it.
KINDS: dict[str, Any] = {
    "": None, "address": Address | None, "hosts": Hosts, "origins": Origins, "networks": Networks, "seconds": Seconds,
}  # fmt: skip


def _variable(default: Any, english: str, chinese: str, **bounds: Any) -> Any:
    """A variable with its default and what it means, in English and Chinese."""
    return Field(default, description=english, json_schema_extra={"zh-Hans": chinese}, **bounds)


class Environment(BaseSettings):
    """The variables that the composition alone reads; the rows of `Settings` are those that the hub reads."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    database_url: SecretStr | None = _variable(
        None, "`postgresql://…`, or the path of an SQLite file.", "`postgresql://…`，或 SQLite 文件的路径。"
    )
    key_pepper: SecretStr | None = _variable(
        None,
        "Secret of the API keys: 32 bytes or more, base64. Required.",
        "API 密钥所用的秘密：32 字节以上，base64。必填。",
    )
    key_pepper_old: SecretStr | None = _variable(
        None, "The pepper before, while it is being changed.", "更换期间的旧 pepper。"
    )
    session_secret: SecretStr | None = _variable(
        None, "Secret of the session cookies. Required.", "登录 cookie 所用的秘密。必填。"
    )
    reader: str = _variable(
        "narrator",
        "`narrator`, `openai`, or an entry point of `bazi.readers`.",
        "`narrator`、`openai`，或 `bazi.readers` 的入口点。",
    )
    llm_base_url: Address | None = _variable(
        None, "Of an OpenAI-compatible service.", "兼容 OpenAI 的服务地址。"
    )
    llm_api_key: SecretStr | None = _variable(None, "Its key.", "它的密钥。")
    llm_model: str | None = _variable(None, "Its model.", "它的模型。")
    supabase_cookie: str | None = _variable(
        None, "Name of a Supabase sign-in cookie; none: off.", "Supabase 登录 cookie 的名字；没有即关闭。"
    )
    supabase_issuer: str | None = _variable(None, "Issuer of its tokens.", "其令牌的签发者。")
    supabase_audience: str = _variable("authenticated", "Audience of its tokens.", "其令牌的受众。")
    supabase_secret: SecretStr | None = _variable(None, "Secret of HS256 tokens.", "HS256 令牌的秘密。")
    supabase_jwks_url: str | None = _variable(
        None, "Keys of ES256 or RS256 tokens.", "ES256 或 RS256 令牌的公钥。"
    )
    metrics_token: SecretStr | None = _variable(
        None, "Opens /metrics to others than this machine.", "让本机以外也能读 /metrics。"
    )
    log_level: Literal["debug", "info", "warning", "error"] = _variable(
        "info", "Least level that is logged.", "记录的最低级别。"
    )
    watchdog_seconds: Seconds = _variable(
        10,
        "A worker that gave no sign of life for so long is killed and replaced.",
        "工作进程这么久没有动静，就会被结束并替换。",
        ge=3,
    )

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, address: SecretStr | None) -> SecretStr | None:
        return address if address is None else database_address(address)

    def settings(self) -> Settings:
        """The settings of the hub in this configuration."""
        settings = {setting: getattr(self, name) for setting, name in NAMES.items()}
        signup = settings["signup"] or ("open" if self.reader == "narrator" else "invite")
        return Settings(**settings | {"signup": signup})


# The variable for each setting of the hub: times are given with a unit, so their names need none.
NAMES = {
    field.name: field.metadata["variable"].name or field.name.removesuffix("_s")
    for field in fields(Settings)
    if field.metadata
}


def _variables() -> dict[str, Any]:
    """The settings of the hub as fields of a model, each with its type and what it means."""
    types, found = get_type_hints(Settings), {}
    for field in fields(Settings):
        if field.name in NAMES:
            row = field.metadata["variable"]
            kind = KINDS["seconds" if field.name.endswith("_s") else row.kind] or types[field.name]
            found[NAMES[field.name]] = (
                kind,
                _variable(field.default, row.english, row.chinese, **row.bounds),
            )
    return found


if TYPE_CHECKING:
    Config = Environment
else:
    # Every variable there is.
    Config = create_model("Config", __base__=Environment, **_variables())


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
