"""The reminder app, worked out by hand: moments, quiet hours, limits, digests and lost messages."""

from datetime import datetime, time, timedelta
from functools import cache
from unittest.mock import patch

import pytest

from davinci_env.domain import Domain, load
from davinci_env.domain.examples import failing_examples
from davinci_env.environment import DomainEnvironment, Event
from davinci_env.state import World

NOW = datetime(2026, 6, 9, 7, 40)


@cache
def nudge() -> Domain:
    return load("reminders_notifications")


class Desk:
    """The environment, with what these tests keep saying."""

    def __init__(self, seed: int = 0, scale: float = 1.0) -> None:
        self.domain = nudge()
        world = self.domain.build(seed, scale)
        self.env = DomainEnvironment(self.domain, world, seed=seed, scale=scale)

    def rows(self, entity: str, *conditions):
        found = self.env.world.all(self.domain.entities[entity])
        return [row for row in found if all(holds(row) for holds in conditions)]

    def first(self, entity: str, *conditions):
        """The first such row; its owner is signed in."""
        row = self.rows(entity, *conditions)[0]
        self.env.act_for(row.id if entity == "Recipient" else row.recipient.id)
        return row

    def ok(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message} {result.details}"
        return result.data.get("result", result.data)

    def refused(self, tool: str, **arguments) -> str:
        before = self.env.capture().state_hash
        result = self.env.call(tool, arguments)
        assert not result.ok, f"{tool} went through"
        assert self.env.capture().state_hash == before
        return result.code

    def violated(self, tool: str, **arguments):
        result = self.env.call(tool, arguments)
        assert result.ok, f"{tool}: {result.code} {result.message}"
        return result.violated

    def confirm(self, tool: str, **arguments) -> None:
        self.env.observe(Event("confirmed", {"tool": tool, "arguments": arguments}))


@pytest.fixture
def desk():
    return Desk()


def running(recipient):
    return [r for r in recipient.reminders if r.status in ("scheduled", "snoozed", "fired")]


def working(recipient, kind):
    good = [c for c in recipient.delivery_channels if c.status == "verified" and not c.muted]
    return next((c for c in good if c.kind == kind), None)


def with_room(recipient):
    limit = {"basic": 6, "plus": 8}[recipient.plan]
    return len(running(recipient)) < limit and working(recipient, "email") is not None


def wish(recipient, due_at="06/24/2026 14:00", **more):
    channel = working(recipient, "email")
    base = {"title": "Bleed the radiators", "category": "home", "due_at": due_at}
    return base | {"channel_id": channel.id} | more


def in_state(*states):
    return lambda row: row.status in states


def single(reminder):
    return reminder.repeat == "none" and reminder.digest is None


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


# -- snoozing, ticking off, cancelling -------------------------------------------------------------


def test_a_snooze_counts_and_ends_at_its_limit(desk):
    reminder = desk.first(
        "Reminder",
        in_state("fired"),
        lambda r: r.priority == "normal" and r.times_snoozed == 2 and r.repeat == "daily",
    )
    asked = {"reminder_id": reminder.id, "minutes": "PT24H"}
    assert desk.refused("snooze_reminder", **asked) == "before_next_one"
    done = desk.ok("snooze_reminder", reminder_id=reminder.id, minutes="PT30M")
    assert done["times_snoozed"] == 3
    assert reminder.snoozed_until == NOW + timedelta(minutes=30)
    spent = desk.first(
        "Reminder",
        in_state("fired"),
        lambda r: r.priority == "normal" and r.times_snoozed == 3,
    )
    asked = {"reminder_id": spent.id, "minutes": "PT30M"}
    assert desk.refused("snooze_reminder", **asked) == "snoozes_left"
    desk.ok("reschedule_reminder", reminder_id=spent.id, due_at="06/24/2026 14:00")
    assert spent.times_snoozed == 0 and spent.status == "scheduled"


def test_ticking_off_a_repeating_one_brings_the_next(desk):
    reminder = desk.first("Reminder", in_state("fired"), lambda r: r.repeat == "weekly")
    due_at = reminder.due_at
    desk.ok("complete_reminder", reminder_id=reminder.id)
    assert reminder.status == "scheduled" and reminder.due_at == due_at + timedelta(days=7)
    once = desk.first("Reminder", in_state("fired"), lambda r: r.repeat == "none")
    desk.ok("complete_reminder", reminder_id=once.id)
    assert once.status == "done"


def test_a_cancelled_reminder_comes_back_as_it_was(desk):
    reminder = desk.first("Reminder", in_state("scheduled"), single)
    due_at, goes_out_at = reminder.due_at, reminder.goes_out_at
    desk.confirm("cancel_reminder", reminder_id=reminder.id)
    assert desk.violated("cancel_reminder", reminder_id=reminder.id) == ()
    desk.ok("restore_reminder", reminder_id=reminder.id)
    assert (reminder.due_at, reminder.goes_out_at) == (due_at, goes_out_at)


def test_what_is_past_does_not_come_back(desk):
    reminder = desk.first(
        "Reminder",
        in_state("cancelled"),
        lambda r: r.due_at < NOW and len(running(r.recipient)) < 6,
    )
    assert desk.refused("restore_reminder", reminder_id=reminder.id) == "still_ahead"


