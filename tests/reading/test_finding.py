"""Records by id, by the beginning of one, by their place; and what can't be found."""

from pathlib import Path

import pytest

from davinci_env.errors import RecordError, UnknownRecord, UsageError
from davinci_env.reading import Attempt, Shelf
from davinci_env.records import Problem, Task, Trajectory, to_line
from tests.reading import talk
from tests.records import samples


def write(path: Path, *records: Task | Trajectory) -> Path:
    """Write records to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(to_line, records)))
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with two tasks, and trajectories `1…`, `12…` at the first."""
    folder = tmp_path / "corpus"
    first, second = talk.task(), talk.task(actor="MEM-0002")
    write(folder / "tasks.jsonl", first, second)
    write(
        folder / "trajectories.jsonl",
        talk.trajectory(first, id="1" * 32),
        talk.trajectory(first, id="12" * 16),
    )
    return folder


def test_the_beginning_of_an_id_is_enough_if_only_one_begins_so(corpus: Path) -> None:
    shelf = Shelf([corpus])
    found = shelf.find("12")
    assert found.trajectory is not None
    assert found.trajectory.id == found.id == "12" * 16
    assert found.task.id == found.trajectory.task_id
    assert shelf.find("1" * 32).id == "1" * 32


def test_a_task_comes_with_the_attempts_at_it(corpus: Path) -> None:
    task = talk.task()
    found = Shelf([corpus]).find(task.id[:10])
    assert (found.task, found.trajectory) == (task, None)
    assert found.attempts == (
        Attempt("1" * 32, "expert", False),
        Attempt("12" * 16, "expert", False),
    )
    assert Shelf([corpus]).find(talk.task(actor="MEM-0002").id).attempts == ()


def test_an_ambiguous_id_is_answered_with_whole_ones(corpus: Path) -> None:
    with pytest.raises(UnknownRecord) as caught:
        Shelf([corpus / "trajectories.jsonl", corpus / "tasks.jsonl"]).find("1")
    said = str(caught.value)
    assert "ids begin with '1': give more of it" in said
    assert f"'{'1' * 32}'" in said
    assert f"'{'12' * 16}'" in said


def test_an_unknown_id_is_answered_with_near_ones_and_where_it_was_looked_for(corpus: Path) -> None:
    with pytest.raises(UnknownRecord) as caught:
        Shelf([corpus]).find("111211")
    assert caught.value.near[0] == "1" * 32
    assert f"{corpus / 'trajectories.jsonl'} and {corpus / 'tasks.jsonl'}" in str(caught.value)
    assert str(caught.value).endswith("?")
    with pytest.raises(UnknownRecord, match="look elsewhere with --in"):
        Shelf([corpus]).find("zzzz")


def test_a_record_is_found_by_its_place(corpus: Path) -> None:
    file = corpus / "trajectories.jsonl"
    shelf = Shelf([file])
    assert shelf.at(file, 2).id == "12" * 16
    with pytest.raises(UsageError, match="has no record 3: choose one from 1 to 2"):
        shelf.at(file, 3)
    with pytest.raises(UsageError, match="has no record 0"):
        shelf.at(file, 0)


def test_a_damaged_line_costs_itself_alone(corpus: Path) -> None:
    file = corpus / "trajectories.jsonl"
    file.write_bytes(b"noise\n" + file.read_bytes())
    shelf = Shelf([file])
    first, *others = shelf.all(file)
    assert isinstance(first, Problem)
    assert [one.id for one in others if not isinstance(one, Problem)] == ["1" * 32, "12" * 16]
    with pytest.raises(RecordError, match=r"trajectories.jsonl, line 1: This is not JSON"):
        shelf.at(file, 1)


def test_a_trajectory_without_its_task_names_where_it_was_looked_for(tmp_path: Path) -> None:
    task = talk.task()
    runs = write(tmp_path / "runs" / "trajectories.jsonl", talk.trajectory(task))
    with pytest.raises(RecordError) as caught:
        Shelf([runs]).find("1")
    assert f"the task {task.id} of trajectory {'1' * 32} is missing" in str(caught.value)
    assert "name the file of its tasks with --in" in str(caught.value)
    other = write(tmp_path / "other.jsonl", talk.task(actor="MEM-0002"))
    with pytest.raises(RecordError, match=f"not in {other}"):
        Shelf([runs, other]).find("1")
    tasks = write(tmp_path / "tasks.jsonl", task)
    assert Shelf([runs, tasks]).find("1").task == task


def test_a_task_that_was_edited_by_hand_is_not_shown(corpus: Path) -> None:
    file = corpus / "tasks.jsonl"
    file.write_text(file.read_text().replace("It's urgent.", "Hand me everything."))
    for search in (talk.task().id, "12"):
        with pytest.raises(RecordError) as caught:
            Shelf([corpus]).find(search)
        assert f"{file}: task {talk.task().id} was edited by hand" in str(caught.value)
        assert f"`davinci check {file} --update`" in str(caught.value)


def test_what_holds_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"messages": []}\n')
    (tmp_path / "pairs.jsonl").write_bytes(to_line(samples.preference()))
    for name in ("rows.jsonl", "pairs.jsonl"):
        with pytest.raises(RecordError, match=f"{name}: holds no task and no trajectory"):
            Shelf([tmp_path / name])
    with pytest.raises(RecordError, match=r"holds neither trajectories.jsonl nor tasks.jsonl"):
        Shelf([tmp_path])
    with pytest.raises(RecordError, match="there is no such file"):
        Shelf([tmp_path / "nowhere.jsonl"])
