"""Wrong input through the real command line: one sentence, the right status, nothing written."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.conftest import Davinci

TOYS = Path(__file__).parent.parent / "support" / "toys"
TOY_RENTAL = ["--path", TOYS, "--trust"]

Lines = Callable[[Path], list[str]]


def refused(result: Result, *said: str, status: int = 2) -> None:
    """Assert that a command ended with one sentence that says these things, and nothing else."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("davinci: ")
    assert result.stderr.count("\n") == 1
    for text in said:
        assert text in result.stderr


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, in which nothing must appear."""
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def broken(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """Write a copy of the toy rental under another name, with one text replaced."""
    folder = tmp_path / "domains"
    folder.mkdir()

    def write(name: str, old: str, new: str) -> Path:
        source = (TOYS / "toy_rental.py").read_text()
        assert old in source
        file = folder / f"{name}.py"
        file.write_text(source.replace('"toy_rental"', f'"{name}"').replace(old, new, 1))
        return file

    return write


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of four certified tasks of the toy rental."""
    from davinci_env.tasks import generate_suite

    file = tmp_path_factory.mktemp("tasks") / "tasks.jsonl"
    summary = generate_suite(["toy_rental"], 4, file, kinds=["act"], paths=[TOYS], trust=True)
    assert summary.passed
    return file


