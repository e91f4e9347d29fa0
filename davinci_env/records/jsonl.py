"""Records as lines of JSON: written with their keys in order, read so that a bad line costs a line.

This module reads and writes bytes; which files a run consists of is the business of
`davinci_env.episodes`.
"""

import codecs
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from davinci_env.errors import RecordError
from davinci_env.records.base import encode
from davinci_env.records.preference import PREFERENCE_SCHEMA, Preference
from davinci_env.records.task import TASK_SCHEMA, Task
from davinci_env.records.trajectory import TRAJECTORY_SCHEMA, Trajectory

Record: TypeAlias = Task | Trajectory | Preference
R = TypeVar("R", Task, Trajectory, Preference)

#: Every record we read, by its schema id.
MODELS: Mapping[str, type[Task] | type[Trajectory] | type[Preference]] = {
    TASK_SCHEMA: Task,
    TRAJECTORY_SCHEMA: Trajectory,
    PREFERENCE_SCHEMA: Preference,
}

ProblemKind: TypeAlias = Literal["truncated", "not-json", "foreign", "version", "invalid"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is not a record we can use.

    Attributes:
        line: its number, counted from 1.
        kind: what sort of problem it is, for programs.
        message: one sentence about it.
    """

    line: int
    kind: ProblemKind
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"

    def to_json(self) -> dict[str, Any]:
        """Give the problem as a JSON object."""
        return {"line": self.line, "kind": self.kind, "message": self.message}


@dataclass(frozen=True, slots=True)
class Reading(Generic[R]):
    """What a file held: its good records in order, and its bad lines."""

    records: tuple[R, ...]
    problems: tuple[Problem, ...]


def to_line(record: BaseModel | Mapping[str, Any]) -> bytes:
    """Write a record, or a plain row, as one line of UTF-8 JSON with its newline."""
    value = record.model_dump(by_alias=True) if isinstance(record, BaseModel) else record
    return encode(value) + b"\n"


def read_jsonl(path: Path | str, model: type[R]) -> Reading[R]:
    """Read all records of one kind from a file; lines that are no such record become problems.

    Raises:
        RecordError: the file cannot be read at all.
    """
    records: list[R] = []
    problems: list[Problem] = []
    for found in stream_jsonl(path, model):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            records.append(found)
    return Reading(tuple(records), tuple(problems))


def stream_jsonl(path: Path | str, model: type[R]) -> Iterator[R | Problem]:
    """Read records of one kind one by one, with a problem in place of each line that is none.

    Blank lines are passed over.

    Raises:
        RecordError: the file cannot be read at all.
    """
    for number, line in _lines(Path(path)):
        yield _record(number, line, model)


def schema_of(path: Path | str) -> str | None:
    """Find which kind of record a file holds: the first schema id in it that we know, or None.

    Raises:
        RecordError: the file cannot be read at all.
    """
    for _, line in _lines(Path(path)):
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        name = value.get("schema") if isinstance(value, dict) else None
        if isinstance(name, str) and name in MODELS:
            return name
    return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield a file's lines that are not blank, with their numbers, as they are stored."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)
                if line.strip():
                    yield number, line
    except FileNotFoundError:
        raise RecordError("there is no such file", "check the path", path=path) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecordError(f"cannot be read ({reason})", "check the path", path=path) from error


def _record(number: int, line: bytes, model: type[R]) -> R | Problem:
    """Read one line as a record of this kind, or say what is wrong with it."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if not line.endswith(b"\n"):
            return Problem(number, "truncated", "The file breaks off in the middle of this line.")
        return Problem(number, "not-json", f"This is not JSON ({error.msg}, column {error.colno}).")
    wrong = _wrong_schema(number, value, str(model.model_fields["schema_id"].default))
    if wrong is not None:
        return wrong
    try:
        # Out of the bytes, not out of `value`: only JSON input may be validated strictly and still
        # give tuples.
        return model.model_validate_json(line, strict=True)
    except ValidationError as error:
        return Problem(number, "invalid", _sentence(error))


def _wrong_schema(number: int, value: Any, expected: str) -> Problem | None:
    """Say why a JSON value does not claim to be a record of the expected schema; None: it does."""
    name = value.get("schema") if isinstance(value, dict) else None
    if name == expected:
        return None
    if not isinstance(name, str):
        return Problem(number, "foreign", f"This has no schema id; {expected} was expected.")
    for known in MODELS:
        if known != name and known.partition("@")[0] == name.partition("@")[0]:
            return Problem(
                number,
                "version",
                f"This version of davinci-env does not know {name}, it reads {known}.",
            )
    return Problem(number, "foreign", f"This is a {name}; {expected} was expected.")


def _sentence(error: ValidationError) -> str:
    """Put what pydantic found into one sentence: the first finding, and how many more there are."""
    findings = error.errors(include_url=False, include_context=False, include_input=False)
    first = findings[0]
    place = ".".join(str(part) for part in first["loc"])
    text = f"{place}: {first['msg']}" if place else first["msg"]
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return f"{text}{more}."
