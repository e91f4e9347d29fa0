"""Errors are sentences, have an exit status, and survive the way from a worker to its parent."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from davinci_env import errors
from davinci_env.errors import (
    AuthorError,
    ContractError,
    DavinciError,
    MissingExtra,
    OutputError,
    RecordError,
    Shortage,
    SuiteVersionError,
    ToolError,
    UnknownDomain,
    UnknownRecord,
    UntrustedDomain,
    UsageError,
    require_extra,
)

SENTENCES = [
    (DavinciError("The moon is gone.", "look again."), "The moon is gone: look again."),
    (DavinciError("The moon is gone"), "The moon is gone."),
    (
        ContractError("tool renew_loan has no docstring", "write one", path="a/lib.py", line=12),
        "a/lib.py:12: tool renew_loan has no docstring: write one.",
    ),
    (AuthorError("no domain is declared", path=Path("x.py")), "x.py: no domain is declared."),
    (
        UnknownDomain("libary_lending", ["library_lending", "clinic_appointments"]),
        "there is no domain 'libary_lending': did you mean 'library_lending'?",
    ),
    (
        UnknownDomain("shop_a", ["shop_b", "shop_c", "shop_d", "zoo"]),
        "there is no domain 'shop_a': did you mean 'shop_d', 'shop_c' or 'shop_b'?",
    ),
    (UnknownDomain("zzz", ["library_lending"]), "there is no domain 'zzz': see `davinci domains`."),
    (
        UnknownRecord("ab1", ["ab12cd", "ff00aa"], [], [Path("t.jsonl"), Path("r.jsonl")]),
        "no task and no trajectory in t.jsonl and r.jsonl has an id like 'ab1': "
        "did you mean 'ab12cd'?",
    ),
    (
        UnknownRecord("zz", ["ab12cd"], [], [Path("t.jsonl")]),
        "no task and no trajectory in t.jsonl has an id like 'zz': look elsewhere with --in.",
    ),
    (
        UnknownRecord("ab", ["ab12", "ab34"], ["ab34", "ab12"], [Path("t.jsonl")]),
        "2 ids begin with 'ab': give more of it, such as 'ab12' or 'ab34'.",
    ),
    (
        UntrustedDomain("mine", "/data/mine.py"),
        "domain 'mine' (/data/mine.py) did not ship with davinci-env and is not trusted: "
        "it runs its own code here, so read it first, then add `--trust`.",
    ),
    (
        MissingExtra("mcp", "serving over MCP"),
        "serving over MCP needs the extra 'mcp': run `pip install 'davinci-env[mcp]'`.",
    ),
    (
        SuiteVersionError("t.jsonl", "library_lending 1 (ab12)", "library_lending 2 (cd34)"),
        "t.jsonl was certified for library_lending 1 (ab12), but the catalogue has "
        "library_lending 2 (cd34): re-certify it with `davinci check t.jsonl --update`.",
    ),
    (
        RecordError("the line is not JSON", path="t.jsonl", line=3),
        "t.jsonl, line 3: the line is not JSON.",
    ),
    (ToolError("branch_closed"), "branch_closed"),
    (ToolError("branch_closed", "That branch is closed."), "branch_closed: That branch is closed."),
]


@pytest.mark.parametrize(("error", "sentence"), SENTENCES)
def test_an_error_reads_as_one_sentence(error: DavinciError, sentence: str) -> None:
    assert str(error) == sentence


@pytest.mark.parametrize("error", [error for error, _ in SENTENCES])
def test_an_error_crosses_processes_whole(error: DavinciError) -> None:
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)
    assert arrived.args == error.args


def test_every_error_has_the_exit_status_of_its_kind() -> None:
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, DavinciError)
    ]
    assert len(kinds) >= 14
    assert {kind.__name__ for kind in kinds if kind.exit_status != 2} == {"Shortage"}
    assert Shortage("too few").exit_status == 1


def test_usage_errors_are_the_callers_fault() -> None:
    for kind in (UnknownDomain, UntrustedDomain, MissingExtra, SuiteVersionError, OutputError):
        assert issubclass(kind, UsageError)


def test_near_names_come_nearest_first_and_at_most_three() -> None:
    error = UnknownDomain("order_managment", ["order_management", "orders", "clinic_appointments"])
    assert error.near[0] == "order_management"
    assert "clinic_appointments" not in error.near


def test_require_extra_is_silent_where_the_module_is_there() -> None:
    require_extra("mcp", "json", "reading")


def test_require_extra_names_the_one_command() -> None:
    with pytest.raises(MissingExtra, match=r"run `pip install 'davinci-env\[mcp\]'`") as caught:
        require_extra("mcp", "no_such_module_anywhere", "serving over MCP")
    assert caught.value.extra == "mcp"


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, davinci_env, davinci_env.errors\n"
        "heavy = {'sqlalchemy', 'pydantic', 'typer', 'rich', 'duckdb', 'hypothesis'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_has_no_other_names() -> None:
    import davinci_env

    assert davinci_env.DavinciError is DavinciError
    assert "open_environment" in dir(davinci_env)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        davinci_env.nothing  # noqa: B018
