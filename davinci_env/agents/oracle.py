"""The oracle plays a task's golden solution step by step. It knows what nobody else does, and
proves that it can be done.
"""

from __future__ import annotations

from ..records import Call as CallStep
from ..records import Task
from .protocol import Action, Call, Say, View


class Oracle:
    """Plays the golden solution of one task."""

    name = "oracle"

    def __init__(self, task: Task) -> None:
        self._steps = list(task.solution)

    def act(self, view: View) -> Action:
        """The next step of the solution; nothing to say when it is through."""
        if not self._steps:
            return Say("")
        step = self._steps.pop(0)
        if isinstance(step, CallStep):
            return Call(step.tool, step.arguments)
        return Say(step.say)
