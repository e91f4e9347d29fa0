"""What is kept of trajectories, and which forms a conversation really had."""

from pathlib import Path

import pytest

from davinci_env.errors import RecordError
from davinci_env.records import Task, Trajectory, to_line
from davinci_env.stats import read_corpus
from davinci_env.stats.corpus import Case, episode
from tests.stats.hand import called, event, said, task, trajectory


def write(path: Path, *records: Task | Trajectory) -> Path:
    """Write records to a file."""
    path.write_bytes(b"".join(map(to_line, records)))
    return path


def test_an_exact_repeat_is_no_further_call() -> None:
    steps = (
        called(0, "list", {}, arguments={"a": 1, "b": 2}),
        called(1, "list", {}, arguments={"b": 2, "a": 1}),
        called(2, "list", {}, arguments={"a": 1}),
        called(3, "pay", {}, arguments={"a": 1}, error_code="no"),
        said(4, "agent", "Done."),
    )
    assert episode(trajectory(task(1), *steps)).calls == 3


def test_to_recover_is_to_pass_after_a_mistake_that_is_not_to_be_learned() -> None:
    one = task(1)
    assert episode(trajectory(one, weights=(0, None))).recovered
    assert not episode(trajectory(one, weights=(None, None))).recovered
    assert not episode(trajectory(one, weights=(0, None), passed=False)).recovered


def test_texts_are_kept_of_arguments_and_results_and_messages_of_the_assistant() -> None:
    steps = (called(0, "x", {"rows": [{"title": "Bread"}], "n": 3}, arguments={"ids": ["L-1"]}),)
    kept = episode(trajectory(task(1), *steps, weights=(None,)))
    assert kept.values == {"Bread", "L-1"}
    assert kept.said == ("Message 0.",)


ALL = ("further-wish", "correction", "decline", "reply", "push-back")
WISH = {"tool": "pay", "arguments": {}}


@pytest.mark.parametrize(
    ("steps", "forms"),
    [
        ((), set()),
        ((event(0, "turn", index=1),), {"further-wish"}),
        ((event(0, "turn", index=2),), {"push-back"}),
        ((event(0, "declined", **WISH),), {"decline"}),
        ((event(0, "declined", tool=None, arguments={}),), set()),
        ((event(0, "declined", **WISH), event(1, "corrected", tool="pay")), {"correction"}),
        ((event(0, "revealed", fact="email", value="x"),), set()),
        ((event(0, "asked", fact="x"), event(1, "revealed", fact="x", value=1)), {"reply"}),
        ((event(0, "asked", fact="x"), event(1, "revealed", fact="y", value=1)), set()),
    ],
)
def test_a_form_of_the_conversation_counts_where_it_happened(
    steps: tuple[object, ...], forms: set[str]
) -> None:
    one = task(1, "selection", *ALL, turns=("wish", "push-back"))
    kept = episode(trajectory(one, *steps))  # type: ignore[arg-type]
    assert Case(one, (kept,)).forms == {"selection", *forms}
    assert Case(one).forms == {"selection", *ALL}


def test_what_happened_without_being_planned_is_no_form() -> None:
    one = task(1, "selection")
    kept = episode(trajectory(one, event(0, "declined", **WISH)))
    assert Case(one, (kept,)).forms == {"selection"}


def test_a_corpus_is_tasks_with_the_episodes_at_them(tmp_path: Path) -> None:
    first, second = task(1), task(2, "batch")
    write(tmp_path / "tasks.jsonl", first, second)
    runs = write(tmp_path / "trajectories.jsonl", trajectory(second), trajectory(second))
    runs.write_bytes(runs.read_bytes() + b"noise\n")
    corpus = read_corpus([tmp_path])
    assert [(case.task.id, len(case.episodes)) for case in corpus.cases] == [
        (first.id, 0),
        (second.id, 2),
    ]
    ((path, problem),) = corpus.problems
    assert (path, problem.line) == (runs, 3)
    assert list(corpus.by_domain()) == ["library_lending"]


def test_trajectories_without_their_tasks_are_refused(tmp_path: Path) -> None:
    runs = write(tmp_path / "runs.jsonl", trajectory(task(1)))
    with pytest.raises(RecordError, match="name the file of its tasks as well"):
        read_corpus([runs])
    with pytest.raises(RecordError, match=f"the task {task(1).id} of a trajectory is not in"):
        read_corpus([runs, write(tmp_path / "tasks.jsonl", task(2))])


def test_an_edited_task_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "tasks.jsonl", task(1))
    file.write_text(file.read_text().replace("Wish 1.", "Wish 9."))
    with pytest.raises(RecordError, match="was edited by hand"):
        read_corpus([file])
