"""MCP: JSON-RPC frames of five revisions, for two kinds of client (Model Context Protocol 2024-11-05 to 2026-07-28).

Four revisions begin with `initialize`; from 2026-07-28 on every request stands for itself and says twice what it is, in its
headers and in `params._meta`. SDKs lose the session, or the error, over an HTTP status that is not 2xx; plain clients
expect the status of the error. So a request is read together with who sent it: a `Peer`. Errors of tools stood in the place
of a result in 2024-11-05; from 2025-03-26 on they are results, which agents hand to their model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bazi_hub.http.wire.about import INSTRUCTIONS, NAME, TITLE, VERSION
from bazi_hub.http.wire.answer import Answer, error_headers, limit_headers
from bazi_hub.http.wire.header_value import header_value
from bazi_hub.http.wire.idempotency import idempotency
from bazi_hub.http.wire.json import dumps, parse, quote
from bazi_hub.http.wire.resources import CARD, CARD_TOOL, READ, SKILLS_EXTENSION
from bazi_hub.tools.tool import ListedTool
from bazi_hub.words.call import Call, Caller, Outcome, RateWindow
from bazi_hub.words.errors import HubError, short
from bazi_hub.words.settings import Settings

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_REVISION = "2026-07-28"
REVISIONS = (*HANDSHAKE_REVISIONS, MODERN_REVISION)

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"

SERVER = {"name": NAME, "title": TITLE, "version": VERSION}
FRESH_MS = 300_000
# Characters of an id or a progress token, which answers repeat.
LONGEST_MARK = 1024
# Bytes of a body that is parsed for its id alone.
LONGEST_OF_RETIRED = 16_384

# --- who asks, and what ------------------------------------------------------------------------------------------------


class Peer(NamedTuple):
    """Who asks, as far as the answer depends on it. `headers` in lower case; None where there are none, on stdio. `shown`:
    errors of tools are results, for a model to read. `extended`: of a revision after 2024-11-05, whose clients are told of
    resources and extensions."""

    sdk: bool
    modern: bool
    headers: Mapping[str, str] | None
    shown: bool = False
    extended: bool = False

    @property
    def streams(self) -> bool:
        """Whether a long answer may come as events."""
        return (
            self.sdk and self.headers is not None and EVENT_STREAM in self.headers.get("accept", "").lower()
        )


EVENT_STREAM = "text/event-stream"
STDIO = Peer(sdk=True, modern=False, headers=None, shown=True, extended=True)
PLAIN = Peer(sdk=False, modern=False, headers={})


def peer(headers: Mapping[str, str], tool_errors: str = "by_revision") -> Peer:
    """The sender of an HTTP request. One that names no revision is answered as in 2024-11-05.

    >>> peer({"accept": "*/*"})[:2], peer({"mcp-protocol-version": "2026-07-28"})[:2]
    ((False, False), (True, True))
    """
    revision = headers.get("mcp-protocol-version")
    modern = revision is not None and revision not in HANDSHAKE_REVISIONS
    sdk = revision is not None or EVENT_STREAM in headers.get("accept", "").lower()
    return Peer(sdk, modern, headers, _shown(tool_errors, revision), _extended(revision))


def piped(tool_errors: str = "by_revision", revision: str | None = None) -> Peer:
    """The client at the other end of a pipe, of the newest revision with a handshake until it has agreed on another."""
    revision = revision or HANDSHAKE_REVISIONS[-1]
    return STDIO._replace(shown=_shown(tool_errors, revision), extended=_extended(revision))


def _shown(tool_errors: str, revision: str | None) -> bool:
    """Whether errors of tools are results to a client of this revision."""
    return _extended(revision) if tool_errors == "by_revision" else tool_errors == "result"


def _extended(revision: str | None) -> bool:
    return revision not in (None, HANDSHAKE_REVISIONS[0])


class Request(NamedTuple):
    """A request that is well formed; what its method wants is not looked at yet. A notification has no id."""

    id: str | int | None
    method: str
    params: dict[str, Any]
    peer: Peer

    @property
    def notified(self) -> bool:
        return self.id is None

    @property
    def meta(self) -> dict[str, Any]:
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def progress_token(self) -> str | int | None:
        token = self.meta.get("progressToken")
        return token if _names_something(token) else None

    def needs_credential(self, settings: Settings) -> bool:
        return self.method == "tools/call" or settings.mcp_list_auth == "required"


# --- faults of the protocol itself -------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """A JSON-RPC error that no tool made."""

    code: int
    message: str
    status: int = 400


PARSE_ERROR = Fault(-32700, "Parse error")
INVALID_REQUEST = Fault(-32600, "Invalid Request")
METHOD_NOT_FOUND = Fault(-32601, "Method not found", status=200)
RESOURCE_NOT_FOUND = Fault(-32002, "Resource not found", status=200)
INVALID_PARAMS = Fault(-32602, "Invalid params")
HEADER_MISMATCH = Fault(-32020, "{} header does not match the request body")
UNSUPPORTED_VERSION = Fault(-32022, "Unsupported protocol version")
ENVELOPE_MISSING = INVALID_PARAMS._replace(message=f"params._meta needs {VERSION_KEY} and {CAPABILITIES_KEY}")


def _refusal(fault: Fault, request_id: str | int | None = None, data: Any = None) -> Answer:
    error = {"code": fault.code, "message": fault.message, **({} if data is None else {"data": data})}
    return Answer(fault.status, _frame(request_id, {"error": error}))


def _frame(request_id: str | int | None, members: dict[str, Any]) -> bytes:
    return dumps({"jsonrpc": "2.0", "id": request_id, **members}).encode()


# --- reading -----------------------------------------------------------------------------------------------------------


def read(body: bytes, peer: Peer, settings: Settings) -> Request | Answer:
    """The request in a body, or what to answer to one that is not well formed."""
    try:
        message = parse(body, settings.body_limit, settings.json_depth)
    except HubError as error:
        return _refusal(PARSE_ERROR) if peer.sdk else business(None, peer, error)
    if not _is_request(message):
        return _refusal(INVALID_REQUEST)
    request_id, params = message.get("id"), message.get("params", {})
    if request_id is not None and not isinstance(params, dict):
        return _refusal(INVALID_PARAMS, request_id)
    if peer.headers is None:
        peer = peer._replace(modern=_speaks_modern(params))
    request = Request(request_id, message["method"], params if isinstance(params, dict) else {}, peer)
    return _misrouted(request) or request


def id_of(body: bytes, settings: Settings) -> str | int | None:
    """The id of a request that is not looked at any further."""
    try:
        message = parse(body, LONGEST_OF_RETIRED, settings.json_depth)
    except HubError:
        return None
    request_id = message.get("id") if isinstance(message, dict) else None
    return request_id if _names_something(request_id) else None


def _is_request(message: Any) -> bool:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    method = message.get("method")
    if not isinstance(method, str):
        return False
    return _names_something(message["id"]) if "id" in message else method.startswith("notifications/")


def _names_something(mark: Any) -> bool:
    """Whether a client's own mark can be repeated in every answer."""
    return type(mark) is int or (type(mark) is str and len(mark) <= LONGEST_MARK)


