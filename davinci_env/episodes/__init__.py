"""Episodes: an agent and a user in an environment, and the runs that many of them make.

`runner` plays one episode, `trajectories` records it, `store` keeps a run on disk so that it can be
resumed, `jobs` fills it, `suite` runs task files and `reports` adds them up.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Report": "reports",
    "RunStore": "store",
    "RunSummary": "suite",
    "play": "runner",
    "play_task": "runner",
    "report": "reports",
    "run_items": "jobs",
    "run_schedule": "jobs",
    "run_suite": "suite",
    "trajectory": "trajectories",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its module on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
