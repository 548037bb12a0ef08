"""A port to every server that speaks `/chat/completions`: OpenAI, OpenRouter, DeepSeek, Ollama, vLLM and others.

Two short clients over httpx, blocking and not, of one codec (`openai_codec`). The deadline is that of the request and covers
everything: connecting, waiting after 429, a second dialect, a body that drips. Neither key nor prompt appears in an
error, a printed form or a log.
"""

from __future__ import annotations

import os
import time
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from bazi_core.errors import InvalidInput, PortError, PortUnavailable
from bazi_core.model.codec import FORMATS, TOKEN_FIELDS, Dialect, Received, talk
from bazi_core.model.port import Price, ReadingReply, ReadingRequest, timed_out, within
from bazi_core.tables.sentences import Listed, Said

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping
    from typing import Self

    import httpx

    from bazi_core.model.codec import Sent, Talk

LONGEST_BODY = 2_000_000
CONNECT_S = 10.0
ENVIRONMENT = "BAZI_LLM_"
VARIABLES = (
    "base_url", "model", "api_key", "response_format", "token_field", "connect_s", "price_input", "price_output",
)  # fmt: skip


class Settings(NamedTuple):
    """URL, model, key and parameters of a server; the repr leaves out the key.

    >>> Settings("http://localhost:11434/v1", "qwen3", key="secret")
    <Settings qwen3 at localhost>
    """

    base_url: str
    model: str
    key: str = ""
    dialect: Dialect = Dialect()
    price: Price | None = None
    connect_s: float = CONNECT_S

    def __repr__(self) -> str:
        return f"<Settings {self.model} at {_host(self.base_url)}>"

    @property
    def url(self) -> str:
        return f"{self.base_url.rstrip('/')}/chat/completions"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings of the variables `BAZI_LLM_…`; `INVALID_INPUT` for missing or invalid ones.

        >>> given = {"BAZI_LLM_BASE_URL": "https://api.openai.com/v1", "BAZI_LLM_MODEL": "m", "BAZI_LLM_API_KEY": "k"}
        >>> Settings.from_environment(given).dialect.token_field
        'max_completion_tokens'
        """
        variables = os.environ if environment is None else environment
        values = {name: variables.get(ENVIRONMENT + name.upper(), "").strip() for name in VARIABLES}
        missing = [ENVIRONMENT + name.upper() for name in ("base_url", "model") if not values[name]]
        if missing:
            raise InvalidInput(
                Said("not_set", missing=Listed(missing, " and ")), hint=Said("not_set_hint"), missing=missing
            )
        _checked_url(values["base_url"])
        usual = "max_completion_tokens" if _host(values["base_url"]) == "api.openai.com" else "max_tokens"
        dialect = Dialect(
            _choice("response_format", values["response_format"] or "json_schema", FORMATS),
            _choice("token_field", values["token_field"] or usual, TOKEN_FIELDS),
        )
        return cls(
            values["base_url"],
            values["model"],
            values["api_key"],
            dialect,
            _price(values),
            _number("connect_s", values, CONNECT_S),
        )


def _choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        variable = ENVIRONMENT + name.upper()
        raise InvalidInput(
            Said("variable_choose", variable=variable, allowed=Listed(allowed, " or ")),
            path=variable,
            allowed=list(allowed),
        )
    return value


def _number(name: str, values: Mapping[str, str], default: float) -> float:
    if not values[name]:
        return default
    try:
        value = float(values[name])
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise InvalidInput(
            Said("variable_number", prefix=ENVIRONMENT, name=name.upper()), path=ENVIRONMENT + name.upper()
        )
    return value


def _price(values: Mapping[str, str]) -> Price | None:
    if not (values["price_input"] or values["price_output"]):
        return None
    return Price(_number("price_input", values, 0.0), _number("price_output", values, 0.0))


def _checked_url(url: str) -> None:
    """Refuse a URL that is not http(s) or has a user, query or fragment: URLs end up in logs."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = None
    if (
        not known
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
        or not url.isprintable()
        or " " in url
    ):
        name = ENVIRONMENT + "BASE_URL"
        raise InvalidInput(Said("not_address", name=name), path=name)


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


