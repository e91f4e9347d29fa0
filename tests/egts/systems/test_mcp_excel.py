"""The Excel server as a system: workbooks read cell by cell, and what only hashes tell."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from davinci_env.egts.hosts.canonical import difference
from davinci_env.egts.systems import SystemEnvironment
from davinci_env.environment import check_environment
from tests.egts.systems.live import Call, elsewhere, need, opened

need("excel")

ORDERS: dict[str, Any] = {"path": "sales.xlsx", "sheet": "Orders"}
READS: list[Call] = [
    ("list_workbooks", {}),
    ("describe_workbook", {"path": "sales.xlsx"}),
    ("describe_sheet", {"path": "sales.xlsx", "sheet": "Customers"}),
    ("read_range", {**ORDERS, "range": "A1:F3"}),
    ("find_cells", {"path": "stock.xlsx", "query": "ST-"}),
]
WRITES: list[Call] = [
    ("create_workbook", {"path": "cars.xlsx", "sheets": ["Cars"]}),
    ("set_workbook_settings", {"path": "sales.xlsx", "settings": {
        "doc_properties": {"title": "Sales"}}}),
    ("import_csv", {"path": "sales.xlsx", "csv_path": "visitors.csv", "sheet": "Visitors"}),
    ("export_csv", {**ORDERS, "csv_path": "orders.csv"}),
    ("create_sheet", {"path": "sales.xlsx", "new_name": "Notes"}),
    ("rename_sheet", {**ORDERS, "new_name": "Old orders"}),
    ("copy_sheet", {**ORDERS, "new_name": "Copy"}),
    ("delete_sheet", ORDERS),
    ("insert_rows_or_columns", {**ORDERS, "axis": "rows", "start": 5}),
    ("write_range", {**ORDERS, "at": "G2", "rows": [["Paid"]]}),
    ("sort_range", {**ORDERS, "range": "A1:F16", "sort_by": [{"column": "C"}]}),
    ("replace_cells", {"path": "sales.xlsx", "query": "North", "replacement": "Coast"}),
    ("goal_seek", {**ORDERS, "cell": "F2", "target": 500, "changing_cell": "E2"}),
    ("format_range", {**ORDERS, "range": "A2:F2", "style": {"italic": True}}),
    ("merge_cells", {**ORDERS, "range": "A18:F18"}),
    ("set_sheet_layout", {**ORDERS, "layout": {"freeze_panes": "A2"}}),
    ("set_sheet_layout", {**ORDERS, "layout": {"print_setup": {"orientation": "landscape"}}}),
    ("add_conditional_format", {**ORDERS, "range": "F2:F16", "rule": {
        "type": "data_bar", "colors": ["#5B9BD5"]}}),
    ("add_data_validation", {**ORDERS, "range": "D2:D16", "rule": {
        "type": "whole", "operator": "greaterThan", "minimum": "0"}}),
    ("set_table", {**ORDERS, "range": "A1:F16", "name": "OrderList"}),
    ("create_chart", {**ORDERS, "chart_type": "pie", "at": "J2", "categories": "A2:A16",
                      "series": [{"values": "F2:F16"}], "name": "Shares"}),
    ("delete_chart", {"path": "sales.xlsx", "sheet": "Regions", "name": "Chart 1"}),
    ("add_sparklines", {**ORDERS, "range": "G2:G16", "source": "D2:F16"}),
    ("delete_sparklines", {"path": "stock.xlsx", "sheet": "Reorders", "range": "G2:G16"}),
    ("create_pivot_table", {**ORDERS, "at": "J3", "source": "A1:F16", "row_fields": ["Customer"],
                            "value_fields": [{"field": "Amount"}]}),
    ("delete_pivot_table", {"path": "sales.xlsx", "sheet": "Returns", "name": "ReturnsByCustomer"}),
    ("add_slicer", {"path": "sales.xlsx", "sheet": "Customers", "at": "H20", "field": "Orders",
                    "target": {"sheet": "Customers", "name": "CustomerList"}}),
    ("delete_slicer", {"path": "sales.xlsx", "sheet": "Customers", "name": "Contact"}),
    ("set_defined_name", {"path": "sales.xlsx", "name": "Rebate", "refers_to": "0.03"}),
    ("delete_defined_name", {"path": "sales.xlsx", "name": "Discount"}),
    ("set_note", {**ORDERS, "cell": "B2", "text": "Ring first"}),
    ("insert_image", {**ORDERS, "image_path": "logo.png", "at": "H2"}),
    ("delete_image", {"path": "stock.xlsx", "sheet": "Loans", "name": "Stamp"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[SystemEnvironment]:
    found = opened("excel")
    yield found
    found.close()


@pytest.fixture
def environment(server: SystemEnvironment) -> SystemEnvironment:
    server.reset()
    return server


def told(environment: SystemEnvironment, tool: str, **arguments: Any) -> Any:
    result = environment.call(tool, arguments)
    assert result.ok, result.message
    return result.content


def changes(environment: SystemEnvironment) -> list[list[Any]]:
    """What differs from the initial state, without the place that stays the same."""
    found = difference(environment.initial_state, environment.state)
    return [[path.removeprefix("/workbooks/"), old, new] for path, old, new in found]


def test_conforms() -> None:
    # Few calls: the kit starts the server more than a dozen times and repeats what it is given.
    assert check_environment(lambda: opened("excel"), [*READS[:4], *WRITES[4:7], WRITES[9]]) == []


def test_every_change_shows_and_can_be_taken_back(environment: SystemEnvironment) -> None:
    start = environment.snapshot()
    hashes = {environment.start_hash}
    for tool, arguments in WRITES:
        told(environment, tool, **arguments)
        hashes.add(environment.capture().state_hash)
        environment.restore(start)
        assert environment.capture().state_hash == environment.start_hash, tool
    assert len(hashes) == 1 + len(WRITES)


def test_equal_calls_are_equal_bytes_in_another_process(tmp_path: Path) -> None:
    calls = [*READS, *WRITES[18:32], *READS]
    first = elsewhere("excel", 2, calls, tmp_path / "one", 0o022)
    assert first == elsewhere("excel", 2, calls, tmp_path / "two", 0o077)


def test_a_workbook_in_the_state(environment: SystemEnvironment) -> None:
    told(environment, "create_workbook", path="cars.xlsx", sheets=["Cars"])
    rows = [["Plate", "Since"], ["K-12", "2024-05-01"], ["=A2"]]
    told(environment, "write_range", path="cars.xlsx", sheet="Cars", at="B2", rows=rows)
    sheet = environment.state["workbooks"]["cars.xlsx"]["sheets"]["Cars"]
    assert sheet["cells"] == {
        "2": {"B": "Plate", "C": "Since"}, "3": {"B": "K-12", "C": "2024-05-01"}, "4": {"B": "=A2"},
    }  # fmt: skip
    assert sheet["position"] == 1 and "merged" not in sheet


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("write_range", {"at": "G3", "rows": [["Paid"]]}, ["cells/3/G", None, "Paid"]),
        ("merge_cells", {"range": "A18:C18"}, ["merged", None, ["A18:C18"]]),
        ("set_note", {"cell": "B2", "text": "Ring first", "author": "Nina"},
         ["notes", None, {"B2": {"text": "Ring first", "author": "Nina"}}]),
        ("set_sheet_layout", {"layout": {"tab_color": "#C00000"}}, ["tab", None, "FFC00000"]),
        ("set_sheet_layout", {"layout": {"freeze_panes": "A2"}}, ["frozen", None, "A2"]),
    ],
)  # fmt: skip
def test_a_change_in_the_state(
    environment: SystemEnvironment, tool: str, arguments: dict[str, Any], expected: list[Any]
) -> None:
    told(environment, tool, **ORDERS, **arguments)
    place = f"sales.xlsx/sheets/Orders/{expected[0]}"
    assert [place, *expected[1:]] in changes(environment)


def test_ids_drawn_at_random_are_no_state(environment: SystemEnvironment) -> None:
    hashes = set()
    for _ in range(2):
        told(environment, "add_slicer", path="sales.xlsx", sheet="Customers", at="H20",
             field="Orders", target={"sheet": "Customers", "name": "CustomerList"})  # fmt: skip
        told(environment, "copy_sheet", path="stock.xlsx", sheet="Reorders", new_name="Copy")
        hashes.add(environment.capture().state_hash)
        environment.reset()
    assert len(hashes) == 1


def test_files_are_listed_without_their_sizes(environment: SystemEnvironment) -> None:
    assert told(environment, "list_workbooks") == {
        "result": [
            "budget.xlsx", "hours.xlsx", "sales.xlsx", "staff.xlsx", "stock.xlsx", "travel.xlsx",
        ]
    }  # fmt: skip


def test_a_formula_has_the_value_of_its_row(environment: SystemEnvironment) -> None:
    row = environment.state["workbooks"]["sales.xlsx"]["sheets"]["Orders"]["cells"]["2"]
    shown = told(environment, "read_range", **ORDERS, range="F2")
    assert row["F"] == "=D2*E2" and shown["values"] == [[row["D"] * row["E"]]]


def test_a_refused_call_changes_nothing(environment: SystemEnvironment) -> None:
    for tool, arguments, why in (
        ("delete_sheet", {"path": "sales.xlsx", "sheet": "Nothing"}, "not found"),
        ("read_range", {"path": "../secret.xlsx", "sheet": "A"}, "outside the allowed"),
        ("create_workbook", {"path": "sales.xlsx"}, "already exists"),
    ):
        result = environment.call(tool, arguments)
        assert not result.ok and why in result.message
    assert environment.capture().diff == []


def test_seeds_make_different_workbooks_of_one_form(environment: SystemEnvironment) -> None:
    hashes = set()
    for seed in (1, 2, 3):
        environment.start_at(seed)
        hashes.add(environment.start_hash)
        for book in environment.state["workbooks"].values():
            for sheet in book["sheets"].values():
                assert set("ABCDEF") <= set(sheet["cells"]["1"])
                assert {str(row) for row in range(1, 17)} <= set(sheet["cells"])
    assert len(hashes) == 3
