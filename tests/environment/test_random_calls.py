"""Random calls in every dialect: what holds after each of them, whatever it was."""

import jsonschema
import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from davinci_env.domain import Parameter
from davinci_env.state import TriggerWitness
from tests.support.opened import opened
from tests.support.oracle import dump, logged, stale
from tests.support.shed import DIALECTS, shed

CASES = [
    *[(dialect, "staff") for dialect in DIALECTS],
    ("plain", "self_service"),
    ("shop", "self_service"),
]


def argument(parameter: Parameter, schema: dict, world) -> st.SearchStrategy:
    """Ids that exist or not, values that fit, and now and then something else."""
    if parameter.entity is not None:
        ids = st.sampled_from([*[row.id for row in world.all(parameter.entity)], "nowhere"])
        return st.lists(ids, min_size=1, max_size=3) if parameter.type.many else ids
    if parameter.type.many:
        return st.just([schema["items"]["examples"][0]])
    odd = st.sampled_from([None, -1, "", "x", 3.5, "c4"])
    if "enum" in schema:
        fit = st.sampled_from(schema["enum"])
    elif "examples" in schema:
        fit = st.sampled_from(schema["examples"])
    elif schema["type"] == "boolean":
        fit = st.booleans()
    elif schema["type"] == "string":
        emails = [m.email for m in world.all(world.schema.by_table["members"])]
        fit = st.sampled_from([*emails, "Saw", "%", "new@example.com"])
    else:
        fit = st.integers(1, 40)
    return st.one_of(fit, fit, fit, fit, odd)


@pytest.mark.parametrize(("dialect", "access"), CASES)
@settings(
    max_examples=12, derandomize=True, deadline=None, database=None, phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(data=st.data())
def test_whatever_is_called(dialect, access, data):
    env = opened(dialect, access, scale=0.5, record_changes=True)
    witness = TriggerWitness(env.world)
    actor, owner_of = env.world.db.actor, env.domain.owner_of
    told: list[tuple[str, dict, str]] = []
    for _ in range(14):
        tool = env.domain.tools[data.draw(st.sampled_from(sorted(env.domain.tools)))]
        arguments = {
            p.wire: data.draw(argument(p, tool.binder.schema["properties"][p.wire], env.world))
            for p in tool.parameters
            if not p.implicit and (p.required or data.draw(st.booleans()))
        }
        before = env.capture()
        result = env.call(tool.name, arguments)
        told.append((tool.name, arguments, result.text))
        after = env.capture()
        assert orjson.loads(result.text) == orjson.loads(orjson.dumps(result.content))
        assert stale(env.world) == []
        assert witness.changes() == logged(env.world)
        if not result.ok:
            assert result.code in tool.codes, result
            assert after.diff == before.diff
            continue
        jsonschema.validate(result.content, tool.shape.schema())
        if tool.kind == "read":
            assert after.diff == before.diff
        if access == "self_service":
            owners = {owner_of(env.row(*place)) for place in result.seen if env.row(*place)}
            public = tool.name == "queue"  # an author's own read, declared public
            assert public or owners <= {None, actor}
    finish(env, told)


def finish(env, told):
    """The same calls give the same again: from the start, in a fork, and in a new world."""
    outcome, rows = env.capture(), dump(env.world)
    twin = env.fork()
    assert (twin.capture(), dump(twin.world)) == (outcome, rows)
    env.reset()
    assert [env.call(tool, arguments).text for tool, arguments, _ in told] == [t for *_, t in told]
    assert (env.capture(), dump(env.world)) == (outcome, rows)
    env.world.evict()
    env.reset()
    for tool, arguments, text in told:
        env.world.evict()  # nothing depends on what happens to be cached
        assert env.call(tool, arguments).text == text
    assert env.capture() == outcome
    twin.close()
    env.close()


@pytest.mark.parametrize("access", ["staff", "self_service"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_output_schemas_are_plain_objects(dialect, access):
    for tool in shed(dialect, access).domain.tools.values():
        schema = tool.shape.schema()
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert isinstance(schema["properties"], dict)
        assert not any(word in orjson.dumps(schema).decode() for word in ("anyOf", "$ref", "oneOf"))
