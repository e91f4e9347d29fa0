"""The example in README.md: a generated task, the expert's conversation, and what was proven.

    python scripts/readme_example.py           # print it
    python scripts/readme_example.py --write   # put it into README.md

A test holds the README to what this prints.
"""

import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

from davinci_env.episodes import run_suite
from davinci_env.records import AssistantMessage, Task, Trajectory, UserMessage, read_jsonl
from davinci_env.tasks import generate_suite

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- example -->\n", "<!-- /example -->\n"

DOMAIN, KIND, SEED = "library_lending", "act+ask", 5
WIDTH, MARGIN = 96, 11


def example() -> str:
    """Run the two commands and tell what came out, as a fenced block."""
    with tempfile.TemporaryDirectory() as folder:
        suite, runs = Path(folder, "tasks.jsonl"), Path(folder, "runs")
        generate_suite([DOMAIN], 1, suite, SEED, kinds=[KIND])
        run_suite(suite, "expert", "scripted", 1, runs)
        (task,) = read_jsonl(suite, Task).records
        (trajectory,) = read_jsonl(runs / "trajectories.jsonl", Trajectory).records
    lines = [
        f"$ davinci tasks {DOMAIN} --kind {KIND} --n 1 --seed {SEED} --out tasks.jsonl",
        "$ davinci run tasks.jsonl --agent expert --out runs",
        "",
        *_conversation(trajectory),
        "",
        *_proof(task, trajectory),
    ]
    return "\n".join(["```text", *lines, "```", ""])


def _conversation(trajectory: Trajectory) -> Iterator[str]:
    """What was said and called, without the policy and without what the tools answered."""
    speaker = ""
    for message in trajectory.messages:
        if isinstance(message, UserMessage):
            yield from _said("user", message.content)
            speaker = "user"
        elif isinstance(message, AssistantMessage):
            name = "" if speaker == "agent" else "agent"
            for call in message.tool_calls or ():
                arguments = ", ".join(f"{k}={v!r}" for k, v in call.function.arguments.items())
                yield from _said(name, f"→ {call.function.name}({arguments})")
                name = ""
            if message.content:
                yield from _said(name, message.content)
            speaker = "agent"


def _proof(task: Task, trajectory: Trajectory) -> Iterator[str]:
    """The requirements with their verdicts, and the certificate in figures."""
    passed = {one.id: one.passed for one in trajectory.verdict.requirements}
    name = "required"
    for requirement in task.requirements:
        mark = "✓" if passed[requirement.id] else "✗"
        yield from _said(name, f"{mark} {requirement.kind:8}{requirement.text}")
        name = ""
    proven: dict[str, dict[str, object]] = dict(task.certificate or {})  # type: ignore[arg-type]
    sound, runs = proven["sound"], proven["solvable"]["runs"]
    idle, operators = proven["not_vacuous"]["baselines"], sound["operators"]
    variants = proven["complete"]["variants"]
    assert isinstance(idle, list)
    assert isinstance(operators, list)
    assert isinstance(variants, list)
    yield ""
    yield from _said("certified", f"the golden solution passes, {runs} times with equal bytes")
    yield from _said("", f"{len(idle)} agents that do not do the work fail: {', '.join(idle)}")
    yield from _said(
        "",
        f"{sound['mutants']} mutants by {len(operators)} operators: {sound['equivalent']} come to "
        f"the same, the others to {sound['outcomes']} different outcomes, and all of these fail",
    )
    yield from _said("", f"{len(variants)} other right ways pass: {', '.join(variants)}")


def _said(name: str, text: str) -> list[str]:
    """One entry, with its name in the margin."""
    margin = f"{name:{MARGIN}}"
    return textwrap.wrap(
        text, WIDTH, initial_indent=margin, subsequent_indent=" " * MARGIN, break_long_words=False
    )


def rewritten(text: str, block: str) -> str:
    """A page with this block between the marks."""
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    return f"{head}{BEGIN}{block}{END}{tail}"


if __name__ == "__main__":
    found = example()
    if "--write" in sys.argv[1:]:
        README.write_text(rewritten(README.read_text(), found))
    else:
        print(found, end="")