def _speaks_modern(params: Any) -> bool:
    """On stdio the revision stands in the request alone."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and VERSION_KEY in meta


def _misrouted(request: Request) -> Answer | None:
    """The first step of the 2026-07-28 ladder that a request fails."""
    if not request.peer.modern or request.notified:
        return None
    return next(filter(None, (step(request) for step in LADDER)), None)


def _envelope(request: Request) -> Answer | None:
    if VERSION_KEY in request.meta and CAPABILITIES_KEY in request.meta:
        return None
    return _refusal(ENVELOPE_MISSING, request.id)


def _headers_agree(request: Request) -> Answer | None:
    headers = request.peer.headers
    if headers is None:
        return None
    wanted = {"mcp-protocol-version": request.meta[VERSION_KEY], "mcp-method": request.method}
    if request.method == "tools/call" and "name" in request.params:
        wanted["mcp-name"] = request.params["name"]
    for header, value in wanted.items():
        if header not in headers or header_value(headers[header]) != value:
            fault = HEADER_MISMATCH._replace(message=HEADER_MISMATCH.message.format(header))
            return _refusal(fault, request.id)
    return None


def _version_known(request: Request) -> Answer | None:
    requested = request.meta[VERSION_KEY]
    if requested == MODERN_REVISION:
        return None
    return _refusal(UNSUPPORTED_VERSION, request.id, {"supported": [MODERN_REVISION], "requested": requested})


LADDER = (_envelope, _headers_agree, _version_known)


# --- answers that need no hub ------------------------------------------------------------------------------------------


def immediate(request: Request) -> Answer | None:
    """The answer to a request that no tool and no price enters into; None for `tools/list` and `tools/call`."""
    if request.notified:
        return Answer(202, body_type=None)
    if request.method in _LISTED_AND_CALLED:
        return None
    own = (_MODERN if request.peer.modern else _HANDSHAKE).get(request.method)
    if own is not None:
        return _result(request, own(request))
    is_read = request.peer.extended and request.method in READ
    return _read(request) if is_read else _unknown_method(request)


def agreed(params: Mapping[str, Any]) -> str:
    """The revision that `initialize` with these params ends in."""
    wanted = params.get("protocolVersion")
    return str(wanted) if wanted in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[-1]


def _initialize(request: Request) -> dict[str, Any]:
    return {
        "protocolVersion": (revision := agreed(request.params)),
        "capabilities": {"tools": {"listChanged": False}, **(_BESIDE_TOOLS if _extended(revision) else {})},
        "serverInfo": SERVER,
        "instructions": INSTRUCTIONS,
    }


def _discover(request: Request) -> dict[str, Any]:
    return {
        "supportedVersions": [MODERN_REVISION],
        "capabilities": {"tools": {}, **_BESIDE_TOOLS},
        "instructions": INSTRUCTIONS,
        **_PUBLIC,
    }


_BESIDE_TOOLS: dict[str, Any] = {"resources": {}, "extensions": {SKILLS_EXTENSION: {}}}


def _read(request: Request) -> Answer:
    """The answer to a request for resources and skills, which are the same for everybody."""
    try:
        members = READ[request.method](request.params)
    except LookupError:
        # Revisions before the newest have a code of their own for resources.
        is_own = request.method == "resources/read" and not request.peer.modern
        fault = RESOURCE_NOT_FOUND if is_own else INVALID_PARAMS._replace(status=200)
        return _refusal(fault, request.id, {"uri": short(str(request.params.get("uri")))})
    return _result(request, members | (_PUBLIC if request.peer.modern else {}))


_PUBLIC = {"ttlMs": FRESH_MS, "cacheScope": "public"}
_LISTED_AND_CALLED = frozenset({"tools/list", "tools/call"})
_HANDSHAKE: dict[str, Callable[[Request], dict[str, Any]]] = {
    "initialize": _initialize,
    "ping": lambda request: {},
}
_MODERN: dict[str, Callable[[Request], dict[str, Any]]] = {"server/discover": _discover}


def _unknown_method(request: Request) -> Answer:
    if request.peer.sdk:
        fault = METHOD_NOT_FOUND._replace(status=404) if request.peer.modern else METHOD_NOT_FOUND
        return _refusal(fault, request.id, {"method": short(request.method)})
    method = short(request.method)
    error = HubError("UNKNOWN_TOOL", f"Unknown method: {method}", method=method)
    return business(request.id, request.peer, error)


def _result(request: Request, members: dict[str, Any]) -> Answer:
    if request.peer.modern:
        members = {
            "resultType": "complete",
            **members,
            "_meta": {**members.get("_meta", {}), SERVER_KEY: SERVER},
        }
    return Answer(200, _frame(request.id, {"result": members}))


# --- tools -------------------------------------------------------------------------------------------------------------


def listing(request: Request, listed: Sequence[ListedTool], remote: bool) -> Answer:
    """The answer to `tools/list`. `remote`: readings ask a model somewhere else."""
    members: dict[str, Any] = {"tools": [_entry(each, remote, request.peer.extended) for each in listed]}
    if request.peer.modern:
        members |= {"ttlMs": FRESH_MS, "cacheScope": "private"}
    return _result(request, members)


def _entry(listed: ListedTool, remote: bool, extended: bool) -> dict[str, Any]:
    tool = listed.tool
    shown_by = {"ui": {"resourceUri": CARD}} if extended and tool.name == CARD_TOOL else {}
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.schema,
        "annotations": {
            "readOnlyHint": tool.read_only,
            "destructiveHint": False,
            "idempotentHint": tool.idempotent,
            "openWorldHint": tool.reads and remote,
        },
        "_meta": {
            "bazi.hub/id": tool.id,
            "bazi.hub/category": tool.category,
            "bazi.hub/credit_cost": listed.cost,
            "bazi.hub/enabled": listed.enabled,
            **shown_by,
        },
    }


def call(
    request: Request,
    caller: Caller,
    request_id: str,
    transport: str = "mcp",
    tell: Callable[[str], None] | None = None,
    counted: Callable[[RateWindow], None] | None = None,
) -> Call:
    """The call that a `tools/call` asks for; `HubError` UNKNOWN_TOOL when it names none."""
    name, arguments = request.params.get("name"), request.params.get("arguments")
    if not isinstance(name, str):
        raise HubError("UNKNOWN_TOOL", "params.name must be the name of a tool", tool_name=None)
    header = None if request.peer.headers is None else request.peer.headers.get("idempotency-key")
    key, issues = idempotency(header, request.meta)
    return Call(
        name,
        {} if arguments is None else arguments,
        caller,
        request_id,
        key,
        transport=transport,
        progress=tell,
        issues=issues,
        counted=counted,
    )


def outcome(request: Request, outcome: Outcome) -> Answer:
    """The answer to `tools/call`; the result's text goes in as it is, quoted once."""
    if outcome.error is not None:
        answer = failure(request, outcome.error)
        return answer._replace(headers=(*limit_headers(outcome.window), *answer.headers))
    before, after = _MODERN_AROUND if request.peer.modern else ("", "")
    frame = (
        f'{{"jsonrpc":"2.0","id":{_id(request.id)},"result":{{{before}"content":[{{"type":"text",'
        f'"text":{quote(outcome.result or "null")}}}],"_meta":{{{_meta(outcome)}{after}}}}}}}'
    )
    return Answer(200, frame.encode(), limit_headers(outcome.window))


