"""Ctrl-C on a real `davinci generate`: what is done stays, and the same command ends the run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOYS = Path(__file__).parent.parent / "support" / "toys"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of a terminal")


def start(out: Path, hash_seed: int) -> "subprocess.Popen[str]":
    """Start the command as a terminal does: at the head of a process group of its own."""
    command = [sys.executable, "-m", "davinci_env", "generate", "--only", "toy_rental"]
    command += ["--path", str(TOYS), "--trust", "--n", "16", "--jobs", "2", "--out", str(out)]
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(out: Path, hash_seed: int) -> dict[str, bytes]:
    """Run the command to its end and return the corpus, file by file."""
    child = start(out, hash_seed)
    printed, said = child.communicate(timeout=120)
    assert child.returncode == 0, said
    assert printed.startswith(f"Verified trajectories in {out}")
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def test_an_interrupted_run_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    whole = finish(tmp_path / "whole", hash_seed=1)
    out = tmp_path / "interrupted"
    child = start(out, hash_seed=2)
    journal = out / "journal.jsonl"
    deadline = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
        assert child.poll() is None, child.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(child.pid, signal.SIGINT)  # a terminal sends it to the workers too
    printed, said = child.communicate(timeout=60)
    assert child.returncode == 130, said
    assert printed == ""
    assert said.splitlines()[-1] == (
        f"davinci: interrupted; what was finished is kept in {out}: "
        "run the same command again to resume."
    )
    assert "Traceback" not in said
    done = journal.read_bytes().count(b"\n") - 1
    assert 3 <= done < 16
    assert not (out / "manifest.json").exists()
    resumed = finish(out, hash_seed=3)
    assert [name for name in whole if resumed[name] != whole[name]] == []
    assert set(resumed) == set(whole)


def test_an_impatient_interrupt_is_still_no_traceback(tmp_path: Path) -> None:
    child = start(tmp_path / "corpus", hash_seed=0)
    assert child.stderr is not None
    while not (tmp_path / "corpus").exists():
        assert child.poll() is None, child.communicate()
        time.sleep(0.01)
    for _ in range(4):
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGINT)
        time.sleep(0.05)
    printed, said = child.communicate(timeout=60)
    assert (child.returncode, printed) == (130, "")
    assert "Traceback" not in said, said
