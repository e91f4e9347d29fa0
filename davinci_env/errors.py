"""Every error this package raises on purpose, named by who is to blame.

One base class, one flat module. An error's text is one sentence that names the thing and the
remedy, fit to be shown to a person as it is. What an agent does wrong is no exception: the
environment answers it. An exception that is none of these is a bug of ours and keeps its traceback.

| to blame | class | exit status |
| --- | --- | --- |
| author of a domain | `AuthorError`: `DomainSyntaxError`, `ContractError`; `DefectError` | 2 |
| person at the command line | `UsageError` and its kinds | 2 |
| data on disk | `RecordError` | 2 |
| the thing checked does not hold, or gave less than asked | `Shortage` | 1 |
| agent, told by a tool of its contract | `ToolError` | never leaves an environment |
"""

from collections.abc import Iterable
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any


class DavinciError(Exception):
    """Base of all our errors.

    Attributes:
        message: what is wrong, naming the thing; no full stop at the end.
        remedy: what to do about it, or "" where the message says it all.
        exit_status: the status with which the command line ends.
    """

    exit_status = 2

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.message = message.strip().removesuffix(".")
        self.remedy = remedy.strip().removesuffix(".")

    def __str__(self) -> str:
        text = f"{self.message}: {self.remedy}" if self.remedy else self.message
        return text if text.endswith("?") else f"{text}."

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors cross from worker processes to their parent; the constructors' signatures differ.
        return _revive, (type(self), self.args, self.__dict__.copy())


class AuthorError(DavinciError):
    """A domain or composition file is wrong.

    Attributes:
        path: the file, where one is known.
        line: the line in it, counted from 1, where one is known.
    """

    def __init__(
        self,
        message: str,
        remedy: str = "",
        *,
        path: Path | str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message, remedy)
        self.path = None if path is None else Path(path)
        self.line = line

    def __str__(self) -> str:
        text = super().__str__()
        if self.path is None:
            return text
        place = str(self.path) if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {text}"


class DomainSyntaxError(AuthorError):
    """A domain file is not Python, or raises while it is executed."""


class ContractError(AuthorError):
    """A domain file breaks the authoring contract, such as by an undescribed argument."""


class DefectError(AuthorError):
    """A domain or task misbehaved at run time: a body raised, a check could not be evaluated.

    A defect is never a verdict: a check that raises does not count as false.
    """


class UsageError(DavinciError):
    """The caller asked for something that cannot be."""


class UnknownDomain(UsageError):
    """No domain of that name is in the catalogue.

    Attributes:
        name: what was asked for.
        near: the catalogue's names most like it, nearest first.
    """

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        self.name = name
        self.near = tuple(get_close_matches(name, sorted(known), n=3, cutoff=0.6))
        hint = f"did you mean {_either(self.near)}?" if self.near else "see `davinci domains`"
        super().__init__(f"there is no domain {name!r}", hint)


class UnknownRecord(UsageError):
    """No task and no trajectory has an id that begins so, or several have.

    Attributes:
        start: what was asked for.
        near: the ids most like it, nearest first; those that begin so, where there are several.
    """

    def __init__(
        self, start: str, known: Iterable[str], found: Iterable[str], looked_in: Iterable[Path]
    ) -> None:
        self.start = start
        several = sorted(found)
        if several:
            self.near = tuple(several[:3])
            hint = f"give more of it, such as {_either(self.near)}"
            super().__init__(f"{len(several)} ids begin with {start!r}", hint)
            return
        # Ids are hashes, so that only one with a slip or two is like another.
        begun = {one[: len(start)]: one for one in sorted(known, reverse=True)}
        near = get_close_matches(start, sorted(begun), n=3, cutoff=0.75)
        self.near = tuple(begun[one] for one in near)
        hint = f"did you mean {_either(self.near)}?" if self.near else "look elsewhere with --in"
        where = " and ".join(map(str, looked_in))
        super().__init__(f"no task and no trajectory in {where} has an id like {start!r}", hint)


class UntrustedDomain(UsageError):
    """A domain that did not ship with the package would be executed without having been trusted."""

    def __init__(self, name: str, path: Path | str) -> None:
        self.name = name
        self.path = Path(path)
        super().__init__(
            f"domain {name!r} ({path}) did not ship with davinci-env and is not trusted",
            "it runs its own code here, so read it first, then add `--trust`",
        )


class MissingExtra(UsageError):
    """An optional dependency is not installed.

    Attributes:
        extra: the extra of davinci-env that brings it.
    """

    def __init__(self, extra: str, purpose: str) -> None:
        self.extra = extra
        super().__init__(
            f"{purpose} needs the extra {extra!r}", f"run `pip install 'davinci-env[{extra}]'`"
        )


class SuiteVersionError(UsageError):
    """A task suite was made for another version of its domain."""

    def __init__(self, suite: str, made_for: str, found: str) -> None:
        self.suite = suite
        self.made_for = made_for
        self.found = found
        super().__init__(
            f"{suite} was certified for {made_for}, but the catalogue has {found}",
            f"re-certify it with `davinci check {suite} --update`",
        )


class OutputError(UsageError):
    """The place to write to cannot be used: unwritable, or already holding something else."""


class RecordError(DavinciError):
    """A JSON Lines file holds something that is not a record we know.

    Attributes:
        path: the file.
        line: the line in it, counted from 1, where one is known.
    """

    def __init__(
        self, message: str, remedy: str = "", *, path: Path | str, line: int | None = None
    ) -> None:
        super().__init__(message, remedy)
        self.path = Path(path)
        self.line = line

    def __str__(self) -> str:
        place = str(self.path) if self.line is None else f"{self.path}, line {self.line}"
        return f"{place}: {super().__str__()}"


class Shortage(DavinciError):
    """Less came out than was asked for: what is good was kept."""

    exit_status = 1


class ToolError(DavinciError):
    """A tool refuses by its contract; the agent sees code and message, the state is unchanged.

    Attributes:
        code: machine-readable, out of the tool's declared codes.
        message: what the agent is told; from the contract where the body gives only the code.
    """

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" if self.message else self.code


def require_extra(extra: str, module: str, purpose: str) -> None:
    """Raise `MissingExtra` unless `module`, which the extra brings, can be imported.

    Args:
        extra: an extra of davinci-env, such as "mcp".
        module: a top-level module that only this extra brings, such as "fastmcp".
        purpose: what the caller wants it for, as a noun phrase: "serving over MCP".
    """
    if find_spec(module) is None:
        raise MissingExtra(extra, purpose)


def _revive(kind: type[DavinciError], args: tuple[Any, ...], state: dict[str, Any]) -> DavinciError:
    """Rebuild an error in another process without calling its constructor."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _either(names: tuple[str, ...]) -> str:
    """Join names as a question offers them: `a`, `a or b`, `a, b or c`."""
    quoted = [f"{name!r}" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
