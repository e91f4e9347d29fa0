"""Verification: requirement kinds over one log, expected values over REF and GOAL, verdicts with
evidence.
"""

from .goals import Goal, allowed_cells, visit_goals
from .judge import Verifier, judge
from .opening import at_start, check_version, open_task

__all__ = [
    "Goal",
    "Verifier",
    "allowed_cells",
    "at_start",
    "check_version",
    "judge",
    "open_task",
    "visit_goals",
]
