"""The library's words: enough of them, each complete, and each about something that is there."""

import re

import pytest

from davinci_env.domain import load

DOMAIN = load("library_lending")
TOOLS = DOMAIN.tools
WRITES = [tool for tool in TOOLS.values() if tool.kind == "write"]
PLACE = re.compile(r"\{([a-z_]\w*)[\w.]*\}")


def spoken_arguments(tool) -> set[str]:
    return {p.name for p in tool.parameters if p.entity is not DOMAIN.identity}


@pytest.mark.parametrize("tool", WRITES, ids=lambda tool: tool.name)
def test_a_write_can_be_asked_for_and_reported_in_several_ways(tool):
    full = [phrase for phrase in tool.ask if set(PLACE.findall(phrase)) == spoken_arguments(tool)]
    assert len(full) >= 4
    assert set(tool.asks) == spoken_arguments(tool)
    assert all(len(questions) >= 2 for questions in tool.asks.values())
    assert all(text.endswith("?") for questions in tool.asks.values() for text in questions)
    assert len(tool.outcome.says) >= 4
    for text in tool.outcome.says:
        assert all(f"{{{name}}}" in text for name in tool.outcome.quotes), text
        assert text.endswith(".")


@pytest.mark.parametrize("tool", WRITES, ids=lambda tool: tool.name)
def test_three_situations_lead_to_every_write(tool):
    motives = [s.text for s in DOMAIN.situations if tool.name in s.leads_to]
    assert len(motives) >= 3
    assert all(text.endswith(".") for text in motives)


def test_there_are_motives_enough_and_they_name_real_tools():
    assert len(DOMAIN.situations) >= 30
    assert len(DOMAIN.second_thoughts) >= 12
    named = {name for s in DOMAIN.situations for name in s.leads_to}
    named |= {name for s in DOMAIN.second_thoughts for name in s.about}
    assert named <= set(TOOLS)


def test_every_reason_of_the_hand_over_has_its_concern():
    reasons = next(p.type.choices for p in TOOLS["hand_over"].parameters if p.name == "reason")
    texts = {concern.reason: concern.texts for concern in DOMAIN.concerns}
    assert set(texts) == set(reasons)
    assert all(len(found) >= 4 for found in texts.values())
    assert DOMAIN.without_tool in reasons


def test_what_people_ask_for_has_clauses_and_answers():
    for name in ("Loan", "Hold", "Fine"):
        info = DOMAIN.entities[name]._info
        assert len(info.called) >= 4
        assert info.superlatives
        for column, spec in info.columns.items():
            if spec.asks:
                assert len(spec.asks) >= 3, column
                assert len(spec.told) >= 3, column
                assert all("{value}" in text for text in spec.told)
    for tool in TOOLS.values():
        assert all(len(clauses) >= 3 for clauses in tool.tells.values()), tool.name


def test_a_refusal_says_which_half_of_a_rule_applies_and_what_can_be_done():
    for rule in DOMAIN.rules.values():
        for said in rule.parts or [rule]:
            assert len(said.because) >= 4, rule.code
            assert said.offers or rule.kind == "confirmation", rule.code


@pytest.mark.parametrize("code", ["within_open_amount", "large_enough_part"])
def test_a_payment_is_refused_with_the_figure_that_applies(code):
    rule = DOMAIN.rules[code]
    assert len(rule.parts) == 2
    for half in rule.parts:
        assert all("{" in text for text in [*half.because, *half.offers]), half.name


def test_rows_are_picked_only_by_what_people_pick_by():
    picked = {name: set(e._info.superlatives) for name, e in DOMAIN.entities.items()}
    assert picked["Loan"] == {"due_on"}
    assert picked["Hold"] == {"ready_until"}
    assert picked["Fine"] == {"amount"}


def test_a_loss_is_asked_about_with_its_fee_and_reported_by_title():
    assert set(TOOLS["quote_loss"].tells) == {"total"}
    named = [phrase for phrase in TOOLS["report_lost"].ask if "{" in phrase]
    assert all("{loan.copy.book.title}" in phrase for phrase in named)


def test_what_is_lent_is_told_with_its_edition_and_a_reference_is_called_one():
    assert all("{copy.book.format}" in text for text in TOOLS["checkout_copy"].outcome.says)
    told = [text for text in TOOLS["hand_over"].outcome.says if "{handover_id}" in text]
    assert told
    assert all("reference" in text for text in told)
