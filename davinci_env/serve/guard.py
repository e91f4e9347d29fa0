"""What every request has to pass before it is looked at: where it comes from, and whose it is.

Both listeners are bound to the loopback interface. A browser on this machine can still be made to
talk to them by a page whose name resolves to 127.0.0.1, so Host and Origin have to name this
machine.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from davinci_env.errors import UsageError
from davinci_env.serve.refusal import Refusal

OWNER = "davinci_env.owner"
"""Where in an ASGI scope the owner's name stands, once the guard has let a request in."""

_LOOPBACK_HOST = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.IGNORECASE)
_LOOPBACK_ORIGIN = re.compile(rf"https?://{_LOOPBACK_HOST.pattern}", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]+")  # what RFC 6750 lets a bearer token consist of


class Tokens:
    """Bearer tokens and the names of those who carry them; the tokens themselves are not kept.

    Args:
        tokens: token by name.

    Raises:
        UsageError: a token is empty, not fit for a header, or given to two names.
    """

    def __init__(self, tokens: Mapping[str, str]) -> None:
        self._names: dict[bytes, str] = {}
        for name, token in tokens.items():
            if not _TOKEN.fullmatch(token):
                raise UsageError(
                    f"{name} is empty or holds a character that no bearer token may hold",
                    "use letters, digits and . _ ~ + / = - only",
                )
            digest = _digest(token)
            if digest in self._names:
                raise UsageError(
                    f"{name} and {self._names[digest]} are the same", "give each a token of its own"
                )
            self._names[digest] = name

    def owner(self, authorization: str | None) -> str | None:
        """Return who sent this Authorization header, or None where nobody we know did."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        given = _digest(token.strip())
        for digest, name in self._names.items():
            if hmac.compare_digest(digest, given):
                return name
        return None


class Guard:
    """ASGI middleware: turn away foreign hosts, foreign pages and callers without a known token.

    Args:
        app: what stands behind the guard.
        tokens: who may come in, or None to let every loopback caller in as one owner, called
            `loopback`.
    """

    def __init__(self, app: ASGIApp, tokens: Tokens | None) -> None:
        self._app = app
        self._tokens = tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or answer with the reason why not."""
        if scope["type"] == "http":
            try:
                scope[OWNER] = self._admit(Headers(scope=scope))
            except Refusal as refusal:
                await refuse(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _admit(self, headers: Headers) -> str:
        if not _LOOPBACK_HOST.fullmatch(headers.get("host", "")):
            raise Refusal(421, "foreign_host", "the Host header doesn't name this machine")
        origin = headers.get("origin")
        if origin is not None and not _LOOPBACK_ORIGIN.fullmatch(origin):
            raise Refusal(403, "foreign_origin", "pages from elsewhere may not call this server")
        if self._tokens is None:
            return "loopback"
        owner = self._tokens.owner(headers.get("authorization"))
        if owner is None:
            raise Refusal(401, "unauthorized", "this listener wants a bearer token that it knows")
        return owner


def refuse(refusal: Refusal) -> JSONResponse:
    """Answer with a refusal in our error envelope."""
    headers = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else None
    return JSONResponse(refusal.body(), refusal.status, headers)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
