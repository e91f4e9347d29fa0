"""Whatever takes a domain's name takes a composition's."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from davinci_env.cli.app import app
from davinci_env.serve.source import DomainSource
from davinci_env.tasks.generate import domain_names
from tests.compose.worlds import FOLDER

GIVEN = ["--path", str(FOLDER), "--trust"]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def test_domains_lists_compositions_with_what_they_join() -> None:
    listed = {e["name"]: e for e in json.loads(run("domains", "--path", str(FOLDER), "--json"))}
    assert listed["day_out"]["domains"] == ["swim_hall", "snack_bar"]
    assert listed["swim_hall"]["domains"] == []


def test_show_tells_its_policy_and_tools() -> None:
    assert "## Snack bar" in run("show", "day_out", "--part", "policy", *GIVEN)
    shown = json.loads(run("show", "day_out", "--part", "tools", "--json", *GIVEN))
    assert "snack_bar__hand_over" in json.dumps(shown)


def test_tasks_generate_and_check_take_it(tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    run("tasks", "day_out", "--n", "4", "--kind", "act", "--out", str(out), *GIVEN)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 4
    assert {task["source"] for task in lines} == {"ees-cross"}
    assert {task["world"]["kind"] for task in lines} == {"composition"}
    assert all(task["difficulty"]["transitions"] >= 1 for task in lines)
    run("check", str(out), *GIVEN)
    corpus = tmp_path / "corpus"
    run("generate", "--only", "day_out", "--n", "3", "--jobs", "1", "--out", str(corpus), *GIVEN)
    line = (corpus / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()[0]
    steps = [step for step in json.loads(line)["steps"] if step["type"] == "call"]
    assert {step["domain"] for step in steps} <= {"swim_hall", "snack_bar"}
    stats = json.loads(run("stats", str(corpus), "--json"))
    crossing = {m["name"]: m["value"] for m in stats["measures"] if m["name"].startswith("cross/")}
    assert crossing["cross/transition"] == 1.0


def test_a_source_takes_its_own_sort_only() -> None:
    result = CliRunner().invoke(
        app,
        ["generate", "--source", "ees-single", "--only", "day_out", "--out", "x", *GIVEN],
    )
    assert result.exit_code == 2
    assert "day_out is a composition, which is no --source ees-single" in result.output
    crossing = domain_names(None, source="ees-cross")
    assert "orders_stock_promotions" in crossing
    assert "order_management" not in crossing
    assert "orders_stock_promotions" not in domain_names(None)


@pytest.mark.parametrize("prefixes", [False, True])
def test_it_is_served(prefixes: bool) -> None:
    source = DomainSource.of("day_out", paths=[FOLDER], trust=True, prefixes=prefixes)
    environment = source.open()
    names = [spec.name for spec in environment.tools()]
    assert ("keep_locker" in names) is not prefixes
    assert ("swim_hall__keep_locker" in names) is prefixes
    assert "snack_bar__hand_over" in names
    environment.close()
