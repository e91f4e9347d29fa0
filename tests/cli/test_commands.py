"""What a person typed reaches the rooms as the seams have it; what they answer ends the command."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from davinci_env.cli.commands.bench import holds
from tests.cli.conftest import Davinci, Room, Summary
from tests.cli.samples import AUDIT, CHECKED, CORPUS, EPISODES, EXPORT, GENERATION, REPORT


@dataclass
class Recorder:
    """A function behind a seam: remembers what it was given, reports progress, returns `result`."""

    result: Any = field(default_factory=Summary)
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        step = options.pop("progress", None)
        if step is not None:
            step(1, 1, "done")
        self.arguments, self.options = arguments, options
        return self.result


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An input file that exists."""
    path = tmp_path / "in.jsonl"
    path.write_text("")
    return path


def test_generate(davinci: Davinci, room: Room, tmp_path: Path) -> None:
    made = Recorder(Summary(result=CORPUS))
    room("corpus", generate_corpus=made)
    out = tmp_path / "corpus"
    result = davinci(
        *("generate", "--out", out, "--only", "a", "--only", "b", "--n", 9, "--seed", 5),
        *("--jobs", 1, "--source", "ees-single", "--scale", 2, "--force", "--json"),
        *("--path", tmp_path, "--trust"),
    )
    assert result.exit_code == 0, result.stderr
    assert made.arguments == (["a", "b"], 9, out, 5, 1)
    assert made.options == {
        "scale": 2.0,
        "source": "ees-single",
        "paths": [tmp_path],
        "trust": True,
        "force": True,
    }
    assert json.loads(result.stdout) == CORPUS
    assert result.stderr == "Generating: 1/1, done\n"


def test_generate_takes_every_domain_unless_told(
    davinci: Davinci, room: Room, tmp_path: Path
) -> None:
    made = Recorder(Summary(result=CORPUS))
    room("corpus", generate_corpus=made)
    result = davinci("generate", "--out", tmp_path / "corpus")
    assert result.exit_code == 0
    assert result.stdout.startswith("Verified trajectories in here\n")
    assert made.arguments[0] is None
    assert made.options == {
        "scale": 1.0,
        "source": None,
        "paths": [],
        "trust": False,
        "force": False,
    }


def test_tasks(davinci: Davinci, room: Room, tmp_path: Path) -> None:
    made = Recorder(Summary(passed=False, result=GENERATION))
    room("tasks", generate_suite=made)
    out = tmp_path / "tasks.jsonl"
    result = davinci(
        *("tasks", "library", "--out", out, "--n", 4, "--kind", "deny", "--scale", 2, "--jobs", 2),
        *("--path", tmp_path, "--trust"),
    )
    assert result.exit_code == 1
    assert made.arguments == (["library"], 4, out, 0, 2, 2.0)
    assert made.options == {
        "kinds": ["deny"],
        "difficulty": [],
        "paths": [tmp_path],
        "trust": True,
        "force": False,
    }
    assert "7 of 8 asked for" in result.stdout
    assert "here holds 7 of the 8 tasks asked for" in result.stderr


def test_check(davinci: Davinci, room: Room, file: Path, tmp_path: Path) -> None:
    made = Recorder(Summary(result=CHECKED))
    room("certify", check_suite=made)
    result = davinci("check", file, "--update", "--jobs", 1, "--path", tmp_path, "--trust")
    assert result.exit_code == 0
    assert made.arguments == (file, 1)
    assert made.options == {"update": True, "paths": [tmp_path], "trust": True}


def test_run_and_report(davinci: Davinci, room: Room, file: Path, tmp_path: Path) -> None:
    ran, reported = Recorder(Summary(result=EPISODES)), Recorder(Summary(result=REPORT))
    room("episodes", run_suite=ran, report=reported)
    out = tmp_path / "runs"
    result = davinci(
        *("run", file, "--agent", "guess", "--trials", 3, "--out", out, "--jobs", 1),
        *("--seed", 4, "--path", tmp_path, "--trust"),
    )
    assert result.exit_code == 0, "a failed episode is a finding about the agent, not a failure"
    assert ran.arguments == (file, "guess", "scripted", 3, out, 1)
    assert ran.options == {"seed": 4, "paths": [tmp_path], "trust": True, "force": False}

    result = davinci("report", file, "--json")
    assert json.loads(result.stdout) == REPORT
    assert reported.arguments == (file,)