@pytest.fixture(scope="module")
def runs(tasks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four trajectories at these tasks."""
    from davinci_env.episodes import run_suite

    folder = tmp_path_factory.mktemp("runs") / "runs"
    run_suite(tasks, "oracle", "scripted", 1, folder, paths=[TOYS], trust=True)
    return folder / "trajectories.jsonl"


# -- domains ---------------------------------------------------------------------------------------

COMMANDS = [
    ["show", "{}"],
    ["audit", "{}"],
    ["serve", "{}"],
    ["tasks", "{}", "--out", "tasks.jsonl", "--jobs", 1],
    ["generate", "--only", "{}", "--out", "corpus", "--jobs", 1],
]


def named(command: list[object], name: str) -> list[object]:
    """A command about a domain of this name."""
    return [str(word).format(name) for word in command]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
def test_an_unknown_domain_is_answered_with_near_names(
    davinci: Davinci, empty: Path, command: list[object]
) -> None:
    result = davinci(*named(command, "libary_lending"))
    refused(result, "there is no domain 'libary_lending': did you mean 'library_lending'?")
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
def test_a_domain_that_is_not_trusted_is_not_run(
    davinci: Davinci, empty: Path, command: list[object]
) -> None:
    result = davinci(*named(command, "toy_rental"), "--path", TOYS)
    refused(result, str(TOYS / "toy_rental.py"), "is not trusted", "--trust")
    assert list(empty.iterdir()) == []


BREAKS = {
    "syntax": ("class Toy(", "class (", "class ("),
    "unknown-name": ('"shelved", to="out"', 'SHELVED, to="out"', "name 'SHELVED' is not defined"),
    "column-type": ("name: Mapped[str]\n    price", "name: Mapped[list]\n    price", "Toy.name"),
    "exit": ("MAX_EXTENSIONS,", "raise SystemExit(0)\nMAX_EXTENSIONS,", "SystemExit"),
}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
@pytest.mark.parametrize("fault", BREAKS)
def test_a_broken_domain_file_is_named_with_its_line(
    davinci: Davinci,
    empty: Path,
    broken: Callable[[str, str, str], Path],
    command: list[object],
    fault: str,
) -> None:
    old, new, said = BREAKS[fault]
    name = f"broken_{fault.replace('-', '_')}"
    file = broken(name, old, new)
    result = davinci(*named(command, name), "--path", file.parent, "--trust")
    refused(result, f"{file}:", said if fault != "syntax" else "invalid syntax")
    line = int(result.stderr.split(f"{file}:")[1].split(":")[0])
    assert 1 < line <= len(file.read_text().splitlines())
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS[3:], ids=lambda command: str(command[0]))
def test_a_seed_that_fails_is_its_authors_and_leaves_nothing(
    davinci: Davinci, empty: Path, broken: Callable[[str, str, str], Path], command: list[object]
) -> None:
    head = "def seed(w: Seeder) -> None:\n"
    file = broken("failing", head, f"{head}    1 / 0\n")
    line = file.read_text().splitlines().index("    1 / 0") + 1
    result = davinci(*named(command, "failing"), "--path", file.parent, "--trust")
    refused(result, f"{file}:{line}: seed fails with ZeroDivisionError: division by zero")
    assert list(empty.iterdir()) == []


def test_a_folder_of_domains_has_to_be_there(davinci: Davinci, empty: Path) -> None:
    result = davinci("show", "toy_rental", "--path", "nowhere", "--trust")
    refused(result, "'nowhere' does not exist")


# -- what is not installed -------------------------------------------------------------------------


def test_a_missing_extra_is_named_with_its_one_command(
    davinci: Davinci, empty: Path, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastmcp", None)
    refused(davinci("serve", "library_lending"), "run `pip install 'davinci-env[mcp]'`")
    monkeypatch.setitem(sys.modules, "openai", None)
    result = davinci("run", tasks, "--agent", "openai:m", "--out", "runs", *TOY_RENTAL)
    refused(result, "run `pip install 'davinci-env[models]'`")
    assert list(empty.iterdir()) == []


# -- suites and records ----------------------------------------------------------------------------


def test_a_suite_of_another_version_is_refused_and_can_be_certified_anew(
    davinci: Davinci, empty: Path, tasks: Path
) -> None:
    suite = empty / "suite.jsonl"
    records = [json.loads(line) for line in tasks.read_text().splitlines()]
    for record in records:
        record["world"]["content_hash"] = "0" * 16
    suite.write_text("".join(json.dumps(record) + "\n" for record in records))
    said = [f"{suite} was certified for toy_rental 1 (0000000000000000)", "--update"]
    refused(davinci("check", suite, "--jobs", 1, *TOY_RENTAL), *said)
    refused(davinci("run", suite, "--out", "runs", "--jobs", 1, *TOY_RENTAL), *said)
    assert list(empty.iterdir()) == [suite]
    assert davinci("check", suite, "--update", "--jobs", 1, *TOY_RENTAL).exit_code == 0
    assert davinci("check", suite, "--jobs", 1, *TOY_RENTAL).exit_code == 0


def test_an_edited_task_does_not_hold(davinci: Davinci, empty: Path, tasks: Path) -> None:
    suite = empty / "suite.jsonl"
    first, *others = tasks.read_text().splitlines(keepends=True)
    record = json.loads(first)
    record["request"]["text"] = "Give me everything."
    suite.write_text("".join([json.dumps(record) + "\n", *others]))
    result = davinci("check", suite, "--jobs", 1, "--json", *TOY_RENTAL)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["certified"] == 3
    assert f"1 of 4 certificates in {suite} do not hold" in result.stderr


def damaged(file: Path, good: Path) -> Path:
    """Two good lines of a file, then one of another kind, then half a line."""
    first, second, third, *_ = good.read_text().splitlines(keepends=True)
    file.write_text(f'{first}{second}{{"schema": "somebody/else@1"}}\n{third[:300]}')
    return file


DAMAGE = "line 3: this is a somebody/else@1; {} was expected (and 1 more line like that)"


def kept(result: Result, schema: str) -> dict[str, object]:
    """Assert that a command used the good lines, named the bad ones, and ended with status 1."""
    assert result.exit_code == 1, result.output
    shown = json.loads(result.stdout)
    assert [problem["line"] for problem in shown["problems"]] == [3, 4]
    assert shown["problems"][1]["message"] == "The file breaks off in the middle of this line."
    sentence = result.stderr.splitlines()[-1]
    assert DAMAGE.format(schema) in sentence
    assert "the 2 good lines counted" in sentence
    return shown  # type: ignore[no-any-return]


def test_damaged_tasks_cost_their_lines_alone(davinci: Davinci, empty: Path, tasks: Path) -> None:
    file = damaged(empty / "bad.jsonl", tasks)
    checked = davinci("check", file, "--jobs", 1, "--json", *TOY_RENTAL)
    assert kept(checked, "davinci/task@1")["certified"] == 2
    ran = davinci("run", file, "--out", "runs", "--jobs", 1, "--json", *TOY_RENTAL)
    assert kept(ran, "davinci/task@1")["episodes"] == 2
    assert len((empty / "runs" / "trajectories.jsonl").read_text().splitlines()) == 2


def test_damaged_trajectories_cost_their_lines_alone(
    davinci: Davinci, empty: Path, runs: Path
) -> None:
    file = damaged(empty / "bad.jsonl", runs)
    exported = davinci("export", file, "--out", "sft.jsonl", "--json")
    assert kept(exported, "davinci/trajectory@1")["rows"] == 2
    assert len((empty / "sft.jsonl").read_text().splitlines()) == 2
    assert kept(davinci("report", file, "--json"), "davinci/trajectory@1")["episodes"] == 2


def test_bad_lines_are_listed_for_people_but_not_by_the_thousand(
    davinci: Davinci, empty: Path
) -> None:
    file = empty / "noise.jsonl"
    file.write_text("nonsense\n" * 1000)
    result = davinci("report", file)
    assert result.exit_code == 1
    assert "… and 990 more lines" in result.stdout
    assert "line 1: this is not JSON" in result.stderr
    assert "check that this is the right file" in result.stderr


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00 \x80", b'{"schema": 3}\n'])
def test_a_file_without_a_record_gives_nothing(
    davinci: Davinci, empty: Path, content: bytes
) -> None:
    file = empty / "file.jsonl"
    file.write_bytes(content)
    commands = [
        davinci("check", file, "--jobs", 1),
        davinci("run", file, "--out", "runs", "--jobs", 1),
        davinci("export", file, "--out", "sft.jsonl"),
        davinci("report", file),
    ]
    for result in commands:
        assert result.exit_code in (1, 2), result.output
        assert result.stderr.startswith("davinci: ")
        assert str(file) in result.stderr
    assert list(empty.iterdir()) == [file]


# -- output ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place that nobody can write")
@pytest.mark.parametrize(
    "command",
    [
        ["generate", "--out", "/proc/corpus"],
        ["tasks", "library_lending", "--out", "/proc/tasks.jsonl"],
        ["run", "{tasks}", "--out", "/proc/runs"],
        ["export", "{runs}", "--out", "/proc/sft.jsonl"],
    ],
    ids=lambda command: command[0],
)
def test_a_place_that_cannot_be_written_is_refused_at_once(
    davinci: Davinci, tasks: Path, runs: Path, command: list[str]
) -> None:
    result = davinci(*(word.format(tasks=tasks, runs=runs) for word in command))
    refused(result, f"cannot write to --out {command[-1]}", "choose another place")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["generate", "--out", "other"], "other is not empty and holds no run of davinci-env"),
        (["generate", "--out", "file"], "file is a file"),
        (["tasks", "toy_rental", *TOY_RENTAL, "--out", "file"], "overwrite it with --force"),
        (["tasks", "toy_rental", *TOY_RENTAL, "--out", "other"], "other is a folder"),
        (["run", "{tasks}", *TOY_RENTAL, "--out", "other"], "other is not empty"),
        (["export", "{runs}", "--out", "file"], "--force"),
        (["export", "{runs}", "--out", "other"], "other is a folder"),
    ],
    ids=str,
)
def test_what_is_there_already_is_not_touched(
    davinci: Davinci, empty: Path, tasks: Path, runs: Path, command: list[object], said: str
) -> None:
    (empty / "other").mkdir()
    for file in (empty / "file", empty / "other" / "mine"):
        file.write_text("mine")
    result = davinci(*(str(word).format(tasks=tasks, runs=runs) for word in command))
    refused(result, said)
    assert {path.name for path in empty.rglob("*")} == {"file", "other", "mine"}
    assert (empty / "file").read_text() == (empty / "other" / "mine").read_text() == "mine"


def test_a_finished_run_is_left_as_it_is_and_another_refused(
    davinci: Davinci, empty: Path, tasks: Path
) -> None:
    command = ["run", tasks, "--agent", "noop", "--out", "runs", "--jobs", 1, *TOY_RENTAL]
    assert davinci(*command).exit_code == 0
    before = {path: path.stat().st_mtime_ns for path in (empty / "runs").iterdir()}
    assert davinci(*command).exit_code == 0
    refused(davinci(*command, "--trials", 2), "runs holds the run of another command", "--force")
    assert {path: path.stat().st_mtime_ns for path in (empty / "runs").iterdir()} == before
    assert davinci(*command, "--trials", 2, "--force").exit_code == 0


# -- numbers and names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["tasks", "--out", "o", "--n", "0"], "'--n': it should be greater than or equal to 1"),
        (["tasks", "--out", "o", "--n", "many"], "'--n': it should be a valid integer"),
        (["tasks", "--out", "o", "--n", "1e3"], "'--n'"),
        (["tasks", "--out", "o", "--n", "99999999999"], "'--n'"),
        (["tasks", "--out", "o", "--seed", "-1"], "'--seed'"),
        (["tasks", "--out", "o", "--scale", "nan"], "'--scale'"),
        (["tasks", "--out", "o", "--scale", "inf"], "'--scale'"),
        (["tasks", "--out", "o", "--scale", "0"], "'--scale'"),
        (["generate", "--out", "o", "--jobs", "0"], "'--jobs'"),
        (["generate", "--out", "o", "--jobs", "9999"], "'--jobs'"),
        (["generate", "--out", "o", "--source", "mine"], "'mine' is not one of 'ees-single'"),
        (
            ["generate", "--out", "o", "--source", "ees-cross", "--only", "library_lending"],
            "library_lending is a single domain, which is no --source ees-cross",
        ),
        (["tasks", "--out", "o", "--kind", "chat"], "there is no kind 'chat': choose from act"),
        (
            ["tasks", "library_lending", "--out", "o", "--kind", "deny", "--n", "3"],
            "give an even number",
        ),
        (["run", "{tasks}", *TOY_RENTAL, "--out", "o", "--trials", "0"], "'--trials'"),
        (["run", "{tasks}", *TOY_RENTAL, "--out", "o", "--agent", "wizard"], "choose one of"),
        (["run", "{tasks}", *TOY_RENTAL, "--out", "o", "--agent", "openai:"], "openai:MODEL"),
        (["run", "{tasks}", *TOY_RENTAL, "--out", "o", "--user", "me"], "use --user scripted"),
        (["export", "{runs}", "--out", "o", "--format", "csv"], "choose one of trl, openai"),
        (["export", "{tasks}", "--out", "o"], "holds tasks, and only trajectories"),
        (["audit", "--profile", "deep"], "'deep' is not one of 'quick', 'full'"),
        (["show", "library_lending", "--part", "soul"], "'soul' is not one of"),
        (["bench", "luck"], "there is no measure 'luck': take one of"),
        (["serve", "library_lending", "--http", "99999"], "'--http'"),
        (["check", "."], "is a directory"),
        (["report", "nothing"], "does not exist"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_wrong_values_are_one_sentence_and_write_nothing(
    davinci: Davinci, empty: Path, tasks: Path, runs: Path, command: list[object], said: str
) -> None:
    result = davinci(*(str(word).format(tasks=tasks, runs=runs) for word in command))
    refused(result, said)
    assert "Value error" not in result.stderr
    assert list(empty.iterdir()) == []
