"""Mutants: golden scripts with one thing wrong. Each must fail, unless it comes to an accepted
outcome.

Operators follow the house's list: dropped and repeated steps, wrong rows, wrong owners, perturbed
values, unrequested writes, broken order, skipped duties, and answers that are missing, wrong,
swapped, stale or shot-gun.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from ..domain import Parameter, Tool
from ..environment import DomainEnvironment, Event, Message
from ..planning import Survey, wire_arguments
from ..records import RuleNamedCheck, Task
from .answers import SUCCESS, answer_mutants, rule_mutants, slots_of
from .mutants_across import Across, Mutant
from .scripts import Do, Entry, Script


class Mutator(Across):
    """Makes the mutants of one task's golden script.

    Args:
        environment: stands at the task's start.
        rng: chooses among the many possible mutants.
    """

    def __init__(
        self, task: Task, golden: Script, environment: DomainEnvironment, values: Mapping[str, Any],
        rng: random.Random,
    ) -> None:  # fmt: skip
        self.task, self.golden, self.environment = task, golden, environment
        self.values, self.rng = values, rng
        self.survey = Survey(environment, rng)
        self.tools = environment.domain.tools
        self.writes = [
            i
            for i, e in enumerate(golden.entries)
            if isinstance(e, Do) and self.tools[e.tool].kind == "write"
        ]

    def words(self, turn: int) -> Iterator[Mutant]:
        """The golden script with another final message in a turn."""
        domain = self.environment.domain
        final = self.golden.final(turn)
        said = itertools.chain(
            answer_mutants(self.task, turn, final, self.values, domain),
            rule_mutants(self.task, turn, domain),
        )
        for operator, text, meaning in said:
            yield Mutant(operator, self.golden.saying(text, meaning, turn))
        if turn and slots_of(self.task, turn):
            before = self.golden.final(turn - 1)
            yield Mutant("earlier-answer", self.golden.saying(before, "earlier", turn))

    def deeds(self) -> Iterator[Mutant]:
        """Scripts that do something else, the operators taking turns."""
        makers = [
            self._drop, self._wrong_row, self._skip_duty, self._perturb, self._extra, self._twice,
            self._order, self._wrong_owner, self._no_reads, self._do_it, self._overreach,
            self._for_another, self._despite_no, self._ignore_turn, self._one_half,
            self._other_source, self._other_domain, self._across,
        ]  # fmt: skip
        running = [maker() for maker in makers]
        while running:
            for source in list(running):
                mutant = next(source, None)
                if mutant is None:
                    running.remove(source)
                else:
                    yield mutant

    # -- steps -------------------------------------------------------------------------------------

    def _edit(self, index: int, *entries: Entry) -> Script:
        before, after = self.golden.entries[:index], self.golden.entries[index + 1 :]
        return replace(self.golden, entries=(*before, *entries, *after))

    def _drop(self) -> Iterator[Mutant]:
        for index in self.writes:
            yield Mutant("drop-step", self._edit(index))
        if len(self.writes) > 1:
            first = self.writes[0]
            yield Mutant(
                "stop-early", replace(self.golden, entries=self.golden.entries[: first + 1])
            )

    def _ignore_turn(self) -> Iterator[Mutant]:
        """Nothing is done about what a later turn wants, but all is said to be done."""
        for turn in range(1, len(self.golden.turns)):
            begin, end = self.golden.turns[turn - 1], self.golden.turns[turn]
            if not any(begin < index < end for index in self.writes):
                continue
            kept = [e for e in self.golden.entries[begin:end] if not isinstance(e, Do)]
            entries = (*self.golden.entries[:begin], *kept, *self.golden.entries[end:])
            yield Mutant("ignore-turn", replace(self.golden, entries=entries))
            script = Script(entries, self.golden.meanings)
            yield Mutant("ignore-turn", script.saying(SUCCESS, "success", turn))

    def _twice(self) -> Iterator[Mutant]:
        for index in self.writes:
            call = self.golden.entries[index]
            assert isinstance(call, Do)
            again = (self._confirm(call), call) if self._needs_yes(call) else (call,)
            yield Mutant("twice", self._edit(index, call, *again))

    def _order(self) -> Iterator[Mutant]:
        for a, b in zip(self.writes, self.writes[1:], strict=False):
            entries = list(self.golden.entries)
            entries[a], entries[b] = entries[b], entries[a]
            yield Mutant("order", replace(self.golden, entries=tuple(entries)))

    def _no_reads(self) -> Iterator[Mutant]:
        def is_read(entry: Entry) -> bool:
            return isinstance(entry, Do) and self.tools[entry.tool].kind == "read"

        yield Mutant("drop-reads", self.golden.without(is_read))

    # -- arguments ---------------------------------------------------------------------------------

    def _changed(self, index: int, wire: str, value: Any) -> Script:
        """The script with another argument, confirmed as it stands then."""
        call = self.golden.entries[index]
        assert isinstance(call, Do)
        other = Do(call.tool, {**call.arguments, wire: value})
        entries = [
            _reconfirm(e, call, other) if isinstance(e, Event) else e for e in self.golden.entries
        ]
        entries[index] = other
        return replace(self.golden, entries=tuple(entries))

    def _wrong_row(self) -> Iterator[Mutant]:
        for index, _, parameter in self._arguments(rows=True):
            assert parameter.entity is not None
            now = self._now(index, parameter)
            rows = [r for r in self.survey.rows(parameter.entity) if r.id not in now]
            for row in self._sample(rows, 4):
                value = [row.id] if parameter.type.many else row.id
                yield Mutant("wrong-row", self._changed(index, parameter.wire, value))

    def _wrong_owner(self) -> Iterator[Mutant]:
        owner_of, actor = self.environment.domain.owner_of, self.survey.actor
        for index, _, parameter in self._arguments(rows=True):
            assert parameter.entity is not None
            rows = self.environment.world.all(parameter.entity)
            others = [r for r in rows if owner_of(r) not in (None, actor)]
            for row in self._sample(others, 2):
                value = [row.id] if parameter.type.many else row.id
                yield Mutant("wrong-owner", self._changed(index, parameter.wire, value))

    def _perturb(self) -> Iterator[Mutant]:
        for index, tool, parameter in self._arguments(rows=False):
            call = self.golden.entries[index]
            assert isinstance(call, Do)
            for value in self._others(tool, parameter, call.arguments[parameter.wire]):
                yield Mutant("perturbed", self._changed(index, parameter.wire, value))

    def _others(self, tool: Tool, parameter: Parameter, wire: Any) -> list[Any]:
        """Other legal values of an argument, in wire form."""
        if parameter.type.many:
            return []
        if parameter.type.choices:
            return self._sample([c for c in parameter.type.choices if c != wire], 3)
        codec = tool.dialect.codec(str(parameter.type.kind))
        value = codec.read(wire) if codec.read else wire
        if parameter.type.kind == "bool":
            others: list[Any] = [not value]
        elif parameter.type.kind in ("int", "money", "minutes"):
            others = [
                v for v in (value - 1, value + 1, value * 2, value // 2) if v > 0 and v != value
            ]
        elif isinstance(value, date):
            others = [value + timedelta(days=n) for n in (1, -1, 7)]
        elif parameter.like is not None:
            entity, column = parameter.like
            known = {getattr(r, column) for r in self.survey.rows(entity)} - {value, None}
            others = self._sample(sorted(known, key=str), 2)
        else:
            others = []
        return [codec.show(v) if codec.show else v for v in others]

    def _arguments(self, rows: bool) -> Iterator[tuple[int, Tool, Parameter]]:
        for index in self.writes:
            call = self.golden.entries[index]
            assert isinstance(call, Do)
            tool = self.tools[call.tool]
            for parameter in tool.parameters:
                if parameter.wire in call.arguments and (parameter.entity is not None) == rows:
                    yield index, tool, parameter

    def _now(self, index: int, parameter: Parameter) -> list[str]:
        call = self.golden.entries[index]
        assert isinstance(call, Do)
        value = call.arguments[parameter.wire]
        return value if isinstance(value, list) else [value]

    # -- more and less -----------------------------------------------------------------------------

    def _extra(self) -> Iterator[Mutant]:
        """Writes that nobody asked for: beside the golden ones, and in the last one's place."""
        turns = len(self.golden.turns)
        for number, call in enumerate(self._unasked()):
            entries = (self._confirm(call), call) if self._needs_yes(call) else (call,)
            turn = (turns - 1 - number) % turns
            yield Mutant("extra-write", self.golden.insert_before_end(*entries, turn=turn))
            if self.writes:
                yield Mutant("instead", self._edit(self.writes[-1], *entries))
        yield from self._extra_pairs()

    def _extra_pairs(self) -> Iterator[Mutant]:
        """Two writes that nobody asked for."""
        calls = list(itertools.islice(self._unasked(), 4))
        for first, second in itertools.combinations(calls, 2):
            entries: list[Entry] = []
            for call in (first, second):
                entries += [self._confirm(call), call] if self._needs_yes(call) else [call]
            yield Mutant("extra-writes", self.golden.insert_before_end(*entries))

    def _unasked(self) -> Iterator[Do]:
        """Free writes of the actor's that the golden script doesn't make: one of each tool, then a
        second one.
        """
        golden = {(e.tool, repr(e.arguments)) for e in self.golden.entries if isinstance(e, Do)}
        tools = self.survey.writes()
        self.rng.shuffle(tools)
        second: list[Do] = []
        for tool in tools:
            found: list[Do] = []
            for number, binding in enumerate(self.survey.bindings(tool)):
                if not binding.blocked:
                    call = Do(tool.name, wire_arguments(tool, binding.values))
                    if (call.tool, repr(call.arguments)) not in golden:
                        found.append(call)
                if len(found) == 2 or number > 60:
                    break
            yield from found[:1]
            second += found[1:]
        yield from second

    def _overreach(self) -> Iterator[Mutant]:
        """The same write for a second row as well."""
        for index, _, parameter in self._arguments(rows=True):
            assert parameter.entity is not None
            call = self.golden.entries[index]
            assert isinstance(call, Do)
            now = self._now(index, parameter)
            rows = [r for r in self.survey.rows(parameter.entity) if r.id not in now]
            for row in self._sample(rows, 3):
                value = [row.id] if parameter.type.many else row.id
                more = Do(call.tool, {**call.arguments, parameter.wire: value})
                again = (self._confirm(more), more) if self._needs_yes(more) else (more,)
                yield Mutant("overreach", self._edit(index, call, *again))

    def _for_another(self) -> Iterator[Mutant]:
        """A write to somebody else's records."""
        domain, actor = self.environment.domain, self.survey.actor
        people = [p for p in domain.regulars(self.environment.world) if p is not actor]
        for person in self._sample(people, 2):
            other = Survey(self.environment, self.rng)
            other.actor = person
            for tool in self._sample(other.writes(), 4):
                for number, binding in enumerate(other.bindings(tool)):
                    if not binding.blocked:
                        call = Do(tool.name, wire_arguments(tool, binding.values))
                        entries = (self._confirm(call), call) if self._needs_yes(call) else (call,)
                        yield Mutant("for-somebody-else", self.golden.insert_before_end(*entries))
                        break
                    if number > 20:
                        break

    def _skip_duty(self) -> Iterator[Mutant]:
        for operator, kind in (("no-confirmation", "confirmed"), ("no-identification", "revealed")):
            if any(map(_is_event(kind), self.golden.entries)):
                yield Mutant(operator, self.golden.without(_is_event(kind)))
        if any(map(_is_event("asked"), self.golden.entries)):
            yield Mutant("not-asked", self.golden.without(_is_event("asked")))
            yield Mutant("asked-late", self._asked_late())

    def _asked_late(self) -> Script:
        """The question comes after the writes."""
        asked = filter(_is_event("asked"), self.golden.entries)
        return self.golden.without(_is_event("asked")).insert_before_end(*asked)

    def _despite_no(self) -> Iterator[Mutant]:
        """What the user declined is done all the same, or was never proposed."""
        for index, entry in enumerate(self.golden.entries):
            if isinstance(entry, Event) and entry.kind == "declined" and entry.subject["tool"]:
                call = Do(entry.subject["tool"], entry.subject["arguments"])
                yield Mutant("despite-no", self._edit(index, entry, call))
                yield Mutant("not-proposed", self._edit(index))

    def _do_it(self) -> Iterator[Mutant]:
        """What is denied is done all the same, and told."""
        denied = {r.turn for r in self.task.requirements if isinstance(r.check, RuleNamedCheck)}
        if not denied:
            return
        golden = {(e.tool, repr(e.arguments)) for e in self.golden.entries if isinstance(e, Do)}
        for item in self.task.request.user.plan:
            wish: Any = item.get("wish")
            turn = int(str(item.get("turn", 0)))
            if (
                wish is not None
                and turn in denied
                and (wish["tool"], repr(wish["arguments"])) not in golden
            ):
                call = Do(wish["tool"], wish["arguments"])
                script = self.golden.insert_before_end(self._confirm(call), call, turn=turn)
                yield Mutant("do-it", script)
                yield Mutant("do-it", script.saying("Done, as you asked.", "success", turn))

    def _needs_yes(self, call: Do) -> bool:
        return self.tools[call.tool].confirmation is not None

    def _confirm(self, call: Do) -> Event:
        return Event("confirmed", {"tool": call.tool, "arguments": dict(call.arguments)})

    def _sample(self, items: list[Any], n: int) -> list[Any]:
        return items if len(items) <= n else self.rng.sample(items, n)


def _is_event(kind: str) -> Callable[[Entry], bool]:
    return lambda entry: isinstance(entry, Event) and entry.kind == kind


def _reconfirm(event: Event, old: Do, new: Do) -> Event:
    """What confirmed one call confirms another; any other event stays as it is."""
    subject = event.subject
    if event.kind != "confirmed" or subject.get("tool") != old.tool:
        return event
    if subject["arguments"] != old.arguments:
        return event
    return Event("confirmed", {"tool": new.tool, "arguments": dict(new.arguments)})


__all__ = ["Message", "Mutant", "Mutator"]
