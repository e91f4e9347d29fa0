"""Results as the rooms return them, for tests of what the command line makes of them."""

from typing import Any

GENERATION: dict[str, Any] = {
    "out": "here",
    "wanted": 8,
    "tasks": 7,
    "kinds": {"act": 3, "act+ask": 1, "ask": 1, "deny": 2},
    "domains": {"clinic": 3, "library": 4},
    "rejected": {"few-outcomes": 1, "baseline-passes": 2},
    "rejection_rate": 0.3,
    "draws_without_candidate": {"no free write": 5},
}
CORPUS: dict[str, Any] = {
    **GENERATION,
    "verified_trajectories": 6,
    "expert_pass_rate": 0.8571,
    "verified": {"clinic": {"act": 2, "deny": 1}, "library": {"act+ask": 1, "ask": 1, "deny": 1}},
}
PROBLEM = {"line": 3, "kind": "truncated", "message": "The file breaks off in the middle."}
CHECKED: dict[str, Any] = {
    "tasks": 2,
    "certified": 2,
    "kinds": {"ask": 1, "act": 1},
    "failed": [],
    "problems": [],
    "updated": False,
}
EPISODES: dict[str, Any] = {
    "agent": "guess",
    "episodes": 6,
    "passed": 1,
    "kinds": {"deny": {"failed": 2, "passed": 1}, "act": {"failed": 3}},
    "problems": [],
}
REPORT: dict[str, Any] = {
    "episodes": 6,
    "tasks": 3,
    "pass@1": 0.1667,
    "pass^k": {"1": 0.1667, "2": 0.0},
    "by_kind": {"act": 0.0, "act+ask": 0.5, "ask": 0.9996},
    "by_domain": {"library": 0.1667},
    "by_calls": {"0 to 3 calls": 0.1667},
    "failed_requirements": {"deny: answer": 2},
    "problems": [],
}
EXPORT: dict[str, Any] = {
    "source": "runs/trajectories.jsonl",
    "out": "sft.jsonl",
    "format": "trl",
    "shape": "sft",
    "rows": 4,
    "unlearned_messages": 1,
    "skipped": {"not-passed": 2},
    "problems": [],
}
AUDIT: dict[str, Any] = {
    "domain": "library",
    "profile": "quick",
    "seed": 0,
    "passed": False,
    "findings": [
        {"check": "frame", "subject": "renew_loan", "text": "changes Loan.fee", "line": 120}
    ],
    "coverage": {"calls": 2189, "tools_succeeded": "27 of 27"},
    "similarity": {"clinic": 0.1234, "orders": 0.0512},
    "statistics": {"tables": 8, "agent_rules": 6, "similarity": 0.1234},
    "mutants": {
        "killed": 11,
        "total": 12,
        "equivalent": 1,
        "generated": 354,
        "seed": 0,
        "survivors": [
            {"operator": "flip", "line": 9, "change": "< -> <=", "reason": "f() answers 1"}
        ],
        "by_check": {"crash": 3},
        "rate": 0.9167,
    },
}
