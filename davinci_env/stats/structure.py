"""Structure: how a trajectory moves between domains, and what its calls owe to one another (§C.1.4
of the paper).

Calls that were refused do not count. `d_i`, `a_i` and `o_i` are the domain, the arguments and the
result of the i-th call.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Final

from davinci_env.records import Task, Trajectory

SHORTEST: Final = 4
"""Letters of the shortest text that counts as carried from one call to another."""

_MEASURED: Final = re.compile(r"-?[\d.,:/-]*\d[T ]?[\d:.]*|PT\w+")
"""Dates, times, amounts, lengths of time: equal ones need not mean the same."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The structure of one trajectory.

    Attributes:
        calls: m, the calls that were carried out.
        characters: length of the conversation, results included.
        domains: how many different d_i there are.
        transitions: X, the number of i >= 2 with d_i != d_(i-1).
        transfers: E, the number of (i, j, v) with i < j, d_i != d_j and a value v of o_i in a_j,
            where v is a text of at least four letters, neither told by the person nor shown in
            d_j before o_i, and no choice of an argument, no date and no amount. Dates and
            amounts count where the words of the task ask for them from a record elsewhere.
        dependencies: R, the number of (i, j) with i < j where c_i is a read, c_j a write and a
            value of o_i that the person did not tell is in a_j.
        cross_dependencies: the number of (i, j) with i < j, d_i != d_j, of which one at least is a
            write, where such a value goes from one to the other; and of writes of two domains of
            which a rule over both wants one done before the other.
        depth: calls on the longest way over dependencies, 1 where there is none.
    """

    calls: int
    characters: int
    domains: int
    transitions: int
    transfers: int
    dependencies: int
    cross_dependencies: int
    depth: int

    @property
    def transition_rate(self) -> float:
        """X / (m - 1); 0 for a single call."""
        return self.transitions / (self.calls - 1) if self.calls > 1 else 0.0


@dataclass(frozen=True, slots=True)
class _Done:
    """A call that was carried out."""

    domain: str
    writes: bool
    given: frozenset[str]
    shown: frozenset[str]


def structure(trajectory: Trajectory, task: Task | None = None) -> Structure:
    """Measure a trajectory.

    Args:
        task: tells of values that go from one domain to another in another form, such as a date,
            and of rules over two domains. They count where the trajectory passed.
    """
    calls = list(_calls(trajectory))
    apart = _told(trajectory), _choices(trajectory)
    flows = [
        (i, j, value)
        for i, j in combinations(range(len(calls)), 2)
        for value in calls[i].shown & calls[j].given
        if value not in apart[0] and value not in apart[1]
    ]
    links = {(i, j) for i, j, _ in flows}
    written = {(i, j) for i, j in links if calls[i].writes or calls[j].writes}
    done = task if trajectory.verdict.passed else None
    carried = 0 if done is None else _carried(done)
    enabled = int(done is not None and "cross-chain" in done.forms)
    return Structure(
        calls=len(calls),
        characters=sum(len(str(m.content or "")) for m in trajectory.messages),
        domains=len({call.domain for call in calls}),
        transitions=sum(a.domain != b.domain for a, b in pairwise(calls)),
        transfers=sum(_moves(calls, i, j, value) for i, j, value in flows) + carried,
        dependencies=sum(not calls[i].writes and calls[j].writes for i, j in written) + carried,
        cross_dependencies=sum(calls[i].domain != calls[j].domain for i, j in written)
        + carried
        + enabled,
        depth=_depth(len(calls), links),
    )


def _carried(task: Task) -> int:
    """How many arguments take their value from a record elsewhere, by the reading of the words."""
    intents: list[Any] = [
        *task.request.intents, *(i for t in task.request.turns[1:] for i in t.intents)
    ]  # fmt: skip
    specs = [spec for intent in intents for spec in intent.get("arguments", {}).values()]
    return sum("of" in spec for spec in specs)


def _moves(calls: Sequence[_Done], i: int, j: int, value: str) -> bool:
    """Whether a call has a value that was learned in another domain first."""
    own = calls[j].domain
    known = any(call.domain == own and value in call.shown for call in calls[:i])
    return calls[i].domain != own and not known


def _depth(number: int, flows: set[tuple[int, int]]) -> int:
    longest = [1] * number
    for i, j in sorted(flows, key=lambda flow: flow[1]):
        longest[j] = max(longest[j], longest[i] + 1)
    return max(longest, default=0)


def _calls(trajectory: Trajectory) -> Iterator[_Done]:
    for step in trajectory.steps:
        if step.type == "call" and step.error_code is None:
            yield _Done(
                step.domain or trajectory.world.name,
                bool(step.changes),
                frozenset(_atoms(step.arguments)),
                frozenset(_atoms(step.result)),
            )


def _told(trajectory: Trajectory) -> str:
    """What the person said."""
    said = [s for s in trajectory.steps if s.type == "message" and s.by == "user"]
    return "\n".join(str(step.result) for step in said).casefold()


def _choices(trajectory: Trajectory) -> frozenset[str]:
    """The values among which the tools let choose."""
    schemas: list[Any] = [tool.function.parameters for tool in trajectory.tools]
    return frozenset(
        str(value).casefold()
        for schema in schemas
        for spec in schema.get("properties", {}).values()
        for value in (*spec.get("enum", ()), *spec.get("items", {}).get("enum", ()))
    )


def _atoms(value: Any) -> Iterator[str]:
    """The texts in a JSON value that name something; dates, times and amounts do not."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _atoms(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _atoms(inner)
    elif isinstance(value, str) and len(value) >= SHORTEST and not _MEASURED.fullmatch(value):
        yield value.casefold()