def test_a_bill_and_a_health_reminder_need_care(desk):
    bill = desk.first("Reminder", in_state("scheduled"), lambda r: r.category == "bills")
    assert "bill_has_fired" in desk.violated("complete_reminder", reminder_id=bill.id)
    tablets = desk.first(
        "Reminder", in_state("scheduled"), single, lambda r: r.category == "health"
    )
    asked = {"reminder_id": tablets.id, "priority": "low"}
    if tablets.priority != "low":
        assert "health_not_low" in desk.violated("change_priority", **asked)


# -- digests ---------------------------------------------------------------------------------------


def test_a_digest_replaces_single_messages_until_it_is_dissolved(desk):
    digest = desk.first("Digest", in_state("open"), lambda d: len(d.reminders) > 1)
    inside = list(digest.reminders)
    morning = datetime.combine(digest.day, time(9))
    assert all(reminder.goes_out_at == morning for reminder in inside)
    one = inside[0]
    assert desk.refused("cancel_reminder", reminder_id=one.id) == "not_bundled"
    asked = {"reminder_id": one.id, "priority": "urgent"}
    assert desk.refused("change_priority", **asked) == "digest_not_urgent"
    asked = {"reminder_id": one.id, "due_at": "06/24/2026 14:00"}
    assert desk.refused("reschedule_reminder", **asked) == "stays_with_digest"
    desk.confirm("dissolve_digest", digest_id=digest.id)
    assert desk.violated("dissolve_digest", digest_id=digest.id) == ()
    assert all(reminder.digest is None for reminder in inside)
    asked = {"reminder_ids": [r.id for r in inside], "day": f"{digest.day:%m/%d/%Y}"}
    made = desk.ok("bundle_reminders", **asked)
    assert made["size"] == len(inside)
    assert all(reminder.goes_out_at == morning for reminder in inside)


def test_a_digest_takes_two_reminders_of_its_own_day(desk):
    recipient = desk.first(
        "Recipient",
        lambda p: sum(r.status == "scheduled" and single(r) for r in p.reminders) > 1,
    )
    few = [r for r in recipient.reminders if r.status == "scheduled" and single(r)][:2]
    for n, reminder in enumerate(few):
        due_at = f"06/24/2026 1{n}:00"
        desk.ok("reschedule_reminder", reminder_id=reminder.id, due_at=due_at)
    ids = [reminder.id for reminder in few]
    asked = {"reminder_ids": ids, "day": "06/25/2026"}
    assert desk.refused("bundle_reminders", **asked) == "fit_for_digest"
    asked = {"reminder_ids": ids[:1], "day": "06/24/2026"}
    assert desk.refused("bundle_reminders", **asked) == "fit_for_digest"
    asked = {"reminder_ids": ids, "day": "06/09/2026"}
    assert desk.refused("bundle_reminders", **asked) == "digest_ahead"


def test_reminders_are_shifted_together(desk):
    def movable(p):
        waiting = [r for r in p.reminders if r.status == "scheduled" and single(r)]
        return [r for r in waiting if r.category != "bills"][:2]

    recipient = desk.first("Recipient", lambda p: len(movable(p)) == 2)
    few = movable(recipient)
    before = [reminder.due_at for reminder in few]
    asked = {"reminder_ids": [r.id for r in few], "days": 14}
    desk.confirm("shift_reminders", **asked)
    assert desk.violated("shift_reminders", **asked) == ()
    assert [r.due_at for r in few] == [at + timedelta(days=14) for at in before]


# -- channels and lost messages --------------------------------------------------------------------


def test_a_code_verifies_a_channel(desk):
    channel = desk.first("DeliveryChannel", in_state("pending"))
    asked = {"channel_id": channel.id, "code": "000000"}
    assert desk.refused("verify_channel", **asked) == "code_matches"
    assert desk.ok("verify_channel", channel_id=channel.id, code=channel.sent_code)
    assert channel.status == "verified"


def test_a_lost_message_is_sent_again_another_way(desk):
    def lost_once(reminder):
        attempts = reminder.delivery_attempts
        return len(attempts) == 1 and attempts[0].status == "failed"

    reminder = desk.first("Reminder", in_state("fired"), lost_once)
    lost_on = reminder.delivery_attempts[0].channel
    asked = {"reminder_id": reminder.id, "channel_id": lost_on.id}
    assert desk.refused("resend_notification", **asked) == "another_way"
    other = next(
        c
        for c in reminder.recipient.delivery_channels
        if c is not lost_on and c.status == "verified" and not c.muted
    )
    asked["channel_id"] = other.id
    fee = {"email": "0.00", "push": "0.00", "sms": "0.08", "call": "0.25"}[other.kind]
    assert desk.ok("quote_resend", **asked)["fee"] == fee
    assert desk.ok("resend_notification", **asked)["fee"] == fee
    assert desk.refused("resend_notification", **asked) == "last_one_lost"


