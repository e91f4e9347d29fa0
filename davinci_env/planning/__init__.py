"""Planning: what a person could do in a state, which writes make a goal, and how to get there from
what a request says.
"""

from ..agents.inquiry import wire_arguments
from .bindings import Binding, Survey, plain_arguments
from .goals import Plan, plan_chain, plan_writes
from .solving import Unsolvable, solve_reads
from .support import Support, support_of

__all__ = [
    "Binding",
    "Plan",
    "Support",
    "Survey",
    "Unsolvable",
    "plain_arguments",
    "plan_chain",
    "plan_writes",
    "solve_reads",
    "support_of",
    "wire_arguments",
]
