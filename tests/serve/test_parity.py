"""The protocol adds and takes nothing: the same calls, directly and over MCP, on real domains."""

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("fastmcp")

from jsonschema import Draft202012Validator

from davinci_env.serve.source import DomainSource
from tests.serve.house import house
from tests.serve.random_calls import random_calls

DOMAINS = ["clinic_appointments", "library_lending", "order_management"]
CALLS = 500


@pytest.fixture(scope="module", params=DOMAINS)
def source(request: pytest.FixtureRequest) -> DomainSource:
    return DomainSource.of(request.param)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_500_random_calls_give_the_same_results_and_hashes(source: DomainSource, mode: str) -> None:
    direct = source.open()
    codes: list[str | None] = []

    async def act() -> None:
        async with house(source) as home, home.client(mode=mode) as client:
            await client.list_tools()
            (held,) = (await home.operator.get("/environments")).json()["environments"]
            for number, (tool, arguments) in enumerate(random_calls(direct, seed=7, n=CALLS)):
                served = await client.call_tool_mcp(tool, arguments)
                result = direct.call(tool, arguments)
                codes.append(result.code)
                assert served.structured_content == result.content, (tool, arguments)
                assert [part.text for part in served.content] == [result.text]
                assert served.is_error is not result.ok
                if number % 25 == 0 or number == CALLS - 1:
                    captured = await home.operator.get(f"/environments/{held['env_id']}/capture")
                    outcome = direct.capture()
                    assert captured.json() == {
                        "state_hash": outcome.state_hash,
                        "diff": json.loads(json.dumps(outcome.diff)),
                        "violated": list(outcome.violated),
                    }

    asyncio.run(act())
    assert direct.capture().diff, "the calls changed nothing: this showed little"
    assert codes.count(None) > CALLS / 5
    assert {"unknown_tool", "invalid_arguments"} < set(codes)
    assert "internal_error" not in codes
    direct.close()


def test_what_a_schema_forbids_is_refused_and_changes_nothing(source: DomainSource) -> None:
    environment = source.open()
    schemas = {spec.name: Draft202012Validator(spec.parameters) for spec in environment.tools()}
    refused = 0
    for tool, arguments in random_calls(environment, seed=11, n=1000):
        if tool in schemas and not schemas[tool].is_valid(arguments):
            before = environment.capture()
            result = environment.call(tool, arguments)
            assert (result.ok, result.code) == (False, "invalid_arguments"), (tool, arguments)
            assert environment.capture().state_hash == before.state_hash
            refused += 1
        else:
            environment.call(tool, arguments)
    assert refused > 100
    environment.close()


def test_results_fit_the_schema_that_is_published_for_them(source: DomainSource) -> None:
    environment = source.open()
    schemas = {spec.name: Draft202012Validator(spec.output_schema) for spec in environment.tools()}
    answered: set[str] = set()
    for tool, arguments in random_calls(environment, seed=13, n=1000):
        result = environment.call(tool, arguments)
        if result.ok:
            schemas[tool].validate(result.data)
            answered.add(tool)
    assert len(answered) > len(schemas) / 2
    environment.close()


def test_listed_tools_are_fit_for_every_client(source: DomainSource) -> None:
    """The names and schema forms that clients and chat APIs have in common."""

    async def act() -> Any:
        async with house(source) as home, home.client() as client:
            return await client.list_tools()

    tools = asyncio.run(act())
    assert len({tool.name for tool in tools}) == len(tools) >= 13
    for tool in tools:
        assert len(tool.name) <= 40
        assert tool.description
        assert None not in tool.annotations.model_dump().values()
        for schema in (tool.input_schema, tool.output_schema):
            assert schema["type"] == "object"
            assert isinstance(schema["properties"], dict)
            text = json.dumps(schema)
            assert not any(word in text for word in ('"$ref"', '"$defs"', '"anyOf"', '"oneOf"'))
            Draft202012Validator.check_schema(schema)
