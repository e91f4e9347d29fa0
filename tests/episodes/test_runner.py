"""The runner: who hears what, in which order, and when it ends."""

from typing import Any

from davinci_env.agents import Call as Calls
from davinci_env.agents import Say as Says
from davinci_env.agents import ScriptedUser, View
from davinci_env.environment import CallEntry, Event, Message
from davinci_env.episodes import play, play_task
from tests.certify.good import DONE, EXTEND, FIND, TEXT, act_request, act_task
from tests.episodes.test_trajectories import Player
from tests.support.toy_desk import call, desk


def test_the_log_is_one_order_of_everything() -> None:
    task = act_task()
    environment = desk()
    episode = play_task(task, environment, Player(FIND, EXTEND, DONE), ScriptedUser(task))
    kinds = [type(entry) for entry in environment.log]
    assert kinds == [Message, Event, CallEntry, CallEntry, Message]
    assert episode.finish_reason == "done"
    assert episode.steps == 3
    assert episode.hashes == []  # nobody asked for them
    environment.close()


def test_hashes_are_one_an_entry() -> None:
    task = act_task()
    environment = desk()
    episode = play_task(
        task, environment, Player(FIND, EXTEND, DONE), ScriptedUser(task), record_hashes=True
    )
    assert len(episode.hashes) == len(environment.log)
    assert len(set(episode.hashes[:3])) == 1
    assert episode.hashes[3] == episode.hashes[4] == environment.capture().state_hash
    environment.close()


class Listening(Player):
    """Notes what it was told before each step."""

    def __init__(self, *steps: Any) -> None:
        super().__init__(*steps)
        self.seen: list[tuple[str, Any, Any, int]] = []

    def act(self, view: View) -> Any:
        """The next step."""
        last = view.last
        facts = dict(view.reading.facts)
        self.seen.append(
            (view.heard, facts, None if last is None else last.ok, len(view.messages()))
        )
        return super().act(view)


def test_an_agent_hears_text_meaning_and_results() -> None:
    request = act_request()
    tell = {"tell": "shoe", "cues": ["shoe"], "text": "42, please."}
    user = request.user.model_copy(update={"known": ("shoe",), "plan": (*request.user.plan, tell)})
    request = request.model_copy(
        update={"facts": {**request.facts, "shoe": {"value": 42}}, "user": user}
    )
    task = act_task(request=request)
    environment = desk()
    ask = type(DONE)(say="Which shoe size do you have?")
    agent = Listening(FIND, call("take_back", rental_id="R-99"), ask, DONE)
    play_task(task, environment, agent, ScriptedUser(task))
    email = {"email": "ada@example.com"}
    assert agent.seen == [
        (TEXT, email, None, 2),  # policy and request
        (TEXT, email, True, 4),
        (TEXT, email, False, 6),
        ("42, please.", {**email, "shoe": {"value": 42}}, None, 8),
    ]
    asked = [e.subject for e in environment.log.events("asked")]
    revealed = [e.subject["fact"] for e in environment.log.events("revealed")]
    assert (asked, revealed) == ([{"fact": "shoe"}], ["email", "shoe"])
    environment.close()


def test_the_user_says_yes_to_their_own_wish_alone() -> None:
    task = act_task()
    environment = desk()
    ask = type(DONE)(say="Shall I extend the rental of the kite (R-01) until March 27, 2026?")
    other = type(DONE)(say="Shall I extend the rental of the drum (R-02) until March 27, 2026?")
    play_task(task, environment, Player(other, ask, DONE), ScriptedUser(task))
    events = [(e.kind, e.subject.get("tool")) for e in environment.log.events()]
    assert events == [
        ("revealed", None), ("declined", None), ("confirmed", "extend_rental"),
    ]  # fmt: skip
    confirmed = next(environment.log.events("confirmed"))
    assert confirmed.subject["arguments"] == EXTEND.arguments
    environment.close()


def test_a_statement_ends_the_conversation() -> None:
    task = act_task()
    environment = desk()
    agent = Player(type(DONE)(say="You have confirmed it, so I go ahead."), EXTEND, DONE)
    episode = play_task(task, environment, agent, ScriptedUser(task))
    assert episode.steps == 1
    assert list(environment.log.calls()) == []
    environment.close()


def test_limits_end_it() -> None:
    class Restless:
        name = "restless"

        def act(self, view: View) -> Any:
            return (
                Calls("search_toys", {}) if len(view.messages()) % 3 else Says("Could you repeat?")
            )

    task = act_task()
    environment = desk()
    episode = play(environment, Restless(), ScriptedUser(task), max_steps=7)
    assert (episode.finish_reason, episode.steps) == ("max_steps", 7)
    environment.close()


def test_patience_ends_it() -> None:
    """Three questions that lead nowhere, then the user hangs up."""
    task = act_task()
    environment = desk()
    vague = [type(DONE)(say="Could you tell me more?")] * 9
    episode = play_task(task, environment, Player(*vague), ScriptedUser(task))
    assert episode.finish_reason == "done"
    assert episode.steps == 4
    environment.close()
