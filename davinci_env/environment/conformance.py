"""The conformance kit: what every implementation of the protocol must hold, checked from outside.

    findings = check_environment(lambda: MyEnvironment(...))
    assert not findings, findings

The kit opens several instances, calls tools rightly and wrongly, takes snapshots and compares. It
knows nothing about the business; give it `calls` where it finds too few by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from ..domain.log import CallEntry, Event, Message
from ..errors import UsageError
from .probing import Call, bad_calls, good_calls
from .protocol import Environment, Outcome, ToolResult, ToolSpec

HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_RESERVED = {"reset", "step", "state", "close"}
_SAID: list[Message | Event] = [
    Message("user", "Hello."),
    Event("revealed", {"fact": "a fact", "value": "a value"}),
    Message("assistant", "Hello!"),
]


@dataclass(frozen=True)
class Finding:
    """Something that an environment does not hold: the check's name, and what was seen."""

    check: str
    text: str


def check_environment(
    factory: Callable[[], Environment], calls: Sequence[Call] | None = None
) -> list[Finding]:
    """Check an implementation of the protocol; no finding means that it conforms.

    Args:
        factory: opens a new environment, in the same start state each time.
        calls: calls that succeed from the start state; found by trying where not given.
    """
    findings: list[Finding] = []
    try:
        environment = factory()
        found = good_calls(environment) if calls is None else calls
        known = [(tool, dict(arguments)) for tool, arguments in found]
        environment.close()
    except Exception as error:
        return [Finding("open", f"opening and trying calls raised {_words(error)}")]
    for name, check in _CHECKS.items():
        environment = factory()
        try:
            findings += [Finding(name, text) for text in check(environment, known, factory)]
        except Exception as error:
            findings.append(Finding(name, f"raised {_words(error)}"))
        _close(environment, findings)
    return findings


def _close(environment: Environment, findings: list[Finding]) -> None:
    try:
        environment.close()
        environment.close()
    except Exception as error:
        finding = Finding("close", f"closing twice raised {_words(error)}")
        if finding not in findings:
            findings.append(finding)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


Check = Callable[[Environment, list[Call], Callable[[], Environment]], Iterator[str]]


