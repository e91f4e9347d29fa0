"""Running suites: every task played and judged, resumable, the same bytes for any --jobs."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from davinci_env.environment import Event
from davinci_env.episodes import RunSummary, report, run_suite
from davinci_env.errors import OutputError, RecordError, Shortage, SuiteVersionError, UsageError
from davinci_env.records import Task, Trajectory, read_jsonl, to_line
from davinci_env.tasks import generate_suite
from davinci_env.verify import Verifier, open_task
from tests.episodes.test_store import contents
from tests.support.toy_desk import TOYS

N = 9


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("suite") / "tasks.jsonl"
    assert generate_suite(["toy_rental"], N, out, 5, paths=[TOYS], trust=True).passed
    return out


def run(
    suite: Path, agent: str, out: Path, trials: int = 1, jobs: int = 1, **more: Any
) -> RunSummary:
    return run_suite(suite, agent, "scripted", trials, out, jobs, paths=[TOYS], trust=True, **more)


@pytest.fixture(scope="module")
def oracle(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oracle's finished run, two trials a task."""
    out = tmp_path_factory.mktemp("runs") / "oracle"
    summary = run(suite, "oracle", out, 2)
    assert summary.passed
    assert summary.episodes == summary.passed_episodes == 2 * N
    return out


def trajectories(out: Path) -> tuple[Trajectory, ...]:
    reading = read_jsonl(out / "trajectories.jsonl", Trajectory)
    assert reading.problems == ()
    return reading.records


def test_the_oracle_passes_everything(suite: Path, oracle: Path) -> None:
    tasks = read_jsonl(suite, Task).records
    found = trajectories(oracle)
    assert [t.task_id for t in found] == [task.id for task in tasks for _ in range(2)]
    assert all(t.verdict.passed and t.finish_reason == "done" for t in found)
    assert len({t.id for t in found}) == 2 * N
    counted = report(oracle)
    assert (counted.episodes, counted.tasks, counted.pass_at_1) == (2 * N, N, 1.0)
    assert counted.pass_hat == {1: 1.0, 2: 1.0}
    assert counted.failures == {}


@pytest.mark.parametrize("name", ["noop", "talk", "refuse", "ask-always", "reader", "guess"])
def test_baselines_earn_nothing(suite: Path, tmp_path: Path, name: str) -> None:
    summary = run(suite, name, tmp_path / name)
    assert summary.passed  # the run is what it should be: a failed episode is data
    assert summary.passed_episodes == 0
    counted = report(tmp_path / name)
    assert counted.pass_at_1 == 0.0
    assert sum(counted.failures.values()) >= N


def test_jobs_and_interrupts_give_the_same_bytes(suite: Path, oracle: Path, tmp_path: Path) -> None:
    run(suite, "oracle", tmp_path / "two", 2, jobs=2)
    assert contents(tmp_path / "two") == contents(oracle)

    def stop(done: int, total: int, note: str) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(suite, "oracle", tmp_path / "cut", 2, progress=stop)
    assert "manifest.json" not in contents(tmp_path / "cut")
    assert run(suite, "oracle", tmp_path / "cut", 2).passed_episodes == 2 * N
    assert contents(tmp_path / "cut") == contents(oracle)


def test_a_finished_run_is_left_alone(suite: Path, oracle: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in oracle.iterdir()}
    assert run(suite, "oracle", oracle, 2).passed_episodes == 2 * N
    for other in ({"agent": "noop"}, {"trials": 3}, {"seed": 1}):
        options: dict[str, Any] = {"agent": "oracle", "trials": 2, **other}
        with pytest.raises(OutputError, match="another command"):
            run(suite, out=oracle, **options)
    assert {path: path.stat().st_mtime_ns for path in oracle.iterdir()} == before


def test_another_suite_is_another_command(suite: Path, tmp_path: Path) -> None:
    lines = suite.read_bytes().splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_bytes(lines[0])
    run(part, "noop", tmp_path / "out")
    part.write_bytes(lines[1])
    with pytest.raises(OutputError, match=r"another command.*--force"):
        run(part, "noop", tmp_path / "out")
    assert run(part, "noop", tmp_path / "out", force=True).episodes == 1


