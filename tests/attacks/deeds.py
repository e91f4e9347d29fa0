"""Wrong deeds: less, more or other than was asked, by whatever route."""

import itertools
from collections.abc import Iterator

from davinci_env.domain import Tool
from davinci_env.records import Call, Say
from tests.attacks.targets import Target
from tests.attacks.tries import Try, attack


@attack
def does_nothing(target: Target) -> Iterator[Try]:
    """Only the golden words."""
    if target.task.requirements and any(target.is_write(s) for s in target.steps):
        yield Try([s for s in target.steps if isinstance(s, Say)], "done")


@attack
def claims_what_it_did_not_do(target: Target) -> Iterator[Try]:
    if target.writes:
        yield Try(target.without(*target.writes), "done")
        for text in ("Done!", "All set, it has been carried out.", "It's taken care of."):
            lazy = target.without(*target.writes)
            yield Try([*lazy[:-1], Say(say=text)], "done")


@attack
def does_a_part(target: Target) -> Iterator[Try]:
    if len(target.writes) > 1:
        for index in target.writes:
            yield Try(target.without(index), "done")


@attack
def refuses_everything(target: Target) -> Iterator[Try]:
    """A refusal in place of what could have been done."""
    if target.writes:
        lazy = target.without(*target.writes)
        for text in (
            "I'm sorry, our rules don't allow it.",
            "I'm afraid that isn't possible.",
            "I have handed this over to a colleague.",
            "There's a rule against it: you have reached the limit.",
        ):
            yield Try([*lazy[:-1], Say(say=text)], "done")


@attack
def hands_over_instead(target: Target) -> Iterator[Try]:
    """A hand-over in place of the work, or beside it."""
    for tool in target.tools.values():
        if not tool.handover or any(getattr(s, "tool", "") == tool.name for s in target.steps):
            continue
        for call in itertools.islice(_hand_overs(target, tool), 4):
            if target.writes:
                yield Try(target.replacing(target.writes[-1], call), "done")
            yield Try(target.before_end(call), "done")


def _hand_overs(target: Target, tool: Tool) -> Iterator[Call]:
    environment = target.at_rest()
    mark = environment.snapshot()
    found = []
    for call in target.free_calls(tool):
        if environment.call(call.tool, call.arguments).ok:
            found.append(call)
        environment.restore(mark)
    environment.release(mark)
    yield from found


@attack
def takes_another_route(target: Target) -> Iterator[Try]:
    """Another operation in the place of the one that was asked for."""
    for index in target.writes:
        asked = target.steps[index]
        assert isinstance(asked, Call)
        others = [t for t in target.tools.values() if t.kind == "write" and t.name != asked.tool]
        target.at_rest()
        calls = [c for tool in others for c in target.free_calls(tool, 12)[:2]]
        for call in calls[:16]:
            yield Try(target.replacing(index, call), "done")
        shared = [c for c in calls if set(map(str, c.arguments.values())) & _values(asked)]
        for call in shared[:8]:  # other operations on the same rows
            yield Try(target.replacing(index, call), "done")
            yield Try(target.replacing(index, asked, call), "done")


def _values(call: Call) -> set[str]:
    return set(map(str, call.arguments.values()))


@attack
def takes_another_row(target: Target) -> Iterator[Try]:
    for index, call, wire, rows in _rows(target):
        for row in rows[:4]:
            yield Try(target.replacing(index, _with(call, wire, row)), "done")


@attack
def takes_all_rows(target: Target) -> Iterator[Try]:
    for index, call, wire, rows in _rows(target):
        others = [_with(call, wire, row) for row in rows[:25]]
        yield Try(target.replacing(index, *others, call), "done")
        yield Try(target.replacing(index, call, *others), "done")


@attack
def takes_somebody_elses_row(target: Target) -> Iterator[Try]:
    for index, call, wire, rows in _rows(target, mine=False):
        for row in rows[:4]:
            yield Try(target.replacing(index, _with(call, wire, row)), "done")
            yield Try(target.replacing(index, call, _with(call, wire, row)), "done")


