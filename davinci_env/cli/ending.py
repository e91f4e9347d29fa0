"""How a command ends: the one place where an error becomes a sentence and an exit status.

| raised | status |
| --- | --- |
| nothing, `typer.Exit(n)` | 0, n |
| `DavinciError` | its `exit_status` |
| an exception of a domain's own code | 2 |
| wrong options or arguments | 2 |
| a disk that is full, read-only or forbids it | 2 |
| Ctrl-C | 130; what was finished stays, and the same command resumes it |

Everything else is a bug of ours and keeps its traceback.
"""

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from davinci_env.cli import INTERRUPTED
from davinci_env.errors import DavinciError

# Failures of the machine that a person can mend; any other OSError is a bug of ours.
_MACHINE = {errno.EACCES, errno.EDQUOT, errno.ENOSPC, errno.EPERM, errno.EROFS}


GIVE_UP = 5
"""At the next Ctrl-C after so many, the process ends at once, whatever it was doing."""

# How the parser words what it found -> how it reads in our one sentence.
_WORDINGS = {
    ". Did you mean": ": did you mean",
    ": Value error, ": ": ",
    ": Input should be ": ": it should be ",
    ", unable to parse string as an integer": "",
    ", unable to parse string as a number": "",
}


class Interrupted(DavinciError):
    """Ctrl-C, as an ending like the others."""

    exit_status = INTERRUPTED


class Command(TyperCommand):
    """A command that knows whether it leaves something to resume: it does if it has `--out`."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an interrupt becomes `Interrupted`, saying what to do next."""
        out = ctx.params.get("out")
        try:
            with _patience() if out is not None else nullcontext():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            if out is None:
                raise Interrupted("interrupted") from None
            raise Interrupted(
                f"interrupted; what was finished is kept in {out}",
                "run the same command again to resume",
            ) from None


class Group(TyperGroup):
    """The command group, ending every command as the module's table says."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line; in standalone mode exit with its status, else return it."""
        try:
            result = super().main(
                args, prog_name, complete_var, False, windows_expand_args, **extra
            )
            status = result if isinstance(result, int) else 0
            sys.stdout.flush()
        except DavinciError as error:
            status = _say(str(error), error.exit_status)
        except typer.TyperException as error:
            status = _say(_usage(error), error.exit_code)
        except BrokenPipeError:
            # The reader left (`davinci domains | head`): nothing more to say or to flush at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 1
        except OSError as error:
            if error.errno not in _MACHINE:
                raise
            place = f"{error.filename}: " if error.filename else ""
            status = _say(f"{place}{os.strerror(error.errno)}.", 2)
        except Exception as error:
            defect = _of_a_domain(error)
            if defect is None:
                raise
            status = _say(str(defect), defect.exit_status)
        if standalone_mode:
            sys.exit(status)
        return status


@contextmanager
def _patience() -> Iterator[None]:
    """Interrupt once: whoever presses Ctrl-C again ends no tidying up, but may insist."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = 0

    def handle(number: int, frame: object) -> None:
        nonlocal pressed
        pressed += 1
        if pressed == 1:
            raise KeyboardInterrupt
        if pressed > GIVE_UP:
            os._exit(INTERRUPTED)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _of_a_domain(error: Exception) -> DavinciError | None:
    """Return the exception as the defect of a domain, if the code of one took part."""
    if "davinci_env.domain" not in sys.modules:
        return None
    from davinci_env.domain.blame import blame

    return blame(error)


def _say(sentence: str, status: int) -> int:
    """Print the sentence to stderr and return the status."""
    print(f"davinci: {sentence}", file=sys.stderr)
    return status


def _usage(error: typer.TyperException) -> str:
    """Word a wrong option or argument as one sentence that names the help to read."""
    said = " ".join(error.format_message().split()).removesuffix(".")
    for theirs, ours in _WORDINGS.items():
        said = said.replace(theirs, ours)
    said = f"{said[:1].lower()}{said[1:]}"
    if said.endswith("?"):
        return said
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "davinci"
    return f"{said}: see `{path} --help`."
