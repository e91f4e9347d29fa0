"""A foreign process, contained: what it may use, how long and how much it may answer, and its end.

It runs in a private folder that is its home and its place for temporary files, with no environment
but what is given here, without a network where bubblewrap is available, and under a keeper
(`keeper`) that leaves nothing of it behind, not even when we are killed ourselves.

This is containment of accidents, not a jail: without bubblewrap, a process may still write wherever
its user may.
"""

from __future__ import annotations

import contextlib
import os
import resource
import secrets
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import NoReturn

from ...errors import UsageError
from . import keeper
from .bubblewrap import offline
from .protocol import SystemFailure

MARKER = "DAVINCI_CONTAINED"
"""The variable whose secret value tells a contained process's descendants from all others."""

PLACES = ("work", "home", "tmp")
"""What a private folder holds: where the process starts, its home and its temporary files."""

_KEPT = ("PATH", "LD_LIBRARY_PATH", "LANG", "SSL_CERT_FILE")
_CHUNK = 1 << 16
_TAIL = 4096
"""How much of standard error is kept for messages."""
_GRACE = 10.0
"""Seconds that the keeper has for killing and removing, before we do it ourselves."""


@dataclass(frozen=True)
class Limits:
    """What a contained process may use.

    Attributes:
        start_seconds: for coming up.
        answer_seconds: for one answer.
        answer_bytes: of one line of output.
        episode_bytes: of all output, standard error included, since `renew`.
        file_bytes: of one file that it writes.
        open_files: at a time.
        cpu_seconds: of one process in all.
        memory_bytes: of address space; None for no limit (node reserves far more than it uses).
    """

    start_seconds: float = 120.0
    answer_seconds: float = 20.0
    answer_bytes: int = 32 << 20
    episode_bytes: int = 512 << 20
    file_bytes: int = 256 << 20
    open_files: int = 1024
    cpu_seconds: int = 7200
    memory_bytes: int | None = None

    def encoded(self) -> str:
        """As the keeper takes them."""
        kinds = {
            resource.RLIMIT_FSIZE: self.file_bytes,
            resource.RLIMIT_NOFILE: self.open_files,
            resource.RLIMIT_CPU: self.cpu_seconds,
            resource.RLIMIT_CORE: 0,
        }
        if self.memory_bytes is not None:
            kinds[resource.RLIMIT_AS] = self.memory_bytes
        return ",".join(f"{kind}={value}" for kind, value in kinds.items())


@dataclass
class _Parts:
    """What has to be undone, apart from the object whose end undoes it."""

    folder: Path
    token: str
    owner: int = field(default_factory=os.getpid)
    keeper: subprocess.Popen[bytes] | None = None
    lifeline: socket.socket | None = None
    selector: selectors.BaseSelector | None = None


