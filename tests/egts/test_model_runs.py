"""A run with a model: it explores, words and replays; the gates are the same."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from davinci_env.agents.openai_agent import Reply
from davinci_env.agents.protocol import Action, Call, Say, View
from davinci_env.corpus.systems import run_systems
from davinci_env.egts import blocks
from davinci_env.environment import ToolSpec
from tests.egts.toy_job import SETTING, named

__all__ = ["named"]

PLAN = (
    Call("list_contacts", {}),
    Call("write_note", {"contact_id": "c2", "text": "brings the tent"}),
)


class Scripted:
    """Stands for a model: looks the contacts up, writes a note, says so."""

    heard: list[Sequence[Mapping[str, Any]]] = []  # noqa: RUF012 (what all of them heard)
    slips = False

    def __init__(self, model: str) -> None:
        self.name, self.model, self.parameters = "openai", model, {"temperature": 0.0}
        self._calls: deque[Call] = deque()

    def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[ToolSpec] = ()
    ) -> Reply:
        """The next call, or words."""
        Scripted.heard.append(messages)
        if not tools:
            text = str(messages[-1]["content"]).rpartition("\n\n")[2]
            return Reply(f"{text} Thanks a lot!", ())
        made = sum("tool_calls" in message for message in messages)
        return Reply("", (PLAN[made],)) if made < len(PLAN) else Reply("I have noted it.", ())

    def act(self, view: View) -> Action:
        """The same, as an agent."""
        reply = self.complete(view.messages(), view.tools())
        if not reply.calls:
            return Say(reply.text)
        call = reply.calls[0]
        if Scripted.slips and call.tool == "write_note":
            return Call("write_note", {**call.arguments, "contact_id": "c3"})
        return call


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> type[Scripted]:
    """The stand-in where the endpoint would be asked."""
    monkeypatch.setattr(blocks, "OpenAIChat", Scripted)
    monkeypatch.setattr(blocks, "OpenAIAgent", Scripted)
    monkeypatch.setattr(Scripted, "heard", [])
    return Scripted


def run(out: Path) -> dict[str, Any]:
    """One episode of the model's."""
    setting = replace(SETTING, model="stub-1")
    summary = run_systems(["toy"], 1, out, 3, setting=setting)
    return dict(summary.systems["toy"])


def test_what_a_model_did_is_a_demonstration_when_it_holds(
    model: type[Scripted], tmp_path: Path
) -> None:
    known = run(tmp_path / "out")
    assert (known["accepted"], known["rejected"]) == (1, {})
    (line,) = (tmp_path / "out" / "trajectories.jsonl").read_text("utf-8").splitlines()
    trajectory = json.loads(line)
    assert trajectory["agent"] == {
        "name": "openai", "model": "stub-1", "parameters": {"temperature": 0.0},
    }  # fmt: skip
    said = [m["content"] for m in trajectory["messages"] if m["role"] == "user"]
    assert said[0].endswith("Thanks a lot!")
    assert "brings the tent" in said[0]


def test_a_model_hears_the_guidance_and_the_record_does_not_hold_it(
    model: type[Scripted], tmp_path: Path
) -> None:
    run(tmp_path / "out")
    heard = json.dumps(Scripted.heard)
    assert "How requests like this one are carried out" in heard
    for path in (tmp_path / "out").glob("*.jsonl"):
        assert "How requests like this one" not in path.read_text("utf-8")


def test_a_model_that_does_something_else_is_turned_down(
    model: type[Scripted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scripted, "slips", True)
    known = run(tmp_path / "out")
    assert known["accepted"] == 0
    assert known["rejected"] == {"other-terminal-state": 1}
