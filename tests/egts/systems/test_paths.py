"""Private paths under their public names."""

from pathlib import Path

import pytest

from davinci_env.egts.systems.paths import Paths

PATHS = Paths(
    Path("/tmp/davinci-x1"),
    {"work": "/home/sam", "work/notes": "/home/sam/my notes", "tmp": "/tmp"},
)


@pytest.mark.parametrize(
    ("real", "shown"),
    [
        ("/tmp/davinci-x1/work/notes", "/home/sam/my notes"),
        ("/tmp/davinci-x1/work/notes/a.txt", "/home/sam/my notes/a.txt"),
        ("/tmp/davinci-x1/work/notes2", "/home/sam/notes2"),
        ("see file:///tmp/davinci-x1/work.", "see file:///home/sam."),
        ("/tmp/davinci-x1/tmp/y and /tmp/davinci-x1/work", "/tmp/y and /home/sam"),
        ("/tmp/davinci-x1/elsewhere", "/private/elsewhere"),
        ("nothing", "nothing"),
    ],
)
def test_both_ways(real: str, shown: str) -> None:
    assert PATHS.shown(real) == shown
    assert PATHS.meant(shown) == real


@pytest.mark.parametrize(
    "text", ["/home/samuel", "/var/tmp", "a/tmp/b", "/home/sam-2", "x/home/sam"]
)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert PATHS.meant(text) == text


def test_everywhere_in_a_value() -> None:
    real = {"/tmp/davinci-x1/work": [1, None, {"a": "/tmp/davinci-x1/work/b"}]}
    shown = {"/home/sam": [1, None, {"a": "/home/sam/b"}]}
    assert PATHS.shown(real) == shown
    assert PATHS.meant(shown) == real
