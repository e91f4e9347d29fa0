"""The memory server as a system: the order in its file means nothing, everything else does."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from davinci_env.egts.states.graph import make_graph
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.egts.systems.mcp_memory import GraphStore
from davinci_env.environment import check_environment
from tests.egts.systems.live import Call, elsewhere, need, opened

need("memory")

NEW = {"name": "Edda Kruse", "entityType": "person", "observations": ["sings", "cycles"]}
KNOWS = {"from": "Edda Kruse", "to": "Lisbon", "relationType": "lives in"}
CALLS: list[Call] = [
    ("read_graph", {}),
    ("search_nodes", {"query": "person"}),
    ("open_nodes", {"names": ["Lisbon"]}),
    ("create_entities", {"entities": [NEW]}),
    ("create_relations", {"relations": [KNOWS]}),
    (
        "add_observations",
        {"observations": [{"entityName": "Edda Kruse", "contents": ["reads /home/user/a"]}]},
    ),
    (
        "delete_observations",
        {"deletions": [{"entityName": "Edda Kruse", "observations": ["sings"]}]},
    ),
    ("delete_relations", {"relations": [KNOWS]}),
    ("delete_entities", {"entityNames": ["Edda Kruse"]}),
]
SETUP = CALLS[3]


@pytest.fixture(scope="module")
def server() -> Iterator[SystemEnvironment]:
    found = opened("memory")
    yield found
    found.close()


@pytest.fixture
def environment(server: SystemEnvironment) -> SystemEnvironment:
    server.reset()
    return server


def test_conforms() -> None:
    # From the start state there is nobody called Edda, so that what is about her is left out.
    calls = [CALLS[0], CALLS[1], CALLS[2], CALLS[3], CALLS[4], CALLS[8]]
    assert check_environment(lambda: opened("memory"), calls) == []


def test_the_state_is_the_graph_of_the_seed(environment: SystemEnvironment) -> None:
    graph = make_graph(1)
    state = environment.state
    assert sum(map(len, state["entities"].values())) == len(graph["entities"]) == 22
    person = graph["entities"][0]
    kept = state["entities"]["person"][person["name"]]
    assert kept == {"name": person["name"], "observations": sorted(person["observations"])}
    found = {tuple(sorted(relation.items())) for relation in state["relations"]}
    assert found == {tuple(sorted(relation.items())) for relation in graph["relations"]}


def test_each_kind_of_change_is_seen_and_taken_back(environment: SystemEnvironment) -> None:
    hashes = [environment.start_hash]
    for tool, arguments in CALLS[3:]:
        assert environment.call(tool, arguments).ok
        hashes.append(environment.capture().state_hash)
    # Each differs from the one before; in the end all is as it was.
    assert all(a != b for a, b in pairwise(hashes))
    assert len(set(hashes)) == 6 and hashes[-1] == hashes[0]
    environment.call(*SETUP)
    environment.reset()
    assert environment.capture().state_hash == environment.start_hash


def test_deleting_what_is_not_there_changes_nothing(environment: SystemEnvironment) -> None:
    nobody = {"entityName": "Nobody", "observations": ["x"]}
    for tool, arguments in [
        ("delete_entities", {"entityNames": ["Nobody"]}),
        ("delete_observations", {"deletions": [nobody]}),
        ("delete_relations", {"relations": [KNOWS]}),
    ]:
        assert environment.call(tool, arguments).ok
        assert environment.capture().state_hash == environment.start_hash


def test_a_call_that_fails_half_way_changes_nothing(environment: SystemEnvironment) -> None:
    person = make_graph(1)["entities"][0]["name"]
    added = [
        {"entityName": person, "contents": ["snores"]},
        {"entityName": "Nobody", "contents": ["snores"]},
    ]
    result = environment.call("add_observations", {"observations": added})
    assert not result.ok and result.message == "Entity with name Nobody not found"
    assert environment.capture().state_hash == environment.start_hash


def test_what_is_remembered_stays_as_it_was_given(environment: SystemEnvironment) -> None:
    entity = {**NEW, "observations": ["keeps a diary in /home/user/diary"]}
    environment.call("create_entities", {"entities": [entity]})
    opened_again = environment.call("open_nodes", {"names": ["Edda Kruse"]})
    assert opened_again.content["entities"] == [entity]


def captured(tmp_path: Path, lines: list[dict[str, object]]) -> object:
    (tmp_path / "work").mkdir(exist_ok=True)
    text = "\n".join(json.dumps(line) for line in lines)
    (tmp_path / "work" / "memory.jsonl").write_text(text, "utf-8")
    return GraphStore().capture(tmp_path)


def test_the_order_of_lines_and_observations_says_nothing(tmp_path: Path) -> None:
    a = {"type": "entity", "name": "A", "entityType": "pet", "observations": ["x", "y"]}
    b = {"type": "entity", "name": "B", "entityType": "pet", "observations": []}
    tie = {"type": "relation", "from": "A", "to": "B", "relationType": "bites"}
    first = captured(tmp_path, [a, b, tie])
    assert first == captured(tmp_path, [tie, b, {**a, "observations": ["y", "x"]}])
    assert first == {
        "entities": {
            "pet": {
                "A": {"name": "A", "observations": ["x", "y"]},
                "B": {"name": "B", "observations": []},
            }
        },
        "relations": [{"from": "A", "to": "B", "relationType": "bites"}],
    }


def test_nothing_that_is_there_twice_gets_lost(tmp_path: Path) -> None:
    a = {"type": "entity", "name": "A", "entityType": "pet", "observations": ["x", "x"]}
    tie = {"type": "relation", "from": "A", "to": "A", "relationType": "bites"}
    assert captured(tmp_path, [a, a, tie, tie]) == {
        "entities": {
            "pet": {
                "A": {"name": "A", "observations": ["x", "x"]},
                "A (2)": {"name": "A", "observations": ["x", "x"]},
            }
        },
        "relations": [{"from": "A", "to": "A", "relationType": "bites"}] * 2,
    }


def test_equal_bytes_in_other_processes(tmp_path: Path) -> None:
    first = elsewhere("memory", 3, CALLS, tmp_path / "a", 0o022)
    assert first == elsewhere("memory", 3, CALLS, tmp_path / "another-one", 0o077)