def test_unknown_agents_and_users_write_nothing(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no agent 'orakel'.*oracle"):
        run(suite, "orakel", tmp_path / "out")
    with pytest.raises(UsageError, match=r"no user 'real'.*scripted"):
        run_suite(suite, "oracle", "real", 1, tmp_path / "out", paths=[TOYS], trust=True)
    assert not (tmp_path / "out").exists()


def test_bad_lines_are_told_and_good_ones_played(suite: Path, tmp_path: Path) -> None:
    lines = suite.read_bytes().splitlines(keepends=True)
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"not json\n" + lines[0] + lines[1][:-20])
    summary = run(broken, "oracle", tmp_path / "out")
    assert (summary.passed, summary.episodes, summary.passed_episodes) == (False, 1, 1)
    assert [p["line"] for p in summary.to_json()["problems"]] == [1, 3]
    broken.write_bytes(b"not json\n")
    with pytest.raises(Shortage, match="no task"):
        run(broken, "oracle", tmp_path / "none")
    with pytest.raises(RecordError, match="no such file"):
        run(tmp_path / "absent.jsonl", "oracle", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_suite_of_another_version_is_not_played(suite: Path, tmp_path: Path) -> None:
    row = orjson.loads(suite.read_bytes().splitlines()[0])
    row["world"]["version"] = 0
    old = tmp_path / "old.jsonl"
    old.write_bytes(orjson.dumps(row) + b"\n")
    with pytest.raises(SuiteVersionError, match=r"toy_rental 0 .*--update"):
        run(old, "oracle", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_suite_that_was_edited_by_hand_is_not_played(suite: Path, tmp_path: Path) -> None:
    row = orjson.loads(suite.read_bytes().splitlines()[0])
    row["request"]["text"] += " Please."
    edited = tmp_path / "edited.jsonl"
    edited.write_bytes(orjson.dumps(row) + b"\n")
    with pytest.raises(RecordError, match=r"edited by hand: its content has the id [0-9a-f]{12}"):
        run(edited, "oracle", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_replaying_the_recorded_calls_gives_the_recorded_hashes(suite: Path, oracle: Path) -> None:
    """From a record alone: the same calls from the same start, state by state, and the same end."""
    tasks = {task.id: task for task in read_jsonl(suite, Task).records}
    for trajectory in trajectories(oracle):
        environment = open_task(tasks[trajectory.task_id], paths=[TOYS], trust=True)
        assert environment.capture().state_hash == trajectory.initial.hash
        for step in trajectory.steps:
            if step.type == "call":
                assert step.tool is not None and step.arguments is not None
                result = environment.call(step.tool, step.arguments)
                assert (result.content, result.code) == (step.result, step.error_code)
            if step.event is not None and step.event["kind"] == "turn":  # may bring a tool back
                environment.observe(Event("turn", {"index": step.event["index"]}))
            assert environment.capture().state_hash == step.state_hash
        outcome = environment.capture()
        assert outcome.state_hash == trajectory.terminal.hash
        assert outcome.diff == list(trajectory.terminal.diff)
        environment.close()


def test_replaying_the_whole_log_gives_the_verdict(suite: Path, tmp_path: Path) -> None:
    """Messages and events are in the steps too, so that an episode can be judged again."""
    from davinci_env.environment import Event, Message

    run(suite, "expert", tmp_path / "out")
    tasks = {task.id: task for task in read_jsonl(suite, Task).records}
    for trajectory in trajectories(tmp_path / "out"):
        environment = open_task(tasks[trajectory.task_id], paths=[TOYS], trust=True)
        verifier = Verifier(tasks[trajectory.task_id], environment)
        for step in trajectory.steps:
            if step.type == "call":
                environment.call(str(step.tool), step.arguments or {})
            elif step.type == "message":
                role: Any = "assistant" if step.by == "agent" else "user"
                environment.observe(Message(role, str(step.result)))
            else:
                event: dict[str, Any] = dict(step.event or {})
                environment.observe(Event(event.pop("kind"), event))
        again = verifier.judge(environment)
        assert to_line(again) == to_line(trajectory.verdict)
        environment.close()
