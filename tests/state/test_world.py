"""Marks, calls, ids and look-ups of a world."""

import sqlite3
from datetime import timedelta

import pytest

from davinci_env.errors import UsageError
from davinci_env.state import StartImage, World
from tests.support.oracle import dump, stale
from tests.support.shed import TODAY, shed
from tests.support.toy_desk import toy_domain

SHED = shed()
Member, Category, Item, Loan, Hold = (
    SHED.Member, SHED.Category, SHED.Item, SHED.Loan, SHED.Hold,
)  # fmt: skip


@pytest.fixture
def world():
    world = SHED.domain.build()
    yield world
    world.close()


def test_marks_nest_and_an_older_one_ends_the_younger(world):
    item = world.all(Item)[0]
    one = world.mark()
    item.price = 1
    two = world.mark()
    item.price = 2
    three = world.mark()
    item.price = 3
    world.rollback(two)
    assert item.price == 1
    item.price = 4
    world.rollback(two)
    assert item.price == 1
    with pytest.raises(UsageError, match="gone"):
        world.rollback(three)
    world.rollback(one)
    with pytest.raises(UsageError, match="gone"):
        world.rollback(two)
    with pytest.raises(UsageError, match="gone"):
        world.release(two)
    assert world.changes() == []


def test_a_released_mark_keeps_what_happened_since(world):
    item = world.all(Item)[0]
    outer = world.mark()
    inner = world.mark()
    item.price = 7
    world.release(inner)
    assert item.price == 7
    world.execute("SELECT 1")
    world.rollback(outer)
    assert item.price == 250 + 5 * int(item.title.split()[-1])
    with pytest.raises(UsageError, match="start state"):
        world.release(world.start)


def test_a_mark_of_another_world_is_none_of_this_one(world):
    other = SHED.domain.build()
    mark = other.mark()
    with pytest.raises(UsageError):
        world.rollback(mark)
    other.close()


def test_reset_returns_rows_clock_and_counters_to_the_start(world):
    start = dump(world)
    counters = dict(world.counters)
    world.advance(timedelta(hours=5))
    world.create(Category, slug="x", title="X")
    made = world.create(Hold, member=world.all(Member)[0], item=world.all(Item)[0])
    world.accept()
    assert world.db.now == TODAY + timedelta(hours=5)
    assert world.db.today == TODAY.date()
    world.reset()
    assert dump(world) == start
    assert world.counters == counters
    assert world.db.now == TODAY
    again = world.create(Hold, member=world.all(Member)[0], item=world.all(Item)[0])
    assert again.id == made.id


def test_a_rejected_call_gives_ids_back(world):
    before = world.begin()
    item, member = world.all(Item)[0], world.all(Member)[0]
    first = world.create(Hold, member=member, item=item)
    world.flush()
    world.reject(before)
    assert world.get(Hold, first.id) is None
    second = world.create(Hold, member=member, item=item)
    assert second.id == first.id
    assert second is not first


def test_what_was_pending_before_a_call_survives_its_failure(world):
    item, other = world.all(Item)[:2]
    item.price = 11
    before = world.begin()
    other.price = 12
    world.reject(before)
    assert item.price == 11
    assert other.price != 12
    world.evict()
    assert world.get(Item, item.id).price == 11


def test_of_several_pending_writes_all_or_none_are_kept(world):
    one, two, *_ = world.all(Member)
    start = dump(world)
    before = world.begin()
    one.name = "First"
    two.email = one.email
    with pytest.raises(sqlite3.IntegrityError):
        world.accept()
    world.reject(before)
    assert dump(world) == start
    assert stale(world) == []


def test_rolling_back_past_an_eviction_leaves_nothing_stale(world):
    start = world.mark()
    item = world.all(Item)[0]
    key, price = item.id, item.price
    item.price = 999
    world.evict()
    assert world.get(Item, key).price == 999
    assert world.get(Item, key).category.items
    world.rollback(start)
    assert stale(world) == []
    assert world.get(Item, key).price == price


def test_changes_before_and_after_an_eviction_are_one_change(world):
    item = world.all(Item)[0]
    key, price = item.id, item.price
    item.price = 998
    world.evict()
    world.get(Item, key).price = 999
    (change,) = world.changes()
    assert change.cells == {"price": (price, 999)}


