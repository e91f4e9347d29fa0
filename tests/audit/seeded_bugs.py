"""Twenty-one bugs, seeded into `library_lending` by substitution of its text: the audit's own test.

`BUGS` maps a bug to the substitutions that make it, `EXPECTED` says what should notice it, and why.
Each old text stands exactly once in the file, so that a change of the domain that makes a bug
vanish is noticed.
"""

from pathlib import Path

from davinci_env.domain import load

Substitutions = list[tuple[str, str]]

_CHECKOUT_RULES = """        *CARD_VALID,
        below_loan_limit,
        below_fine_block,
        copy_free_for,
"""

BUGS: dict[str, Substitutions] = {
    "01 missing guard (an invariant stands behind it)": [
        (_CHECKOUT_RULES, _CHECKOUT_RULES.replace("        below_loan_limit,\n", "")),
    ],
    "01b missing guard (no invariant, used elsewhere)": [
        (_CHECKOUT_RULES, _CHECKOUT_RULES.replace("        below_fine_block,\n", "")),
    ],
    "02 wrong status transition": [
        (
            'hold.status, hold.copy, hold.ready_until = "cancelled", None, None',
            'hold.status, hold.copy, hold.ready_until = "collected", None, None',
        ),
    ],
    "03 off-by-one fee in the helper": [
        ("max(0, (day - due_on).days))", "max(0, (day - due_on).days + 1))"),
    ],
    "03b off-by-one fee in the tool": [
        (
            "fee = late_fee(loan.due_on, db.today)",
            "fee = late_fee(loan.due_on, db.today + timedelta(days=1))",
        ),
    ],
    "04 no write": [
        ("    fine.paid += amount\n", ""),
    ],
    "05 write to a wrong row": [
        (
            "    loan.due_on = due_date(db.today, loan.member.tier)\n",
            "    loan = loan.member.loans[0]\n"
            "    loan.due_on = due_date(db.today, loan.member.tier)\n",
        ),
    ],
    "06 partial commit on error": [
        (
            '    if hold.branch is branch:\n        raise ToolError("same_branch")\n',
            "    if hold.branch is branch:\n"
            "        hold.placed_on = db.today\n"
            "        db._world.accept()\n"
            '        raise ToolError("same_branch")\n',
        ),
    ],
    "07 leak of other people's data": [
        ("    ahead: int\n    copies: int\n", "    ahead: str\n    copies: int\n"),
        ('"ahead": len(ahead)', '"ahead": ", ".join(other.member.email for other in ahead)'),
    ],
    "08 policy text contradicts the code (number)": [
        ("A loan is renewed {MAX_RENEWALS} times at most.", "A loan is renewed 3 times at most."),
    ],
    "08b policy text contradicts the code (words)": [
        (
            "A suspended card has to be reinstated before it is used to",
            "A suspended card need not be reinstated before it is used to",
        ),
    ],
    "09 unreachable tool (a guard is never true)": [
        ("    return owed(member) == 0\n", "    return owed(member) < 0\n"),
    ],
    "09b unreachable tool (no read reveals the id)": [
        (
            'domain.reads(Fine, list_of="member", filters=["status"], requires=[identified])\n',
            "",
        ),
        ('        "fines_of_member",\n', ""),
    ],
    "10 non-determinism": [
        ("    hold = waiting[0]\n", '    hold = __import__("random").choice(waiting)\n'),
    ],
    "11 missing check of a foreign key": [
        ("        not_queued,\n        branch_open,\n", "        not_queued,\n"),
        (
            'governs=["place_hold", "change_pickup", "transfer_copy"]',
            'governs=["change_pickup", "transfer_copy"]',
        ),
        (
            '        "put a hold on {book} for pickup at {branch}",\n'
            '        "reserve {book} and collect it at {branch}",\n'
            '        "join the queue for {book}, to be picked up at {branch}",\n'
            '        "have {book} set aside at {branch} once it is back",\n'
            '        "put me down for {book}, with pickup at {branch}",\n'
            '        "have {book} reserved for pickup at {branch}",\n'
            '        "get on the list for {book} and pick it up at {branch}",\n'
            '        "have {book} held for me at {branch}",\n'
            '        "request {book} for pickup at {branch}",\n'
            '        "wait for {book} and fetch it at {branch}",\n'
            '        "ask for {book} to be kept at {branch} when it comes in",\n'
            '        "sign up for {book} and collect it at {branch}",\n'
            '        "have {book} saved for me at {branch}",\n'
            '        "add my name to the queue for {book}, with pickup at {branch}",\n'
            '        "reserve a book and collect it at {branch}",\n'
            '        "put a hold on something for pickup at {branch}",\n'
            '        "join a queue, with pickup at {branch}",\n',
            '        "put a hold on {book}",\n        "reserve {book}",\n',
        ),
        (
            '"branch": [\n            "At which branch would you like to pick it up?",\n',
            '"branch_id": [\n            "At which branch would you like to pick it up?",\n',
        ),
        (
            "def place_hold(db, member: Member, book: Book, branch: Branch) -> Hold:\n",
            "def place_hold(db, member: Member, book: Book, branch_id: str) -> Hold:\n",
        ),
        (
            "    Every edition of a title has a queue of its own.",
            "    Every edition of a title has a queue of its own.\n\n"
            "    Args:\n        branch_id: The ID of the branch\n    ",
        ),
        (
            "book=book, branch=branch, placed_on=db.today)",
            "book=book, branch_id=branch_id, placed_on=db.today)",
        ),
    ],
    "12 wrong error": [
        (
            '    if hold.branch is branch:\n        raise ToolError("same_branch")\n',
            '    if hold.branch is branch:\n        raise ToolError("branch_not_found")\n',
        ),
    ],
    "13 wrong pagination": [
        (
            "page_of(queue(book), page, QUEUE_PAGE)",
            "page_of(queue(book), page + 1, QUEUE_PAGE)",
        ),
    ],
    "14 mutation in a read tool": [
        (
            '    return {"ahead": len(ahead)',
            '    for other in ahead:\n        other.status = "cancelled"\n'
            '    return {"ahead": len(ahead)',
        ),
    ],
    "15 schema and description differ": [
        ("        amount: Cents to pay, for example 250\n", "        value: Cents to pay\n"),
    ],
    "16 forgotten side effect": [
        ('    copy.status = "on_loan"\n    due_on', "    due_on"),
    ],
    "17 extra write outside the frame": [
        ("    loan.renewals += 1\n", '    loan.renewals += 1\n    loan.member.tier = "patron"\n'),
    ],
}

