"""How the plain HTTP routes of both listeners tell that something is wrong: our envelope."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from davinci_env.errors import DavinciError
from davinci_env.serve.guard import refuse
from davinci_env.serve.refusal import Refusal

logger = logging.getLogger(__name__)

_CODES = {404: "path_not_found", 405: "method_not_allowed"}

ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]


def plain_errors() -> Mapping[Any, ErrorHandler]:
    """Return Starlette's table of exception handlers."""
    return {
        Refusal: _on_refusal,
        DavinciError: _on_our_error,
        HTTPException: _on_http,
        Exception: _on_defect,
    }


async def _on_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refuse(error)


async def _on_our_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DavinciError)
    return refuse(Refusal(400, "bad_request", error.message, error.remedy))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "bad_request")
    body = {"error": {"code": code, "message": f"{error.detail}."}}
    return JSONResponse(body, error.status_code, error.headers)


async def _on_defect(request: Request, error: Exception) -> Response:
    # Starlette logs the exception itself, once it has sent this.
    return JSONResponse(
        {"error": {"code": "internal_error", "message": "The server failed to answer."}}, 500
    )
