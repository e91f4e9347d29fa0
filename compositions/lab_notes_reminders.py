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

composition.link(
    "OrderNote",
    lab.LabOrder,
    notes.Note,
    said=["the note I keep on {it}", "my note about {it}"],
    back=["the lab order that {it} is about"],
    matches=lambda order, note: order.status in OPEN and note.status in ("draft", "published"),
)
composition.link(
    "OrderReminder",
    lab.LabOrder,
    nudge.Reminder,
    said=["the reminder for {it}", "the reminder that goes with {it}"],
    matches=lambda order, reminder: (
        order.status in ("ordered", "scheduled") and reminder.status in AHEAD
    ),
    note=lambda order, reminder: setattr(reminder, "about", f"Blood tests: {order.purpose}"),
)


@composition.cross_rule(
    ["cancel_order"],
    by="agent",
    because=["a reminder for it is still to come", "you would still be reminded of it"],
    concepts=[["reminder", "reminded"]],
    remedy="cancel_reminder",
)
def not_reminded_any_more(lab_order) -> bool:
    """An order is cancelled only when no reminder for it is still to come: cancel that first."""
    return not any(pair.reminder.status in AHEAD for pair in lab_order.order_reminders)


@composition.cross_rule(
    ["archive_note"],
    because=["the tests that it is about haven't been reported yet"],
    concepts=[["tests", "order", "laboratory", "lab"], ["reported", "finished", "open", "yet"]],
    remedy="cancel_order",
)
def tests_are_over(note) -> bool:
    """A note on tests is archived only once they are reported, or their order is cancelled."""
    return all(pair.lab_order.status not in OPEN for pair in note.order_notes)


composition.transfer(
    "change_date",
    "on_date",
    lab.LabOrder,
    "valid_until",
    said=["the last day on which {it} is valid", "the day {it} runs out"],
)
composition.transfer(
    "reschedule_reminder",
    "due_at",
    lab.LabOrder,
    "draw_at",
    said=["the time of the draw for {it}", "the time when blood is taken for {it}"],
)