def test_rows_are_one_object_however_they_are_found(world):
    loan = world.all(Loan)[0]
    assert world.get(Loan, loan.id) is loan
    assert world.one(Loan, loan_id=loan.id) is loan
    assert loan in loan.member.loans
    assert any(found is loan for found in world.all(Loan, status=loan.status))
    assert all(
        row.item.category is world.get(Category, row.item.category_id) for row in world.all(Loan)
    )


def test_look_ups_by_reference_column_and_nothing(world):
    member = world.all(Member)[3]
    assert world.all(Loan, member=member) == member.loans
    assert world.all(Loan, member_id=member.id) == member.loans
    assert world.all(Category, parent=None) == (world.get(Category, "tools"),)
    assert world.one(Member, email="nobody") is None
    assert world.get(Member, "M-9999") is None
    assert world.all(Item, electric=True) == tuple(i for i in world.all(Item) if i.electric)
    with pytest.raises(AttributeError, match="no column"):
        world.all(Loan, colour="red")
    with pytest.raises(AttributeError, match="no column"):
        world.one(Loan, colour="red")


def test_look_ups_see_what_is_not_yet_written(world):
    item = world.all(Item)[0]
    item.title = "Anvil"
    assert world.one(Item, title="Anvil") is item
    made = world.create(Category, slug="0", title="First")
    assert world.all(Category)[0] is made
    assert world.query("SELECT count(*) FROM categories WHERE slug = '0'") == [(1,)]


def test_following_one_reference_fetches_those_of_the_rows_listed_with_it():
    world = SHED.domain.build(0, 4)
    statements = []
    execute = world.execute
    world.execute = lambda sql, *values: (statements.append(sql), execute(sql, *values))[1]
    member = world.get(Member, "M-0004")
    titles = [loan.item.title for loan in member.loans]
    assert len(titles) == 3
    assert len(statements) == 3
    assert titles == [world.get(Item, loan.item_id).title for loan in member.loans]
    world.close()


def test_only_rows_in_the_same_state_are_fetched_together():
    world = SHED.domain.build(0, 4)
    loans = world.get(Member, "M-0004").loans
    loans[0].status = "returned"
    assert loans[1].item.title
    resident = {row.id for row in world.resident() if row.entity is Item}
    assert resident == {loan.item_id for loan in loans[1:]}
    world.close()


def test_a_row_comes_with_those_that_its_paths_lead_to_in_one_statement():
    world = SHED.domain.build(0, 4)
    statements = []
    execute = world.execute
    world.execute = lambda sql, *values: (statements.append(sql), execute(sql, *values))[1]
    loan = world.get_with(Loan, "#00107", ("item", "member"))
    assert {row.entity for row in world.resident()} == {Loan, Item, Member}
    other = SHED.domain.build(0, 4)
    twin = other.get(Loan, "#00107")
    assert (loan.item.title, loan.member.name) == (twin.item.title, twin.member.name)
    assert len(statements) == 1
    assert world.get_with(Loan, "#99999", ("item", "member")) is None
    assert stale(world) == []
    world.close()
    other.close()


def test_a_companion_that_is_held_already_stays_the_same_row():
    world = SHED.domain.build(0, 4)
    item = world.get(Item, SHED.domain.build(0, 4).get(Loan, "#00107").item_id)
    item.title = "Anvil"  # not written yet
    assert world.get_with(Loan, "#00107", ("item",)).item is item
    assert item.title == "Anvil"
    world.close()


def test_what_a_list_shows_beyond_a_reference_comes_with_it():
    domain = toy_domain()
    Bill, Toy = domain.entities["Bill"], domain.entities["Toy"]
    world = domain.build()
    bills = world.all(Bill)
    assert len({bill.rental_id for bill in bills}) > 1
    assert world.get(Bill, bills[0].id).rental.toy_id  # one is followed, for all of them
    toys = {row.id for row in world.resident() if row.entity is Toy}
    assert toys == {bill.rental.toy_id for bill in bills if bill.status == bills[0].status}
    assert stale(world) == []
    world.close()


def test_a_world_may_start_empty():
    world = World(SHED.domain.schema, StartImage(SHED.domain.schema, None, {}, TODAY))
    assert world.all(Member) == ()
    assert len(world.image.hash) == 64
    made = world.create(Category, slug="a", title="A")
    world.accept()
    assert world.all(Category) == (made,)
    world.close()


def test_many_worlds_can_be_opened_and_closed_without_keeping_memory():
    import gc
    import weakref

    world = SHED.domain.build()
    gone = weakref.ref(world)
    assert world.all(Loan)[0].member.loans
    world.close()
    del world
    gc.collect()
    assert gone() is None
