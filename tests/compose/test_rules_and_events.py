"""What joins domains: rules that cross, and events that carry a change from one to the other."""

from typing import Any

import pytest

from davinci_env.domain.frames import Sets
from davinci_env.environment import DomainEnvironment
from tests.compose.worlds import day_out, opened, told


@pytest.fixture
def desk() -> DomainEnvironment:
    return opened()


def unpaid(desk: DomainEnvironment) -> Any:
    """A pair whose tab is open."""
    pair = next(p for p in desk.world.all(day_out().links[0].entity) if p.tab.status == "open")
    told(desk, email=pair.tab.guest.email, postcode=pair.tab.guest.postcode)
    return pair


def test_an_enforced_rule_reads_the_other_domain(desk: DomainEnvironment) -> None:
    pair = unpaid(desk)
    refused = desk.call("empty_locker", {"locker_id": pair.locker_id})
    assert refused.code == "tab_is_paid"
    assert refused.message == ("A locker is emptied only once the tab that goes with it is paid.")
    assert desk.capture().diff == []
    assert desk.call("pay_tab", {"tabId": pair.tab_id}).ok
    assert desk.call("empty_locker", {"locker_id": pair.locker_id}).ok


def test_a_rule_of_the_agents_own_is_recorded_when_broken(desk: DomainEnvironment) -> None:
    composition = day_out()
    without = [
        row
        for row in desk.world.all(composition.entities["Tab"], status="open")
        if composition.as_known_in(composition.entities["Swimmer"], row.guest) is not None
    ]
    tab = without[0]
    told(desk, email=tab.guest.email, postcode=tab.guest.postcode)
    assert desk.call("add_tip", {"tabId": tab.id, "amount": "2.00"}).violated == ()
    swimmer = composition.as_known_in(composition.entities["Swimmer"], tab.guest)
    assert swimmer is not None
    for locker in swimmer.lockers:
        for pair in locker.locker_tabs:
            assert desk.call("pay_tab", {"tabId": pair.tab_id}).ok
        assert desk.call("empty_locker", {"locker_id": locker.id}).ok
    still_open = [t for t in tab.guest.tabs if t.status == "open"]
    if still_open:
        tip = {"tabId": still_open[0].id, "amount": "3.00"}
        assert desk.call("add_tip", tip).violated == ("has_a_locker",)


def test_an_event_changes_the_other_domain_in_the_same_call(desk: DomainEnvironment) -> None:
    pair = unpaid(desk)
    assert desk.call("add_tip", {"tabId": pair.tab_id, "amount": "2.00"}).ok
    assert desk.call("pay_tab", {"tabId": pair.tab_id}).ok
    assert pair.tab.tip == 200
    before = desk.snapshot()
    assert desk.call("empty_locker", {"locker_id": pair.locker_id}).ok
    assert pair.tab.tip == 0
    assert desk.query('SELECT tip FROM "snack_bar__tabs" WHERE tab_id = ?', [pair.tab_id]) == [(0,)]
    desk.restore(before)
    assert pair.tab.tip == 200


def test_the_frame_of_a_tool_says_what_its_events_change() -> None:
    frame = day_out().tools["empty_locker"].frame
    assert [f.path for f in frame if isinstance(f, Sets)] == ["locker.locker_tabs.tab"]


def test_an_event_that_fails_undoes_the_whole_call(
    desk: DomainEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = unpaid(desk)
    assert desk.call("pay_tab", {"tabId": pair.tab_id}).ok
    before = desk.capture().state_hash

    def broken(db: Any, locker: Any) -> None:
        for own in locker.locker_tabs:
            own.tab.tip = 900
        raise RuntimeError("no more paper")

    (event,) = day_out().events
    monkeypatch.setitem(event.__dict__, "body", broken)
    result = desk.call("empty_locker", {"locker_id": pair.locker_id})
    assert result.code == "internal_error"
    assert desk.capture().state_hash == before
    assert pair.locker.status == "rented"
    assert pair.tab.tip == 0


def test_the_policy_is_one_document_with_a_section_for_each_domain() -> None:
    policy = day_out().policy()
    assert policy.startswith("# Day out: policy\n\nYou are the desk clerk of the leisure centre.")
    assert "It is Monday, 8 June 2026, 11:00." in policy
    assert "The same person is a swimmer in swim hall and a guest in snack bar." in policy
    assert "**Tab is paid.** A locker is emptied only once" in policy
    assert "This concerns `add_tip`; no system checks it for you." in policy
    assert "When a locker is emptied, the tip on the tab that goes with it is struck." in policy
    assert policy.index("## Swim hall") < policy.index("## Snack bar")
    assert policy.count("## When a tool is missing") == 1
    assert policy.count("It is Monday") == 1
    assert "`swim_hall__hand_over`" in policy
    assert "A locker is rented for at most 9 days." in policy
