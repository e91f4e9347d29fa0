"""The reminder app, worked out by hand: the seed, moments, new reminders and their limits."""

from datetime import datetime, time, timedelta
from unittest.mock import patch

import pytest

from davinci_env.domain.examples import failing_examples
from davinci_env.state import World
from tests.domains.nudge import (
    Desk,
    in_state,
    nudge,
    running,
    single,
    wish,
    with_room,
    working,
)


@pytest.fixture
def desk():
    return Desk()


# -- the seed and the policy -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "today",
    [
        datetime(2026, 1, 2, 9, 0),
        datetime(2026, 7, 31, 16, 50),
        datetime(2026, 9, 4, 8, 0),
        datetime(2028, 2, 29, 12, 0),
    ],
)
def test_the_seed_holds_on_any_day(today):
    domain = nudge()
    with patch.object(domain, "now", today):
        world = World(domain.schema, domain.image(1, 1.0))
        broken = [
            (check.__name__, row.id)
            for entity, check in domain.invariants
            for row in world.all(entity)
            if not check(row)
        ]
    assert broken == []


def test_seed_reaches_every_state_and_has_a_realistic_size(desk):
    assert 150 <= sum(len(desk.rows(name)) for name in desk.domain.entities) <= 600
    assert {r.status for r in desk.rows("Reminder")} == {
        "scheduled",
        "snoozed",
        "fired",
        "done",
        "cancelled",
    }
    assert {a.status for a in desk.rows("DeliveryAttempt")} == {
        "sent",
        "delivered",
        "failed",
        "bounced",
    }
    assert all(len(p.reminders) >= 5 for p in desk.rows("Recipient"))


def test_somebody_stands_at_the_limit_of_each_plan(desk):
    counts = {(p.plan, len(running(p))) for p in desk.rows("Recipient")}
    assert ("basic", 6) in counts and ("plus", 8) in counts
    assert ("basic", 5) in counts and ("plus", 7) in counts


def test_doctests_of_the_helpers(desk):
    assert failing_examples(desk.domain.helpers) == []


def test_policy_names_the_figures(desk):
    policy = desk.domain.policy()
    assert len(policy.split()) >= 900 and "{" not in policy
    assert "The basic plan has room for 6 running reminders and the plus plan for 8" in policy


# -- moments ---------------------------------------------------------------------------------------


def test_a_notification_waits_for_the_end_of_the_night(desk):
    quiet = desk.first("QuietHours", lambda q: q.days == "weekday", in_state("active"))
    assert quiet.ends < time(7, 31)
    found = desk.ok("preview_delivery", due_at="06/24/2026 12:00", lead="PT7H")  # a Wednesday
    assert found["planned_at"] == "06/24/2026 05:00"
    assert found["goes_out_at"] == f"06/24/2026 {quiet.ends:%H:%M}"
    assert found["moved_by_quiet_hours"] is True


def test_it_goes_out_before_the_night_if_the_morning_is_too_late(desk):
    quiet = desk.first("QuietHours", lambda q: q.days == "weekday", in_state("active"))
    found = desk.ok("preview_delivery", due_at="06/24/2026 05:30", lead="PT30M")
    assert found["goes_out_at"] == f"06/23/2026 {quiet.starts:%H:%M}"


def test_urgent_ones_pass_only_where_that_is_allowed(desk):
    def night(passes):
        return lambda q: q.days == "weekday" and q.status == "active" and q.urgent_passes is passes

    asked = {"due_at": "06/24/2026 12:00", "lead": "PT7H", "priority": "urgent"}
    desk.first("QuietHours", night(True))
    assert desk.ok("preview_delivery", **asked)["goes_out_at"] == "06/24/2026 05:00"
    quiet = desk.first("QuietHours", night(False))
    moved = desk.ok("preview_delivery", **asked)["goes_out_at"]
    assert moved == f"06/24/2026 {quiet.ends:%H:%M}"


def test_pausing_and_resuming_quiet_hours_moves_what_they_held_back(desk):
    def held(reminder):
        planned = reminder.due_at - timedelta(minutes=reminder.lead)
        return (
            reminder.status == "scheduled"
            and reminder.digest is None
            and reminder.goes_out_at != planned
            and planned.weekday() < 5
        )

    reminder = desk.first("Reminder", held)
    before, planned = reminder.goes_out_at, reminder.due_at - timedelta(minutes=reminder.lead)
    quiet = next(q for q in reminder.recipient.quiet_hours if q.days == "weekday")
    desk.ok("pause_quiet_hours", quiet_hours_id=quiet.id)
    assert reminder.goes_out_at == planned
    desk.ok("resume_quiet_hours", quiet_hours_id=quiet.id)
    assert reminder.goes_out_at == before


def test_quiet_hours_have_a_shortest_and_a_longest_length(desk):
    quiet = desk.first("QuietHours", in_state("active"))
    for starts, ends in (("20:00", "07:01"), ("13:00", "13:59")):
        asked = {"quiet_hours_id": quiet.id, "starts": starts, "ends": ends}
        assert desk.refused("set_quiet_hours", **asked) == "quiet_length_right"
    asked = {"quiet_hours_id": quiet.id, "starts": "20:00", "ends": "07:00"}
    assert "agreed" in desk.violated("set_quiet_hours", **asked)
    assert desk.refused("set_quiet_hours", **asked) == "as_before"


