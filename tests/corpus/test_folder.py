"""The corpus folder: counts that add up, cards that tools read, and nothing left to chance."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

from davinci_env import __version__
from davinci_env.corpus import finish_corpus, open_corpus
from davinci_env.episodes.store import Result
from davinci_env.errors import OutputError, RecordError
from davinci_env.records import Verdict, to_line
from tests.records import samples

COMMAND = {"name": "generate", "n": 3, "seed": 5}

LOAD = """
import json, sys
from datasets import load_dataset
folder, cache = sys.argv[1:]
found = {}
for name in ("default", "tasks", "trajectories"):
    args = () if name == "default" else (name,)
    found[name] = len(load_dataset(folder, *args, split="train", cache_dir=cache))
json.dump(found, sys.stdout)
"""


def make(folder: Path) -> dict[str, Any]:
    """Three tasks in two worlds, four attempts, of which two are fit to train on."""
    clinic = samples.world(name="clinic_appointments", version=2, seed=1)
    tasks = [
        samples.task(),
        samples.task(world=samples.world(seed=9), kind="deny"),
        samples.task(world=clinic),
    ]
    attempts = [
        samples.trajectory(),
        samples.trajectory(verdict=Verdict(passed=False, requirements=())),
        samples.trajectory(benchmark="tau2"),
        samples.trajectory(world=clinic),
    ]
    with open_corpus(folder, COMMAND) as store:
        for task in tasks:
            store.append(task.id, Result({"tasks.jsonl": [to_line(task)]}))
        lines = [to_line(attempt) for attempt in attempts]
        rejected = [b'{"reason":"vacuous"}\n', b'{"reason":"vacuous"}\n', b'{"reason":"unsound"}\n']
        store.append("rest", Result({"trajectories.jsonl": lines, "rejected.jsonl": rejected}))
        return finish_corpus(store)


def test_the_manifest_counts_and_names_everything(tmp_path: Path) -> None:
    make(tmp_path)
    manifest = orjson.loads((tmp_path / "manifest.json").read_bytes())
    assert manifest["command"] == COMMAND
    assert manifest["generator"] == {"name": "davinci-env", "version": __version__}
    assert manifest["worlds"] == {
        "clinic_appointments": {
            "kind": "domain",
            "version": 2,
            "content_hash": "c0ffee",
            "seeds": [1],
        },
        "library_lending": {
            "kind": "domain",
            "version": 1,
            "content_hash": "c0ffee",
            "seeds": [3, 9],
        },
    }
    assert manifest["counts"] == {
        "tasks": 3,
        "trajectories": 4,
        "passed": 3,
        "sft_rows": 2,
        "sft_skipped": {"benchmark": 1, "not-passed": 1},
        "rejected": 3,
        "rejected_by_reason": {"unsound": 1, "vacuous": 2},
        "tasks_by_kind": {"act+ask": 2, "deny": 1},
        "tasks_by_source": {"ees-single": 3},
        "tasks_by_world": {"clinic_appointments": 1, "library_lending": 2},
        "trajectories_by_agent": {"expert": 4},
    }
    for name, about in manifest["files"].items():
        data = (tmp_path / name).read_bytes()
        assert about["sha256"] == sha256(data).hexdigest()
        assert about["bytes"] == len(data)
    assert set(manifest["files"]) | {"manifest.json"} == set(os.listdir(tmp_path))


def test_the_same_work_gives_the_same_folder(tmp_path: Path) -> None:
    make(tmp_path / "one")
    make(tmp_path / "two")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_the_card_has_a_header_that_hubs_read(tmp_path: Path) -> None:
    make(tmp_path)
    _, header, text = (tmp_path / "README.md").read_text().split("---\n", 2)
    assert yaml.safe_load(header) == {
        "pretty_name": "Verified tool-use corpus",
        "license": "apache-2.0",
        "language": ["en"],
        "task_categories": ["text-generation"],
        "tags": ["agents", "function-calling", "synthetic", "tool-use"],
        "size_categories": ["n<1K"],
        "configs": [
            {
                "config_name": "sft",
                "default": True,
                "data_files": [{"split": "train", "path": "sft.jsonl"}],
            },
            {
                "config_name": "trajectories",
                "data_files": [{"split": "train", "path": "trajectories.jsonl"}],
            },
            {"config_name": "tasks", "data_files": [{"split": "train", "path": "tasks.jsonl"}]},
        ],
    }
    assert "| clinic_appointments | 2 | 1 |" in text
    assert "| `sft.jsonl` | 2 | conversations to train on" in text
    assert "| `rejected.jsonl` | 3 |" in text


def test_croissant_describes_the_files_that_hold_something(tmp_path: Path) -> None:
    make(tmp_path)
    described = orjson.loads((tmp_path / "croissant.json").read_bytes())
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert [file["@id"] for file in described["distribution"]] == [
        "sft.jsonl",
        "trajectories.jsonl",
        "tasks.jsonl",
    ]
    for file in described["distribution"]:
        assert file["sha256"] == sha256((tmp_path / file["contentUrl"]).read_bytes()).hexdigest()
    for records in described["recordSet"]:
        line = orjson.loads((tmp_path / f"{records['@id']}.jsonl").read_bytes().splitlines()[0])
        for field in records["field"]:
            leaves = field.get("subField", [field])
            for leaf in leaves:
                value = line[leaf["source"]["extract"]["column"]]
                assert isinstance(value, list) == field.get("repeated", False)
                for one in value if isinstance(value, list) else [value]:
                    for key in leaf["source"].get("transform", {}).get("jsonPath", "").split("."):
                        one = one[key] if key else one
                    assert isinstance(one, str)


def test_datasets_opens_the_folder_by_its_card(tmp_path: Path) -> None:
    make(tmp_path / "corpus")
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(tmp_path / "corpus"), str(tmp_path / "cache")],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert orjson.loads(done.stdout) == {"default": 2, "tasks": 3, "trajectories": 4}


def test_an_empty_corpus_is_a_corpus(tmp_path: Path) -> None:
    with open_corpus(tmp_path, COMMAND) as store:
        manifest = finish_corpus(store, title='A "quoted" title')
    assert manifest["counts"]["tasks"] == manifest["counts"]["sft_rows"] == 0
    header = (tmp_path / "README.md").read_text().split("---\n")[1]
    assert yaml.safe_load(header)["pretty_name"] == 'A "quoted" title'
    assert "configs" not in yaml.safe_load(header)


def test_a_finished_corpus_of_another_command_is_refused(tmp_path: Path) -> None:
    make(tmp_path)
    with open_corpus(tmp_path, COMMAND) as store:
        assert store.finished
    with pytest.raises(OutputError, match="another command"):
        open_corpus(tmp_path, {**COMMAND, "n": 4})


def test_a_line_that_is_no_record_stops_the_finish(tmp_path: Path) -> None:
    with open_corpus(tmp_path, COMMAND) as store:
        store.append("key", Result({"tasks.jsonl": [b'{"schema":"davinci/task@1"}\n']}))
        with pytest.raises(RecordError, match=r"tasks\.jsonl, line 1: id: Field required"):
            finish_corpus(store)
        assert not store.finished
