"""Handing over: the wish that passes a conversation on to a person, for a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain import Domain, Parameter, Tool
from .inquiry import Inquiry
from .wishes import Wish


class Handing:
    """Chooses the hand-over for a reason, and fills it in."""

    def __init__(self, domain: Domain, inquiry: Inquiry) -> None:
        self.domain, self.inquiry = domain, inquiry

    def wish(
        self, reason: str, row: Mapping[str, Any] | None = None, home: str = ""
    ) -> Wish | None:
        """The wish to be handed over for a reason, about a row of the person's; None where no tool
        that is listed takes that reason.

        Args:
            home: the domain that it is about, where several are joined.
        """
        for tool in self.domain.tools.values():
            listed = tool.handover and tool.name in self.inquiry.available
            if listed and tool.home == home and _takes(tool, reason):
                specs = {
                    p.wire: spec
                    for p in tool.parameters
                    if not p.implicit and (spec := self._spec(p, reason, row)) is not None
                }
                return Wish(tool, specs, about=row, reason=reason)
        return None

    def reason_of(self, wish: Wish) -> str:
        """The reason that a wish for a hand-over names, "" if none."""
        for parameter in wish.tool.parameters:
            value = wish.specs.get(parameter.wire, {}).get("value")
            if parameter.type.choices and value in parameter.type.choices:
                return str(value)
        return ""

    def _spec(
        self, parameter: Parameter, reason: str, row: Mapping[str, Any] | None
    ) -> dict[str, Any] | None:
        """What to give for an argument, None to leave it out."""
        if reason in parameter.type.choices:
            return {"value": reason}
        if parameter.entity is not None and parameter.is_person:
            return {"row": {"entity": parameter.entity._info.name, "fields": {}, "mine": True}}
        if parameter.entity is not None and row is not None:
            fits = row["entity"] == parameter.entity._info.name
            return {"row": row} if fits else None
        if parameter.is_free_text and parameter.required:
            return {"value": f"The customer asks for this because of: {reason.replace('_', ' ')}."}
        return None


def _takes(tool: Tool, reason: str) -> bool:
    """Whether a hand-over can be made for a reason."""
    return any(reason in p.type.choices for p in tool.parameters)
