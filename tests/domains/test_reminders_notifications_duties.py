"""The reminder app: what the assistant has to keep, and its quotes."""

from datetime import timedelta

import pytest

from tests.domains.nudge import (
    NOW,
    Desk,
    in_state,
    running,
    with_room,
)


@pytest.fixture
def desk():
    return Desk()


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
