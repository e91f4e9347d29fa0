"""Derived reads: get, find, search, list; filters, three styles of paging, scoping."""

import pytest

from davinci_env.domain import Page, page_of
from davinci_env.domain.results import RowsShape
from tests.support.opened import opened
from tests.support.shed import DIALECTS, shed


def all_pages(env, tool, arguments):
    """Follow a paged read to its end; rows and the totals that the pages told."""
    shape = env.domain.tools[tool].shape
    assert isinstance(shape, RowsShape)
    items, totals, more = [], set(), {}
    for _ in range(50):
        result = env.call(tool, {**arguments, **more})
        assert result.ok, result.message
        items += [item for _, item in shape.rows(result.data)]
        totals.add(shape.total(result.data))
        more = shape.next_page(result.data)
        if more is None:
            return items, totals
    raise AssertionError("the pages never end")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["search", "list", "queue"])
def test_pages_add_up(dialect, name):
    env, made = opened(dialect, scale=3), shed(dialect)
    key = made.domain.dialect.key
    entity, arguments = {
        "search": (made.Item, {}),
        "list": (made.Loan, {key("member_id"): "M-0004"}),
        "queue": (made.Hold, {key("item_id"): env.world.all(made.Hold)[0].item_id}),
    }[name]
    tool = {
        "search": "search_items",
        "list": made.domain.dialect.verb("list", owner="member", entities="loans", entity="loan"),
        "queue": "queue",
    }[name]
    items, totals = all_pages(env, tool, arguments)
    wanted = {
        "search": [row.id for row in env.world.all(made.Item)],
        "list": [row.id for row in env.row("members", "M-0004").loans],
        "queue": [row.id for row in env.world.all(made.Hold)],
    }[name]
    assert [item[key(entity._info.pk)] for item in items] == wanted
    assert len(wanted) > 2
    assert totals == {len(wanted)}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_empty_list_is_one_page(dialect):
    env, key = opened(dialect), DIALECTS[dialect].key
    tool = "search_items"
    items, totals = all_pages(env, tool, {"query": "no such thing"})
    assert (items, totals) == ([], {0})
    data = env.call(tool, {"query": "no such thing"}).data
    meta = data.get("paging", data)
    assert meta.get("pages", 1) == 1
    assert meta.get(key("next_cursor")) is None


def test_pages_beyond_the_end_are_empty():
    assert opened("plain").call("search_items", {"page": 99}).data["items"] == []
    assert opened("shop").call("search_items", {"offset": 99}).data["data"] == []
    assert opened("club").call("search_items", {"cursor": "cffff"}).data["items"] == []


@pytest.mark.parametrize(
    ("dialect", "arguments"),
    [
        ("plain", {"page": 0}),
        ("plain", {"page": -1}),
        ("plain", {"page": 10**9}),
        ("plain", {"page": "1"}),
        ("shop", {"offset": -1}),
        ("shop", {"offset": 1.5}),
        ("club", {"cursor": ""}),
        ("club", {"cursor": "4"}),
        ("club", {"cursor": "c-4"}),
        ("club", {"cursor": "c_4"}),
        ("club", {"cursor": "c 4"}),
        ("club", {"cursor": "0x4"}),
        ("club", {"cursor": "C4"}),
        ("club", {"cursor": "c٤"}),
        ("club", {"cursor": "c" + "f" * 50}),
        ("club", {"cursor": 4}),
        ("club", {"page": 1}),
    ],
)
def test_bad_places_in_a_list_are_refused(dialect, arguments):
    assert opened(dialect).call("search_items", arguments).code == "invalid_arguments"


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("100%", ["100% rake 10", "100% rake 2", "100% rake 6"]),
        ("%", ["100% rake 10", "100% rake 2", "100% rake 6"]),
        ("_", ["Plane_2 11", "Plane_2 3", "Plane_2 7"]),
        ("e_2", ["Plane_2 11", "Plane_2 3", "Plane_2 7"]),
        ("\\", []),
        ("saw", ["Saw 0", "Saw 4", "Saw 8"]),
        ("'; --", []),
        ("%%%", []),
    ],
)
def test_search_takes_texts_as_they_are(query, titles):
    items, _ = all_pages(opened(), "search_items", {"query": query})
    assert sorted(item["title"] for item in items) == titles


def test_search_and_list_narrow_by_columns_references_and_dates():
    env, made = opened(), shed()
    rows = env.world.all(made.Item)
    items, _ = all_pages(env, "search_items", {"status": "out", "slug": "wood"})
    assert [i["item_id"] for i in items] == [
        r.id for r in rows if r.status == "out" and r.category_id == "wood"
    ]
    items, _ = all_pages(env, "search_items", {"electric": False, "query": "drill"})
    assert items == []
    loan = env.row("members", "M-0004").loans[1]
    items, _ = all_pages(
        env, "list_member_loans", {"member_id": "M-0004", "due_on": loan.due_on.isoformat()}
    )
    assert loan.id in [i["loan_id"] for i in items]
    assert env.call("search_items", {"slug": "nowhere"}).code == "category_not_found"
    assert env.call("search_items", {"status": "lost"}).code == "invalid_arguments"


