"""The agents' listener: the protocol at /mcp, and two plain routes to get and give back worlds.

Those routes are for whoever starts the agent. They are no tools, so no model reads of them.
"""

import contextlib
from collections.abc import AsyncIterator

import mcp_types as mcp
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from davinci_env.environment import Environment, Metadata
from davinci_env.serve import rpc
from davinci_env.serve.guard import OWNER, Guard, Tokens
from davinci_env.serve.leases import Lease, Leases
from davinci_env.serve.protocol import PAGE_SIZE, Context, build_server
from davinci_env.serve.refusal import Refusal, unknown_environment
from davinci_env.serve.routes import plain_errors

ENVIRONMENT_HEADER = "x-env-id"
_LEASE = "davinci_env.lease"


def agent_app(
    metadata: Metadata, leases: Leases, tokens: Tokens | None, *, page_size: int = PAGE_SIZE
) -> ASGIApp:
    """Build the ASGI application that agents talk to.

    Args:
        metadata: of the environments that `leases` gives out.
        leases: who holds which environment.
        tokens: who may come in; None lets loopback callers in, who share one default environment.
        page_size: how many entries a list gives at once.
    """

    def environment_of(context: Context) -> Environment:
        assert context.request is not None  # every request of this listener came over HTTP
        lease: Lease = context.request.scope[_LEASE]
        return leases.environment(lease)

    server = build_server(metadata, environment_of, page_size=page_size)
    # Stateless: an environment is bound by token and header, and recent protocol versions have no
    # sessions at all.
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    async def create(request: Request) -> Response:
        lease = leases.create(request.scope[OWNER])
        return JSONResponse({"env_id": lease.id, "lease": {"seconds": leases.lease_seconds}}, 201)

    async def release(request: Request) -> Response:
        leases.release(leases.find(request.path_params["env_id"], request.scope[OWNER]))
        return Response(status_code=204)

    app = Starlette(
        routes=[
            Route(
                "/mcp",
                RequestBodyLimitMiddleware(_Endpoint(manager, leases), rpc.MAX_MESSAGE_BYTES),
            ),
            Route("/environments", create, methods=["POST"]),
            Route("/environments/{env_id}", release, methods=["DELETE"]),
        ],
        exception_handlers=plain_errors(),
        lifespan=lifespan,
    )
    return Guard(app, tokens)


class _Endpoint:
    """/mcp: find the environment that a request is bound to, then let the library serve it."""

    def __init__(self, manager: StreamableHTTPSessionManager, leases: Leases) -> None:
        self._manager = manager
        self._leases = leases

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # No stream to listen on: this server never speaks first.
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        refused = self._bind(scope, body)
        if refused is not None:
            await refused(scope, receive, send)
            return
        await self._manager.handle_request(scope, _replay(body), send)

    def _bind(self, scope: Scope, body: bytes) -> Response | None:
        """Note in the scope whose environment is meant, or return why there is none."""
        try:
            message = rpc.read_message(body)
        except ValueError:
            return JSONResponse(rpc.why_unreadable(body), 400)
        try:
            scope[_LEASE] = self._lease(Headers(scope=scope), scope[OWNER])
        except Refusal as refusal:
            # In the protocol's own error form, because that is what clients show.
            data = {"code": refusal.code}
            request_id = getattr(message, "id", None)
            content = rpc.error(mcp.INVALID_REQUEST, str(refusal), request_id, data)
            return JSONResponse(content, refusal.status)
        return None

    def _lease(self, headers: Headers, owner: str) -> Lease:
        ids = headers.getlist(ENVIRONMENT_HEADER)
        if not ids:
            return self._leases.default(owner)
        if len(ids) > 1:
            raise unknown_environment()
        return self._leases.find(ids[0], owner)


def _replay(body: bytes) -> Receive:
    """Return a `receive` that gives a body which has been read already."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    return receive
