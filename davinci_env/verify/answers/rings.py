"""Rings of words that businesses use for one another when they state a rule.

A domain declares how its rules are called; it can't foresee every wording of "that's the most you
can have". A concept group that shares two or more phrases with a ring means what the ring means, so
the ring's other phrases meet it too. General English only: nothing of one trade belongs here.
"""

from functools import lru_cache

IMPLIED = "≈"
"""Marks a phrase that a group means and does not declare."""

_RINGS: tuple[tuple[str, ...], ...] = (
    (
        "limit", "maximum", "at most", "no more than", "as many", "too many", "as often", "used up",
        "exceed", "all you get", "the most", "not allow more", "doesn't allow more", "up to",
        "third", "cap", "allowance", "quota", "had both", "used both", "more than one", "is all",
        "at a time", "max", "maximum number", "can have two", "can have three", "can have four",
        "can have five", "may have two", "may have three",
    ),
    (
        "above", "over", "more than", "exceed", "too high", "too much", "too large", "beyond",
        "threshold", "reach", "upwards", "or more", "higher", "larger",
    ),
    (
        "minimum", "at least", "below", "less than", "too small", "too little", "under", "smallest",
        "start at", "not enough", "or more", "lowest",
    ),
    (
        "enough", "insufficient", "not sufficient", "not enough", "short", "not cover", "only left",
        "does not cover",
    ),
    (
        "already", "currently", "have", "existing", "still", "at the moment", "yourself", "again",
    ),
    (
        "someone else", "somebody", "somebody else", "someone", "another", "other people",
        "other members", "belong", "others", "another person", "not yours", "anyone else",
    ),
    (
        "move", "moved", "reschedule", "rescheduled", "change", "changed", "shift", "postpone",
        "put off", "rearrange",
    ),
    ("close", "closed", "shut", "not open", "renovation", "no longer open"),
    ("suspend", "suspended", "block", "blocked", "frozen", "deactivate", "inactive", "not active"),
    (
        "expire", "expired", "ran out", "run out", "no longer valid", "out of date", "lapsed",
        "ended", "only valid", "stopped being valid", "stop being valid", "was valid", "ceased",
        "not valid", "not be valid", "good until", "was valid until", "no use",
    ),
    (
        "identify", "identif", "verify", "verif", "identity", "who you are", "who i'm talking to",
        "who i am talking to", "who i'm speaking", "authenticate", "prove",
    ),
    (
        "owe", "outstanding", "unpaid", "balance", "debt", "owing", "still open", "not paid",
        "to pay", "left to pay", "to be paid",
    ),
    (
        "queue", "waiting", "in line", "waitlist", "waiting list", "wait list", "reserved", "hold",
        "reserve", "on the list", "asked for", "spoken for", "ahead of you", "before you",
    ),
    ("available", "on the shelf", "in stock", "not out", "there's a copy", "copy in", "to be had"),
    (
        "waive", "waiver", "goodwill", "let off", "forgive", "forgave", "forgiven", "write off",
        "wrote off", "written off",
    ),
    (
        "same time", "at that time", "that very time", "overlap", "clash", "at once", "two places",
        "collide", "conflict",
    ),
    (
        "too late", "too long", "passed", "ago", "deadline", "ended", "over a", "closed",
        "was over", "were over", "is over", "gone by", "past the", "behind us",
    ),
    ("taken", "booked", "full", "occupied", "filled", "gone", "no free", "unavailable"),
    ("own", "in person", "privacy", "account holder", "someone else", "belong"),
)  # fmt: skip


@lru_cache(maxsize=1 << 12)
def widened(group: tuple[str, ...]) -> tuple[str, ...]:
    """A concept group with the phrases, marked as implied, of the rings that it means."""
    own = {word.lower() for word in group}
    added = [word for ring in _RINGS if len(own.intersection(ring)) > 1 for word in ring]
    return (*group, *(IMPLIED + word for word in dict.fromkeys(added) if word not in own))
