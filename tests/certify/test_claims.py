"""Each claim of a certificate, with a task that fails just that one."""

from pathlib import Path
from typing import Any

import pytest

from davinci_env.certify import BASELINES, Rejected, certificate, certify
from davinci_env.errors import DefectError
from davinci_env.records import (
    LookedUpCheck,
    NotCalledCheck,
    OrderCheck,
    Say,
    Slot,
    SlotsCheck,
    Source,
    Task,
)
from tests.certify.good import (
    ASKING,
    DONE,
    EXTEND,
    FIND,
    KITE,
    OWED,
    RENTALS,
    TEXT,
    act_request,
    act_task,
    ask_task,
    state_of,
)
from tests.support.toy_desk import (
    answer,
    call,
    desk,
    frame,
    policy,
    state,
    task_of,
    trace,
)

ROOT = Path(__file__).resolve().parents[2]
DUE_SQL = "SELECT due_on FROM rentals WHERE rental_id = 'R-01'"


def certified(task: Task) -> dict[str, Any]:
    environment = desk(task.actor or "P-01")
    before = environment.pack()
    try:
        return certify(task, environment)
    finally:
        assert environment.pack() == before
        assert len(environment.log) == 0
        environment.close()


def rejected(task: Task) -> tuple[str, str]:
    with pytest.raises(Rejected) as caught:
        certified(task)
    return caught.value.reason, caught.value.detail


def test_good_tasks_hold_every_claim() -> None:
    made = certified(act_task())
    assert list(made) == [
        "not_already_true", "solvable", "not_vacuous", "sound", "needed", "complete", "honest_text",
    ]  # fmt: skip
    assert made["not_already_true"] == {"requirements": ["state"]}
    assert made["solvable"] == {"runs": 3, "calls": 3}
    assert made["not_vacuous"] == {"baselines": list(BASELINES)}
    assert made["sound"]["outcomes"] >= 8
    assert len(made["sound"]["operators"]) >= 5
    assert made["needed"] == {"requirements": ["state"], "exempt": []}
    made = certified(ask_task())
    assert made["needed"] == {"requirements": ["answer"], "exempt": ["looked_up"]}
    assert "other-format" in made["complete"]["variants"]


# -- not already true -----------------------------------------------------------------------------


def test_already_true() -> None:
    open_ = "SELECT status FROM rentals WHERE rental_id = 'R-01'"
    task = act_task(state(f"({open_}) IS :status", status=open_), frame(), policy())
    assert rejected(task) == ("already-true", "state")


def test_one_of_several_is_already_true() -> None:
    always = state("1 = 1").model_copy(update={"id": "always"})
    assert rejected(act_task(state_of(EXTEND), always, frame())) == ("already-true", "always")


def test_nothing_is_required() -> None:
    assert rejected(act_task(frame(), policy())) == ("already-true", "nothing is required")


def test_what_must_not_be_is_true_at_the_start() -> None:
    """It is no fault of such a requirement; but no mutant needs it here."""
    hand_over = trace(NotCalledCheck(must_not="called", tools=("hand_over",)), "no_hand_over")
    task = act_task(state_of(EXTEND), hand_over, frame(), policy())
    assert rejected(task) == ("redundant", "no_hand_over")


# -- solvable -------------------------------------------------------------------------------------


BOS = call("list_person_rentals", person_id="P-02")
LABEL = call("post_label", rental_id="R-01", street="Oak Lane")
BACK = call("take_back", rental_id="R-02")


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ([FIND, RENTALS, DONE], ("golden-fails", "state")),
        ([FIND, RENTALS, EXTEND, BACK, DONE], ("golden-fails", "frame")),
        ([FIND, BOS, RENTALS, EXTEND, DONE], ("golden-fails", "policy")),
        ([FIND, RENTALS, LABEL, DONE], ("golden-fails", "state, frame")),
        ([FIND, EXTEND, DONE], ("guessed-id", "R-01")),
        ([EXTEND, DONE], ("guessed-id", "R-01")),
        ([RENTALS, EXTEND, DONE], ("guessed-id", "P-01")),
    ],
)
def test_unsolvable(solution: list[Any], reason: tuple[str, str]) -> None:
    assert rejected(act_task(solution=solution)) == reason


