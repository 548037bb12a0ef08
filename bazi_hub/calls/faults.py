"""The error that a caller is answered with, for what the tools, the core, a model or a store raised."""

from __future__ import annotations

from bazi_core.errors import (
    BaziError,
    PortError,
    PortInvalidOutput,
    PortRefused,
    PortTimeout,
    PortUnavailable,
)
from bazi_hub.ports import StoreClosed, StoreError
from bazi_hub.tools.refusals import BadArguments, refusal
from bazi_hub.tools.tool import Tool
from bazi_hub.words.errors import HubError, shutting_down

_NO_ANSWER = "The reading service gave no usable answer"
_REASONS: dict[type[PortError], str] = {
    PortRefused: "REFUSED",
    PortInvalidOutput: "INVALID_OUTPUT",
    PortUnavailable: "UNAVAILABLE",
}


def hub_error(tool: Tool, error: Exception) -> HubError | None:
    """The error that the caller is answered with; None for an unexpected one."""
    if isinstance(error, HubError):
        return error
    if isinstance(error, PortError):
        return port_error(error)
    if isinstance(error, (BaziError, BadArguments)):
        return refusal(tool, error)
    if isinstance(error, StoreClosed):
        return shutting_down()
    if isinstance(error, StoreError) and error.read_only:
        return HubError("CONFIG_ERROR", "The hub's database cannot be written")
    return None


def port_error(error: PortError) -> HubError:
    """The error of the hub for an error of the reading port.

    >>> port_error(PortUnavailable("no", reason="http", status=503)).members
    {'upstream_status': 503}
    """
    if isinstance(error, PortTimeout):
        return HubError(
            "UPSTREAM_TIMEOUT",
            "The reading service did not answer in time",
            timeout_s=error.data["timeout_s"],
        )
    if isinstance(error, PortUnavailable) and error.data.get("status"):
        status = error.data["status"]
        return HubError("REST_ERROR", "The reading service answered with an error", upstream_status=status)
    reason = next((reason for kind, reason in _REASONS.items() if isinstance(error, kind)), None)
    if reason is None:
        return HubError("CONFIG_ERROR", "The hub is not configured for this tool")
    return HubError("UPSTREAM_ERROR", _NO_ANSWER, reason=reason)