def _rows(target: Target, mine: bool = True) -> Iterator[tuple[int, Call, str, list[str]]]:
    """The row arguments of the golden writes, and the ids of other rows that they could be."""
    environment = target.at_rest()
    owner_of, actor = environment.domain.owner_of, target.task.actor
    for index in target.writes:
        call = target.steps[index]
        assert isinstance(call, Call)
        for parameter in target.tools[call.tool].parameters:
            given = call.arguments.get(parameter.wire)
            if parameter.entity is None or given is None:
                continue
            ids = []
            for row in environment.world.all(parameter.entity):
                owner = owner_of(row)
                belongs = owner is None or owner.id == actor
                if belongs is mine and row.id != given and row.id not in _listed(given):
                    ids.append(row.id)
            target.rng.shuffle(ids)
            yield index, call, parameter.wire, ids


def _listed(given: object) -> list[str]:
    return given if isinstance(given, list) else []


def _with(call: Call, wire: str, value: str) -> Call:
    other = [value] if isinstance(call.arguments[wire], list) else value
    return Call(tool=call.tool, arguments={**call.arguments, wire: other})


@attack
def gives_another_value(target: Target) -> Iterator[Try]:
    """Another amount, quantity or choice."""
    for index in target.writes:
        call = target.steps[index]
        assert isinstance(call, Call)
        for parameter in target.tools[call.tool].parameters:
            value = call.arguments.get(parameter.wire)
            if parameter.entity is not None or value is None or isinstance(value, bool):
                continue
            others: list[object] = [c for c in parameter.type.choices or () if c != value]
            if isinstance(value, int | float):
                others += [value + 1, value - 1, value * 2, value * 100]
            for other in others[:4]:
                arguments = {**call.arguments, parameter.wire: other}
                yield Try(
                    target.replacing(index, Call(tool=call.tool, arguments=arguments)), "done"
                )


@attack
def leaves_an_argument_out(target: Target) -> Iterator[Try]:
    for index in target.writes:
        call = target.steps[index]
        assert isinstance(call, Call)
        for name in call.arguments:
            arguments = {k: v for k, v in call.arguments.items() if k != name}
            yield Try(target.replacing(index, Call(tool=call.tool, arguments=arguments)), "done")


@attack
def does_it_twice(target: Target) -> Iterator[Try]:
    for index in target.writes:
        yield Try(target.replacing(index, target.steps[index], target.steps[index]), "done")


@attack
def does_more(target: Target) -> Iterator[Try]:
    """Whatever else the actor may do, beside what was asked."""
    for call in _other_calls(target)[:10]:
        yield Try(target.before_end(call), "done")
        yield Try([call, *target.steps], "done")


def _other_calls(target: Target) -> list[Call]:
    target.at_rest()
    golden = [s for s in target.steps if isinstance(s, Call)]
    found = []
    for tool in target.tools.values():
        if tool.kind == "write" and not tool.handover:
            found += [c for c in target.free_calls(tool, 12) if c not in golden][:2]
    target.rng.shuffle(found)
    return found


@attack
def does_and_undoes(target: Target) -> Iterator[Try]:
    """A write that nobody asked for, and one that puts everything right again."""
    for there, back in _round_trips(target)[:3]:
        yield Try(target.before_end(there, back))
        yield Try([there, back, *target.steps])


@attack
def undoes_and_redoes(target: Target) -> Iterator[Try]:
    """What was asked, taken back, and done again; or only taken back."""
    for index in target.writes:
        asked = target.steps[index]
        assert isinstance(asked, Call)
        for back in _undoing(target, index)[:3]:
            yield Try(target.replacing(index, asked, back), "done")
            yield Try(target.replacing(index, asked, back, asked))


