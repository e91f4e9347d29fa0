"""The floor: what two tools of `library_lending` cost when somebody writes their SQL by hand.

`renew_loan` and `checkout_copy` with the same rules in the same order, the same ids and the same
JSON bytes as the product, on a plain sqlite3 connection with cached statements and a savepoint for
each write. On top of it a whole episode in the fastest form that we know: TEMP triggers note the
first state of every changed row, a net difference is read from them, hashed, judged by one SELECT
and dumped as one line of JSON.

Nothing here imports the product, and nothing here grows with it: a floor that follows its building
measures nothing. Rule bindings have no floor; they are a figure of the product alone.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, TypeGuard

import orjson

Call = tuple[str, Mapping[str, Any]]
"""A tool's name and its arguments."""

Answer = tuple[str, tuple[str, ...]]
"""The JSON text that the agent sees, and the codes of its own rules that the call broke."""

LOAN_DAYS = {"junior": 14, "adult": 21, "patron": 28}
MAX_LOANS = {"junior": 4, "adult": 5, "patron": 7}
MAX_RENEWALS, RENEWAL_DAYS, GRACE_DAYS = 2, 5, 7
FINE_BLOCK, DEAR = 1000, 3000
LENDABLE = ("available", "on_hold_shelf")

_OWED = """
    (SELECT coalesce(sum(amount - paid), 0) FROM fines
     WHERE fines.member_id = members.member_id AND fines.status = 'open')
"""
_READ_LOAN = f"""
    SELECT loans.member_id, loans.copy_id, borrowed_on, due_on, returned_on, renewals, loans.status,
           title, isbn, tier, members.status, email, postcode, {_OWED},
           EXISTS (SELECT 1 FROM holds WHERE holds.book_id = isbn AND holds.status = 'waiting')
    FROM loans
    JOIN members ON members.member_id = loans.member_id
    JOIN copies ON copies.copy_id = loans.copy_id
    JOIN books ON books.isbn = copies.book_id
    WHERE loan_id = ?
"""
# One statement for both rows; a missing one shows as NULL. `mine` are the member's loans that
# matter: open ones, and those that ended a few days ago.
_READ_MEMBER_AND_COPY = f"""
    SELECT tier, members.status, email, postcode, {_OWED},
           copies.status, books.title, books.isbn, books.price, ready.member_id,
           count(*) FILTER (WHERE mine.status = 'open'),
           max(mine.status = 'open' AND mine.due_on < oldest),
           max(CASE mine.status WHEN 'open' THEN same.title = books.title
                                ELSE same.isbn = books.isbn END)
    FROM (SELECT ? AS member, ? AS copy, ? AS oldest)
    LEFT JOIN members ON members.member_id = member
    LEFT JOIN copies ON copies.copy_id = copy
    LEFT JOIN books ON books.isbn = copies.book_id
    LEFT JOIN holds AS ready ON ready.copy_id = copies.copy_id AND ready.status = 'ready'
    LEFT JOIN loans AS mine ON mine.member_id = members.member_id
                           AND (mine.status = 'open' OR mine.returned_on >= oldest)
    LEFT JOIN copies AS other ON other.copy_id = mine.copy_id
    LEFT JOIN books AS same ON same.isbn = other.book_id
"""
_RENEW = "UPDATE loans SET due_on = ?, renewals = ? WHERE loan_id = ?"
_COLLECT = "UPDATE holds SET status = 'collected' WHERE copy_id = ? AND status = 'ready'"
_LEND = "UPDATE copies SET status = 'on_loan' WHERE copy_id = ?"
_ADD_LOAN = """
    INSERT INTO loans (loan_id, member_id, copy_id, borrowed_on, due_on, renewals, status)
    VALUES (?, ?, ?, ?, ?, 0, 'open')
"""

# The tables that the two tools write, with their columns in the order of results.
_TRACKED = {
    "copies": ("copy_id", "book_id", "branch_id", "status"),
    "holds": (
        "hold_id", "member_id", "book_id", "branch_id", "copy_id", "placed_on", "ready_until",
        "status",
    ),
    "loans": (
        "loan_id", "member_id", "copy_id", "borrowed_on", "due_on", "returned_on", "renewals",
        "status",
    ),
}  # fmt: skip
# One statement for each table reads its changed rows, as they were and as they are.
_READ_CHANGED = {
    table: f"SELECT first.*, {', '.join('now.' + column for column in columns[1:])}"
    f" FROM first_{table} AS first JOIN {table} AS now ON now.{columns[0]} = first.{columns[0]}"
    " ORDER BY 1"
    for table, columns in _TRACKED.items()
}