def test_an_id_within_another_was_not_revealed() -> None:
    """ "R-01" stands in "XR-01" and in "R-012", but neither tells it."""
    for text in (f"{TEXT} My card is XR-01.", f"{TEXT} My card is R-012."):
        task = act_task(solution=[FIND, EXTEND, DONE], request=act_request(text))
        assert rejected(task) == ("guessed-id", "R-01")
    told = act_task(solution=[FIND, EXTEND, DONE], request=act_request(f"{TEXT} It is R-01."))
    assert certified(told)["solvable"] == {"runs": 3, "calls": 2}


def test_a_text_out_of_the_records_must_be_told() -> None:
    """Nobody says the address that the customer is looked up by."""
    silent = act_request("Hi, I'd like to keep the kite until March 27, 2026.")
    silent = silent.model_copy(update={"facts": {}})
    task = act_task(state_of(EXTEND), frame(), request=silent)
    assert rejected(task) == ("guessed-id", "ada@example.com")


def test_a_check_that_raises_is_a_defect_and_no_rejection() -> None:
    with pytest.raises(DefectError):
        certified(act_task(state("no_such_column = 1"), frame(), policy()))
    with pytest.raises(DefectError, match="rental_not_open"):
        certified(act_task(goals=[[call("take_back", rental_id="R-01"), EXTEND]]))


# -- not vacuous ----------------------------------------------------------------------------------


def test_a_baseline_passes() -> None:
    """All that is asked for is to have seen a toy, and whoever browses sees them all."""
    seen = trace(LookedUpCheck(must="looked_up", rows=(("toys", "T-07"),)), "looked_up")
    environment = desk()
    task = task_of(
        environment, seen, frame("nothing"), policy(), kind="ask",
        solution=[call("search_toys"), Say(say="I have seen it.")],
    )  # fmt: skip
    environment.close()
    assert rejected(task) == ("baseline-passes", "reader")