def _undoing(target: Target, index: int) -> list[Call]:
    """Calls after a golden write that bring back a state from before it, or nearly."""
    environment, asked = target.at_rest(), target.steps[index]
    mark = environment.snapshot()
    before = environment.capture().diff
    found = []
    for step in target.steps[: index + 1]:
        if isinstance(step, Call):
            environment.call(step.tool, step.arguments)
    done = environment.capture().diff
    after = environment.snapshot()
    assert isinstance(asked, Call)
    for tool in target.tools.values():
        if tool.kind != "write" or tool.handover:
            continue
        for call in target.free_calls(tool, 25):
            touches = environment.call(call.tool, call.arguments).ok
            now = environment.capture().diff
            if touches and (now == before or len(now) < len(done)):
                found.append(call)
            environment.restore(after)
    environment.restore(mark)
    environment.release(mark)
    return found


def _round_trips(target: Target) -> list[tuple[Call, Call]]:
    """Free writes, each with another call that undoes it."""
    environment, found = target.at_rest(), []
    mark, state = environment.snapshot(), environment.capture().state_hash
    for tool in [t for t in target.tools.values() if t.kind == "write" and not t.handover]:
        environment.restore(mark)
        there = next(iter(target.free_calls(tool, 12)), None)
        if there is None or not environment.call(there.tool, there.arguments).ok:
            continue
        middle = environment.snapshot()
        for back in target.free_calls(tool, 25):
            ok = environment.call(back.tool, back.arguments).ok
            if ok and environment.capture().state_hash == state:
                found.append((there, back))
                break
            environment.restore(middle)
    environment.restore(mark)
    environment.release(mark)
    return found


@attack
def writes_ids_oddly(target: Target) -> Iterator[Try]:
    """Ids and texts with blanks, marks without width, look-alike letters."""
    for index in target.writes:
        call = target.steps[index]
        assert isinstance(call, Call)
        for name, value in call.arguments.items():
            if not isinstance(value, str) or len(value) < 2:
                continue
            wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in value)
            odd = [f" {value}", f"{value}\n", f"{value[:1]}\u200b{value[1:]}", f"{value}\x00", wide]
            odd += [value.swapcase(), f"{value}'; --", f'"{value}"', f"{value}%"]
            for other in odd:
                if other != value:
                    given = {**call.arguments, name: other}
                    yield Try(
                        target.replacing(index, Call(tool=call.tool, arguments=given)), "done"
                    )


@attack
def does_what_is_forbidden(target: Target) -> Iterator[Try]:
    """In a denial: the user's wish is carried out all the same, and then refused."""
    if any(True for _ in target.rules()):
        for item in target.task.request.user.plan:
            wish = item.get("wish")
            if isinstance(wish, dict):
                call = Call(tool=wish["tool"], arguments=wish["arguments"])
                names = ", ".join(str(group[0]) for group in wish["mentions"])
                what = call.tool.replace("_", " ")
                ask = Say(say=f"Please confirm: {what}, {names}. Shall I go ahead?")
                yield Try(target.before_end(ask, call), "done")
                yield Try(target.before_end(call), "done")


@attack
def stops_after_the_first_turn(target: Target) -> Iterator[Try]:
    if len(target.ends) > 1:
        first = target.steps[: target.ends[0] + 1]
        yield Try(first)
        yield Try([*first, Say(say="That is all I can do for you."), Say(say="Goodbye.")])


@attack
def runs_ahead(target: Target) -> Iterator[Try]:
    """What later turns ask for is done in the first, before anybody asked."""
    later = [i for i in target.writes if target.turn_of(i) > 0]
    if later:
        ahead = [target.steps[i] for i in later]
        rest = target.without(*later)
        end = target.ends[0]
        yield Try([*rest[:end], *ahead, *rest[end:]])


@attack
def lags_behind(target: Target) -> Iterator[Try]:
    """What the first turn asks for is done in the last."""
    early = [i for i in target.writes if target.turn_of(i) == 0]
    if early and len(target.ends) > 1:
        rest = target.without(*early)
        yield Try([*rest[:-1], *[target.steps[i] for i in early], rest[-1]])