def test_export(davinci: Davinci, room: Room, file: Path, tmp_path: Path) -> None:
    made = Recorder(Summary(result=EXPORT))
    room("corpus", export=made)
    out = tmp_path / "sft.jsonl"
    assert davinci("export", file, "--format", "openai", "--out", out).exit_code == 0
    assert made.arguments == (file, "openai", out)
    assert made.options == {"include_benchmark": False, "force": False}


def test_serve(davinci: Davinci, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Recorder(None)
    room("serve", serve=made)
    monkeypatch.setenv("DAVINCI_TOKEN", "alpha beta")
    monkeypatch.setenv("DAVINCI_OPERATOR_TOKEN", "gamma")
    result = davinci("serve", "library", "--http", 0, "--operator-port", 8001, "--actor", "P-1")
    assert (result.exit_code, result.stdout) == (0, "")
    assert made.arguments == ("library",)
    assert made.options == {
        "http": 0,
        "seed": 0,
        "scale": 1.0,
        "actor": "P-1",
        "tokens": ["alpha", "beta"],
        "operator_port": 8001,
        "prefixes": False,
        "operator_token": "gamma",
        "lease_seconds": 1800.0,
        "max_environments": 1000,
        "paths": [],
        "trust": False,
    }


def report(result: dict[str, Any]) -> SimpleNamespace:
    """What an audit returns."""
    findings = result["findings"]
    return SimpleNamespace(findings=findings, passed=not findings, to_json=lambda: result)


def test_audit_without_a_finding(davinci: Davinci, room: Room, tmp_path: Path) -> None:
    loaded, audited = Recorder("the domain"), Recorder(report({**AUDIT, "findings": []}))
    room("compose", load=loaded)
    room("audit", audit=audited)
    result = davinci(
        *("audit", "mine", "--path", tmp_path, "--trust", "--profile", "full", "--seed", 3)
    )
    assert result.exit_code == 0
    assert (loaded.arguments, loaded.options) == (("mine",), {"paths": [tmp_path], "trust": True})
    assert audited.arguments == ("the domain",)
    assert audited.options == {"profile": "full", "seed": 3}
    assert "11 of 12" in result.stdout


def test_audit_of_all_with_a_finding(davinci: Davinci, room: Room) -> None:
    entries = [SimpleNamespace(name="one", shipped=True), SimpleNamespace(name="x", shipped=False)]
    room("compose", load=Recorder("domain"), catalogue=Recorder(entries))
    room("audit", audit=Recorder(report(AUDIT)))
    result = davinci("audit", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"one": AUDIT}
    assert result.stderr.endswith("davinci: one has 1 finding.\n")
    assert "changes Loan.fee" in davinci("audit").stdout


def measure(**figures: float | None) -> dict[str, Any]:
    """A measure of the bench, figures that it does not have being null."""
    empty = dict.fromkeys(("product_us", "floor_us", "ratio", "per_second", "limit"))
    return {"name": "m", **empty, **figures}


@pytest.mark.parametrize(
    ("one", "kept"),
    [
        (measure(product_us=30.0, floor_us=10.0, ratio=3.0, per_second=33333.0, limit=3.0), True),
        (measure(product_us=31.0, floor_us=10.0, ratio=3.1, per_second=32258.0, limit=3.0), False),
        (measure(product_us=3.0, per_second=333333.0, limit=300000.0), True),
        (measure(product_us=4.0, per_second=250000.0, limit=300000.0), False),
        (measure(product_us=39000.0, limit=40000.0), True),
        (measure(product_us=41000.0, limit=40000.0), False),
        (measure(product_us=1.0), True),
    ],
)
def test_a_measure_keeps_its_limit(one: dict[str, Any], kept: bool) -> None:
    assert holds(one) is kept


def test_bench(davinci: Davinci, room: Room) -> None:
    slow = measure(product_us=40.0, floor_us=10.0, ratio=4.0, limit=3.0)
    made = Recorder({"measures": [slow]})
    room("bench", run=made)
    result = davinci("bench", "episode")
    assert result.exit_code == 1
    assert made.arguments == (["episode"],)
    assert "no" in result.stdout.split()
    assert result.stderr == "davinci: over the limit: m.\n"


def test_doctor_tells_the_extras_and_no_secret(
    davinci: Davinci, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret@localhost/v1")
    result = davinci("doctor", "--json")
    assert result.exit_code == 0
    assert "secret" not in result.output
    assert '"model": {\n    "found": "configured"' in result.stdout
    for name in ("python", "sqlite", "cores", "extra mcp", "sandbox", "node"):
        assert f'"{name}"' in result.stdout
    assert "extra mcp" in davinci("doctor").stdout
