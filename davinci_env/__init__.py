"""Stateful, verifiable tool-use environments: one file a domain, tasks with proven verifiers.

The package's front door. Names are resolved on first use, so that `import davinci_env` costs
nothing: each name below lives in the room that owns it.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "DavinciError": "davinci_env.errors",
    "Domain": "davinci_env.domain",
    "catalogue": "davinci_env.domain",
    "generate_corpus": "davinci_env.corpus",
    "generate_suite": "davinci_env.tasks",
    "load": "davinci_env.domain",
    "open_environment": "davinci_env.environment",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its room on first use."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names with the module's own."""
    return sorted([*globals(), *_HOMES])
