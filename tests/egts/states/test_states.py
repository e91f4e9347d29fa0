"""What generated initial states promise, for many seeds."""

import pytest

from davinci_env.egts.states.graph import KINDS, make_graph
from davinci_env.egts.states.home import FOLDERS, NOW, make_home
from davinci_env.egts.states.repository import NOW as COMMITTED
from davinci_env.egts.states.repository import fast_import, make_repository

SEEDS = range(60)


@pytest.mark.parametrize("make", [make_home, make_graph, make_repository])
def test_equal_seeds_give_equal_states_and_others_differ(make: object) -> None:
    assert callable(make)
    assert make(7) == make(7)
    assert len({repr(make(seed)) for seed in SEEDS}) == len(SEEDS)


def test_a_home_has_thirty_files_that_their_names_tell_apart() -> None:
    for seed in SEEDS:
        home = make_home(seed)
        names = [path.rpartition("/")[2] for path in home.files]
        assert len(set(names)) == len(names) == 30
        assert len(home.folders) == len(FOLDERS) + 2
        assert {path.rpartition("/")[0] for path in home.files} <= set(home.folders)


def test_files_are_shown_in_bytes_and_were_changed_in_the_past() -> None:
    # From 1,024 bytes on the server tells kilobytes, and the words read bytes.
    for seed in SEEDS:
        for file in make_home(seed).files.values():
            assert 0 < len(file.data) < 1024
            assert file.modified < NOW


def test_relations_are_between_entities_that_there_are() -> None:
    for seed in SEEDS:
        graph = make_graph(seed)
        names = {entity["name"] for entity in graph["entities"]}
        assert len(names) == len(graph["entities"]) == 22
        assert {r["from"] for r in graph["relations"]} <= names
        assert {r["to"] for r in graph["relations"]} <= names
        assert all(r["from"] != r["to"] for r in graph["relations"])


def test_a_search_for_a_type_finds_just_that_type() -> None:
    for kind in KINDS:
        for names, _ in (KINDS[other] for other in KINDS if other != kind):
            assert not [n for n in names if kind in f"{n} {names[n]}".casefold()]


def test_what_is_known_of_people_tells_them_apart() -> None:
    said = [remark for remarks in KINDS["person"][0].values() for remark in remarks]
    assert len(set(said)) == len(said)


def test_open_work_touches_no_file_that_a_commit_after_the_first_changes() -> None:
    for seed in SEEDS:
        made = make_repository(seed)
        later = {path for commit in made.commits[1:] for path in commit.files}
        assert not later & {*made.staged, *made.unstaged}
        assert len(made.staged) == 2 and len(made.unstaged) == 7
        times = [commit.when for commit in made.commits]
        assert times == sorted(set(times)) and times[-1] < COMMITTED


def test_a_history_is_written_commit_by_commit() -> None:
    made = make_repository(1)
    text = fast_import(made).decode()
    assert text.count("\ncommitter ") == len(made.commits)
    assert text.startswith("commit refs/heads/main\nmark :1\nauthor Mara Ellwood <")
    assert text.endswith("\ndone\n")
