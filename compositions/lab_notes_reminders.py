"""Laboratory, notes and reminders: tests, what one has written down about them, and when."""

from datetime import datetime

from davinci_env.compose import Composition

composition = Composition(
    "lab_notes_reminders",
    version=1,
    domains=["lab_orders", "notes_knowledge", "reminders_notifications"],
    today=datetime(2026, 4, 13, 10, 5),
    role="personal assistant with access to one person's laboratory file, notes and reminders",
    intro="""
    The person keeps notes on the tests that are ordered for them, and is reminded of the draws. You
    write down and remind, and never say what a value means.
    """,
)
lab, notes, nudge = composition.modules
AHEAD = ("scheduled", "snoozed")
OPEN = ("ordered", "scheduled", "collected", "in_analysis")


def note_on_tests(order, note) -> None:
    """The note is called after the tests."""
    note.title = f"Blood tests of {order.ordered_on:%B %-d}: {order.purpose}"


def about_tests(order, reminder) -> None:
    """The reminder says what it goes with."""
    reminder.title, reminder.category = f"Have blood taken: {order.purpose}", "health"
    reminder.about = f"the sheet of {order.ordered_on:%B %-d}"


composition.link(
    "OrderNote",
    lab.LabOrder,
    notes.Note,
    said=["the note I keep on {it}", "my note about {it}", "the note that goes with {it}"],
    back=["the lab order that goes with {it}", "the lab order behind {it}"],
    matches=lambda order, note: (
        order.status in OPEN and note.status in ("draft", "published") and not note.facts
    ),
    note=note_on_tests,
)
composition.link(
    "OrderReminder",
    lab.LabOrder,
    nudge.Reminder,
    said=["the reminder for {it}", "the reminder I set for {it}"],
    back=["the lab order that goes with {it}", "the lab order behind {it}"],
    matches=lambda order, reminder: (
        order.status in ("ordered", "scheduled")
        and reminder.status in AHEAD
        and reminder.category != "bills"
    ),
    note=about_tests,
)


@composition.cross_rule(
    ["cancel_order"],
    by="agent",
    because=["a reminder for it is still to come", "you would still be reminded of it"],
    concepts=[["reminder", "reminded"]],
    remedy="cancel_reminder",
    offers=["the reminder could be cancelled first", "you could drop that reminder first"],
)
def not_reminded_any_more(lab_order) -> bool:
    """An order is cancelled only when no reminder for it is still to come: cancel that first."""
    return not any(pair.reminder.status in AHEAD for pair in lab_order.order_reminders)


@composition.cross_rule(
    ["archive_note"],
    because=[
        "the tests that it is about haven't been reported yet",
        "the laboratory has still to finish the tests that it is about: their order is open",
        "the lab order that it is about is open until all its values are reported",
    ],
    concepts=[["tests", "order", "laboratory", "lab"], ["reported", "finished", "open", "yet"]],
    remedy="cancel_order",
    offers=["it can be archived once the report is there"],
)
def tests_are_over(note) -> bool:
    """A note on tests is archived only once they are reported, or their order is cancelled."""
    return all(pair.lab_order.status not in OPEN for pair in note.order_notes)


composition.transfer(
    "change_date",
    "on_date",
    lab.LabOrder,
    "valid_until",
    said=["the day on which {it} runs out", "the expiry date of {it}"],
)
composition.transfer(
    "reschedule_reminder",
    "due_at",
    lab.LabOrder,
    "draw_at",
    said=[
        "the day and hour of the draw for {it}",
        "the day and time when blood is taken for {it}",
    ],
)