# -- new reminders and their limits ----------------------------------------------------------------


def test_a_new_reminder_goes_out_when_it_is_due_less_its_lead(desk):
    recipient = desk.first("Recipient", with_room)
    made = desk.ok("create_reminder", **wish(recipient, lead="PT1H", about="the note"))
    assert made["goes_out_at"] == "06/24/2026 13:00"
    assert made["status"] == "scheduled" and made["about"] == "the note"


def test_the_plan_limits_what_runs(desk):
    recipient = desk.first(
        "Recipient", lambda p: len(running(p)) == {"basic": 6, "plus": 8}[p.plan]
    )
    assert desk.refused("create_reminder", **wish(recipient)) == "below_plan_limit"


def test_nothing_is_set_for_the_past(desk):
    recipient = desk.first("Recipient", with_room)
    asked = wish(recipient, "06/09/2026 07:40")
    assert desk.refused("create_reminder", **asked) == "goes_out_ahead"
    asked = wish(recipient, "06/09/2026 10:00", lead="PT3H")
    assert desk.refused("create_reminder", **asked) == "goes_out_ahead"


@pytest.mark.parametrize("state", ["pending", "disabled"])
def test_a_channel_has_to_be_verified(desk, state):
    channel = desk.first("DeliveryChannel", in_state(state), lambda c: with_room(c.recipient))
    asked = wish(channel.recipient, channel_id=channel.id)
    assert desk.refused("create_reminder", **asked) == "channel_verified"


def test_a_muted_channel_takes_nothing_until_it_is_unmuted(desk):
    channel = desk.first(
        "DeliveryChannel", lambda c: c.muted and c.kind == "sms" and with_room(c.recipient)
    )
    asked = wish(channel.recipient, channel_id=channel.id)
    assert desk.refused("create_reminder", **asked) == "channel_not_muted"
    desk.ok("unmute_channel", channel_id=channel.id)
    assert desk.refused("unmute_channel", channel_id=channel.id) == "not_muted"
    desk.ok("create_reminder", **asked)


def test_a_text_channel_carries_two_single_reminders_a_day(desk):
    def elsewhere(recipient):
        waiting = [r for r in recipient.reminders if r.status == "scheduled" and single(r)]
        return [r for r in waiting if r.channel is not working(recipient, "sms")]

    recipient = desk.first(
        "Recipient",
        lambda p: with_room(p) and working(p, "sms") is not None and len(elsewhere(p)) > 2,
    )
    channel, ids = working(recipient, "sms"), [r.id for r in elsewhere(recipient)[:3]]
    assert len(ids) == 3
    for n, reminder_id in enumerate(ids):
        due_at = f"06/24/2026 1{n}:00"
        desk.ok("reschedule_reminder", reminder_id=reminder_id, due_at=due_at)
    asked = {"reminder_ids": ids, "channel_id": channel.id}
    assert desk.refused("move_to_channel", **asked) == "room_for_all"
    asked["reminder_ids"] = ids[:2]
    desk.ok("move_to_channel", **asked)
    late = wish(recipient, channel_id=channel.id)
    assert desk.refused("create_reminder", **late) == "channel_has_room"
    desk.ok("create_reminder", **late, repeat="weekly")


def test_two_reminders_may_be_urgent(desk):
    reminder = desk.first(
        "Reminder",
        in_state("scheduled"),
        lambda r: r.digest is None and r.priority != "urgent",
        lambda r: sum(x.priority == "urgent" for x in running(r.recipient)) == 2,
    )
    asked = {"reminder_id": reminder.id, "priority": "urgent"}
    assert desk.refused("change_priority", **asked) == "urgent_still_free"
    other = next(r for r in running(reminder.recipient) if r.priority == "urgent")
    desk.ok("change_priority", reminder_id=other.id, priority="normal")
    desk.ok("change_priority", **asked)


def test_the_daily_cap_and_clashes_are_the_assistants_business(desk):
    recipient = desk.first("Recipient", lambda p: with_room(p) and len(running(p)) < 6)
    desk.ok("set_daily_cap", daily_cap=1)
    assert desk.refused("set_daily_cap", daily_cap=1) == "same_cap"
    assert desk.violated("create_reminder", **wish(recipient)) == ()
    if with_room(recipient):
        broken = desk.violated("create_reminder", **wish(recipient, "06/24/2026 14:14"))
        assert {"day_below_cap", "no_clash"} <= set(broken)


def test_a_moment_in_quiet_hours_is_looked_up_first(desk):
    quiet = desk.first(
        "QuietHours",
        lambda q: q.days == "weekday" and q.status == "active" and with_room(q.recipient),
    )
    asked = wish(quiet.recipient, "06/24/2026 12:00", lead="PT7H")
    assert "moment_quoted" in desk.violated("create_reminder", **asked)
    made = desk.rows("Reminder", lambda r: r.title == "Bleed the radiators")[0]
    desk.ok("preview_delivery", due_at="06/25/2026 05:30")
    asked = {"reminder_id": made.id, "due_at": "06/25/2026 12:00"}
    assert "moment_quoted" not in desk.violated("reschedule_reminder", **asked)
