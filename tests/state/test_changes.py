"""Net changes, their canonical form, and the state hash."""

import itertools
import sqlite3
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from davinci_env.state import StartImage, TriggerWitness, canonical, state_hash
from tests.support.oracle import logged
from tests.support.shed import TODAY, shed

SHED = shed()
Member, Category, Item, Loan, Hold = (
    SHED.Member, SHED.Category, SHED.Item, SHED.Loan, SHED.Hold,
)  # fmt: skip


@pytest.fixture
def world():
    world = SHED.domain.build()
    yield world
    world.close()


def outcome(world):
    diff = canonical(world, world.changes())
    return diff, state_hash(world.image.hash, diff)


def test_an_update_lists_old_and_new(world):
    loan = world.all(Loan)[0]
    due = loan.due_on
    loan.due_on = date(2026, 5, 1)
    loan.renewals = 3
    assert outcome(world)[0] == [
        ["loans", "#00100", "~", {"due_on": [due.isoformat(), "2026-05-01"], "renewals": [0, 3]}]
    ]


def test_a_change_that_is_taken_back_is_none(world):
    loan = world.all(Loan)[0]
    due, buddy = loan.due_on, loan.buddy
    loan.due_on = date(2026, 5, 1)
    loan.buddy = world.all(Member)[2]
    loan.due_on, loan.buddy = due, buddy
    made = world.create(Hold, member=loan.member, item=loan.item)
    world.delete(made)
    assert world.changes() == []
    assert outcome(world) == ([], world.image.hash)


def test_created_and_deleted_rows(world):
    hold = world.all(Hold)[-1]
    for later in hold.before:
        later.after = hold.after
    world.delete(hold)
    world.create(Category, slug="box", title="Box", parent=world.get(Category, "wood"))
    diff, _ = outcome(world)
    assert ["categories", "box", "+", {"title": "Box", "parent_id": "wood"}] in diff
    assert ["holds", hold.id, "-", {}] in diff


def test_a_row_replaced_under_its_natural_key_is_an_update(world):
    wood = world.get(Category, "wood")
    for item in wood.items:
        item.category = world.get(Category, "metal")
    world.delete(wood)
    world.create(Category, slug="wood", title="Timber", parent=world.get(Category, "tools"))
    changes = [c for c in outcome(world)[0] if c[0] == "categories"]
    assert changes == [["categories", "wood", "~", {"title": ["Wood", "Timber"]}]]


def test_volatile_columns_are_not_compared(world):
    item = world.all(Item)[0]
    item.remark = "scratched"
    assert len(world.changes()) == 1
    assert outcome(world) == ([], world.image.hash)


def test_clock_and_counters_stand_outside(world):
    from datetime import timedelta

    world.advance(timedelta(days=1))
    made = world.create(Hold, member=world.all(Member)[0], item=world.all(Item)[0])
    world.delete(made)
    assert outcome(world) == ([], world.image.hash)


def test_hashes_tell_states_apart(world):
    seen = {world.image.hash}
    item = world.all(Item)[0]
    for price in (1, 2, 3):
        item.price = price
        seen.add(outcome(world)[1])
    assert len(seen) == 4
    other = SHED.domain.build(seed=1)
    assert other.image.hash not in seen
    other.close()


def test_created_rows_are_named_by_what_they_hold(world):
    members, item = world.all(Member), world.all(Item)[0]
    diffs = []
    for order in itertools.permutations(range(3)):
        mark = world.mark()
        for number in order:
            world.create(Hold, member=members[number], item=item, note=f"n{number}")
        diffs.append(outcome(world))
        world.rollback(mark)
        world.release(mark)
    assert all(diff == diffs[0] for diff in diffs)
    assert sorted(change[1] for change in diffs[0][0]) == ["new-1", "new-2", "new-3"]


