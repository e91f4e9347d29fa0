"""The operator's listener: plain JSON over HTTP, on its own port and behind its own token."""

import json
from collections.abc import Callable
from typing import Any

from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from davinci_env.serve.guard import Guard, Tokens
from davinci_env.serve.operations import Operations, required
from davinci_env.serve.refusal import Refusal
from davinci_env.serve.routes import plain_errors

MAX_BODY_BYTES = 16 * 1024 * 1024


def operator_app(operations: Operations, token: Tokens) -> ASGIApp:
    """Build the ASGI application of the operator's listener.

    Args:
        operations: what it can do.
        token: who may come in.
    """
    app = Starlette(routes=operator_routes(operations), exception_handlers=plain_errors())
    return Guard(RequestBodyLimitMiddleware(app, MAX_BODY_BYTES), token)


def operator_routes(operations: Operations) -> list[Route]:
    """Return a route for each of the operator's operations."""
    one = "/environments/{env_id}"
    return [
        _route("GET", "/environments", operations.list),
        _route("DELETE", one, operations.release),
        _route("GET", f"{one}/capture", operations.capture),
        _route("POST", f"{one}/reset", operations.reset),
        _route("POST", f"{one}/start", operations.start, "task"),
        _route("POST", f"{one}/snapshot", operations.snapshot),
        _route("POST", f"{one}/restore", operations.restore, "snapshot"),
        _route("POST", f"{one}/observe", operations.observe, "entries"),
        _route("POST", f"{one}/verify", operations.verify, "task"),
        _route("POST", "/verify", operations.replay, "task", "transcript"),
    ]


def _route(method: str, path: str, operation: Callable[..., Any], *fields: str) -> Route:
    """Make a route that gives an operation the path's id and the named fields of the body."""

    async def endpoint(request: Request) -> Response:
        body = _decoded(await request.body())
        result = operation(*request.path_params.values(), *required(body, *fields))
        return JSONResponse(result)

    return Route(path, endpoint, methods=[method])


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        decoded = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise Refusal(400, "bad_request", "the body is not JSON") from None
    if not isinstance(decoded, dict):
        raise Refusal(400, "bad_request", "the body is not a JSON object")
    return decoded