def test_get_includes_children_and_find_is_exact():
    env, made = opened(), shed()
    member = env.row("members", "M-0004")
    data = env.call("get_member", {"member_id": "M-0004"}).data
    assert [loan["loan_id"] for loan in data["loans"]] == [loan.id for loan in member.loans]
    assert "pin" not in data
    assert env.call("find_member_by_email", {"email": member.email}).data["member_id"] == "M-0004"
    refused = env.call("find_member_by_email", {"email": member.email.upper()})
    assert refused.code == "member_not_found"
    assert env.call("loan_details", {"loan_id": "#00100"}).data["title"] == (
        env.row("loans", "#00100").item.title
    )
    assert made.domain.tools["loan_details"].derived == "get"


def test_results_note_the_rows_that_they_show():
    env = opened()
    member = env.row("members", "M-0004")
    seen = env.call("get_member", {"member_id": "M-0004"}).seen
    assert seen == (("members", "M-0004"), *(("loans", loan.id) for loan in member.loans))
    seen = env.call("list_member_loans", {"member_id": "M-0004"}).seen
    assert seen == tuple(("loans", loan.id) for loan in member.loans[:2])


# -- self-service ----------------------------------------------------------------------------------


def test_other_people_s_rows_are_refused_and_nothing_changes():
    env, made = opened("plain", "self_service", actor="M-0004"), shed("plain", "self_service")
    theirs = next(loan for loan in env.world.all(made.Loan) if loan.member_id != "M-0004")
    hold = next(hold for hold in env.world.all(made.Hold) if hold.member_id != "M-0004")
    before = env.capture()
    for tool, arguments in [
        ("loan_details", {"loan_id": theirs.id}),
        ("renew_loan", {"loan_id": theirs.id, "until": "2027-01-01"}),
        ("give_back", {"loan_id": theirs.id}),
        ("cancel_hold", {"hold_id": hold.id}),
    ]:
        result = env.call(tool, arguments)
        assert result.code == "access_denied", tool
        assert result.message == "This " + ("hold" if "hold" in tool else "loan") + (
            " belongs to somebody else."
        )
    assert env.capture() == before


def test_one_s_own_rows_are_served_without_saying_who_one_is():
    env = opened("plain", "self_service", actor="M-0004")
    mine = env.row("members", "M-0004")
    assert env.call("account", {}).data["member"]["member_id"] == "M-0004"
    items, totals = all_pages(env, "list_member_loans", {})
    assert [i["loan_id"] for i in items] == [loan.id for loan in mine.loans]
    assert totals == {3}
    assert env.call("give_back", {"loan_id": mine.loans[0].id}).ok


def test_lists_searches_finds_and_included_rows_are_scoped():
    env, made = opened("plain", "self_service", actor="M-0003"), shed("plain", "self_service")
    mine = env.row("members", "M-0003")
    item = next(i for i in env.world.all(made.Item) if len({h.member_id for h in i.holds}) > 1)
    shown = env.call("get_item", {"item_id": item.id}).data
    assert [hold["member_id"] for hold in shown["holds"]] == ["M-0003"]
    lent = next(i for i in env.world.all(made.Item) if any(x.member is not mine for x in i.loans))
    items, _ = all_pages(env, "list_item_loans", {"item_id": lent.id})
    assert {i["member_id"] for i in items} <= {"M-0003"}
    items, totals = all_pages(env, "search_members", {})
    assert ([i["member_id"] for i in items], totals) == (["M-0003"], {1})
    other = env.row("members", "M-0004")
    assert env.call("find_member_by_email", {"email": other.email}).code == "member_not_found"
    assert env.call("find_member_by_email", {"email": mine.email}).ok


def test_nobody_s_rows_are_everybody_s():
    env = opened("plain", "self_service", actor="M-0003")
    assert len(all_pages(env, "search_items", {})[0]) == 12


def test_without_an_actor_nobody_s_rows_are_all_that_is_served():
    env, made = opened("plain", "self_service"), shed("plain", "self_service")
    env.world.actor = None
    assert env.call("account", {}).code == "access_denied"
    assert env.call("loan_details", {"loan_id": "#00100"}).code == "access_denied"
    assert all_pages(env, "search_members", {})[0] == []
    item = env.world.all(made.Hold)[0].item_id
    assert env.call("get_item", {"item_id": item}).data["holds"] == []


def test_staff_see_everybody():
    env = opened("plain", "staff", actor="M-0003")
    assert env.call("account", {"member_id": "M-0004"}).ok
    assert len(all_pages(env, "search_members", {})[0]) == 6


def test_pages_of_hand_written_reads():
    page = page_of(list("abcdefg"), 2, 3)
    assert page == Page(["d", "e", "f"], 3, 3, 7)
