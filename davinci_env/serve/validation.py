"""The last look at a call before an environment gets it.

Domains and compositions check arguments against the schemas they publish, in their own words and
before anything runs; a second check here would only put other words into the agent's ears than
those it was trained on. Systems
that others wrote are not relied on for it: their schemas are enforced here.
"""

import logging
from collections.abc import Mapping
from typing import Any

from davinci_env.egts.systems.schemas import problem_of
from davinci_env.environment import Environment, ToolResult

logger = logging.getLogger(__name__)


def call(environment: Environment, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
    """Call a tool of an environment, unless its arguments are none that may reach it."""
    if not _is_text(tool) or not _is_text(arguments):
        return _invalid("a text holds half of a surrogate pair, which is no character")
    if environment.metadata.kind == "system":
        spec = next((each for each in environment.tools() if each.name == tool), None)
        problem = None if spec is None else problem_of(spec.parameters, arguments)
        if problem is not None:
            return _invalid(problem)
    try:
        return environment.call(tool, arguments)
    except Exception:
        # Environments don't raise for what an agent does, so this is a defect: told here, hidden
        # there.
        logger.exception("environment %s failed in %s", environment.metadata.name, tool)
        return _refusal("internal_error", "The tool failed.")


def _invalid(problem: str) -> ToolResult:
    return _refusal("invalid_arguments", f"Invalid arguments: {problem}.")


def _refusal(code: str, message: str) -> ToolResult:
    return ToolResult(ok=False, code=code, message=message)


def _is_text(value: Any) -> bool:
    """Say whether all strings in a JSON value can be written as UTF-8."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
        return True
    if isinstance(value, Mapping):
        return all(_is_text(key) and _is_text(item) for key, item in value.items())
    if isinstance(value, list):
        return all(_is_text(item) for item in value)
    return True
