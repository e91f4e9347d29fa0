"""Rows: what may be assigned, and what the caches say afterwards."""

import sqlite3
from datetime import UTC, date, datetime, time

import pytest

from tests.support.oracle import stale
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


@pytest.fixture
def item(world):
    return world.all(Item)[0]


def refused(world, action, *errors):
    """Run something that must fail; nothing may have changed by it."""
    before = world.begin()
    with pytest.raises(errors):
        action()
    assert world.changes() == []
    world.reject(before)


def test_a_misspelt_attribute_is_no_column(world, item):
    refused(world, lambda: setattr(item, "titel", "x"), AttributeError)
    refused(world, lambda: world.create(Category, slug="s", titel="x"), TypeError)


def test_attributes_can_t_be_removed_and_rows_not_constructed(world, item):
    with pytest.raises(AttributeError, match="assign None"):
        del item.title
    with pytest.raises(TypeError, match="create"):
        type(item)(title="x")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("title", 7),
        ("title", None),
        ("price", 2.5),
        ("price", True),
        ("price", -1),
        ("slot", 4),
        ("slot", "30"),
        ("weight", "1"),
        ("weight", float("nan")),
        ("weight", float("inf")),
        ("weight", -0.5),
        ("electric", 1),
        ("opens_at", "08:00"),
        ("opens_at", time(8, 0, 0, 1)),
        ("opens_at", time(8, tzinfo=UTC)),
        ("status", "gone"),
        ("category", None),
        ("category_id", None),
        ("category_id", "nowhere"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(world, item, column, value):
    refused(world, lambda: setattr(item, column, value), TypeError, ValueError)


@pytest.mark.parametrize("value", [date(2026, 1, 1), datetime(2026, 1, 1, microsecond=5)])
def test_a_moment_is_in_whole_seconds(world, value):
    loan = world.all(Loan)[0]
    refused(world, lambda: setattr(loan, "taken_at", value), TypeError, ValueError)


def test_a_datetime_is_no_date(world):
    loan = world.all(Loan)[0]
    refused(world, lambda: setattr(loan, "due_on", datetime(2026, 1, 1)), TypeError)


def test_choices_are_kept(world):
    loan = world.all(Loan)[0]
    refused(world, lambda: setattr(loan, "kind", "month"), ValueError)


def test_a_whole_number_becomes_a_float_as_sql_returns_it(world, item):
    item.weight = 3
    assert type(item.weight) is float
    world.evict()
    assert type(world.get(Item, item.id).weight) is float


def test_a_reference_wants_a_living_row_of_its_entity_in_this_world(world, item):
    other = SHED.domain.build()
    category = world.create(Category, slug="new", title="New")
    world.accept()
    start = world.mark()
    world.delete(category)
    before = world.begin()
    for wrong in (item, "garden", other.all(Category)[0], category):
        with pytest.raises((TypeError, ValueError)):
            item.category = wrong
        with pytest.raises((TypeError, ValueError)):
            world.create(Item, category=wrong, title="x", price=1)
    assert world.changes_since(before) == []
    world.rollback(start)
    other.close()


def test_a_deleted_row_can_t_be_changed_or_deleted_again(world):
    hold = world.all(Hold)[-1]
    for later in hold.before:
        later.after = None
    world.delete(hold)
    with pytest.raises(ValueError, match="deleted"):
        hold.note = "x"
    with pytest.raises(ValueError, match="deleted"):
        world.delete(hold)


def test_a_row_that_is_referred_to_can_t_be_deleted(world):
    owner = world.all(Loan)[0].member
    before = world.begin()
    with pytest.raises(sqlite3.IntegrityError):
        world.delete(owner)
    world.reject(before)
    assert world.get(Member, owner.id) is owner
    owner.name = "still here"
    world.accept()


def test_creation_wants_every_column_and_a_free_key(world):
    refused(world, lambda: world.create(Category, title="x"), TypeError)
    refused(world, lambda: world.create(Category, slug=None, title="x"), TypeError, ValueError)
    refused(world, lambda: world.create(Category, slug=5, title="x"), TypeError)
    refused(world, lambda: world.create(Category, slug="garden", title="x"), ValueError)
    taken = world.all(Item)[0].id
    category = world.get(Category, "garden")
    refused(
        world,
        lambda: world.create(Item, item_id=taken, category=category, title="x", price=1),
        ValueError,
    )


def test_unique_values_are_checked_when_written(world):
    one, two, *_ = world.all(Member)
    before = world.begin()
    one.email = two.email
    with pytest.raises(sqlite3.IntegrityError):
        world.accept()
    world.reject(before)
    assert one.email != two.email
    assert stale(world) == []


def test_defaults_are_filled_in(world):
    made = world.create(Item, category=world.get(Category, "wood"), title="Vice", price=900)
    assert (made.slot, made.weight, made.electric, made.opens_at, made.status) == (
        30, 1.0, False, None, "shelved",
    )  # fmt: skip


def test_lists_follow_every_change_of_a_reference(world):
    garden, wood = world.get(Category, "garden"), world.get(Category, "wood")
    item = garden.items[0]
    size = len(wood.items)
    item.category = wood
    assert item not in garden.items
    assert item in wood.items
    assert [i.id for i in wood.items] == sorted(i.id for i in wood.items)
    item.category_id = "garden"
    assert item.category is garden
    assert item in garden.items
    assert len(wood.items) == size


def test_an_optional_reference_may_be_taken_away(world):
    loan = next(loan for loan in world.all(Loan) if loan.buddy is not None)
    helper = loan.buddy
    assert loan in helper.helped
    loan.buddy = None
    assert loan.buddy_id is None
    assert loan not in helper.helped


def test_a_row_may_refer_to_its_own_kind(world):
    tools = world.get(Category, "tools")
    assert [c.slug for c in tools.shelves] == ["garden", "metal", "wood"]
    assert world.get(Category, "wood").parent is tools
    box = world.create(Category, slug="box", title="Box", parent=world.get(Category, "wood"))
    assert box.parent.parent is tools
    tools.parent = tools
    world.accept()
    world.evict()
    tools = world.get(Category, "tools")
    assert tools.parent is tools
    assert tools in tools.shelves


def test_the_older_of_two_new_rows_may_come_to_name_the_younger(world):
    member, item = world.all(Member)[0], world.all(Item)[0]
    older = world.create(Hold, member=member, item=item)
    younger = world.create(Hold, member=member, item=item)
    older.after = younger
    world.accept()
    world.evict()
    assert world.get(Hold, older.id).after.id == younger.id


def test_lists_show_rows_created_and_deleted_in_the_same_call(world):
    item = next(i for i in world.all(Item) if not i.holds)
    before = world.begin()
    hold = world.create(Hold, member=world.all(Member)[0], item=item)
    assert item.holds == (hold,)
    world.delete(hold)
    assert item.holds == ()
    assert world.get(Hold, hold.id) is None
    world.reject(before)
    assert item.holds == ()
    assert stale(world) == []


def test_a_label_quotes_columns_and_references(world):
    loan = world.all(Loan)[0]
    assert str(loan) == f"the loan of {loan.item.title}"
    assert str(world.get(Category, "wood")) == "wood"
    assert loan.id == loan.loan_id


def test_keys_of_each_kind_look_as_declared(world):
    member, item, hold = (world.all(e)[0] for e in (Member, Item, Hold))
    assert member.id == "M-0001"
    assert [row.id for row in world.all(Loan)][:3] == ["#00100", "#00107", "#00114"]
    assert item.id.startswith("it_")
    assert len(item.id) == 9
    assert [len(part) for part in hold.id.split("-")] == [8, 4, 4, 4, 12]
    assert len({row.id for row in world.all(Item)}) == 12