_MODERN_AROUND = ('"resultType":"complete",', f',"{SERVER_KEY}":{dumps(SERVER)}')
_BOOLEAN = ("false", "true")


def _id(request_id: str | int | None) -> str:
    return str(request_id) if type(request_id) is int else dumps(request_id)


def _meta(outcome: Outcome) -> str:
    """`Outcome.meta` as JSON without its braces."""
    call_id = "null" if outcome.call_id is None else quote(outcome.call_id)
    return (
        f'"credits_deducted":{outcome.credits_deducted},"from_free_quota":{_BOOLEAN[outcome.from_free_quota]},'
        f'"call_id":{call_id},"replayed":{_BOOLEAN[outcome.replayed]}'
    )


def failure(request: Request, error: HubError) -> Answer:
    """The answer to a request that ends in an error of the hub. One of a tool is a result to those who show it to a model;
    that a credential is missing concerns the client alone."""
    if request.method != "tools/call" or not request.peer.shown or error.status == 401:
        return business(request.id, request.peer, error)
    told = {"code": error.name, **error.data}
    text = {"type": "text", "text": dumps(told)}
    members = {
        "content": [text],
        "structuredContent": told,
        "isError": True,
        "_meta": Outcome(error=error).meta,
    }
    return _result(request, members)._replace(headers=error_headers(error.name, error.members))


def business(request_id: str | int | None, peer: Peer, error: HubError) -> Answer:
    """An error of the hub in the place of a result. SDKs would lose it over its HTTP status, but for the one that asks for
    a credential."""
    status = 200 if peer.sdk and error.status != 401 else error.status
    members = {"error": {"code": -32000, "message": error.name, "data": error.data}}
    return Answer(status, _frame(request_id, members), error_headers(error.name, error.members))


# --- events ------------------------------------------------------------------------------------------------------------


def event(frame: bytes) -> bytes:
    """A frame as a server-sent event."""
    return b"event: message\ndata: " + frame + b"\n\n"


def progress(token: str | int, step: int, phase: str | None = None) -> bytes:
    """A notification of how far a call is. `step` only ever grows."""
    params = {"progressToken": token, "progress": step, **({"message": phase} if phase else {})}
    return dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}).encode()
