"""The row engine against the ORM on the same mapped classes, in random order.

After every step both hold the same rows, nothing cached is stale, and the cell log agrees with the
trigger witness. What the engine refuses in Python (types, bounds, dead rows) never reaches the ORM.
"""

import sqlite3
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from davinci_env.errors import UsageError
from davinci_env.state import TriggerWitness, World, canonical, fork, pack, state_hash, unpack
from tests.support.oracle import Oracle, dump, logged, removal, stale
from tests.support.shed import TODAY, make_domain

SHED = make_domain()
DOMAIN = SHED.domain
ENTITIES = [SHED.Member, SHED.Category, SHED.Item, SHED.Loan, SHED.Hold]

entities = st.sampled_from(ENTITIES)
picks = st.integers(0, 30)
words = st.sampled_from(["", "a", "b", "garden", "Ω", "50%", "it's"])
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": words,
    "int": st.integers(-1, 6),
    "money": st.integers(-1, 300),
    "minutes": st.integers(0, 90),
    "float": st.sampled_from([0.0, 0.5, 2, 7.25, -1.0, float("nan"), float("inf")]),
    "bool": st.booleans(),
    "date": st.dates(date(2026, 3, 1), date(2026, 3, 9)),
    "datetime": st.sampled_from(
        [TODAY, TODAY + timedelta(hours=5), datetime(2026, 1, 1, 0, 0, 0, 7)]
    ),
    "time": st.sampled_from([time(8), time(12, 30, 15), time(0, 0, 0, 1)]),
}


