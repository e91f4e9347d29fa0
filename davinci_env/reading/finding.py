"""Finding what is to be read: a task or a trajectory, by its id or by its place in a file.

A trajectory is found together with its task, because nobody can tell from it alone what was asked
for. Nothing here decides how a record looks.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from davinci_env.domain.loader import shipped_root
from davinci_env.errors import RecordError, UnknownRecord, UsageError
from davinci_env.records import (
    TASK_SCHEMA,
    TRAJECTORY_SCHEMA,
    Problem,
    Task,
    Trajectory,
    schema_of,
    stream_jsonl,
)

IN_FOLDER: Final = ("trajectories.jsonl", "tasks.jsonl")
"""What is read of a folder; in the first, a conversation can be seen."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A trajectory at a task, as a line of a list."""

    id: str
    agent: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A task; with the trajectory that was asked for, or else with the attempts known of it."""

    task: Task
    trajectory: Trajectory | None = None
    attempts: tuple[Attempt, ...] = ()

    @property
    def id(self) -> str:
        """The id of what was asked for."""
        return self.task.id if self.trajectory is None else self.trajectory.id


class Shelf:
    """Files and folders to look in.

    Args:
        places: files of tasks or trajectories, and folders that hold `tasks.jsonl` or
            `trajectories.jsonl`.

    Raises:
        RecordError: one of them is neither.
    """

    def __init__(self, places: Sequence[Path]) -> None:
        files = dict.fromkeys(file for place in places for file in files_of(place))
        self._schemas = {file: schema_in(file) for file in files}
        self._tasks: dict[Path, dict[str, Task]] = {}

    @property
    def files(self) -> tuple[Path, ...]:
        """The files, in the order in which they are searched."""
        return tuple(self._schemas)

    def find(self, start: str) -> Found:
        """Find the one record whose id begins so.

        Raises:
            UnknownRecord: there is none, or there are several.
            RecordError: its task isn't here, or was edited.
        """
        known: dict[str, None] = {}
        found: dict[str, tuple[Path, Task | Trajectory]] = {}
        attempts: defaultdict[str, list[Attempt]] = defaultdict(list)
        for path, record in self._records():
            known[record.id] = None
            if record.id.startswith(start):
                found.setdefault(record.id, (path, record))
            if isinstance(record, Trajectory):
                attempts[record.task_id].append(
                    Attempt(record.id, record.agent.name, record.verdict.passed)
                )
        if start in found:
            found = {start: found[start]}
        if len(found) != 1:
            raise UnknownRecord(start, known, found, self.files)
        ((path, record),) = found.values()
        if isinstance(record, Trajectory):
            return Found(self.task_of(record, path), record)
        return Found(genuine(record, path), None, tuple(attempts[record.id]))

    def at(self, file: Path, number: int) -> Found:
        """Read one record of a file; lines that are not blank are counted from 1.

        Raises:
            UsageError: the file has no such line.
            RecordError: the line is no record, or its task isn't here, or was edited.
        """
        count = 0
        for count, found in enumerate(self.all(file), start=1):
            if count == number:
                if isinstance(found, Problem):
                    raise RecordError(found.message, "mend the file", path=file, line=found.line)
                return found
        raise UsageError(f"{file} has no record {number}", f"choose one from 1 to {count}")

    def all(self, file: Path) -> Iterator[Found | Problem]:
        """Read every record of a file, with a problem in place of each line that is none.

        Raises:
            RecordError: the file is neither of tasks nor of trajectories, or the task of one isn't
                here, or was edited.
        """
        if schema_in(file) == TASK_SCHEMA:
            for task in stream_jsonl(file, Task):
                yield task if isinstance(task, Problem) else Found(genuine(task, file))
            return
        for record in stream_jsonl(file, Trajectory):
            if isinstance(record, Problem):
                yield record
            else:
                yield Found(self.task_of(record, file), record)

    def task_of(self, trajectory: Trajectory, file: Path) -> Task:
        """Find the task of a trajectory: here, beside its file, or in the frozen suite of its
        world.

        Raises:
            RecordError: it is in none of these places, or was edited.
        """
        looked = []
        for place in self._task_files(trajectory, file):
            looked.append(str(place))
            task = self._tasks_in(place).get(trajectory.task_id)
            if task is not None:
                return genuine(task, place)
        where = f"not in {' or '.join(looked)}" if looked else "there is no file of tasks beside it"
        raise RecordError(
            f"the task {trajectory.task_id} of trajectory {trajectory.id} is missing, {where}",
            "name the file of its tasks with --in",
            path=file,
        )

    def _task_files(self, trajectory: Trajectory, file: Path) -> list[Path]:
        """Where the task of a trajectory may be, the nearest first."""
        own = [path for path, schema in self._schemas.items() if schema == TASK_SCHEMA]
        others = [file.parent / "tasks.jsonl", suite_of(trajectory.world.name)]
        return list(dict.fromkeys([*own, *filter(Path.is_file, others)]))

    def _tasks_in(self, path: Path) -> dict[str, Task]:
        """The tasks of a file by id, read once."""
        if path not in self._tasks:
            found = stream_jsonl(path, Task)
            self._tasks[path] = {task.id: task for task in found if isinstance(task, Task)}
        return self._tasks[path]

    def _records(self) -> Iterator[tuple[Path, Task | Trajectory]]:
        """Every good record of every file."""
        for path, schema in self._schemas.items():
            found: Iterator[Task | Trajectory | Problem] = (
                stream_jsonl(path, Task)
                if schema == TASK_SCHEMA
                else stream_jsonl(path, Trajectory)
            )
            for record in found:
                if not isinstance(record, Problem):
                    yield path, record


def files_of(place: Path) -> list[Path]:
    """The files of a place: the file itself, or what of a folder is read.

    Raises:
        RecordError: a folder without any.
    """
    if not place.is_dir():
        return [place]
    found = [place / name for name in IN_FOLDER if (place / name).is_file()]
    if not found:
        raise RecordError(
            f"holds neither {' nor '.join(IN_FOLDER)}",
            "name the folder of a corpus or a run, or a file in it",
            path=place,
        )
    return found


def suite_of(world: str) -> Path:
    """Where the frozen suite of a world is, if it has one."""
    return shipped_root().parent / "verifiers" / f"{world}.jsonl"


def suites() -> list[Path]:
    """The frozen suites that ship with the package."""
    return sorted(suite_of("x").parent.glob("*.jsonl"))


def schema_in(path: Path) -> str:
    """Tell what a file holds: the schema of tasks or of trajectories.

    Raises:
        RecordError: it holds neither, or cannot be read.
    """
    schema = schema_of(path)
    if schema not in (TASK_SCHEMA, TRAJECTORY_SCHEMA):
        raise RecordError(
            "holds no task and no trajectory that this version of davinci-env reads",
            "name a file of one or the other",
            path=path,
        )
    return str(schema)


def genuine(task: Task, path: Path) -> Task:
    """Return a task, if nobody altered what it asks since it got its id.

    Raises:
        RecordError: its id is not that of its content.
    """
    if task.asked_id != task.id:
        raise RecordError(
            f"task {task.id} was edited by hand: what it asks has the hash {task.asked_id}",
            f"put it back, or certify it as it is now with `davinci check {path} --update`",
            path=path,
        )
    return task
