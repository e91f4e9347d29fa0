"""tau2-bench behind the seam: a stand-in of its interface, and the real package where installed."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from davinci_env.egts.hosts.canonical import difference
from davinci_env.egts.systems import SystemEnvironment, installed
from davinci_env.egts.systems.registry import Options, open_system
from davinci_env.environment import check_environment
from davinci_env.errors import UsageError

ENVIRONMENT = '''
import json, uuid
from pydantic import BaseModel

class Flight(BaseModel):
    number: str
    seats: int

class DB(BaseModel):
    flights: dict[str, Flight]
    bills: list[str] = []

class Phone(BaseModel):
    online: bool = True

class Told(BaseModel):
    content: str
    error: bool = False

def tool(kind, **marks):
    def marked(function):
        function.__tool_type__ = kind
        for name, value in marks.items():
            setattr(function, f"__{name}__", value)
        return function
    return marked

class Kit:
    def __init__(self, db):
        self.db = db

class Tools(Kit):
    @tool("read")
    def get_flight(self, number: str):
        """Show a flight."""
        return self.db.flights[number].model_dump()

    @tool("write")
    def book(self, number: str, seats: int):
        """Book seats."""
        flight = self.db.flights[number]
        flight.seats -= seats
        if flight.seats < 0:
            raise ValueError("not enough seats")
        return "booked"

    @tool("write")
    def bill(self):
        """Write a bill."""
        self.db.bills.append(uuid.uuid4().hex)
        return self.db.bills[-1]

    @tool("generic", mutates_state=False)
    def hint(self):
        """Says something."""
        return "Invalid arguments: none needed"

class Listed:
    def __init__(self, function):
        self.openai_schema = {"type": "function", "function": {
            "name": function.__name__,
            "description": function.__doc__,
            "parameters": {
                "type": "object",
                "properties": {
                    name: {"type": {str: "string", int: "integer"}[kind]}
                    for name, kind in function.__annotations__.items()
                },
                "required": list(function.__annotations__),
            },
        }}

class Environment:
    policy = "Book flights."

    def __init__(self):
        flights = {"A1": Flight(number="A1", seats=3), "B2": Flight(number="B2", seats=9)}
        self.tools, self.user_tools = Tools(DB(flights=flights)), Kit(Phone())
        self.synced = 0

    def get_tools(self):
        kit = self.tools
        return [Listed(one) for one in (kit.get_flight, kit.book, kit.bill, kit.hint)]

    def get_response(self, asked):
        try:
            told = getattr(self.tools, asked.name)(**asked.arguments)
            self.user_tools.db.online = bool(self.tools.db.flights["A1"].seats)
        except Exception as error:
            return Told(content=f"Error: {error}", error=True)
        return Told(content=told if isinstance(told, str) else json.dumps(told))

def get_environment():
    return Environment()
'''
MESSAGE = """
from pydantic import BaseModel

class ToolCall(BaseModel):
    id: str
    name: str
    arguments: dict
    requestor: str
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like a checkout, with an interpreter of its own: ours."""
    package = tmp_path / "src" / "tau2"
    (package / "domains" / "airline").mkdir(parents=True)
    (package / "data_model").mkdir()
    (package / "__init__.py").write_text("raise ImportError('runners and clients of models')")
    for folder in ("domains", "domains/airline", "data_model"):
        (package / folder / "__init__.py").touch()
    (package / "domains" / "airline" / "environment.py").write_text(ENVIRONMENT)
    (package / "data_model" / "message.py").write_text(MESSAGE)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "tau2"\nversion = "1.0.1"\n')
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return tmp_path


@pytest.fixture
def airline(checkout: Path) -> Iterator[SystemEnvironment]:
    """The stand-in's airline: flight A1 with three seats, B2 with nine."""
    environment = SystemEnvironment(open_system("tau2.airline", Options(path=checkout)), seed=5)
    yield environment
    environment.close()


def test_records_from_it_always_carry_the_benchmark(airline):
    info = airline.system.info
    assert (info.name, info.version, info.licence) == ("tau2.airline", "1.0.1", "MIT")
    assert (info.benchmark, airline.metadata.benchmark) == ("tau2-bench", "tau2-bench")
    assert airline.metadata.policy == "Book flights."
    assert info.origin == "a checkout of tau2-bench"


def test_tools_are_marked_as_the_package_marks_them(airline):
    reads = {tool.name: tool.read_only for tool in airline.system.tools()}
    assert reads == {"get_flight": True, "book": False, "bill": False, "hint": True}


def test_writes_change_both_databases_and_failures_neither(airline):
    assert airline.state == {
        "agent": {
            "flights": {"A1": {"number": "A1", "seats": 3}, "B2": {"number": "B2", "seats": 9}},
            "bills": [],
        },
        "user": {"online": True},
    }
    assert airline.call("book", {"number": "A1", "seats": 4}).message == "not enough seats"
    assert airline.call("hint", {}).code == "tool_error"
    assert airline.capture().diff == []
    assert airline.call("book", {"number": "A1", "seats": 3}).data == {"result": "booked"}
    assert difference(airline.initial_state, airline.state) == [
        ["/agent/flights/A1/seats", 3, 0],
        ["/user/online", True, False],
    ]
    assert airline.call("get_flight", {"number": "A1"}).data == {"number": "A1", "seats": 0}


def test_ids_are_drawn_from_the_state(airline):
    kept = airline.snapshot()
    first = [airline.call("bill", {}).text for _ in range(2)]
    airline.restore(kept)
    assert [airline.call("bill", {}).text for _ in range(2)] == first
    assert first[0] != first[1]


def test_the_stand_in_conforms(checkout):
    def opened() -> SystemEnvironment:
        return SystemEnvironment(open_system("tau2.airline", Options(path=checkout)))

    assert check_environment(opened) == []


def test_a_folder_without_a_checkout_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"holds no tau2-bench with the domain 'retail'"):
        open_system("tau2.retail", Options(path=tmp_path))
    with pytest.raises(UsageError, match=r"did you mean 'tau2\.airline'"):
        open_system("tau2.airlin", Options(path=tmp_path))


def test_without_a_path_the_installed_family_serves(monkeypatch, tmp_path):
    monkeypatch.setenv(installed.VARIABLE, str(tmp_path))
    with pytest.raises(UsageError, match=r"tau2 is not installed.*install tau2"):
        open_system("tau2.telecom").open(0)


@pytest.mark.parametrize(
    ("name", "tables", "tools"),
    [
        ("tau2.airline", {"flights": 300, "users": 500, "reservations": 2000}, 14),
        ("tau2.retail", {"products": 50, "users": 500, "orders": 1000}, 15),
        ("tau2.telecom", {"plans": 5, "customers": 4, "lines": 9, "bills": 6, "devices": 9}, 13),
    ],
)
def test_the_installed_domains_have_their_rows(name, tables, tools):
    if not installed.is_installed("tau2"):
        pytest.skip(f"tau2 is not installed: {installed.command('tau2')}")
    environment = SystemEnvironment(open_system(name))
    rows = environment.state["agent"]
    assert {table: len(rows[table]) for table in tables} == tables
    assert len(environment.tools()) == tools
    assert environment.metadata.benchmark == "tau2-bench"
    environment.close()
