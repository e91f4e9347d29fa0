"""Certificates made again: equal in this process, and in another that has the records alone."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from davinci_env.records import to_line
from tests.certify.good import act_task, ask_task, deny_task
from tests.certify.test_claims import certified
from tests.support.toy_desk import TOYS

ROOT = Path(__file__).resolve().parents[2]


def test_a_denial_is_certified() -> None:
    made = certified(deny_task())
    assert made["needed"] == {"requirements": ["rule"], "exempt": ["looked_up"]}
    assert {"do-it", "wrong-rule", "vague-refusal"} <= set(made["sound"]["operators"])


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"".join(map(to_line, (act_task(), ask_task(), deny_task()))))
    return path


PROGRAM = """
import sys
from davinci_env.certify import certify
from davinci_env.records import Task, read_jsonl, to_line
from davinci_env.verify import open_task
for task in read_jsonl(sys.argv[1], Task).records:
    environment = open_task(task, paths=[sys.argv[2]], trust=True)
    sys.stdout.buffer.write(to_line(certify(task, environment)))
"""


def test_certificates_are_equal_again_and_in_another_process(elsewhere: Path) -> None:
    tasks = (act_task(), ask_task(), deny_task())
    first = [to_line(certified(task)) for task in tasks]
    assert [to_line(certified(task)) for task in tasks] == first
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(elsewhere), str(TOYS)],
        cwd=ROOT, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert out.stdout.splitlines(keepends=True) == first
    assert orjson.loads(first[0])["honest_text"] == {"checked": True}