class _Client:
    """The common part of both clients: the settings, the dialect that the server accepted last, the headers."""

    def __init__(
        self, settings: Settings, *, clock: Callable[[], float] = time.monotonic, transport: Any = None
    ) -> None:
        _checked_url(settings.base_url)
        self.name, self.model, self.price = "openai_compatible", settings.model, settings.price
        self._settings, self._dialect, self._clock, self._transport = (
            settings,
            settings.dialect,
            clock,
            transport,
        )
        self._httpx = _httpx()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._settings!r}>"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **more: Any) -> Self:
        """The port of the variables `BAZI_LLM_…`."""
        return cls(Settings.from_environment(environment), **more)

    def _talk(self, request: ReadingRequest) -> Talk:
        return talk(request, self.model, self._dialect, self._clock, self._learned)

    def _learned(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def _headers(self, request: ReadingRequest) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Idempotency-Key": request.idempotency_key,
        }
        if self._settings.key:
            headers["Authorization"] = f"Bearer {self._settings.key}"
        return headers

    def _options(self) -> dict[str, Any]:
        return {"transport": self._transport, "verify": _trusted()}

    def _timeout(self, seconds: float) -> httpx.Timeout:
        timeout: httpx.Timeout = self._httpx.Timeout(seconds, connect=min(seconds, self._settings.connect_s))
        return timeout

    def _failed(self, error: Exception, timeout_s: float) -> PortError:
        """The error of a failed exchange; it names the exception's class only, since its text may hold the request."""
        if isinstance(error, PortError):
            return error
        if isinstance(error, (TimeoutError, self._httpx.TimeoutException)):
            return timed_out(timeout_s)
        kind = type(error).__name__
        return PortUnavailable(Said("port_connection"), reason=kind)


class OpenAICompatible(_Client):
    """The blocking client; give it to `read(port=…)`."""

    def generate(self, request: ReadingRequest) -> ReadingReply:
        """The reply to a request, within its timeout, or a `PortError`."""
        start = self._clock()
        failure: PortError
        try:
            with self._httpx.Client(**self._options(), follow_redirects=False) as client:
                # In a thread of its own: neither a name server nor a dripping header holds up the caller, and when the
                # client is closed the thread finds its connection gone.
                reply = within(request.timeout_s, lambda: self._exchange(client, request))
            return reply._replace(latency_ms=round((self._clock() - start) * 1000))
        except Exception as error:
            failure = self._failed(error, request.timeout_s)
        # Raised outside of the handler, so that it drags along no exception that holds the request.
        raise failure

    def _exchange(self, client: httpx.Client, request: ReadingRequest) -> ReadingReply:
        exchange = self._talk(request)
        try:
            sent = next(exchange)
            while True:
                if sent.body is None:
                    time.sleep(sent.within_s)
                    sent = next(exchange)
                else:
                    sent = exchange.send(self._post(client, request, sent))
        except StopIteration as done:
            reply: ReadingReply = done.value
            return reply

    def _post(self, client: httpx.Client, request: ReadingRequest, sent: Sent) -> Received:
        until, body = self._clock() + sent.within_s, bytearray()
        asked = client.stream(
            "POST",
            self._settings.url,
            content=sent.body,
            headers=self._headers(request),
            timeout=self._timeout(sent.within_s),
        )
        with asked as answer:
            for chunk in answer.iter_bytes():
                body += chunk
                _bounded(body)
                if self._clock() > until:
                    raise timed_out(request.timeout_s)
            return Received(answer.status_code, _lower(answer.headers), bytes(body))


class AsyncOpenAICompatible(_Client):
    """The asynchronous client, for any event loop that httpx supports; give it to `aread(port=…)`."""

    async def generate(self, request: ReadingRequest) -> ReadingReply:
        """The reply to a request, within its timeout, or a `PortError`."""
        import anyio

        start = self._clock()
        failure: PortError
        try:
            with anyio.fail_after(request.timeout_s):
                async with self._httpx.AsyncClient(**self._options(), follow_redirects=False) as client:
                    reply = await self._exchange(client, request)
            return reply._replace(latency_ms=round((self._clock() - start) * 1000))
        except Exception as error:
            failure = self._failed(error, request.timeout_s)
        raise failure

    async def _exchange(self, client: httpx.AsyncClient, request: ReadingRequest) -> ReadingReply:
        import anyio

        exchange = self._talk(request)
        try:
            sent = next(exchange)
            while True:
                if sent.body is None:
                    await anyio.sleep(sent.within_s)
                    sent = next(exchange)
                else:
                    sent = exchange.send(await self._post(client, request, sent))
        except StopIteration as done:
            reply: ReadingReply = done.value
            return reply

    async def _post(self, client: httpx.AsyncClient, request: ReadingRequest, sent: Sent) -> Received:
        body = bytearray()
        asked = client.stream(
            "POST",
            self._settings.url,
            content=sent.body,
            headers=self._headers(request),
            timeout=self._timeout(sent.within_s),
        )
        async with asked as answer:
            async for chunk in answer.aiter_bytes():
                body += chunk
                _bounded(body)
            return Received(answer.status_code, _lower(answer.headers), bytes(body))


def _bounded(body: bytearray) -> None:
    if len(body) > LONGEST_BODY:
        raise PortUnavailable(Said("port_too_large"), reason="too_large")


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


@cache
def _trusted() -> ssl.SSLContext:
    """The TLS context with the trusted certificates (cached, since loading them takes longer than the rest of a call)."""
    context: ssl.SSLContext = _httpx().create_ssl_context()
    return context


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise PortUnavailable(Said("no_httpx"), hint=Said("no_httpx_hint"), reason="httpx") from None
    return httpx