def test_rows_that_differ_only_in_what_refers_to_them_are_told_apart(world):
    """Two equal holds, each with another row after it: either may be created first."""
    member, item = world.all(Member)[0], world.all(Item)[0]
    outcomes = []
    for first, second in (("a", "b"), ("b", "a")):
        mark = world.mark()
        for note in (first, second):
            front = world.create(Hold, member=member, item=item)
            world.create(Hold, member=member, item=item, after=front, note=note)
        outcomes.append(outcome(world))
        world.rollback(mark)
        world.release(mark)
    assert outcomes[0] == outcomes[1]


def test_references_of_updated_rows_name_created_rows(world):
    hold = next(hold for hold in world.all(Hold) if hold.after is None)
    made = world.create(Hold, member=hold.member, item=hold.item)
    hold.after = made
    changes = {c[1]: c[3] for c in outcome(world)[0]}
    assert changes[hold.id] == {"after_id": [None, "new-1"]}


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(st.data(), st.integers(2, 7))
def test_canonical_changes_do_not_depend_on_the_order_of_creation(data, size):
    """The same graph of new rows, created in two orders, with the pointers set in two orders."""
    world = SHED.domain.build()
    parent = [data.draw(st.none() | st.integers(0, size - 1)) for _ in range(size)]
    notes = data.draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    member, item = world.all(Member)[0], world.all(Item)[0]
    outcomes = []
    for order in (list(range(size)), data.draw(st.permutations(range(size)))):
        mark = world.mark()
        made = {n: world.create(Hold, member=member, item=item, note=notes[n]) for n in order}
        for n in order:
            made[n].after = None if parent[n] is None else made[parent[n]]
        outcomes.append(outcome(world))
        world.rollback(mark)
    world.close()
    assert outcomes[0] == outcomes[1]


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6))
def test_different_graphs_have_different_hashes(pairs):
    """Renaming loses nothing: another pointer is another state."""
    world = SHED.domain.build()
    member, item = world.all(Member)[0], world.all(Item)[0]
    made = [world.create(Hold, member=member, item=item, note=str(n)) for n in range(5)]
    seen = {outcome(world)[1]: (None,) * 5}
    for source, target in pairs:
        made[source].after = made[target]
        shape = tuple(h.after and h.after.note for h in made)
        assert seen.setdefault(outcome(world)[1], shape) == shape
    world.close()


def test_the_start_hash_is_of_rows_not_of_bytes():
    schema = SHED.domain.schema
    image = SHED.domain.build().image
    connection = sqlite3.connect(":memory:")
    connection.deserialize(image.database)
    tables = {
        t: connection.execute(f'SELECT * FROM "{t}" ORDER BY 1 DESC').fetchall()
        for t in schema.by_table
    }
    shuffled = sqlite3.connect(":memory:")
    shuffled.execute("PRAGMA page_size = 8192")
    shuffled.executescript(schema.ddl)
    shuffled.execute("PRAGMA foreign_keys = OFF")
    for table, rows in reversed(list(tables.items())):
        for row in rows:
            marks = ", ".join("?" * len(row))
            shuffled.execute(f'INSERT INTO "{table}" VALUES ({marks})', row)
    shuffled.commit()
    database = shuffled.serialize()
    assert database != image.database
    assert StartImage(schema, database, {}, TODAY).hash == image.hash


def test_the_log_and_the_witness_tell_the_same(world):
    witness = TriggerWitness(world)
    mark = world.mark()
    hold, item = world.all(Hold)[-1], world.all(Item)[1]
    for later in hold.before:
        later.after = None
    world.delete(hold)
    item.electric = not item.electric
    item.weight, item.opens_at = 2, None
    world.create(Loan, member=hold.member, item=item, due_on=TODAY.date(), taken_at=TODAY)
    assert witness.changes() == logged(world)
    assert {op for _, _, op, _ in witness.changes()} == {"+", "-", "~"}
    electric = next(c for c in witness.changes() if c[0] == "items")[3]["electric"]
    assert sorted(electric) == [0, 1]
    world.rollback(mark)
    assert witness.changes() == []
