"""Stands between us and one foreign process, and leaves nothing of it behind.

    PYTHON -I -S keeper.py LIFELINE FOLDER LIMITS COMMAND …

Starts the command in a session of its own under resource limits, and waits for the end of either:
the command's, which it reports over the lifeline (a socket that the parent holds), or the parent's,
which closes the lifeline however it ends. Then it kills every descendant, and once the lifeline is
closed it removes the folder, unless it was told to leave it, and goes. As the reaper of all its
descendants (Linux) it also finds those that started sessions of their own or outlived their
parents. Imports the standard library alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import shutil
import signal
import sys
from collections.abc import Sequence

KEEP = b"keep"
"""Said over the lifeline before it closes: the folder is to stay."""

ROUNDS = 200
"""How often descendants are looked for: one that starts others as it dies needs more than one."""

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36


def control(option: int, value: int) -> None:
    """Call prctl, where there is one: elsewhere the process group is all that can be killed."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def descendants() -> list[int]:
    """The processes below this one, dead ones that nobody reaped included."""
    below: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # The command's name stands in parentheses and may hold anything.
                parent = int(file.read().rpartition(b")")[2].split()[1])
                below.setdefault(parent, []).append(int(name))
    found, queue = [], [os.getpid()]
    while queue:
        children = below.get(queue.pop(), [])
        found += children
        queue += children
    return found


def send(pids: Sequence[int], number: int) -> None:
    """Send a signal to those that are still there."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def end_all(group: int | None) -> None:
    """Kill the command's process group, where it may still be there, and every descendant."""
    if group is not None:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    for _ in range(ROUNDS):
        found = descendants()
        # Stopped first, so that none of them starts another while the rest are killed.
        send(found, signal.SIGSTOP)
        send(found, signal.SIGKILL)
        reap()
        if not found:
            return


def reap() -> dict[int, int]:
    """Collect the dead: process to wait status."""
    dead: dict[int, int] = {}
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            dead[pid] = status
    return dead


def remove(folder: str) -> None:
    """Remove a folder, whatever modes its content has been given."""
    for place, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            os.chmod(place, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def limit(limits: str) -> None:
    """Set resource limits, given as `number=value,…`, as far as the system's own allow."""
    for part in filter(None, limits.split(",")):
        kind, value = map(int, part.split("="))
        _, most = resource.getrlimit(kind)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))


def become(limits: str, command: list[str]) -> None:
    """Turn this child into the command."""
    try:
        os.setsid()
        control(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        limit(limits)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def main(lifeline: int, folder: str, limits: str, command: list[str]) -> None:
    """Start the command, wait for the end, and clean up."""
    control(_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    child: int | None = os.fork()
    if child == 0:
        os.close(lifeline)
        become(limits, command)
    # The pipes are the command's alone: that they close is how the parent sees it end.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    while True:
        ready, _, _ = select.select([lifeline, woken], [], [])
        if lifeline in ready:
            break
        with contextlib.suppress(BlockingIOError):
            os.read(woken, 512)
        status = None if child is None else reap().get(child)
        if status is not None:
            end_all(child)
            child = None  # from now on its number may be another's
            with contextlib.suppress(OSError):
                os.write(lifeline, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    said = b""
    with contextlib.suppress(OSError):
        said = os.read(lifeline, len(KEEP))
    end_all(child)
    if said != KEEP:
        remove(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