class Floor:
    """Two tools by hand, on a connection of their own.

    Args:
        database: SQLite image of a `library_lending` world.
        today: the world's date.
        loans: how many loans have been numbered so far.
        texts: what each rule says, by its code: the message of a refusal.
        revealed: what the user has revealed about themselves, in lower case.
        track: note changed rows, which an episode needs and a single call does not.
    """

    def __init__(
        self,
        database: bytes,
        *,
        today: date,
        loans: int,
        texts: Mapping[str, str],
        revealed: Iterable[str] = (),
        track: bool = False,
    ) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=512)
        self.connection.deserialize(database)
        self.execute = execute = self.connection.execute
        execute("PRAGMA foreign_keys = ON")
        if track:
            self._add_triggers()
        self.loans = self._loans_at_start = loans
        self.revealed = frozenset(revealed)
        self._tools = {"renew_loan": self._renew_loan, "checkout_copy": self._checkout_copy}
        self._refusals = {code: _error(code, text) for code, text in texts.items()}
        self._today = today.isoformat()
        self._grace = (today - timedelta(days=GRACE_DAYS)).isoformat()
        self._renewable = (today + timedelta(days=RENEWAL_DAYS)).isoformat()
        self._due = {tier: (today + timedelta(days=n)).isoformat() for tier, n in LOAN_DAYS.items()}
        execute("SAVEPOINT start")

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call one of the two tools."""
        return self._tools[tool](arguments)

    def restore(self) -> None:
        """Return to the start state."""
        self.execute("ROLLBACK TO start")
        self.loans = self._loans_at_start

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _renew_loan(self, arguments: Mapping[str, Any]) -> Answer:
        if len(arguments) != 1 or not _is_id(loan_id := arguments.get("loan_id")):
            return _INVALID
        found = self.execute(_READ_LOAN, (loan_id,)).fetchone()
        if found is None:
            return _not_found("loan", loan_id)
        (member_id, copy_id, borrowed_on, due_on, returned_on, renewals, status, title, isbn, tier,
         card, email, postcode, owed, waiting) = found  # fmt: skip
        refusals = self._refusals
        if status != "open":
            return _error("loan_not_open", f"The loan is {status}, and this is for open ones only.")
        if card != "active":
            return refusals[f"card_not_{card}"]
        if owed >= FINE_BLOCK:
            return refusals["below_fine_block"]
        if renewals >= MAX_RENEWALS:
            return refusals["renewals_left"]
        violated = [] if self._identified(member_id, email, postcode) else ["identified"]
        if waiting:
            violated.append("nobody_waiting")
        if due_on < self._grace:
            violated.append("not_long_overdue")
        if due_on > self._renewable:
            violated.append("renewal_open")
        due_on, renewals = self._due[tier], renewals + 1
        execute = self.execute
        execute("SAVEPOINT call")
        execute(_RENEW, (due_on, renewals, loan_id))
        execute("RELEASE call")
        loan = (loan_id, member_id, copy_id, borrowed_on, due_on, returned_on, renewals, "open")
        return _loan(loan, title, isbn), tuple(violated)

    def _checkout_copy(self, arguments: Mapping[str, Any]) -> Answer:
        member_id, copy_id = arguments.get("member_id"), arguments.get("copy_id")
        if len(arguments) != 2 or not (_is_id(member_id) and _is_id(copy_id)):
            return _INVALID
        found = self.execute(_READ_MEMBER_AND_COPY, (member_id, copy_id, self._grace)).fetchone()
        (tier, card, email, postcode, owed, status, title, isbn, price, kept_for, lent, overdue,
         second) = found  # fmt: skip
        refusals = self._refusals
        if tier is None:
            return _not_found("member", member_id)
        if status is None:
            return _not_found("copy", copy_id)
        if status not in LENDABLE:
            said = f"The copy is {status.replace('_', ' ')}, and this is for "
            said += "available or on hold shelf ones only."
            return _error("copy_not_available_or_on_hold_shelf", said)
        if card != "active":
            return refusals[f"card_not_{card}"]
        if lent >= MAX_LOANS[tier]:
            return refusals["below_loan_limit"]
        if owed >= FINE_BLOCK:
            return refusals["below_fine_block"]
        if kept_for is not None and kept_for != member_id:
            return refusals["copy_free_for"]
        violated = ["no_second_copy"] if second else []
        if overdue:
            violated.append("nothing_long_overdue")
        if tier == "junior" and price >= DEAR:
            violated.append("suits_card")
        if not self._identified(member_id, email, postcode):
            violated.append("identified")
        self.loans += 1
        loan_id = f"LN-{self.loans:05d}"
        dates = (self._today, self._due[tier])
        execute = self.execute
        execute("SAVEPOINT call")
        if kept_for is not None:
            execute(_COLLECT, (copy_id,))
        execute(_LEND, (copy_id,))
        execute(_ADD_LOAN, (loan_id, member_id, copy_id, *dates))
        execute("RELEASE call")
        loan = (loan_id, member_id, copy_id, *dates, None, 0, "open")
        return _loan(loan, title, isbn), tuple(violated)

    def _identified(self, member_id: str, email: str, postcode: str) -> bool:
        revealed = self.revealed
        return email.casefold() in revealed or (
            member_id in revealed and postcode.casefold() in revealed
        )

    # -- a whole episode ---------------------------------------------------------------------------

    def episode(self, calls: Sequence[Call], predicates: str, values: Mapping[str, Any]) -> bytes:
        """Run calls from the start state, judge them, and return to the start.

        `predicates` is one SELECT of boolean expressions over the final state. Returns a line of
        JSON with the calls and their results, the net difference, its hash, the broken rules and
        the predicates' values. Needs `track`.
        """
        steps, broken = [], {}
        for tool, arguments in calls:
            text, violated = self._tools[tool](arguments)
            steps.append({"tool": tool, "arguments": arguments, "result": orjson.Fragment(text)})
            broken.update(dict.fromkeys(violated))
        diff = orjson.dumps(self.changes())
        verdicts = self.execute(predicates, values).fetchone()
        self.restore()
        return orjson.dumps(
            {
                "steps": steps,
                "diff": orjson.Fragment(diff),
                "hash": hashlib.sha256(diff).hexdigest(),
                "violated": list(broken),
                "verdicts": verdicts,
            }
        )

    def changes(self) -> list[list[Any]]:
        """Net changes since the start, sorted by table and key.

        Each is [table, key, "+", {column: value}] or [table, key, "~", {column: [old, new]}].
        """
        out: list[list[Any]] = []
        for table, columns in _TRACKED.items():
            width = len(columns)
            for row in self.execute(_READ_CHANGED[table]).fetchall():
                new = zip(columns[1:], row[1:width], row[width:], strict=True)
                if row[width - 1] is None:  # every row has a status: this one did not exist
                    out.append([table, row[0], "+", {column: now for column, _, now in new}])
                elif cells := {column: [old, now] for column, old, now in new if old != now}:
                    out.append([table, row[0], "~", cells])
        return out

    def _add_triggers(self) -> None:
        """Keep the first state of each changed row; these tables roll back with the savepoint."""
        execute = self.execute
        for table, columns in _TRACKED.items():
            key = columns[0]
            listed = f"{key} PRIMARY KEY, {', '.join(columns[1:])}"
            execute(f"CREATE TEMP TABLE first_{table} ({listed}) WITHOUT ROWID")
            nothing = ", NULL" * (len(columns) - 1)
            old = ", ".join(f"OLD.{column}" for column in columns)
            for event, values in (("INSERT", f"NEW.{key}{nothing}"), ("UPDATE", old)):
                execute(
                    f"CREATE TEMP TRIGGER {event.lower()}_{table} AFTER {event} ON main.{table}"
                    f" BEGIN INSERT OR IGNORE INTO first_{table} VALUES ({values}); END"
                )


def ten_predicates(loans: Sequence[str], copies: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Ten boolean expressions about five loans and five copies, as one SELECT and its values."""
    parts = [
        f"(SELECT status = 'open' AND renewals > 0 FROM loans WHERE loan_id = :l{n})"
        for n in range(5)
    ]
    parts += [f"(SELECT status = 'on_loan' FROM copies WHERE copy_id = :c{n})" for n in range(5)]
    values = {f"l{n}": key for n, key in enumerate(loans[:5])}
    values |= {f"c{n}": key for n, key in enumerate(copies[:5])}
    return f"SELECT {', '.join(parts)}", values


def _is_id(value: object) -> TypeGuard[str]:
    return type(value) is str and len(value) <= 100 and "\0" not in value


def _loan(loan: tuple[Any, ...], title: str, isbn: str) -> str:
    return orjson.dumps(
        dict(zip(_TRACKED["loans"], loan, strict=True)) | {"title": title, "isbn": isbn}
    ).decode()


def _error(code: str, message: str) -> Answer:
    return orjson.dumps({"error": {"code": code, "message": message}}).decode(), ()


def _not_found(noun: str, key: object) -> Answer:
    message = f"Neither catalogue nor register has a {noun} with number {key}."
    return _error(f"{noun}_not_found", message)


_INVALID = _error("invalid_arguments", "The desk system cannot read this request.")