def _metadata(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    data = environment.metadata
    if not (data.name and data.content_hash and isinstance(data.policy, str)):
        yield "name, content hash or policy is missing"
    for call in calls:
        environment.call(*call)
    if environment.metadata != data:
        yield "the metadata changed with the calls"


def _listing(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    first = environment.tools()
    first_names = [tool.name for tool in first]
    if not first:
        yield "no tools are listed"
    if environment.tools() != first:
        yield "two listings in a row differ"
    first.clear()
    if [tool.name for tool in environment.tools()] != first_names:
        yield "changing a listing changes the environment's own"
    if len(set(first_names)) != len(first_names):
        yield "two tools share a name"
    for tool in environment.tools():
        yield from (f"{tool.name}: {text}" for text in _form(tool))


def _form(tool: ToolSpec) -> Iterator[str]:
    """What every MCP client and chat API accepts."""
    if not _NAME.fullmatch(tool.name) or tool.name in _RESERVED:
        yield "clients don't accept this name"
    if not tool.description:
        yield "no description"
    for what, schema in (("parameters", tool.parameters), ("output", tool.output_schema)):
        if schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
            yield f"the schema of its {what} is no plain object schema with properties"
        if any(key in schema for key in ("oneOf", "anyOf", "$ref", "$defs")):
            yield f"the schema of its {what} is more than a plain object schema"
    if set(tool.annotations) != HINTS or not all(
        isinstance(value, bool) for value in tool.annotations.values()
    ):
        yield f"its annotations are not {', '.join(sorted(HINTS))}"


def _reset(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    start = environment.capture()
    if start.diff or start.violated or len(environment.log):
        yield "a new environment has changes, broken rules or a log"
    for call in calls:
        environment.call(*call)
    environment.observe(_SAID[0])
    for times in ("once", "twice"):
        environment.reset()
        if environment.capture() != start:
            yield f"resetting {times} does not return to the start state"
        if len(environment.log):
            yield f"resetting {times} leaves entries in the log"


def _unknown(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    before = environment.capture()
    known = {tool.name for tool in environment.tools()}
    for name in ("no_such_tool", "", "a" * 5000, "x\0", "\ud800"):
        if name in known:
            continue
        result = environment.call(name, {})
        if result.ok or result.code != "unknown_tool":
            yield f"calling {name[:20]!r} gives code {result.code!r}, not 'unknown_tool'"
        yield from _sound(result, "an unknown tool")
    if environment.capture() != before:
        yield "calling an unknown tool changed the state"


def _refusals(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    before = environment.capture()
    for tool in environment.tools():
        for problem, arguments in bad_calls(tool):
            where = f"{tool.name} with {problem}"
            try:
                result = environment.call(tool.name, arguments)
            except Exception as error:
                yield f"{where} raised {_words(error)}"
                continue
            if result.ok:
                yield f"{where} succeeded"
            yield from _sound(result, where)
            if environment.capture() != before:
                yield f"{where} changed the state"
                environment.reset()


def _results(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    outputs = {tool.name: tool.output_schema for tool in environment.tools()}
    for name, arguments in calls:
        environment.reset()
        given = orjson.dumps(arguments)
        result = environment.call(name, arguments)
        if not result.ok:
            yield f"{name} succeeded when tried and now gives {result.code!r}"
            continue
        yield from _sound(result, name)
        missing = set(outputs[name].get("required", ())) - set(result.content)
        if missing:
            yield f"the result of {name} lacks {', '.join(sorted(missing))}"
        if orjson.dumps(arguments) != given:
            yield f"{name} changed its caller's arguments"


def _sound(result: ToolResult, where: str) -> Iterator[str]:
    """Content and text say the same, as JSON; a refusal has code and message."""
    try:
        told = orjson.loads(result.text)
        content = orjson.loads(orjson.dumps(result.content))
    except (TypeError, ValueError) as error:
        yield f"the result of {where} is no JSON ({error})"
        return
    if told != content or not isinstance(content, dict):
        yield f"text and content of the result of {where} differ"
        return
    if not result.ok:
        told = content.get("error")
        if not isinstance(told, dict) or not told.get("code") or told["code"] != result.code:
            yield f"the refusal of {where} has no code"
        elif not isinstance(told.get("message"), str):
            yield f"the refusal of {where} has no message"


def _reads(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    reads = {t.name for t in environment.tools() if t.annotations.get("readOnlyHint")}
    before = environment.capture()
    for name, arguments in calls:
        if name in reads:
            environment.call(name, arguments)
            if environment.capture() != before:
                yield f"{name} says that it only reads, and changed the state"
                environment.reset()


def _log(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    expected: list[Any] = []
    for number, (name, arguments) in enumerate(calls):
        said = _SAID[number % len(_SAID)]
        environment.observe(said)
        environment.call(name, arguments)
        expected += [said, (name, arguments)]
    found = [
        (entry.tool, dict(entry.arguments)) if isinstance(entry, CallEntry) else entry
        for entry in environment.log
    ]
    if found != expected:
        yield "the log does not hold calls and observations in the order in which they happened"


def _snapshots(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    half = calls[: len(calls) // 2]
    rest = calls[len(half) :]
    _play(environment, half)
    older, kept = environment.snapshot(), _standing(environment)
    first = _play(environment, rest)
    younger = environment.snapshot()
    after = environment.capture()
    environment.observe(_SAID[0])
    environment.restore(younger)
    if environment.capture() != after:
        yield "restoring a snapshot just taken changes the state"
    for times in ("once", "twice"):
        environment.restore(older)
        if _standing(environment) != kept:
            yield f"restoring {times} does not bring back state, tools and log"
        if _play(environment, rest) != first or environment.capture() != after:
            yield f"after restoring {times}, the same calls do not give the same"
    environment.restore(older)
    try:
        environment.restore(younger)
    except UsageError:
        pass
    else:
        yield "a younger snapshot can still be restored after an older one was"
    if _standing(environment) != kept:
        yield "a refused restore changes the state"


def _standing(environment: Environment) -> tuple[Any, ...]:
    return environment.capture(), environment.tools(), list(environment.log)


def _play(environment: Environment, calls: Sequence[Call]) -> list[str]:
    return [environment.call(*call).text for call in calls]


def _deterministic(
    environment: Environment, calls: list[Call], factory: Callable[[], Environment]
) -> Iterator[str]:
    twin = factory()
    start = twin.capture()
    if environment.capture() != start:
        yield "two new environments differ"
    told = _play(environment, calls)
    if twin.capture() != start:
        yield "calls in one environment change another"
    if _play(twin, calls) != told:
        yield "the same calls give other results in another environment"
    if twin.capture() != environment.capture():
        yield "the same calls lead to another outcome in another environment"
    twin.close()


def _capture(environment: Environment, calls: list[Call], factory: Any) -> Iterator[str]:
    hashes: dict[str, Outcome] = {}
    for call in [None, *calls]:
        if call is not None:
            environment.call(*call)
        outcome, entries = environment.capture(), len(environment.log)
        if environment.capture() != outcome or len(environment.log) != entries:
            yield "two captures in a row differ, or capturing leaves a trace"
        try:
            diff = orjson.dumps(outcome.diff)
        except TypeError as error:
            yield f"the difference is no JSON ({error})"
            continue
        if bool(outcome.diff) != (outcome.state_hash != _first_hash(hashes, outcome)):
            yield "the state hash does not tell the start state from a changed one"
        other = hashes.setdefault(outcome.state_hash, outcome)
        if orjson.dumps(other.diff) != diff:
            yield "two different states have one hash"


def _first_hash(hashes: Mapping[str, Outcome], outcome: Outcome) -> str:
    """The hash of the first captured state."""
    return next(iter(hashes), outcome.state_hash)


_CHECKS: dict[str, Check] = {
    "metadata": _metadata,
    "listing": _listing,
    "reset": _reset,
    "unknown tool": _unknown,
    "refusals": _refusals,
    "results": _results,
    "reads": _reads,
    "log": _log,
    "snapshots": _snapshots,
    "deterministic": _deterministic,
    "capture": _capture,
}
