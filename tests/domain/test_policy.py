"""The policy document: every clause once, and nothing that the contract doesn't say."""

import pytest

from tests.support.shed import DIALECTS, shed

POLICY = shed().domain.policy()
FLAT = " ".join(POLICY.split())


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("access", ["staff", "self_service"])
def test_each_rule_stands_in_it_once(dialect, access):
    domain = shed(dialect, access).domain
    flat = " ".join(domain.policy().split())
    assert {code: flat.count(rule.text) for code, rule in domain.rules.items()} == dict.fromkeys(
        domain.rules, 1
    )


def test_constants_are_filled_in_the_domain_s_way():
    assert "A deposit is $12.50." in POLICY
    assert "A deposit is €12.50." in shed("club").domain.policy()
    assert "at most 2 times" in POLICY
    assert "{" not in POLICY


def test_it_says_who_and_when():
    assert POLICY.startswith("# Tool shed: policy\n\nYou are the keeper of the shed.")
    assert "It is Monday, 16 March 2026, 09:30." in POLICY


def test_records_say_states_and_owners():
    assert "An item starts as shelved and goes from shelved to out or retired" in POLICY
    assert "Each loan belongs to one member." in POLICY


def test_shared_conditions_are_named_by_the_operations_that_have_them():
    shared = FLAT[FLAT.index("Conditions that several operations share") :]
    assert "**Member active.** Only an active member may borrow." in shared
    assert "This applies to `borrow`, `renew_loan`." in shared
    renew = FLAT[FLAT.index("### Renew loan") : FLAT.index("### Give back")]
    assert "Besides, these shared conditions: *member active*." in renew
    assert "The loan must be open." in renew
    assert "The new day must be later than the old one." in renew


def test_duties_and_hand_over_and_removals():
    assert "**Confirmed.** Have the details confirmed before you write." in POLICY
    borrow = FLAT[FLAT.index("### Borrow") : FLAT.index("### Renew loan")]
    assert "see to these duties of yours: identified, confirmed." in borrow
    assert "## Handing over" in POLICY
    cancel = FLAT[FLAT.index("### Cancel hold") : FLAT.index("### Pay")]
    assert "the removal of a hold record" in cancel


def test_every_tool_is_described_once():
    for name in shed().domain.tools:
        heading, line = f"(`{name}`)", f"- `{name}`:"
        assert POLICY.count(heading) + POLICY.count(line) == 1, name


def test_helpers_are_explained_without_their_examples():
    assert "**Late fee.** The fee for some days: 25 cents each." in POLICY
    assert ">>>" not in POLICY
