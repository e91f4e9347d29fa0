"""Packing, forking and applying: a world as its net change."""

from datetime import timedelta

import orjson
import pytest

from davinci_env.errors import UsageError
from davinci_env.state import apply, canonical, fork, pack, unpack
from tests.support.oracle import dump, stale
from tests.support.shed import shed

SHED = shed()
Member, Category, Item, Loan, Hold = (
    SHED.Member, SHED.Category, SHED.Item, SHED.Loan, SHED.Hold,
)  # fmt: skip


@pytest.fixture
def world():
    world = SHED.domain.build()
    yield world
    world.close()


def same(world, other):
    assert dump(other) == dump(world)
    assert canonical(other, other.changes()) == canonical(world, world.changes())
    assert other.counters == world.counters
    assert other.clock == world.clock
    assert stale(other) == []


def test_a_parked_world_is_small_and_comes_back(world):
    loan = world.all(Loan)[0]
    loan.renewals = 4
    loan.item.opens_at = None
    world.advance(timedelta(minutes=25))
    world.create(Hold, member=loan.member, item=loan.item)
    packed = pack(world)
    assert len(packed) < 1000
    other = unpack(world.image, packed)
    same(world, other)
    assert pack(other) == packed
    other.reset()
    assert other.changes() == []
    other.close()


def test_new_rows_that_name_each_other_travel(world):
    member, item = world.all(Member)[0], world.all(Item)[0]
    one = world.create(Hold, member=member, item=item)
    two = world.create(Hold, member=member, item=item, after=one)
    one.after = two
    three = world.create(Hold, member=member, item=item)
    three.after = three
    other = fork(world)
    same(world, other)
    other.close()


def test_unique_values_that_change_hands_travel():
    world = SHED.domain.build(0, 2)
    one, two, three, *_ = world.all(Member)
    one.email, two.email = "aside", one.email
    one.email = three.email + "x"
    spare = next(m for m in world.all(Member) if not (m.loans or m.holds or m.helped))
    email = spare.email
    world.delete(spare)
    three.email = email
    world.create(Member, name="N", email="three@new", born_on=one.born_on)
    other = fork(world)
    same(world, other)
    other.close()
    world.close()


def test_deleted_rows_that_refer_to_each_other_travel(world):
    for hold in world.all(Hold):
        hold.after = None
    for hold in world.all(Hold):
        world.delete(hold)
    other = fork(world)
    same(world, other)
    other.close()


def test_a_whole_tree_of_deleted_rows_travels(world):
    for hold in world.all(Hold):
        hold.after = None
    for category in world.all(Category):
        category.parent = None
    for entity in (Hold, Loan, Item, Category):
        for row in world.all(entity):
            world.delete(row)
    other = fork(world)
    same(world, other)
    assert other.all(Category) == ()
    other.close()


def test_forks_are_independent(world):
    item = world.all(Item)[0]
    item.price = 1
    twin = fork(world)
    twin.get(Item, item.id).price = 2
    twin.accept()
    assert item.price == 1
    item.price = 3
    assert twin.get(Item, item.id).price == 2
    twin.reset()
    assert item.price == 3
    twin.close()


@pytest.mark.parametrize(
    "rows",
    [
        [["nowhere", "x", "~", {}]],
        [["items", "it_none", "~", {"price": 1}]],
        [["items", "it_none", "-", {}]],
        [["categories", "x", "+", {"slug": "x", "title": "X", "parent_id": "none"}]],
        [["categories", "wood", "+", {"slug": "wood", "title": "X", "parent_id": None}]],
        [["categories", "x", "+", {"slug": "x"}]],
        [["categories", "wood", "~", {"colour": "red"}]],
        [["categories", "wood", "~", {"title": 7}]],
        [["members", "M-0004", "-", {}]],
        [["loans", "#00100", "~", {"due_on": "soon"}]],
        [["loans"]],
        "rows",
    ],
)
def test_a_packed_state_that_does_not_fit_is_refused_whole(world, rows):
    before = dump(world)
    packed = orjson.dumps({"rows": rows, "counters": {}, "now": "2026-03-16T09:30:00"})
    with pytest.raises(UsageError, match="tool_shed"):
        apply(world, packed)
    assert dump(world) == before
    assert stale(world) == []


@pytest.mark.parametrize(
    "packed", [b"", b"[]", b"{}", b'{"rows": [], "counters": {"X": 1}, "now": "2026-01-01"}']
)
def test_bytes_that_are_no_packed_state_are_refused(world, packed):
    with pytest.raises(UsageError):
        apply(world, packed)
    assert world.changes() == []
