"""An agent in a process of its own: `python -m tests.serve.agent_process`.

It is told, line by line on its standard input, which domain's declarations to know, which MCP
endpoint to call, and what the user says with the structured reading of it; it answers with what it
says itself. No task, no world and no verdict reaches it.
"""

import json
import os
import sys
from typing import Any

from davinci_env.agents import Turn
from davinci_env.agents.expert import Expert
from davinci_env.agents.registry import SLIPS
from davinci_env.domain import load
from davinci_env.environment import Event
from davinci_env.episodes.runner import play
from davinci_env.serve.remote import RemoteEnvironment
from tests.agents.talks import steps

# Whatever else prints goes to standard error: the parent reads JSON.
_ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def tell(message: dict[str, Any]) -> None:
    print(json.dumps(message), file=_ANSWERS, flush=True)


def hear() -> Any:
    return json.loads(sys.stdin.readline())


class FarUser:
    """A user at the other end of the pipe."""

    def open(self) -> Turn:
        tell({"open": True})
        return _turn(hear())

    def heard(self, text: str) -> tuple[Event, ...]:
        tell({"heard": text})
        return _events(hear())

    def reply(self, text: str) -> Turn | None:
        tell({"reply": text})
        said = hear()
        return None if said is None else _turn(said)


def _turn(said: dict[str, Any]) -> Turn:
    return Turn(said["text"], _events(said["events"]), tuple(said["intents"]))


def _events(given: list[list[Any]]) -> tuple[Event, ...]:
    return tuple(Event(kind, subject) for kind, subject in given)


def main() -> None:
    while line := sys.stdin.readline():
        order = json.loads(line)
        domain = load(order["domain"])
        with RemoteEnvironment.over_http(order["url"], env_id=order["env_id"]) as environment:
            agent = Expert(domain, order["seed"], slips=SLIPS)
            play(environment, agent, FarUser(), intents=tuple(order["intents"]))
            tell({"steps": steps(environment), "finish": True})


if __name__ == "__main__":
    main()
