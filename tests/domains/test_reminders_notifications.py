"""The reminder app, worked out by hand: snoozing, ticking off, cancelling, digests, messages."""

from datetime import datetime, time, timedelta

import pytest

from tests.domains.nudge import (
    NOW,
    Desk,
    in_state,
    running,
    single,
)


@pytest.fixture
def desk():
    return Desk()


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
