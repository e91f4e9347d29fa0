"""A ledger of one number: the smallest environment that has something to get wrong.

It stands in where a test is about the server and not about a domain: nothing to load, any kind, any
behaviour.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from davinci_env.environment import (
    Environment,
    Event,
    Message,
    Metadata,
    Outcome,
    Snapshot,
    ToolResult,
    ToolSpec,
)
from davinci_env.records import RequirementVerdict, Task, Verdict

POLICY = "# Ledger\n\nNever take more than is there."


def metadata(kind: str = "domain") -> Metadata:
    return Metadata(
        name="ledger",
        kind=kind,
        version=1,
        content_hash="0" * 64,
        seed=0,
        scale=1.0,
        actor=None,
        benchmark=None,
        access="staff",
        policy=POLICY,
    )


def _spec(name: str, properties: dict[str, Any], required: list[str], reads: bool) -> ToolSpec:
    return ToolSpec(
        name=name,
        title=name.title(),
        description=f"{name} the total.",
        parameters={
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
        output_schema={
            "type": "object",
            "properties": {"total": {"type": "integer"}},
            "required": ["total"],
        },
        annotations={
            "readOnlyHint": reads,
            "destructiveHint": False,
            "idempotentHint": reads,
            "openWorldHint": False,
        },
    )


AMOUNT = {"type": "integer", "minimum": 1, "maximum": 100, "description": "How much."}
SPECS = [
    _spec("look", {}, [], True),
    _spec("add", {"amount": AMOUNT}, ["amount"], False),
    _spec("take", {"amount": AMOUNT}, ["amount"], False),
    _spec("crash", {}, [], False),
]


class Ledger:
    """An environment whose state is one total. `take` refuses what isn't there, `crash` raises."""

    def __init__(self, kind: str = "domain", total: int = 0) -> None:
        self.metadata = metadata(kind)
        self.start = total
        self.total = total
        self.log: list[Any] = []
        self.closed = False

    def tools(self) -> list[ToolSpec]:
        # `take` appears once there is something to take: tools are listed anew each time.
        return [spec for spec in SPECS if spec.name != "take" or self.total > 0]

    def reset(self) -> None:
        self.total = self.start
        self.log.clear()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        assert not self.closed
        result = self._call(tool, arguments)
        self.log.append((tool, dict(arguments), result.code))
        return result

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        if tool not in {spec.name for spec in self.tools()}:
            return _refused("unknown_tool", f"There is no tool {tool!r}.")
        if tool == "crash":
            raise RuntimeError("secret of the house")
        if tool != "look":
            amount = arguments.get("amount")
            fits = isinstance(amount, int) and 1 <= amount <= 100 and set(arguments) == {"amount"}
            if not fits:
                return _refused("invalid_arguments", "amount: one whole number.")
            if tool == "take" and amount > self.total:
                return _refused("not_enough", f"Only {self.total} left.")
            self.total += amount if tool == "add" else -amount
        return ToolResult(
            ok=True, data={"total": self.total}, code=None, message="", violated=("kept_inside",)
        )

    def observe(self, entry: Message | Event) -> None:
        self.log.append(entry)

    def snapshot(self) -> Snapshot:
        return (self.total, list(self.log))

    def restore(self, snapshot: Snapshot) -> None:
        self.total, self.log = snapshot[0], list(snapshot[1])

    def capture(self) -> Outcome:
        state_hash = hashlib.sha256(json.dumps(self.total).encode()).hexdigest()
        return Outcome(state_hash=state_hash, diff=[], violated=())

    def close(self) -> None:
        self.closed = True


def _refused(code: str, message: str) -> ToolResult:
    return ToolResult(ok=False, code=code, message=message)


def _start(task: Task) -> int:
    start = task.world.start_changes
    return start if isinstance(start, int) else 0


class LedgerSource:
    """Gives ledgers; counts what it gave, parked and resumed."""

    def __init__(self, kind: str = "domain", parks: bool = True) -> None:
        self.metadata = metadata(kind)
        self.kind = kind
        self.parks = parks
        self.opened: list[Ledger] = []
        self.judge_fails = False
        self.judged: list[Any] = []
        self.parked = 0
        self.resumed = 0

    def open(self) -> Environment:
        self.opened.append(Ledger(self.kind))
        return self.opened[-1]

    def open_for(self, task: Task) -> Environment:
        self.opened.append(Ledger(self.kind, total=_start(task)))
        return self.opened[-1]

    def judge(self, task: Task, environment: Environment) -> Verdict:
        """A task is passed when the ledger holds three."""
        assert isinstance(environment, Ledger)
        if self.judge_fails:
            raise RuntimeError("secret of the house")
        self.judged.append((task.id, list(environment.log)))
        held = RequirementVerdict(
            id="three", passed=environment.total == 3, evidence=environment.total
        )
        return Verdict(passed=held.passed, requirements=(held,))

    def park(self, environment: Environment) -> Any:
        if not self.parks:
            return None
        assert isinstance(environment, Ledger)
        self.parked += 1
        environment.close()
        return environment.total, list(environment.log)

    def resume(self, parked: Any) -> Environment:
        self.resumed += 1
        ledger = Ledger(self.kind)
        ledger.total, ledger.log = parked
        self.opened.append(ledger)
        return ledger
