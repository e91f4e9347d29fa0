"""What the tests of the library share: rows, calls, refusals and what blocks a call."""

from davinci_env.environment import DomainEnvironment


def rows(env: DomainEnvironment, name: str, **equal):
    return env.world.all(env.domain.entities[name], **equal)


def call(env: DomainEnvironment, tool: str, **arguments):
    """A call that has to succeed; its result."""
    result = env.call(tool, arguments)
    assert result.ok, f"{tool}({arguments}): {result.text}"
    return result.data


def refusal(env: DomainEnvironment, tool: str, **arguments) -> str | None:
    """The code of a call that has to change nothing."""
    before = env.capture().state_hash
    result = env.call(tool, arguments)
    assert not result.ok, f"{tool}({arguments}) was not refused"
    assert result.message
    assert env.capture().state_hash == before
    return result.code


def broken(env: DomainEnvironment) -> list[str]:
    """Invariants that some row breaks."""
    return [
        f"{check.__name__}({row.id})"
        for entity, check in env.domain.invariants
        for row in env.world.all(entity)
        if not check(row)
    ]


def open_loans(member):
    return [loan for loan in member.loans if loan.status == "open"]


def owed(member) -> int:
    return sum(fine.amount - fine.paid for fine in member.fines if fine.status == "open")


def waiting(book):
    return [hold for hold in book.holds if hold.status == "waiting"]


def shelf(env):
    return rows(env, "Copy", status="available")


def blockers(env, tool: str, **arguments) -> list[str]:
    return env.domain.tools[tool].blockers(env.bind(tool, arguments))


def blocked_by(env, tool: str, code: str):
    """Arguments of a call that `code` alone forbids."""
    kinds = {
        "checkout_copy": lambda: (
            {"member_id": m.id, "copy_id": c.id}
            for m in rows(env, "Member")
            for c in rows(env, "Copy")
        ),
        "renew_loan": lambda: ({"loan_id": x.id} for x in rows(env, "Loan")),
        "place_hold": lambda: (
            {"member_id": m.id, "isbn": b.id, "branch_id": "BR-01"}
            for m in rows(env, "Member")
            for b in rows(env, "Book")
        ),
        "reinstate_card": lambda: ({"member_id": m.id} for m in rows(env, "Member")),
        "transfer_copy": lambda: (
            {"copy_id": c.id, "branch_id": b.id} for c in shelf(env) for b in rows(env, "Branch")
        ),
    }
    return [a for a in kinds[tool]() if blockers(env, tool, **a) == [code]]


def broken_by(env, tool: str, **arguments) -> tuple[str, ...]:
    """The agent's own rules that a call breaks, identification and consent apart."""
    env.reset()
    told = env.call(tool, arguments)
    assert told.ok, told.text
    return tuple(code for code in told.violated if code not in ("identified", "confirmed"))
