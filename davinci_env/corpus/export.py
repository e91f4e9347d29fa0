"""Export: records in, rows out, and an account of everything that was left out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from davinci_env.corpus.converter import Row
from davinci_env.corpus.formats import Converter, converter_for
from davinci_env.episodes.place import describe
from davinci_env.errors import OutputError, RecordError
from davinci_env.records import (
    PREFERENCE_SCHEMA,
    TASK_SCHEMA,
    TRAJECTORY_SCHEMA,
    AssistantMessage,
    Preference,
    Problem,
    Trajectory,
    schema_of,
    stream_jsonl,
    to_line,
)

Shape: TypeAlias = Literal["sft", "preference"]

#: What a folder is searched for, in this order.
_IN_FOLDER: dict[str, Shape] = {"trajectories.jsonl": "sft", "preferences.jsonl": "preference"}

_SHAPES: dict[str, Shape] = {TRAJECTORY_SCHEMA: "sft", PREFERENCE_SCHEMA: "preference"}


@dataclass(slots=True)
class Tally:
    """What became of the records, counted while they pass by.

    Attributes:
        rows: how many were written.
        unlearned: how many messages in them are not to be learned (`weight: 0`).
        skipped: how many were left out, by reason code.
        problems: the lines that are no records.
    """

    rows: int = 0
    unlearned: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What an export did.

    Attributes:
        source: the file that was read.
        out: the file that was written.
        format: name of the format.
        shape: what the rows are for.
        rows: how many there are.
        unlearned: how many messages in them are not to be learned (`weight: 0`).
        skipped: records left out, by reason: `benchmark`, `not-passed`, `nothing-to-learn` (no
            assistant message that should be learned), `no-difference` (chosen and rejected alike).
        problems: lines that are no such record.
    """

    source: Path
    out: Path
    format: str
    shape: Shape
    rows: int
    unlearned: int
    skipped: dict[str, int]
    problems: tuple[Problem, ...]

    @property
    def passed(self) -> bool:
        """Whether every line was a record, and something came of them."""
        return self.rows > 0 and not self.problems

    def to_json(self) -> dict[str, Any]:
        """Give the summary as a JSON object."""
        return {
            "source": str(self.source),
            "out": str(self.out),
            "format": self.format,
            "shape": self.shape,
            "rows": self.rows,
            "unlearned_messages": self.unlearned,
            "skipped": self.skipped,
            "problems": [problem.to_json() for problem in self.problems],
        }


def export(
    source: Path | str,
    format: str,
    out: Path | str,
    *,
    include_benchmark: bool = False,
    force: bool = False,
) -> ExportSummary:
    """Write records as rows that a trainer loads as they are.

    Args:
        source: a file of trajectories (of which the passed ones are exported) or of preferences; or
            the folder of a corpus or run, whose trajectories are meant, or else its preferences.
        format: a name out of `FORMATS`.
        out: the file to write. One that holds these very rows already is left as it is.
        include_benchmark: export also what belongs to a benchmark.
        force: overwrite another file.

    Returns:
        the account. Damaged lines do not stop an export: the good ones are exported, the bad ones
        listed, and `passed` is false.

    Raises:
        UsageError: there is no such format.
        RecordError: the source cannot be read, or holds nothing that could be exported.
        OutputError: `out` holds something else, is the source, or cannot be written.
    """
    converter = converter_for(format)
    path, shape = _find(Path(source))
    out = Path(out)
    if out.exists() and out.samefile(path):
        raise OutputError(f"{out} is what is being exported", "name another file")
    tally = Tally()
    with _placing(out, force) as file:
        for row in rows(path, shape, converter, tally, include_benchmark=include_benchmark):
            file.write(to_line(row))
    return ExportSummary(
        source=path,
        out=out,
        format=converter.name,
        shape=shape,
        rows=tally.rows,
        unlearned=tally.unlearned,
        skipped=dict(sorted(tally.skipped.items())),
        problems=tuple(tally.problems),
    )


def rows(
    path: Path, shape: Shape, converter: Converter, tally: Tally, *, include_benchmark: bool = False
) -> Iterator[Row]:
    """Yield a file's records as rows of a format, and count in `tally` what happens to each."""
    records: Iterable[Trajectory | Preference | Problem] = (
        stream_jsonl(path, Trajectory) if shape == "sft" else stream_jsonl(path, Preference)
    )
    for record in records:
        if isinstance(record, Problem):
            tally.problems.append(record)
            continue
        reason = _reason_to_skip(record, include_benchmark)
        if reason is not None:
            tally.skipped[reason] += 1
            continue
        tally.rows += 1
        if isinstance(record, Preference):
            yield converter.preference(record)
        else:
            tally.unlearned += sum(not _learned(message) for message in _said(record))
            yield converter.sft(record)


def _said(trajectory: Trajectory) -> list[AssistantMessage]:
    return [message for message in trajectory.messages if isinstance(message, AssistantMessage)]


def _learned(message: AssistantMessage) -> bool:
    return message.weight != 0


def _reason_to_skip(record: Trajectory | Preference, include_benchmark: bool) -> str | None:
    """Say why a record is left out; None: it is not."""
    if record.benchmark is not None and not include_benchmark:
        return "benchmark"
    if isinstance(record, Preference):
        alike = record.chosen.model_dump() == record.rejected.model_dump()
        return "no-difference" if alike else None
    if not record.verdict.passed:
        return "not-passed"
    return None if any(map(_learned, _said(record))) else "nothing-to-learn"


def _find(source: Path) -> tuple[Path, Shape]:
    """Find the file that is meant, and what it holds."""
    if source.is_dir():
        for name, shape in _IN_FOLDER.items():
            if (source / name).is_file():
                return source / name, shape
        raise RecordError(
            "holds neither trajectories.jsonl nor preferences.jsonl",
            "name the folder of a corpus or a run",
            path=source,
        )
    schema = schema_of(source)
    if schema == TASK_SCHEMA:
        raise RecordError(
            "holds tasks, and only trajectories can be exported",
            "make some with `davinci run`",
            path=source,
        )
    if schema is None:
        raise RecordError(
            "holds no trajectory and no preference that this version of davinci-env reads",
            "name the folder of a corpus or a run, or a file in it",
            path=source,
        )
    return source, _SHAPES[schema]


@contextmanager
def _placing(out: Path, force: bool) -> Iterator[BinaryIO]:
    """Write a file that takes its place only at the end, and not that of something else."""
    new = out.with_name(f"{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with new.open("wb") as file:
            yield file
        if out.exists() and describe(out) == describe(new):
            return
        if out.exists() and not force:
            raise OutputError(f"{out} holds something else", "overwrite it with --force")
        new.replace(out)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(f"cannot write to {out} ({reason})", "choose another --out") from error
    finally:
        with suppress(OSError):
            new.unlink()
