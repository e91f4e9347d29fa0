"""What the tests of Nudge share: the environment as a recipient sees it, and reminders."""

from datetime import datetime
from functools import cache

from davinci_env.domain import Domain, load
from davinci_env.environment import DomainEnvironment, Event

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
