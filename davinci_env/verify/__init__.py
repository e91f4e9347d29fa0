"""Verification: requirement kinds over one log, expected values over REF and GOAL, verdicts with
evidence.
"""

from .goals import Footprint, Goal, footprint, visit_goals
from .judge import Verifier, judge
from .naming import rule_named
from .opening import appearing, at_start, check_version, open_task, refuse_systems

__all__ = [
    "Footprint",
    "Goal",
    "Verifier",
    "appearing",
    "at_start",
    "check_version",
    "footprint",
    "judge",
    "open_task",
    "refuse_systems",
    "rule_named",
    "visit_goals",
]
