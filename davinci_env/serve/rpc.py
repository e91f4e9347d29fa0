"""JSON-RPC that is answered before the library sees it, whose words would quote its internals."""

import json
from typing import Any

import mcp_types as mcp

MAX_MESSAGE_BYTES = 4 * 1024 * 1024


def read_message(
    content: bytes,
) -> mcp.JSONRPCRequest | mcp.JSONRPCNotification | mcp.JSONRPCResponse | mcp.JSONRPCError:
    """Decode one message.

    Raises:
        ValueError: it is none; `why_unreadable` says why.
    """
    return mcp.jsonrpc_message_adapter.validate_json(content, by_name=False)


def why_unreadable(content: bytes) -> dict[str, Any]:
    """Return the answer to what is no message: whether it is no JSON or no JSON-RPC."""
    try:
        decoded = json.loads(content)
    except (ValueError, RecursionError):
        return error(mcp.PARSE_ERROR, "Parse error")
    given = decoded.get("id") if isinstance(decoded, dict) else None
    known = given if isinstance(given, str | int) and not isinstance(given, bool) else None
    return error(mcp.INVALID_REQUEST, "Not a JSON-RPC 2.0 message", known)


def error(
    code: int, message: str, request_id: str | int | None = None, data: Any = None
) -> dict[str, Any]:
    """Return an error answer as a JSON object."""
    told = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": request_id, "error": told}
