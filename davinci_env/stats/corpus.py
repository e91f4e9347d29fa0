"""Reading a corpus for its statistics: tasks as they are, of trajectories only what is counted.

A trajectory carries its policy and tool schemas, so that thousands of them would fill the memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from davinci_env.errors import RecordError
from davinci_env.reading import files_of, genuine, schema_in
from davinci_env.records import (
    TASK_SCHEMA,
    AssistantMessage,
    Problem,
    Step,
    Task,
    Trajectory,
    encode,
    stream_jsonl,
)
from davinci_env.stats.structure import Structure, structure

TURNS: Final[Mapping[str, str]] = {
    "wish": "further-wish",
    "correction": "correction",
    "push-back": "push-back",
}
"""What a user does with a turn of their own -> the form that a task declares for it."""

OF_CONVERSATION: Final = frozenset((*TURNS.values(), "decline", "reply"))
"""Forms that the log of an episode shows, or doesn't."""


NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Episode:
    """What is counted of a trajectory."""

    passed: bool
    calls: int
    """Calls but for exact repeats."""
    recovered: bool
    """Whether it passed in spite of a mistake, marked as not to be learned."""
    turns: frozenset[int]
    """Turns after the request that the user came to."""
    answers: frozenset[str]
    """What the user's other messages were, by form: correction, decline, reply."""
    said: tuple[str, ...]
    """The assistant's messages."""
    values: frozenset[str]
    """Texts that tools took and returned."""
    structure: Structure


@dataclass(frozen=True, slots=True)
class Case:
    """A task with the episodes at it."""

    task: Task
    episodes: tuple[Episode, ...] = ()

    @property
    def forms(self) -> frozenset[str]:
        """The forms of goal and conversation; those of the conversation only where they happened.

        A script is a promise: where there are episodes, one of them has to keep it.
        """
        declared = frozenset(self.task.forms)
        if not self.episodes:
            return declared
        happened = {form for episode in self.episodes for form in self._happened(episode)}
        return declared - (OF_CONVERSATION - happened)

    def _happened(self, episode: Episode) -> Iterator[str]:
        yield from episode.answers
        for index in episode.turns:
            if index < len(self.task.request.turns):
                yield TURNS.get(self.task.request.turns[index].act, "")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Tasks with their episodes, and the lines that were neither."""

    cases: tuple[Case, ...]
    problems: tuple[tuple[Path, Problem], ...] = ()

    def by_domain(self) -> dict[str, list[Case]]:
        """The cases of each domain."""
        found: dict[str, list[Case]] = {}
        for case in self.cases:
            found.setdefault(case.task.world.name, []).append(case)
        return dict(sorted(found.items()))


def read_corpus(places: Sequence[Path]) -> Corpus:
    """Read corpus folders, or files of tasks and of trajectories at them.

    Raises:
        RecordError: a place holds neither, a task was edited by hand, or a trajectory's task is
            not there.
    """
    tasks: dict[str, Task] = {}
    episodes: dict[str, list[Episode]] = {}
    problems: list[tuple[Path, Problem]] = []
    files = list(dict.fromkeys(file for place in places for file in files_of(place)))
    for path in sorted(files, key=lambda file: schema_in(file) != TASK_SCHEMA):
        if schema_in(path) == TASK_SCHEMA:
            for found in stream_jsonl(path, Task):
                if isinstance(found, Problem):
                    problems.append((path, found))
                else:
                    tasks[found.id] = genuine(found, path)
            continue
        for line in stream_jsonl(path, Trajectory):
            if isinstance(line, Problem):
                problems.append((path, line))
            else:
                task = tasks.get(line.task_id)
                episodes.setdefault(line.task_id, []).append(episode(line, task))
    homeless = next((name for name in episodes if name not in tasks), None)
    if homeless is not None:
        raise RecordError(
            f"the task {homeless} of a trajectory is not in {', '.join(map(str, files))}",
            "name the file of its tasks as well",
            path=files[0],
        )
    cases = tuple(Case(task, tuple(episodes.get(name, ()))) for name, task in tasks.items())
    return Corpus(cases, tuple(problems))


def _recovered(messages: Sequence[AssistantMessage], calls: Sequence[Step]) -> bool:
    """Whether a call went wrong, or led nowhere, and the agent went on to a good end."""
    refused = [i for i, call in enumerate(calls) if call.error_code is not None]
    went_on = any(call.error_code is None for call in calls[min(refused, default=len(calls)) :])
    return went_on or any(one.weight == 0 and one.tool_calls for one in messages)


def episode(trajectory: Trajectory, task: Task | None = None) -> Episode:
    """Keep of a trajectory what is counted."""
    messages = [one for one in trajectory.messages if isinstance(one, AssistantMessage)]
    calls = [step for step in trajectory.steps if step.type == "call"]
    passed = trajectory.verdict.passed
    return Episode(
        passed=passed,
        calls=len({encode([step.tool, step.arguments], canonical=True) for step in calls}),
        recovered=passed and _recovered(messages, calls),
        turns=frozenset(
            int(step.event["index"])  # type: ignore[arg-type]
            for step in trajectory.steps
            if step.event is not None and step.event.get("kind") == "turn"
        ),
        answers=frozenset(_answers(trajectory.steps)),
        said=tuple(one.content for one in messages if one.content),
        values=frozenset(
            text for step in calls for text in texts_in([step.arguments, step.result])
        ),
        structure=structure(trajectory, task),
    )


def _answers(steps: Sequence[Step]) -> Iterator[str]:
    """What the user's messages within a turn were: a correction, a no, a reply to a question."""
    asked: set[Any] = set()
    events = [step.event for step in steps if step.event is not None]
    for event, after in zip_longest(events, events[1:], fillvalue=NOTHING):
        match event.get("kind"):
            case "asked":
                asked.add(event.get("fact"))
            case "revealed" if event.get("fact") in asked:
                yield "reply"
            case "corrected":
                yield "correction"
            # A no to what nobody wished for comes out of no script.
            case "declined" if event.get("tool") and after.get("kind") != "corrected":
                yield "decline"


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a JSON value, names of fields aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)