EXPECTED: dict[str, str] = {
    "01 missing guard (an invariant stands behind it)": "static: below_loan_limit governs"
    " checkout_copy; dynamic: invariant within_limits, from members one below the limit",
    "01b missing guard (no invariant, used elsewhere)": "static: below_fine_block governs"
    " checkout_copy; renew_loan still requires it, so that it is not an unused rule",
    "02 wrong status transition": "dynamic: waiting to collected is no arc; the end state is not"
    " the one that the frame declares; invariant hold_has_its_copy",
    "03 off-by-one fee in the helper": "static: doctest of late_fee (the invariant agrees with"
    " the wrong helper, and the seed too)",
    "03b off-by-one fee in the tool": "dynamic: invariant fine_follows_loan",
    "04 no write": "dynamic: a successful write changed nothing; its frame never seen",
    "05 write to a wrong row": "dynamic: a row outside those that `loan` reaches was changed",
    "06 partial commit on error": "static: a body reaches behind db; dynamic: the refused call"
    " left a change, and database and cell log disagree",
    "07 leak of other people's data": "dynamic: a read of one member's hold shows the e-mail"
    " address of other members",
    "08 policy text contradicts the code (number)": "static: a literal number in a clause",
    "08b policy text contradicts the code (words)": "missed: words against code need a reader",
    "09 unreachable tool (a guard is never true)": "coverage: reinstate_card never succeeds and"
    " owes_nothing never holds",
    "09b unreachable tool (no read reveals the id)": "static: no read reveals a fine_id, which"
    " pay_fine and waive_fine require; one_waiver and waivable depend on unreadable columns",
    "10 non-determinism": "static: random in a function that bodies call; dynamic: the same"
    " snapshot and call give other bytes where two wait",
    "11 missing check of a foreign key": "dynamic: an unknown branch_id escapes as a defect"
    " instead of branch_not_found",
    "12 wrong error": "static: a body raises a code that is derived, not declared in errors, and"
    " never raises same_branch; dynamic: branch_not_found for a branch that exists",
    "13 wrong pagination": "dynamic: the pages do not add up to the total",
    "14 mutation in a read tool": "dynamic: a read changed rows",
    "15 schema and description differ": "static: amount has no description, value no argument",
    "16 forgotten side effect": "dynamic: the copy is not in the declared end state; invariant"
    " copy_follows_records",
    "17 extra write outside the frame": "dynamic: members.tier is outside the frame",
}

MISSED = frozenset({"08b policy text contradicts the code (words)"})
"""Bugs that no form of the contract can contradict."""


def source() -> str:
    """The text of the sound domain."""
    path = load("library_lending").path
    assert path is not None
    return path.read_text(encoding="utf-8")


def seeded(bug: str) -> str:
    """The domain with one bug. Raises ValueError where a substitution does not apply."""
    text = source()
    for old, new in BUGS[bug]:
        if text.count(old) != 1:
            raise ValueError(f"{bug}: stands {text.count(old)} times in the domain: {old!r}")
        text = text.replace(old, new)
    return text


def write(bug: str, folder: Path) -> Path:
    """Write the domain with one bug into a folder, for `load_file`."""
    path = folder / f"library_{bug.split(maxsplit=1)[0]}.py"
    path.write_text(seeded(bug), encoding="utf-8")
    return path