def test_three_messages_are_the_most(desk):
    reminder = desk.first("Reminder", in_state("fired"), lambda r: len(r.delivery_attempts) == 3)
    channel = reminder.recipient.delivery_channels[0]
    asked = {"reminder_id": reminder.id, "channel_id": channel.id}
    assert desk.refused("resend_notification", **asked) == "tries_left"


def test_nobody_sees_or_moves_what_belongs_to_somebody_else(desk):
    reminder = desk.rows("Reminder", in_state("scheduled"))[0]
    stranger = next(p for p in desk.rows("Recipient") if p is not reminder.recipient)
    desk.env.act_for(stranger.id)
    assert desk.refused("check_reminder", reminder_id=reminder.id) == "access_denied"
    assert desk.refused("cancel_reminder", reminder_id=reminder.id) == "access_denied"


def test_bills_and_health_are_snoozed_briefly(desk):
    for category, long, short in (("bills", "PT8H", "PT4H"), ("health", "PT2H", "PT1H")):
        rule = {"bills": "bill_snoozed_briefly", "health": "health_snoozed_briefly"}[category]
        for minutes, wrong in ((short, False), (long, True)):
            fresh = Desk()
            reminder = fresh.first(
                "Reminder",
                in_state("fired"),
                lambda r, c=category: r.category == c and r.repeat == "none",
                lambda r: r.times_snoozed < {"low": 4, "normal": 3, "urgent": 1}[r.priority],
            )
            broken = fresh.violated("snooze_reminder", reminder_id=reminder.id, minutes=minutes)
            assert (rule in broken) is wrong


def test_what_was_put_off_is_not_lowered_and_what_is_far_not_urgent(desk):
    often = desk.first(
        "Reminder", in_state("fired", "snoozed"), lambda r: r.times_snoozed == 2 and not r.digest
    )
    asked = {"reminder_id": often.id, "priority": "low"}
    assert "put_off_not_lowered" in desk.violated("change_priority", **asked)
    for days, wrong in ((2, False), (3, True)):
        fresh = Desk()
        reminder = fresh.first(
            "Reminder",
            in_state("scheduled"),
            lambda r, d=days: (r.due_at.date() - NOW.date()).days == d,
            lambda r: r.priority != "urgent" and r.digest is None,
            lambda r: sum(x.priority == "urgent" for x in running(r.recipient)) < 2,
        )
        broken = fresh.violated("change_priority", reminder_id=reminder.id, priority="urgent")
        assert ("urgent_when_near" in broken) is wrong


def test_a_title_is_left_alone_once_the_message_is_out(desk):
    fired = desk.first("Reminder", in_state("fired"))
    broken = desk.violated("rename_reminder", reminder_id=fired.id, title="Ask Jonas")
    assert broken == ("fired_keeps_title",)
    waiting = desk.first("Reminder", in_state("scheduled"))
    assert desk.violated("rename_reminder", reminder_id=waiting.id, title="Ask Jonas") == ()


def test_the_quotes_change_nothing_and_are_right(desk):
    cancelled = desk.first(
        "Reminder",
        in_state("cancelled"),
        lambda r: r.due_at > NOW and r.priority == "normal" and with_room(r.recipient),
    )
    quoted = desk.ok("quote_restoring", reminder_id=cancelled.id)["would_go_out_at"]
    desk.confirm("restore_reminder", reminder_id=cancelled.id)
    assert desk.ok("restore_reminder", reminder_id=cancelled.id)["goes_out_at"] == quoted
    channel = desk.first(
        "DeliveryChannel",
        in_state("verified"),
        lambda c: (
            not c.muted
            and any(r.priority == "urgent" for r in c.reminders if r in running(c.recipient))
        ),
    )
    asked = {"channel_id": channel.id}
    waiting = sum(r.channel is channel for r in running(channel.recipient))
    assert desk.ok("quote_muting", **asked)["waiting"] == waiting
    desk.confirm("mute_channel", **asked)
    assert desk.violated("mute_channel", **asked) == ("nothing_urgent_there",)
    quiet = desk.first("QuietHours")
    asked = {"quiet_hours_id": quiet.id, "starts": "22:30", "ends": "06:00"}
    assert desk.ok("quote_quiet_hours", **asked)["lasts"] == "PT7H30M"
    digest = desk.first("Digest", in_state("open"))
    assert desk.ok("quote_dissolving", digest_id=digest.id) == {"singly": digest.size}


def test_bills_are_moved_singly(desk):
    bill = desk.first("Reminder", in_state("scheduled"), lambda r: r.category == "bills")
    asked = {"reminder_ids": [bill.id], "days": 14}
    due = (bill.due_at + timedelta(days=14)).strftime("%m/%d/%Y %H:%M")
    quoted = desk.ok("quote_shift", **asked)
    assert quoted == {"first_due_at": due, "last_due_at": due}


def test_the_report_adds_up_the_fees(desk):
    recipient = desk.first("Recipient", lambda p: sum(a.fee for a in p.delivery_attempts) > 0)
    report = desk.ok("preference_report")
    total = sum(a.fee for a in recipient.delivery_attempts)
    assert report["fees"] == f"{total / 100:.2f}"
    assert report["running"] == len(running(recipient))
