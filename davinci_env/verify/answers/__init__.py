"""The answer checker: values a final message conveys, rules a refusal names, questions asked.

It judges words and nothing else; which values to expect is the task's business. Its test material,
`tests/verify/answers/*.jsonl`, was worded before it.
"""

from davinci_env.verify.answers.asking import asks, asks_about
from davinci_env.verify.answers.refusals import (
    RuleVerdict,
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
