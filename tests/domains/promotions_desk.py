"""What the tests of the promotions desk share: rows, calls, refusals and what blocks a call."""

from davinci_env.environment import DomainEnvironment


def rows(env: DomainEnvironment, name: str, **equal):
    return env.world.all(env.domain.entities[name], **equal)


def call(env: DomainEnvironment, tool: str, **arguments):
    """A call that has to succeed; what it tells, without its envelope."""
    result = env.call(tool, arguments)
    assert result.ok, f"{tool}({arguments}): {result.text}"
    data = result.data
    return next(iter(data.values())) if len(data) == 1 else data


def refusal(env: DomainEnvironment, tool: str, **arguments) -> str | None:
    """The code of a call that has to change nothing."""
    before = env.capture().state_hash
    result = env.call(tool, arguments)
    assert not result.ok, f"{tool}({arguments}) was not refused"
    assert result.message
    assert env.capture().state_hash == before
    return result.code


def duties(env: DomainEnvironment, tool: str, **arguments) -> set[str]:
    """The agent's own rules that a call breaks, identification and consent apart."""
    result = env.call(tool, arguments)
    assert result.ok, result.text
    return set(result.violated) - {"known_shopper", "agreed"}


def broken(env: DomainEnvironment) -> list[str]:
    """Invariants that some row breaks."""
    return [
        f"{check.__name__}({row.id})"
        for entity, check in env.domain.invariants
        for row in env.world.all(entity)
        if not check(row)
    ]


def shopper(env: DomainEnvironment, number: int):
    """The shopper of a kind, in the order of the seed."""
    return rows(env, "Shopper")[number - 1]


def coupon(env: DomainEnvironment, owner, title: str, status: str = "issued", **equal):
    """The coupon of a shopper that runs out first, of those with a title and a state."""
    found = rows(env, "Coupon", shopper=owner, title=title, status=status, **equal)
    return min(found, key=lambda one: one.valid_until)


def redemption(env: DomainEnvironment, owner, title: str, status: str):
    return next(
        one
        for one in rows(env, "Redemption", shopper=owner, status=status)
        if one.coupon.title == title
    )


def offers(env: DomainEnvironment, code: str):
    return next(one for one in rows(env, "Campaign") if one.id == code)