class Contained:
    """A private folder, and the process that is started in it, one at a time.

    Args:
        name: what messages call it, such as `the server 'notes'`.
        limits: what it may use.

    Attributes:
        folder: private; gone after `close`. Its `work` is where the process starts.
    """

    def __init__(self, name: str, limits: Limits | None = None) -> None:
        self.name = name
        self.limits = limits or Limits()
        self.token = secrets.token_hex(16)
        self.folder = Path(mkdtemp(prefix="davinci-")).resolve()
        self.work = self.folder / "work"
        for place in PLACES:
            (self.folder / place).mkdir()
        self._parts = _Parts(self.folder, self.token)
        self._end = weakref.finalize(self, _remove, self._parts)
        self._forget()

    # -- beginning and end -------------------------------------------------------------------------

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        place: Path | None = None,
    ) -> None:
        """Start the process.

        Args:
            command: the program and its arguments.
            environment: variables beyond those that every contained process has.
            place: where it starts (default: `work`).

        Raises:
            UsageError: there is no such command.
        """
        surroundings = {**self._surroundings(), **(environment or {}), MARKER: self.token}
        program = shutil.which(command[0], path=surroundings.get("PATH"))
        if program is None:
            raise UsageError(f"{self.name} can't be started: there is no command {command[0]!r}")
        ours, theirs = socket.socketpair()
        with theirs:
            keeping = [
                sys.executable, "-I", "-S", keeper.__file__, str(theirs.fileno()),
                str(self.folder), self.limits.encoded(),
            ]  # fmt: skip
            process = subprocess.Popen(
                [*keeping, *offline(self.folder), program, *command[1:]],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                cwd=place or self.work, env=surroundings, pass_fds=[theirs.fileno()],
                start_new_session=True,
            )  # fmt: skip
        self._forget()
        selector = selectors.DefaultSelector()
        self._parts.keeper, self._parts.lifeline = process, ours
        self._parts.selector = self._selector = selector
        assert process.stdin and process.stdout and process.stderr
        self._stdin = process.stdin.fileno()
        self._stdout = process.stdout.fileno()
        self._stderr = process.stderr.fileno()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)
        selector.register(self._stdout, selectors.EVENT_READ)
        selector.register(self._stderr, selectors.EVENT_READ)

    def _forget(self) -> None:
        """Know nothing of an earlier process."""
        self._pending = bytearray()
        self._buffer = bytearray()
        self._lines: list[bytes] = []
        self._tail = b""
        self._received = 0

    def _surroundings(self) -> dict[str, str]:
        """The environment of a process that finds nothing of its user's."""
        home, temporary = self.folder / "home", self.folder / "tmp"
        return {
            **{name: os.environ[name] for name in _KEPT if name in os.environ},
            "HOME": str(home), "TMPDIR": str(temporary), "TEMP": str(temporary),
            "TMP": str(temporary), "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local" / "share"),
            "XDG_STATE_HOME": str(home / ".local" / "state"),
            "XDG_CACHE_HOME": str(home / ".cache"), "XDG_RUNTIME_DIR": str(temporary),
            "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONNOUSERSITE": "1",
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1",
        }  # fmt: skip

    def stop(self) -> None:
        """End the process with all that it started; the folder stays."""
        _stop(self._parts, keep=True)

    def close(self) -> None:
        """End the process with all that it started, and remove the folder."""
        self._end()

    def renew(self) -> None:
        """Begin to count output anew: another episode."""
        self._received = 0

    # -- lines -------------------------------------------------------------------------------------

    def ask(self, line: bytes, seconds: float | None = None) -> bytes:
        """Send one line and wait for the one that answers it.

        Raises:
            SystemFailure: the process broke a limit or ended; it is closed.
        """
        try:
            if self._lines or self._buffer:
                self.fail("garbage", "wrote what nobody asked for")
            self.send(line)
            deadline = time.monotonic() + (seconds or self.limits.answer_seconds)
            while not self._lines:
                left = deadline - time.monotonic()
                if left <= 0:
                    self.fail("hang", "gave no answer in time")
                self._lines = self.step(left)
            return self._lines.pop(0)
        except SystemFailure:
            self.close()
            raise

    def send(self, line: bytes) -> None:
        """Have a line sent, as soon as the process takes it."""
        waiting = bool(self._pending)
        self._pending += line + b"\n"
        if not waiting and not self._push():
            self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def fileno(self) -> int:
        """What an event loop watches: readable when `step` has something to do."""
        return self._selector.fileno()

    def step(self, seconds: float) -> list[bytes]:
        """Move what can be moved, waiting so long for it; returns the lines that came.

        Raises:
            SystemFailure: the process broke a limit or ended; closing it is the caller's.
        """
        lines: list[bytes] = []
        ended = False
        for key, _ in self._selector.select(seconds):
            if key.fd == self._stdin:
                if self._push():
                    self._selector.unregister(self._stdin)
            elif key.fd == self._stderr:
                self._note(self._pull(self._stderr))
            else:
                chunk = self._pull(self._stdout)
                ended = chunk == b""
                lines += self._split(chunk or b"")
        if ended and not lines:
            self._ended()
        return lines

    def _push(self) -> bool:
        """Send what the process takes now; whether that was all."""
        try:
            del self._pending[: os.write(self._stdin, self._pending[: 1 << 20])]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            # It closed its input, so it has ended or will not answer: either is seen later.
            self._pending.clear()
        return not self._pending

    def _pull(self, stream: int) -> bytes | None:
        """What a stream has: nothing yet as None, its end as b""."""
        try:
            chunk = os.read(stream, _CHUNK)
        except BlockingIOError:
            return None
        self._received += len(chunk)
        if self._received > self.limits.episode_bytes:
            self.fail("flood", f"wrote more than {self.limits.episode_bytes} bytes")
        return chunk

    def _note(self, chunk: bytes | None) -> None:
        if chunk == b"":
            self._selector.unregister(self._stderr)
        self._tail = (self._tail + (chunk or b""))[-_TAIL:]

    def _split(self, chunk: bytes) -> list[bytes]:
        if b"\n" not in chunk:
            self._buffer += chunk
            if len(self._buffer) > self.limits.answer_bytes:
                self.fail("flood", f"wrote a line of more than {self.limits.answer_bytes} bytes")
            return []
        *lines, rest = (bytes(self._buffer) + chunk).split(b"\n")
        self._buffer = bytearray(rest)
        return lines

    # -- failures ----------------------------------------------------------------------------------

    def fail(self, reason: str, what: str) -> NoReturn:
        """Raise the failure of this process, with the last that it said of it."""
        said = self._tail.decode("utf-8", "replace").strip().splitlines()
        last = f" ({said[-1].strip()[:200]})" if said else ""
        raise SystemFailure(reason, f"{self.name} {what}{last}")

    def _ended(self) -> NoReturn:
        """Its output has ended: say why."""
        self._drain()
        status = self._status()
        if status is None:
            self.fail("crash", "closed its output")
        if status > 128:
            status = 128 - status  # as bubblewrap and shells report a signal
        if status < 0:
            self.fail("crash", f"was ended by a signal, {signal.strsignal(-status)}")
        self.fail("crash", f"ended with status {status}")

    def _drain(self) -> None:
        """Take what is left of standard error."""
        for _ in range(_TAIL):
            chunk = self._pull(self._stderr)
            if not chunk:
                return
            self._tail = (self._tail + chunk)[-_TAIL:]

    def _status(self) -> int | None:
        """How the process ended, as the keeper tells; None where it did not end."""
        lifeline = self._parts.lifeline
        assert lifeline is not None
        lifeline.settimeout(1.0)
        try:
            return int(lifeline.recv(64))
        except (OSError, ValueError):
            return None


def strays(token: str) -> list[int]:
    """The living processes that carry a contained process's marker."""
    sign = f"{MARKER}={token}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if sign in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def _stop(parts: _Parts, *, keep: bool) -> None:
    """End the process and all its descendants."""
    if parts.keeper is None or parts.lifeline is None or parts.owner != os.getpid():
        return  # where a fork of ours ends, what it inherited goes on
    process, parts.keeper = parts.keeper, None
    with contextlib.suppress(OSError):
        if keep:
            parts.lifeline.send(keeper.KEEP)
        # Closing alone would not do: forks of ours hold the same socket.
        parts.lifeline.shutdown(socket.SHUT_RDWR)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    parts.lifeline.close()
    if parts.selector is not None:
        parts.selector.close()
    # What the keeper left, should something have killed it.
    for _ in range(keeper.ROUNDS):
        left = strays(parts.token)
        if not left:
            break
        keeper.send(left, signal.SIGKILL)


def _remove(parts: _Parts) -> None:
    """End the process, all its descendants and its folder."""
    _stop(parts, keep=False)
    if parts.owner == os.getpid():
        keeper.remove(str(parts.folder))
