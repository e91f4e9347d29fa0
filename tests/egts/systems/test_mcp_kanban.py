"""The kanban server as a system: its database, its exports, and the project that it remembers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.hosts.canonical import difference
from davinci_env.egts.states.board import PLANS, current_project
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.environment import check_environment
from tests.egts.systems.live import Call, elsewhere, need, opened

need("kanban")

ITEM = {"item_id": 1}
READS: list[Call] = [
    ("get_current_project", {}),
    ("list_items", {"item_type": "epic"}),
    ("get_item", ITEM),
    ("get_item_metrics", ITEM),
    ("get_status_history", ITEM),
    ("list_tags", {}),
    ("get_updates", {"limit": 3}),
    ("search", {"query": "label"}),
]
WRITES: list[Call] = [
    ("set_current_project", {"project_dir": "/home/user/projects/webshop"}),
    ("set_current_project", {"project_dir": "new-shop"}),
    ("new_item", {"item_type": "issue", "title": "The door sticks", "parent_id": 12}),
    ("edit_item", {"item_id": 2, "title": "Quiet notifications"}),
    ("set_status", {"item_id": 4, "status": "review"}),
    ("delete_item", {"item_id": 7}),
    ("add_update", {"content": "Half of it works", "item_ids": "1,4"}),
    ("add_relationship", {"source_id": 1, "target_id": 9, "relationship_type": "relates_to"}),
    ("add_tag", {"item_id": 4, "tag_name": "spring"}),
    ("delete_tag", {"tag_id": 1}),
    ("link_file", {"item_id": 4, "file_path": "docs/plan.md", "line_start": 3, "line_end": 9}),
    ("add_decision", {"item_id": 4, "choice": "Wait"}),
    ("export_project", {"format": "markdown"}),
]


@pytest.fixture(scope="module")
def server() -> Iterator[SystemEnvironment]:
    found = opened("kanban")
    yield found
    found.close()


@pytest.fixture
def environment(server: SystemEnvironment) -> SystemEnvironment:
    server.start_at(1)
    return server


def told(environment: SystemEnvironment, tool: str, **arguments: Any) -> Any:
    result = environment.call(tool, arguments)
    assert result.ok, result.message
    return result.content


def refusal(environment: SystemEnvironment, tool: str, **arguments: Any) -> str:
    before = environment.capture()
    result = environment.call(tool, arguments)
    assert not result.ok
    assert environment.capture() == before
    return result.message


def test_conforms() -> None:
    assert check_environment(lambda: opened("kanban"), [*READS, *WRITES]) == []


def test_every_change_can_be_taken_back(environment: SystemEnvironment) -> None:
    start = environment.snapshot()
    hashes = {environment.start_hash}
    for call in WRITES:
        assert environment.call(*call).ok, call
        hashes.add(environment.capture().state_hash)
        environment.restore(start)
        assert environment.capture().state_hash == environment.start_hash, call
    assert len(hashes) == 1 + len(WRITES)


def test_equal_calls_are_equal_bytes_in_another_process(tmp_path: Path) -> None:
    calls = [*READS, *WRITES, *READS]
    first = elsewhere("kanban", 1, calls, tmp_path / "one", 0o022)
    assert first == elsewhere("kanban", 1, calls, tmp_path / "two", 0o077)
    assert "/private" not in first and str(tmp_path) not in first


def test_a_new_item_in_the_state(environment: SystemEnvironment) -> None:
    before = environment.state
    last = before["items"][-1]["id"]
    project = next(p["id"] for p in before["projects"] if p["name"] == current_project(1))
    made = told(environment, "new_item", item_type="todo", title="Water the plants", priority=1)
    assert made["item"]["id"] == last + 1
    # The clock stands at half past nine; types and statuses are known by number: to-dos are of the
    # second type, and what is new is in the first status.
    row = {
        "id": last + 1, "project_id": project, "type_id": 2, "status_id": 1,
        "title": "Water the plants", "description": None, "priority": 1,
        "created_at": "2025-05-14 09:30:00", "updated_at": "2025-05-14 09:30:00",
        "closed_at": None, "complexity": None, "parent_id": None,
    }  # fmt: skip
    change = {
        "id": before["status_history"][-1]["id"] + 1, "item_id": last + 1, "old_status_id": None,
        "new_status_id": 1, "change_type": "create", "changed_at": "2025-05-14 09:30:00",
    }  # fmt: skip
    assert difference(before, environment.state) == [
        [f"/items/{last + 1}", None, row],
        [f"/status_history/{change['id']}", None, change],
    ]


def test_the_current_project_is_state_and_comes_back(environment: SystemEnvironment) -> None:
    start = environment.snapshot()
    first = told(environment, "get_current_project")["directory_path"]
    assert first == environment.state["current_project"]
    other = next(name for name in sorted(PLANS) if not first.endswith(name))
    told(environment, "set_current_project", project_dir=f"/home/user/projects/{other}")
    assert difference(environment.initial_state, environment.state) == [
        ["/current_project", first, f"/home/user/projects/{other}"]
    ]
    environment.restore(start)
    assert told(environment, "get_current_project")["directory_path"] == first


def test_an_export_is_state_under_a_steady_name(environment: SystemEnvironment) -> None:
    start = environment.snapshot()
    for _ in range(2):
        path = told(environment, "export_project", format="json")["file_path"]
        name = f"{current_project(1)}_0001.json"
        assert path == f"/tmp/{name}"
        exported = json.loads(environment.state["exports"][name])
        assert exported["metadata"]["exported_at"] == "2025-05-14T09:30:00"
        environment.restore(start)
    assert environment.state["exports"] == {}


def test_what_calls_itself_a_success_and_is_none_is_refused(environment: SystemEnvironment) -> None:
    nothing = "There is no such thing: nothing was changed."
    assert refusal(environment, "delete_item", item_id=999) == nothing
    assert refusal(environment, "get_item", item_id=999) == "Item not found"
    assert refusal(environment, "update_tag", tag_id=1, color="red").startswith("Invalid color")
    assert "onnxruntime" in refusal(environment, "rebuild_embeddings")
    assert "Unknown status" in refusal(environment, "set_status", item_id=1, status="asleep")


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("semantic_search", {"query": "label"}, "onnxruntime"),
        ("get_item_timeline", ITEM, 'near "%"'),
        ("get_project_timeline", {}, 'near "%"'),
    ],
)
def test_what_its_words_call_uncoverable_is(
    environment: SystemEnvironment, tool: str, arguments: dict[str, Any], why: str
) -> None:
    assert why in refusal(environment, tool, **arguments)
    assert told(environment, "find_similar", source_type="item", source_id=1)["results"] == []


def test_seeds_make_different_boards_with_enough_in_them(environment: SystemEnvironment) -> None:
    states = []
    for seed in (1, 2, 3):
        environment.start_at(seed)
        state = environment.state
        states.append(environment.start_hash)
        titles = {(item["project_id"], item["title"]) for item in state["items"]}
        assert len(titles) == len(state["items"]) >= 40
        assert state["current_project"].endswith(current_project(seed))
        own = {item["id"] for item in state["items"]}
        assert {tag["item_id"] for tag in state["item_tags"]} <= own
        done = {1: False, 2: False, 3: False, 4: False, 5: True, 6: True}
        for item in state["items"]:
            assert bool(item["closed_at"]) is done[item["status_id"]]
            assert item["created_at"] <= item["updated_at"] < "2025-05-14"
    assert len(set(states)) == 3