@pytest.mark.parametrize("name", BASELINES)
def test_each_baseline_is_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nobody else at the table, the one that passes is the one that is named."""
    from davinci_env.agents.oracle import Oracle

    monkeypatch.setattr(
        certificate, "make_agent",
        lambda played, task, domain: Oracle(task) if played == name else _Silent(),
    )  # fmt: skip
    assert rejected(act_task()) == ("baseline-passes", name)


class _Silent:
    name = "silent"

    def act(self, view: Any) -> Any:
        from davinci_env.agents import Say as Says

        return Says("")


# -- sound ----------------------------------------------------------------------------------------

DAYS = "SELECT json_group_array(due_on) FROM rentals"
ANY_RENTAL = [
    ("rentals", f"R-0{n}", column) for n in range(1, 7) for column in ("due_on", "extensions")
]


@pytest.mark.parametrize(
    ("requirements", "operators"),
    [
        # weakened: any later day will do
        (
            [state(f"({DUE_SQL}) > :ref_due", ref_due=DUE_SQL), frame(), policy()],
            {"perturbed", "instead", "extra-write"},
        ),
        # weakened: some rental of somebody's
        (
            [state(f"({DAYS}) <> :ref_d", ref_d=DAYS), frame("nothing", ANY_RENTAL), policy()],
            {"wrong-row", "perturbed", "wrong-owner"},
        ),
        # dropped: the frame
        ([state_of(EXTEND), policy()], {"extra-write", "overreach", "for-somebody-else"}),
        # dropped: the policy
        ([state_of(EXTEND), frame()], {"no-identification"}),
    ],
)
def test_a_weakened_verifier_lets_a_mutant_pass(requirements: Any, operators: set[str]) -> None:
    reason, detail = rejected(act_task(*requirements))
    assert reason == "mutant-passes"
    assert detail.partition(":")[0] in operators


def test_a_weakened_answer_lets_a_mutant_pass() -> None:
    """A slot that takes either bill for the sum."""
    loose = Slot(
        name="Bill", type="list", cues=OWED.cues,
        expected=Source(over="goal", query="SELECT 'bills'"),
    )  # fmt: skip
    task = ask_task(answer(SlotsCheck(slots=(loose,))), frame("nothing"), policy())
    assert rejected(task)[0] == "mutant-passes"


@pytest.mark.parametrize("name", ["MIN_OUTCOMES", "MIN_OPERATORS"])
def test_too_little_to_mutate(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, name, 1000)
    reason, detail = rejected(act_task())
    assert reason == {"MIN_OUTCOMES": "few-outcomes", "MIN_OPERATORS": "few-operators"}[name]
    assert detail.endswith(" of 1000")


# -- needed ---------------------------------------------------------------------------------------


def test_a_redundant_requirement() -> None:
    again = state_of(EXTEND).model_copy(update={"id": "again"})
    assert rejected(act_task(state_of(EXTEND), again, frame(), policy())) == (
        "redundant", "state, again",
    )  # fmt: skip


def test_a_requirement_that_another_implies() -> None:
    ordered = trace(OrderCheck(must="order", calls=(EXTEND,)), "order")
    task = act_task(state_of(EXTEND), ordered, frame(), policy())
    reason, redundant = rejected(task)
    assert reason == "redundant"
    assert "order" in redundant


def test_a_look_up_need_not_be_needed_but_only_a_look_up() -> None:
    """It is known by what it checks, whatever its name."""
    named = state_of(EXTEND).model_copy(update={"id": "looked_up"})
    task = act_task(state_of(EXTEND), named, frame(), policy())
    assert rejected(task) == ("redundant", "state, looked_up")


# -- complete -------------------------------------------------------------------------------------


def test_a_variant_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "answer_variants", lambda *args: ["It is the 20th of never."])
    assert rejected(ask_task()) == ("variant-fails", "other-format: answer")


def test_independent_writes_may_change_places() -> None:
    move = call("redirect_parcel", parcel_id="PA-01", street="Oak Lane")
    parcels = call("list_person_parcels", person_id="P-01")
    task = act_task(
        state_of(EXTEND, move), frame(), policy(), goals=[[EXTEND, move]],
        solution=[FIND, RENTALS, parcels, EXTEND, move, DONE],
    )  # fmt: skip
    assert "reordered" in certified(task)["complete"]["variants"]


def test_another_accepted_goal_is_no_mutant() -> None:
    """Oak Lane or Mill Road: the mutant that takes the other street does what was asked for."""
    parcels = call("list_person_parcels", person_id="P-01")
    oak, mill = (
        call("redirect_parcel", parcel_id="PA-01", street=street)
        for street in ("Oak Lane", "Mill Road")
    )
    street = "SELECT street FROM parcels WHERE parcel_id = 'PA-01'"
    task = act_task(
        state(f"({street}) IS :street", street=street), frame(), policy(), goals=[[oak], [mill]],
        solution=[FIND, parcels, oak, DONE],
    )  # fmt: skip
    assert certified(task)["sound"]["equivalent"] >= 1
    one = task.model_copy(update={"goals": task.goals[:1]})
    assert certified(one)["sound"]["outcomes"] >= 8


# -- honest text ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "lacking"),
    [
        (act_request("Hi, ada@example.com here: keep it until March 27, 2026, please."), "kite"),
        (act_request("Hi, ada@example.com here: I want to keep the kite longer."), "2026-03-27"),
        (act_request("Hi, keep the kite until March 27, 2026, please."), "ada@example.com"),
        (act_request(until="2026-04-27"), "2026-04-27"),
        (act_request(row={**KITE, "id": "R-01"}), "R-01"),
        (act_request(row={**KITE, "fields": {"due_on": "2026-03-20"}}), "2026-03-20"),
        (act_request(row={**KITE, "fields": {"toy.price": 400}}), "400"),
    ],
)
def test_the_text_lacks_a_value(request_: Any, lacking: str) -> None:
    assert rejected(act_task(request=request_)) == ("text-lacks-value", lacking)


def test_the_text_may_say_values_in_people_s_ways() -> None:
    row = {**KITE, "fields": {"toy.name": "kite", "due_on": "2026-03-20", "toy.price": 400}}
    text = f"{TEXT} It is the one for $4.00, due on March 20."
    assert certified(act_task(request=act_request(text, row=row)))["honest_text"]


def test_the_answer_is_given_away() -> None:
    text = f"{ASKING} I make it $3.50."
    assert rejected(ask_task(text=text)) == ("answer-given-away", "$3.50")
