"""The operations server as a system: ids that follow each other, a clock that stands still."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.hosts.canonical import difference
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.environment import check_environment
from tests.egts.systems.live import Call, elsewhere, need, opened

need("operations")

READS: list[Call] = [
    ("search_contacts", {"query": "example", "limit": 50}),
    ("get_contact", {"contact_id": "C-1003"}),
    ("list_tasks", {"status": "all"}),
    ("check_inventory", {"low_stock_only": True}),
    ("pipeline_summary", {}),
    ("create_order", {"contact_id": "C-1001", "sku": "VLV-DN25", "qty": 1}),
]
TASK = {
    "contact_id": "C-1002", "title": "Oil the hinges", "due_date": "2025-05-20", "assignee": "ali",
}  # fmt: skip
WRITES: list[Call] = [
    ("add_note", {"contact_id": "C-1003", "text": "Rings twice"}),
    ("create_task", TASK),
    ("complete_task", {"task_id": "T-3001"}),
    ("update_deal_stage", {"deal_id": "D-2003", "stage": "lost"}),
    ("create_order", {"contact_id": "C-1001", "sku": "BLT-A42", "qty": 2, "dry_run": False}),
]


@pytest.fixture(scope="module")
def server() -> Iterator[SystemEnvironment]:
    found = opened("operations")
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


def test_conforms() -> None:
    calls = [*READS[:5], *WRITES]
    assert check_environment(lambda: opened("operations"), calls) == []


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
    calls = [*READS, *WRITES, *WRITES[:2], *READS]
    first = elsewhere("operations", 1, calls, tmp_path / "one", 0o022)
    assert first == elsewhere("operations", 1, calls, tmp_path / "two", 0o077)


def test_random_ids_become_the_next_of_their_row(environment: SystemEnvironment) -> None:
    # Seed 1 has thirty notes, the last of them N-4030, and twenty-four tasks.
    first = told(environment, "add_note", contact_id="C-1003", text="Rings twice")
    second = told(environment, "add_note", contact_id="C-1003", text="Rings once")
    assert [first["note_id"], second["note_id"]] == ["N-4031", "N-4032"]
    made = told(environment, "create_task", **TASK)
    assert made == {
        **TASK, "id": "T-3025", "status": "open", "created_at": "2025-05-14T09:30:00Z",
        "completed_at": None,
    }  # fmt: skip
    assert told(environment, "complete_task", task_id="T-3025")["status"] == "done"


def test_an_order_takes_from_the_stock(environment: SystemEnvironment) -> None:
    before = next(a for a in environment.state["inventory"] if a["sku"] == "BLT-A42")
    arguments = {"contact_id": "C-1001", "sku": "BLT-A42", "qty": 2}
    assert told(environment, "create_order", **arguments)["dry_run"] is True
    assert environment.capture().diff == []
    placed = told(environment, "create_order", **arguments, dry_run=False)
    assert (placed["order_id"], placed["total_aed"]) == ("SO-5017", 49.0)
    order = {
        "id": "SO-5017", "contact_id": "C-1001", "sku": "BLT-A42", "qty": 2, "total_aed": 49.0,
        "status": "confirmed", "created_at": "2025-05-14T09:30:00Z",
    }  # fmt: skip
    at = environment.state["inventory"].index({**before, "qty": before["qty"] - 2})
    assert difference(environment.initial_state, environment.state) == [
        [f"/inventory/{at}/qty", before["qty"], before["qty"] - 2],
        ["/orders/SO-5017", None, order],
    ]


def test_a_refused_call_changes_nothing(environment: SystemEnvironment) -> None:
    for tool, arguments, why in (
        ("create_order", {"contact_id": "C-1001", "sku": "BLT-A42", "qty": 9999}, "insufficient"),
        ("create_task", {**TASK, "due_date": "2025-05-13"}, "in the past"),
        ("get_contact", {"contact_id": "C-9"}, "not found"),
    ):
        result = environment.call(tool, arguments)
        assert not result.ok and why in result.message
    assert environment.capture().diff == []


def test_only_what_reads_says_so(environment: SystemEnvironment) -> None:
    reads = {tool.name for tool in environment.tools() if tool.annotations["readOnlyHint"]}
    assert reads == {
        "search_contacts", "get_contact", "list_tasks", "check_inventory", "pipeline_summary",
    }  # fmt: skip


def test_seeds_make_different_offices_with_names_of_their_own(
    environment: SystemEnvironment,
) -> None:
    hashes = set()
    for seed in (1, 2, 3):
        environment.start_at(seed)
        state = environment.state
        hashes.add(environment.start_hash)
        for table, label, least in (("contacts", "name", 24), ("deals", "title", 18),
                                    ("tasks", "title", 24), ("inventory", "name", 14)):  # fmt: skip
            assert len({row[label] for row in state[table]}) == len(state[table]) >= least
    assert len(hashes) == 3
