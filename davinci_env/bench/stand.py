"""Product and floor side by side on the same world, with calls that succeed in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from ..environment import DomainEnvironment, Event, open_environment
from .floor import Floor, ten_predicates

DOMAIN = "library_lending"
Call = tuple[str, dict[str, Any]]

CALLS = 4
"""Calls of each of the two tools."""

MOST = 200
"""Candidates tried of each tool."""


class Stand:
    """`library_lending` at some scale, in the product and by hand.

    Args:
        scale: of the domain's seed; 1 has about 550 rows.
        track: whether the floor notes changed rows, which its episode needs.
    """

    def __init__(self, scale: float = 1.0, *, track: bool = False) -> None:
        self.environment: DomainEnvironment = open_environment(DOMAIN, scale=scale)
        self.calls = self._choose()
        self.environment.reset()
        person = self._person(self.calls[0])
        for value in (person.email, person.postcode):
            self.environment.observe(Event("revealed", {"fact": "identity", "value": value}))
        self.start = self.environment.snapshot()
        image = self.environment.world.image
        self.floor = Floor(
            image.database or b"",
            today=image.now.date(),
            loans=image.counters["Loan"],
            texts={code: rule.text for code, rule in self.environment.domain.rules.items()},
            revealed=[person.email.casefold(), person.postcode.casefold()],
            track=track,
        )
        renewed = [arguments["loan_id"] for _, arguments in self.calls[:4]]
        lent = [arguments["copy_id"] for _, arguments in self.calls[4:]]
        self.predicates, self.values = ten_predicates([*renewed, renewed[0]], [*lent, lent[0]])

    def close(self) -> None:
        """Close both."""
        self.environment.close()
        self.floor.close()

    def _person(self, call: Call) -> Any:
        return self.environment.bind(*call)["loan"].member

    def _choose(self) -> list[Call]:
        """Four renewals and four loans, spread over the world, that all succeed one after the
        other.
        """
        chosen: list[Call] = []
        for tool in ("renew_loan", "checkout_copy"):
            possible = [call for call in self._candidates(tool) if self._succeeds(call)]
            wanted = len(chosen) + CALLS
            for call in _spread(possible):
                if self.environment.call(*call).ok:
                    chosen.append(call)
                if len(chosen) == wanted:
                    break
        return chosen

    def _succeeds(self, call: Call) -> bool:
        before = self.environment.snapshot()
        result = self.environment.call(*call)
        self.environment.restore(before)
        self.environment.release(before)
        return result.ok

    def _candidates(self, tool: str) -> list[Call]:
        world, entities = self.environment.world, self.environment.domain.entities
        if tool == "renew_loan":
            loans = world.all(entities["Loan"], status="open")
            # All over the table: old loans have all been renewed.
            return [(tool, {"loan_id": loan.id}) for loan in loans[:: max(1, len(loans) // MOST)]]
        members = world.all(entities["Member"])[:MOST]
        copies = world.all(entities["Copy"], status="available")
        return [
            (tool, {"member_id": member.id, "copy_id": copy.id})
            for member, copy in zip(members, copies, strict=False)
        ]

    # -- what is measured --------------------------------------------------------------------------

    def product_call(self, call: Call) -> str:
        """One call and the restore after it."""
        text = self.environment.call(*call).text
        self.environment.restore(self.start)
        return text

    def floor_call(self, call: Call) -> str:
        """The same by hand."""
        text, _ = self.floor.call(*call)
        self.floor.restore()
        return text

    def product_episode(self) -> bytes:
        """Eight calls, difference, hash, ten predicates, restore, and one line of JSON."""
        environment = self.environment
        steps = []
        for tool, arguments in self.calls:
            result = environment.call(tool, arguments)
            text = orjson.Fragment(result.text)
            steps.append({"tool": tool, "arguments": arguments, "result": text})
        outcome = environment.capture()
        (verdicts,) = environment.world.query(self.predicates, self.values)
        environment.restore(self.start)
        return _line(steps, outcome.diff, outcome.state_hash, outcome.violated, verdicts)

    def floor_episode(self) -> bytes:
        """The same by hand."""
        return self.floor.episode(self.calls, self.predicates, self.values)

    def calls_and_restore(self) -> None:
        """Eight calls of the product and the restore."""
        for call in self.calls:
            self.environment.call(*call)
        self.environment.restore(self.start)


def _spread(calls: list[Call]) -> list[Call]:
    """The same calls, evenly spaced ones first."""
    step = max(1, len(calls) // CALLS)
    return [call for first in range(step) for call in calls[first::step]]


def _line(
    steps: Sequence[Mapping[str, Any]], diff: Any, digest: str, violated: Any, verdicts: Any
) -> bytes:
    return orjson.dumps(
        {
            "steps": steps,
            "diff": diff,
            "hash": digest,
            "violated": violated,
            "verdicts": verdicts,
        }
    )
