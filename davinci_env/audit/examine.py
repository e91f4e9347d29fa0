"""Examining one call: everything that has to hold of it, whatever it does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..domain import Domain, Tool
from ..domain.frames import Creates, Deletes, Moves, Sets
from ..domain.results import RowsShape
from ..environment import DomainEnvironment, ToolResult
from ..environment.domain_environment import DEFECT
from ..state import CREATED, DELETED, Change, TriggerWitness
from .accounts import disagreement
from .echoes import echoes, read_echoes
from .expectation import Case, Expectation, expect, single_moves
from .invariants import Invariants
from .leaks import Leaks
from .report import Findings
from .tally import Tally
from .wire import violation


class Examiner:
    """Makes calls in one world and checks each.

    Args:
        environment: the world; the examiner moves it.
        findings: where findings go.
        tally: where events are counted.
        thorough: how many calls of each kind of outcome are repeated, from the restored state and
            in a twin with a cold identity map, and how many results are paged through.
    """

    def __init__(
        self, environment: DomainEnvironment, findings: Findings, tally: Tally, thorough: int = 3
    ) -> None:
        self.environment, self.findings, self.tally = environment, findings, tally
        self.domain: Domain = environment.domain
        self.thorough = thorough
        self.witness = TriggerWitness(environment.world)
        self.start = environment.snapshot()
        self.invariants = Invariants(self.domain, findings)
        self.leaks = Leaks(environment, findings)
        self._repeated: dict[tuple[str, str | None], int] = {}
        self._schemas = {t.name: t.shape.schema() for t in self.domain.tools.values()}
        self._sound = True

    def restart(self) -> None:
        """Return to the start state, with an empty log."""
        self.environment.restore(self.start)
        self.environment.log.entries.clear()
        self.invariants.restart()

    def call(self, case: Case) -> ToolResult:
        """Make one call and check it. Raises Found where the first finding ends the audit."""
        environment, tool, world = self.environment, case.tool, self.environment.world
        if case.values is None and case.malformed is None:
            return self._anything_but_a_defect(case)
        try:
            expected = expect(environment, case)
        except Exception as error:  # a rule that raises is a finding, not a crash of the audit
            text = f"a rule of it raises {type(error).__name__}: {error}"
            self.findings.add("crash", tool.name, text, tool.line)
            return environment.call(tool.name, case.arguments)
        outcome = (tool.name, expected.code)
        repeat = self._repeated.get(outcome, 0) < self.thorough
        if repeat:
            self._repeated[outcome] = self._repeated.get(outcome, 0) + 1
            result, changes = self._repeat(case)
        else:
            before = len(world.log)
            result = environment.call(tool.name, case.arguments)
            changes = world.changes_since(before)
        self.count(case, result, changes, expected)
        self._outcome(tool, case, result, expected)
        self._changes(case, result, changes, expected)
        if result.ok and result.data is not None:
            fault = violation(result.data, self._schemas[tool.name])
            if fault is not None:
                self.findings.add("result-schema", tool.name, _general(fault), tool.line)
            self.leaks.check(tool, result, expected)
            if tool.kind == "read":
                read_echoes(self.environment, case, result, self.findings)
            if repeat:
                self._pages(case, result)
        return result

    def _anything_but_a_defect(self, case: Case) -> ToolResult:
        """A call of which only its author knows the answer; it may not escape as a defect."""
        snapshot = self.environment.snapshot()
        result = self.environment.call(case.tool.name, case.arguments)
        if result.code == DEFECT:
            detail = _general(str(result.details.get("error", "")))
            self.findings.add("crash", case.tool.name, f"fails with {detail}", case.tool.line)
        self.environment.restore(snapshot)
        self.environment.release(snapshot)
        return result

    # -- repeating ---------------------------------------------------------------------------------

    def _repeat(self, case: Case) -> tuple[ToolResult, list[Change]]:
        """Make a call three times from the same state: here, after restoring, and in a twin that
        knows no row yet."""
        environment, name = self.environment, case.tool.name
        twin = environment.fork()
        try:
            snapshot = environment.snapshot()
            runs = []
            for again in range(2):
                if again:
                    environment.restore(snapshot)
                before = len(environment.world.log)
                result = environment.call(name, case.arguments)
                runs.append((result.text, environment.world.changes_since(before)))
            environment.release(snapshot)
            before = len(twin.world.log)
            other = twin.call(name, case.arguments)
            runs.append((other.text, twin.world.changes_since(before)))
        finally:
            twin.close()
        for run, place in ((runs[1], "after restoring"), (runs[2], "in a fork")):
            if run != runs[0]:
                what = "result" if run[0] != runs[0][0] else "state"
                text = f"gives another {what} {place}, from the same state and arguments"
                self.findings.add("determinism", name, text, case.tool.line)
        return result, runs[1][1]

    def _pages(self, case: Case, result: ToolResult) -> None:
        """All pages together have each row once, as many as the total says."""
        shape, tool = case.tool.shape, case.tool
        if not isinstance(shape, RowsShape) or not shape.paged or result.data is None:
            return
        first = {k: v for k, v in case.arguments.items() if k not in ("page", "offset", "cursor")}
        rows: list[tuple[str, str]] = []
        page: dict[str, Any] | None = {}
        total = shape.total(result.data)
        for _ in range(total + 2):
            if page is None:
                break
            found = self.environment.call(tool.name, {**first, **page})
            if not found.ok or found.data is None:
                text = f"refuses the next page ({found.code}) that it announced"
                self.findings.add("pages", tool.name, text, tool.line)
                return
            rows += found.seen
            page = shape.next_page(found.data)
        if page is not None or len(rows) != total or len(dict.fromkeys(rows)) != total:
            kinds = len(dict.fromkeys(rows))
            text = f"has {len(rows)} rows on its pages, {kinds} of them different, and says {total}"
            self.findings.add("pages", tool.name, text, tool.line)

    # -- checks ------------------------------------------------------------------------------------

    def count(
        self, case: Case, result: ToolResult, changes: list[Change], expected: Expectation
    ) -> None:
        """Count what a call showed."""
        note, tool = self.tally.note, case.tool
        if result.ok:
            for wire in case.arguments:
                note("given", tool.name, wire)
        note("call", tool.name)
        note(*(("ok", tool.name) if result.ok else ("refused", tool.name)))
        if result.code is not None:
            note("code", tool.name, result.code)
        for code, verdict in expected.verdicts.items():
            note("rule", code, verdict)
        if result.ok and tool.kind == "write":
            self._declared(tool, changes, expected)

    def _outcome(self, tool: Tool, case: Case, result: ToolResult, expected: Expectation) -> None:
        """Success or refusal is what the contract says, and the code is one of it."""
        add = self.findings.add
        if result.code == DEFECT:
            detail = result.details.get("error", "")
            add("crash", tool.name, f"fails with {_general(str(detail))}", tool.line)
            return
        if result.ok and expected.code is not None:
            add("error-code", tool.name, f"succeeds where {expected.code} applies", tool.line)
        if not result.ok:
            code = str(result.code)
            if code not in tool.codes:
                add(
                    "error-code",
                    tool.name,
                    f"refuses with {code}, which it does not declare",
                    tool.line,
                )
            elif expected.code is not None and code != expected.code:
                add(
                    "error-code",
                    tool.name,
                    f"refuses with {code} where {expected.code} applies",
                    tool.line,
                )
            elif expected.code is None and code not in tool.errors and not _is_absence(tool, code):
                add(
                    "error-code", tool.name, f"refuses with {code}, which does not apply", tool.line
                )
            if not result.message:
                add("error-code", tool.name, f"refuses with {code} and says nothing", tool.line)
        if result.ok and result.violated != expected.violated:
            text = f"records {result.violated} as broken, and {expected.violated} are"
            add("violated", tool.name, text, tool.line)

    def _changes(
        self, case: Case, result: ToolResult, changes: list[Change], expected: Expectation
    ) -> None:
        add, world, tool = self.findings.add, self.environment.world, case.tool
        if not result.ok or tool.kind == "read":
            if changes:
                what = "a read" if result.ok else f"a refusal ({result.code})"
                tables = ", ".join(sorted({c.table for c in changes}))
                check = "read-changes" if result.ok else "atomicity"
                add(check, tool.name, f"{what} changes {tables}", tool.line)
        elif not changes:
            add("no-change", tool.name, "succeeds without changing anything", tool.line)
        else:
            self._inside_frame(tool, changes, expected)
            self._end_states(tool, expected)
            self._arcs(tool, changes)
            echoes(self.environment, case, changes, self.findings)
            self.invariants.check(world, tool, changes)
        if self._sound and (tool.kind == "write" or changes):
            fault = disagreement(world, self.witness)
            if fault is not None:
                self._sound = False  # no later call in this world is to blame
                check = "accounts" if result.ok else "atomicity"
                add(
                    check,
                    tool.name,
                    f"cell log and SQLite disagree afterwards ({_general(fault)})",
                    tool.line,
                )

    def _inside_frame(self, tool: Tool, changes: list[Change], expected: Expectation) -> None:
        for change in changes:
            place = (change.table, change.key)
            if change.op == CREATED:
                if change.table not in expected.created:
                    self._outside(tool, f"creates a row of {change.table}")
            elif change.op == DELETED:
                if place not in expected.deleted and change.table not in expected.deletable:
                    self._outside(tool, f"deletes a row of {change.table}")
            else:
                allowed = expected.cells.get(place)
                for column, (old, new) in change.cells.items():
                    if allowed is None or column not in allowed:
                        reach = (
                            " of a row that its arguments do not reach" if allowed is None else ""
                        )
                        self._outside(tool, f"changes {change.table}.{column}{reach}")
                    elif (moves := allowed[column]) is not None and (old, new) not in moves:
                        self._outside(tool, f"moves {change.table} from {old!r} to {new!r}")

    def _outside(self, tool: Tool, text: str) -> None:
        self.findings.add("frame", tool.name, f"{text}, outside its frame", tool.line)

    def _end_states(self, tool: Tool, expected: Expectation) -> None:
        world = self.environment.world
        for (table, key), states in expected.ends.items():
            row = world.get(world.schema.by_table[table], key)
            if row is not None:
                state = getattr(row, str(row._info.state_column))
                if state not in states:
                    wanted = " or ".join(map(repr, sorted(states)))
                    text = f"leaves {table} in state {state!r}, and declares {wanted}"
                    self.findings.add("end-state", tool.name, text, tool.line)

    def _arcs(self, tool: Tool, changes: list[Change]) -> None:
        """Rows start in the start state and move along arcs that tools may move."""
        by_table = self.environment.world.schema.by_table
        for change in changes:
            info = by_table[change.table]._info
            cycle, column = info.lifecycle, info.state_column
            if cycle is None or column not in change.cells or change.op == DELETED:
                continue
            old, new = change.cells[column]
            if change.op == CREATED and new != cycle.start:
                text = f"creates a {info.noun} in state {new!r}, and it starts as {cycle.start!r}"
                self.findings.add("lifecycle", tool.name, text, tool.line)
            elif change.op != CREATED and (old, new) not in cycle.arcs - cycle.outside:
                text = f"moves a {info.noun} from {old!r} to {new!r}, which is no arc of tools"
                self.findings.add("lifecycle", tool.name, text, tool.line)

    def _declared(self, tool: Tool, changes: list[Change], expected: Expectation) -> None:
        """Count which pieces of the frame were seen."""
        note = self.tally.note
        by_place = {(c.table, c.key): c for c in changes}
        for position, item in enumerate(tool.frame):
            if isinstance(item, Creates | Deletes):
                table = item.entity._info.table if item.entity else None
                gone = {(r._info.table, r.id) for r in expected.paths.get(position, ())}
                op = CREATED if isinstance(item, Creates) else DELETED
                if any(
                    c.op == op and (c.table == table or (c.table, c.key) in gone) for c in changes
                ):
                    note("change", tool.name, position, op)
                continue
            for row in expected.paths.get(position, ()):
                change = by_place.get((row._info.table, row.id))
                cells: Mapping[str, Any] = change.cells if change and change.op != DELETED else {}
                if isinstance(item, Sets):
                    for column in item.columns:
                        if column in cells:
                            note("change", tool.name, position, column)
                elif change is None or change.op != DELETED:
                    self._moved(tool, position, item, row, cells)

    def _moved(
        self, tool: Tool, position: int, item: Moves, row: Any, cells: Mapping[str, Any]
    ) -> None:
        note, column = self.tally.note, str(row._info.state_column)
        now = getattr(row, column)
        old = cells[column][0] if column in cells else now
        # Among the rows of a back list, one that stays as it is tells nothing.
        tells = column in cells or item.stays or item in single_moves(tool)
        if old in item.source and tells:
            note("change", tool.name, position, "from", old)
        if now in item.target and tells:
            note("change", tool.name, position, "to", now)
        if column in cells:
            note("change", tool.name, position, "moved")


def _is_absence(tool: Tool, code: str) -> bool:
    """Whether a derived look-up reports that nothing has the value that was asked for."""
    return tool.derived == "find" and code.endswith("_not_found")


def _general(text: str) -> str:
    """An error text without the ids in it, so that one fault is one finding."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|\b\w*\d\w*\b", "…", text)[:120]
