"""The answer checker: typed values conveyed by a final message, rules named by a refusal, questions asked.

It judges words and nothing else; which values to expect is the task's business. Its test material in
`tests/verify/answers/` was worded before it.
"""

from davinci_env.verify.answers.refusals import (
    RuleVerdict,
    asks,
    asks_about,
    claims_success,
    names_rule,
    refuses,
)
from davinci_env.verify.answers.slots import Decoy, SlotSpec, SlotVerdict, judge_answer

__all__ = [
    "Decoy",
    "RuleVerdict",
    "SlotSpec",
    "SlotVerdict",
    "asks",
    "asks_about",
    "claims_success",
    "judge_answer",
    "names_rule",
    "refuses",
]
