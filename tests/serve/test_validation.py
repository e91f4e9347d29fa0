"""The last look at a call: foreign systems' schemas are enforced, and so is Unicode."""

from typing import Any

import pytest

pytest.importorskip("fastmcp")

from davinci_env.serve.validation import call
from tests.serve.double import Ledger


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "'amount' is a required property"),
        ({"amount": 0}, "amount: 0 is less than the minimum of 1"),
        ({"amount": True}, "amount: True is not of type 'integer'"),
        ({"amount": 1, "more": 2}, "'more' was unexpected"),
        ({"amount": "x" * 100_000}, "xxx…"),
    ],
)
def test_the_schema_is_enforced_for_systems_before_they_are_called(
    arguments: dict[str, Any], problem: str
) -> None:
    system = Ledger(kind="system")
    result = call(system, "add", arguments)
    assert (result.ok, result.code) == (False, "invalid_arguments")
    assert problem in result.message
    assert len(result.message) < 300
    assert system.log == []
    assert call(system, "add", {"amount": 2}).data == {"total": 2}


def test_domains_refuse_in_their_own_words() -> None:
    domain = Ledger(kind="domain")
    result = call(domain, "add", {})
    assert (result.code, result.message) == ("invalid_arguments", "amount: one whole number.")
    assert domain.log == [("add", {}, "invalid_arguments")]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("add", {"amount": "\ud800"}),
        ("add", {"\ud800": 1}),
        ("add", {"amount": [{"deep": "x\udfff"}]}),
        ("\udfff", {}),
    ],
)
@pytest.mark.parametrize("kind", ["domain", "system"])
def test_half_a_surrogate_pair_reaches_no_environment(
    kind: str, tool: str, arguments: dict[str, Any]
) -> None:
    ledger = Ledger(kind=kind)
    result = call(ledger, tool, arguments)
    assert result.code == "invalid_arguments"
    result.text.encode()
    assert ledger.log == []


def test_a_defect_is_told_without_its_insides() -> None:
    result = call(Ledger(), "crash", {})
    assert (result.code, result.message) == ("internal_error", "The tool failed.")
