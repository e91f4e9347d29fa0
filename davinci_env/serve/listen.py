"""Listeners on the loopback interface: bound before anything is announced, stopped in order."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Iterator
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from davinci_env.errors import UsageError

ADDRESS = "127.0.0.1"
_BACKLOG = 512
_STOP_SECONDS = 3


def bind(port: int, purpose: str) -> socket.socket:
    """Bind a listening socket; port 0 takes a free one.

    Args:
        port: the TCP port.
        purpose: what it is for, as an error names it.

    Raises:
        UsageError: the port is no port number, or taken.
    """
    if not 0 <= port <= 65535:
        raise UsageError(
            f"{port} is no port number", "take one from 1 to 65535, or 0 for a free one"
        )
    # The protocol is named because asyncio turns Nagle's algorithm off only for sockets that say
    # they are TCP: without it every answer waits 40 ms for an acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((ADDRESS, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"port {port} for {purpose} can't be used ({error.strerror})",
            "take another one, or 0 for a free one",
        ) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the base URL of a bound listener."""
    host, port = listener.getsockname()[:2]
    return f"http://{host}:{port}"


class _Server(uvicorn.Server):
    """Uvicorn without its signal handlers: one place decides when all listeners stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Listener:
    """One ASGI application on one bound socket.

    Args:
        app: what to serve.
        listener: a socket from `bind`; it is closed when serving ends.
    """

    def __init__(self, app: ASGIApp, listener: socket.socket) -> None:
        self.url = address_of(listener)
        self._socket = listener
        self._server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                lifespan="on",
                ws="none",
                timeout_graceful_shutdown=_STOP_SECONDS,
            )
        )

    async def run(self) -> None:
        """Serve until `stop`."""
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        """Ask `run` to finish: open requests are answered, no new ones taken."""
        self._server.should_exit = True


@contextlib.contextmanager
def stopped_by_signals(stop: asyncio.Event) -> Iterator[None]:
    """Set `stop` on SIGINT and SIGTERM inside the block, where the event loop can do that."""
    loop = asyncio.get_running_loop()
    handled: list[Any] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stop.set)
            handled.append(number)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
