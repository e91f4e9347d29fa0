"""The protocol over standard input and output: one client, one process, one environment.

The library's own transport reads in a thread that cannot be interrupted, so that a signal would
wait for the next line. Here a daemon thread reads the descriptor and the event loop does the rest.
"""

import asyncio
import contextlib
import json
import os
import sys
import threading
from typing import Any, BinaryIO

import anyio
import mcp_types as mcp
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from davinci_env.serve import rpc

_READ_BYTES = 1 << 16
_LAST_ANSWERS_SECONDS = 2.0

Incoming = SessionMessage | Exception


class Wire:
    """Where bytes come in and go out.

    Args:
        source: file descriptor to read lines from.
        sink: where lines are written; it is flushed after each.
    """

    def __init__(self, source: int, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink

    @classmethod
    def claim_standard_streams(cls) -> "Wire":
        """Take standard input and output for the protocol.

        Whatever else in this process reads sees an empty input, and whatever it prints goes to
        standard error.
        """
        source, sink = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout.flush()
        os.dup2(2, 1)
        return cls(source, open(sink, "wb"))

    def send(self, message: dict[str, Any]) -> None:
        """Write one message as one line; where nobody listens any more, it is dropped."""
        with contextlib.suppress(OSError, ValueError):
            self._sink.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self._sink.flush()

    def start_reading(self) -> "asyncio.Queue[bytes]":
        """Start the reading thread; the queue gives chunks, and an empty one at the end."""
        chunks: asyncio.Queue[bytes] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def read() -> None:
            chunk = b"-"
            while chunk:
                try:
                    chunk = os.read(self._source, _READ_BYTES)
                except OSError:
                    chunk = b""
                try:
                    loop.call_soon_threadsafe(chunks.put_nowait, chunk)
                except RuntimeError:  # the loop is gone, and with it whoever would have read this
                    return

        threading.Thread(target=read, name="stdin", daemon=True).start()
        return chunks


async def serve_stdio(server: Server[Any], wire: Wire) -> None:
    """Serve one client until it closes its end; what it asked before that is still answered."""
    inbox_in, inbox_out = anyio.create_memory_object_stream[Incoming]()
    outbox_in, outbox_out = anyio.create_memory_object_stream[SessionMessage]()
    channel = _Channel(wire, inbox_in, outbox_out)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(channel.receive)
        tasks.start_soon(channel.send)
        await server.run(inbox_out, outbox_in, server.create_initialization_options())
        tasks.cancel_scope.cancel()


class _Channel:
    """Lines on one side, messages on the other."""

    def __init__(
        self,
        wire: Wire,
        inbox: MemoryObjectSendStream[Incoming],
        outbox: MemoryObjectReceiveStream[SessionMessage],
    ) -> None:
        self._wire = wire
        self._inbox = inbox
        self._outbox = outbox
        self._unanswered: set[str | int | None] = set()

    async def receive(self) -> None:
        """Deliver lines until the input ends, and end the server's once it has answered."""
        chunks = self._wire.start_reading()
        line = bytearray()
        too_long = False
        async with self._inbox:
            while chunk := await chunks.get():
                *ends, rest = chunk.split(b"\n")
                for end in ends:
                    line += end
                    await self._take(bytes(line), too_long or len(line) > rpc.MAX_MESSAGE_BYTES)
                    line.clear()
                    too_long = False
                line += rest
                if len(line) > rpc.MAX_MESSAGE_BYTES:
                    too_long = True
                    line.clear()
            await self._take(bytes(line), too_long)
            # The server drops what it is still working on when its input closes.
            with anyio.move_on_after(_LAST_ANSWERS_SECONDS):
                while self._unanswered:
                    await anyio.sleep(0.005)

    async def send(self) -> None:
        """Write what the server says."""
        async with self._outbox:
            async for item in self._outbox:
                message = item.message
                if isinstance(message, mcp.JSONRPCResponse | mcp.JSONRPCError):
                    self._unanswered.discard(message.id)
                self._wire.send(message.model_dump(by_alias=True, mode="json", exclude_unset=True))

    async def _take(self, line: bytes, too_long: bool) -> None:
        if too_long:
            self._wire.send(rpc.error(mcp.INVALID_REQUEST, "The message is too long"))
        elif line.strip():
            try:
                message = rpc.read_message(line)
            except ValueError:
                self._wire.send(rpc.why_unreadable(line))
                return
            if isinstance(message, mcp.JSONRPCRequest):
                self._unanswered.add(message.id)
            await self._inbox.send(SessionMessage(message))