class Machine(RuleBasedStateMachine):
    """One world, one oracle, one witness, and the snapshots taken of them."""

    def __init__(self) -> None:
        super().__init__()
        self.world = DOMAIN.build(seed=0, scale=0.5)
        self.oracle = Oracle(DOMAIN.schema, self.world.image.database or b"")
        self.witness: TriggerWitness | None = TriggerWitness(self.world)
        self.witnessed = self.world.mark()
        self.marks: list[tuple[Any, bytes, Any]] = []

    def teardown(self) -> None:
        self.world.close()
        self.oracle.engine.dispose()

    # -- drawing -----------------------------------------------------------------------------------

    def key(self, entity: Any, pick: int) -> str | None:
        """The key of some row, or None where there is none."""
        keys = self.oracle.keys(entity)
        return keys[pick % len(keys)] if keys else None

    def values(self, entity: Any, data: st.DataObject) -> dict[str, Any]:
        """Values of a new row; at times wrong ones."""
        info, out = entity._info, {}
        for name, spec in info.columns.items():
            if name == info.pk and info.has_generated_key:
                continue
            if spec.target is not None:
                optional = spec.optional and data.draw(st.booleans())
                out[name] = None if optional else self.key(spec.target, data.draw(picks))
            else:
                out[name] = data.draw(value_of(spec))
        return out

    def attempt(self, action: Any) -> Any:
        """Run one change as a call of its own; None when it was refused, with nothing changed."""
        before = self.world.begin()
        try:
            result = action()
            self.world.accept()
        except (TypeError, ValueError, sqlite3.IntegrityError) as error:
            self.world.reject(before)
            return error
        return result

    # -- changes -----------------------------------------------------------------------------------

    @rule(entity=entities, data=st.data())
    def create(self, entity: Any, data: st.DataObject) -> None:
        values = self.values(entity, data)
        row = self.attempt(lambda: self.world.create(entity, **values))
        if isinstance(row, sqlite3.IntegrityError):
            assert not self.oracle.create(entity, {entity._info.pk: "new", **values})
        elif not isinstance(row, Exception):
            assert self.oracle.create(entity, {**values, entity._info.pk: row.id})

    @rule(entity=entities, pick=picks, data=st.data(), by_row=st.booleans())
    def assign(self, entity: Any, pick: int, data: st.DataObject, by_row: bool) -> None:
        info, key = entity._info, self.key(entity, pick)
        if key is None:
            return
        name = data.draw(st.sampled_from([c for c in info.columns if c != info.pk]))
        spec = info.columns[name]
        attribute, value = name, None
        if spec.target is None:
            value = given = data.draw(value_of(spec))
        else:
            wanted = data.draw(picks)
            value = given = None if wanted % 5 == 0 else self.key(spec.target, wanted)
            if by_row:
                attribute = name.removesuffix("_id")
                given = None if value is None else self.world.get(spec.target, value)
        row = self.world.get(entity, key)
        failed = self.attempt(lambda: setattr(row, attribute, given))
        if failed is None:
            assert self.oracle.assign(entity, key, name, value)
        elif isinstance(failed, sqlite3.IntegrityError):
            assert not self.oracle.assign(entity, key, name, value)

    @rule(entity=entities, pick=picks)
    def delete(self, entity: Any, pick: int) -> None:
        key = self.key(entity, pick)
        if key is None:
            return
        failed = self.attempt(lambda: self.world.delete(self.world.get(entity, key)))
        assert (failed is None) == self.oracle.delete(entity, key)

    @rule(slug=words, data=st.data())
    def replace_natural(self, slug: str, data: st.DataObject) -> None:
        """Delete a row and create one with the same key, in one call."""
        row = self.world.get(SHED.Category, slug)
        title = data.draw(words)

        def replace() -> None:
            self.world.delete(row)
            self.world.create(SHED.Category, slug=slug, title=title)

        if row is None:
            return
        failed = self.attempt(replace)
        assert (failed is None) == self.oracle.delete(SHED.Category, slug)
        if failed is None:
            assert self.oracle.create(SHED.Category, {"slug": slug, "title": title})

    @rule(
        data=st.data(),
        steps=st.lists(st.sampled_from(["new", "point", "drop", "read"]), max_size=8),
    )
    def change_much(self, data: st.DataObject, steps: list[str]) -> None:
        """Several changes in one call: new rows that refer to each other, pointers moved, rows
        dropped.
        """
        world, done = self.world, []
        Hold, pk = SHED.Hold, "hold_id"

        def hold() -> Any:
            holds = world.all(Hold)
            return holds[data.draw(picks) % len(holds)] if holds else None

        def run() -> None:
            for step in steps:
                row, other = hold(), hold()
                if step == "new" or row is None:
                    member, item = world.all(SHED.Member)[0], world.all(SHED.Item)[0]
                    values = {
                        "member_id": member.id,
                        "item_id": item.id,
                        "after_id": other and other.id,
                    }
                    made = world.create(Hold, **values)
                    values[pk] = made.id
                    done.append(lambda s, v=values: s.add(Hold(**v)))
                elif step == "point":
                    place, key = row.id, other.id
                    done.append(lambda s, p=place, k=key: setattr(s.get(Hold, p), "after_id", k))
                    row.after = other
                elif step == "drop":
                    done.append(removal(Hold, row.id))
                    world.delete(row)
                else:
                    assert all(later.after is row for later in row.before)

        failed = self.attempt(run)
        assert failed is None or isinstance(failed, sqlite3.IntegrityError)
        assert (failed is None) == self.oracle.batch(done)

    @rule(data=st.data(), pick=picks)
    def change_much_and_fail(self, data: st.DataObject, pick: int) -> None:
        """A call that creates, refers, reads and deletes before it fails leaves no trace."""
        world = self.world
        before = world.begin()
        counters, now = dict(world.counters), world.clock["now"]
        try:
            member = world.create(
                SHED.Member, name="x", email=f"x{pick}@y", born_on=date(2000, 1, 1)
            )
            items = world.all(SHED.Item)
            for number in data.draw(st.lists(picks, max_size=4)):
                item = items[number % len(items)]
                hold = world.create(SHED.Hold, member=member, item=item)
                assert item.holds[-1] is hold or hold in item.holds
                assert hold in member.holds
                if number % 2:
                    hold.item = items[(number + 1) % len(items)]
                if number % 3 == 0:
                    world.flush()
                if number % 4 == 0:
                    world.delete(hold)
                    assert hold not in member.holds
            world.advance(timedelta(minutes=pick))
        except sqlite3.IntegrityError:
            pass
        world.reject(before)
        assert world.clock["now"] == now
        assert world.counters == counters

    @rule(minutes=st.integers(0, 500))
    def advance(self, minutes: int) -> None:
        self.world.advance(timedelta(minutes=minutes))

    # -- reading -----------------------------------------------------------------------------------

    @rule(entity=entities, pick=picks, data=st.data())
    def follow(self, entity: Any, pick: int, data: st.DataObject) -> None:
        """References and back lists say what the mapped class says."""
        key, info = self.key(entity, pick), entity._info
        if key is None or not (info.refs or info.backs):
            return
        attribute = data.draw(st.sampled_from([*info.refs, *info.backs]))
        value = getattr(self.world.get(entity, key), attribute)
        found = [r.id for r in value] if isinstance(value, tuple) else value and value.id
        assert found == self.oracle.related(entity, key, attribute)

    @rule(entity=entities, data=st.data())
    def select(self, entity: Any, data: st.DataObject) -> None:
        """`all` and `one` say what a query says, by columns, references, or nothing."""
        info = entity._info
        names = data.draw(st.lists(st.sampled_from(list(info.columns)), max_size=2, unique=True))
        equal, plain = {}, {}
        for name in names:
            spec = info.columns[name]
            if spec.target is None:
                equal[name] = plain[name] = data.draw(fitting(spec))
                continue
            plain[name] = self.key(spec.target, data.draw(picks))
            row = None if plain[name] is None else self.world.get(spec.target, plain[name])
            equal[name.removesuffix("_id")] = row
        want = self.oracle.keys(entity, **plain)
        assert [row.id for row in self.world.all(entity, **equal)] == want
        first = self.world.one(entity, **equal)
        assert (first and first.id) == (want[0] if want else None)

    # -- snapshots ---------------------------------------------------------------------------------

    @precondition(lambda self: len(self.marks) < 4)
    @rule()
    def mark(self) -> None:
        self.marks.append((self.world.mark(), self.oracle.snapshot(), captured(self.world)))

    @precondition(lambda self: self.marks)
    @rule(pick=picks)
    def rollback(self, pick: int) -> None:
        number = pick % len(self.marks)
        mark, image, before = self.marks[number]
        gone = [m for m, _, _ in self.marks[number + 1 :]]
        self.world.rollback(mark)
        self.oracle.restore(image)
        del self.marks[number + 1 :]
        assert captured(self.world) == before
        for younger in gone:
            with pytest.raises(UsageError, match="gone"):
                self.world.rollback(younger)

    @precondition(lambda self: self.marks)
    @rule(pick=picks)
    def release(self, pick: int) -> None:
        number = pick % len(self.marks)
        before = captured(self.world)
        self.world.release(self.marks[number][0])
        del self.marks[number:]
        assert captured(self.world) == before

    @rule()
    def evict(self) -> None:
        self.world.evict()
        assert not list(self.world.resident())

    @rule(stay=st.booleans())
    def travel(self, stay: bool) -> None:
        """A packed and unpacked world, and a fork, are the same world; the fork is independent."""
        before = captured(self.world)
        other = unpack(self.world.image, pack(self.world))
        assert captured(other) == before
        assert dump(other) == dump(self.world)
        twin = fork(other)
        other.close()
        twin.create(SHED.Category, slug="only here", title="")
        twin.accept()
        assert self.world.get(SHED.Category, "only here") is None
        twin.reset()
        twin.close()
        if not stay:
            fresh = fork(self.world)
            self.world.close()
            self.world, self.witness, self.marks = fresh, None, []

    # -- what always holds -------------------------------------------------------------------------

    @invariant()
    def agrees(self) -> None:
        assert dump(self.world) == self.oracle.dump()
        assert stale(self.world) == []
        if self.witness is not None:
            assert self.witness.changes() == logged(self.world)


def fitting(spec: Any) -> st.SearchStrategy[Any]:
    """Values that a query may compare a column with."""
    if spec.choices:
        return st.sampled_from(spec.choices)
    return VALUES[spec.kind].filter(lambda v: v == v)


def value_of(spec: Any) -> st.SearchStrategy[Any]:
    """Mostly fitting values of a column, at times none or one of another type."""
    if spec.choices:
        return st.sampled_from([*spec.choices, "elsewhere"])
    odd = st.sampled_from([None, 3.5, True, "text", b"x"])
    return st.one_of(*[VALUES[spec.kind]] * 7, odd)


def captured(world: World) -> tuple[Any, ...]:
    """All that a snapshot promises to bring back."""
    diff = canonical(world, world.changes())
    counters = {entity.__name__: n for entity, n in world.counters.items()}
    return diff, state_hash(world.image.hash, diff), counters, world.clock["now"], world.changes()


TestMachine = Machine.TestCase
TestMachine.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # shrinking such runs takes minutes and stalls
    suppress_health_check=list(HealthCheck),
)
