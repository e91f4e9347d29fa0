"""The shipped files of words: they parse, and their verbs read well in a report."""

from pathlib import Path

import pytest

from davinci_env.egts.lexicon import FOLDER, Lexicon, load_lexicon

PAST_ONLY = frozenset(
    [
        "ate",
        "became",
        "began",
        "bit",
        "blew",
        "broke",
        "came",
        "chose",
        "did",
        "drank",
        "drew",
        "drove",
        "fell",
        "flew",
        "forgot",
        "froze",
        "gave",
        "grew",
        "hid",
        "knew",
        "ran",
        "rang",
        "rode",
        "rose",
        "sang",
        "saw",
        "shook",
        "spoke",
        "stole",
        "swam",
        "swore",
        "threw",
        "took",
        "tore",
        "was",
        "went",
        "woke",
        "wore",
        "wrote",
    ]
)
"""Forms that can't stand behind "I've"."""

FILES = sorted(FOLDER.glob("*.toml"))


def test_there_are_files() -> None:
    assert len(FILES) >= 18


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reports_read_well(path: Path) -> None:
    lexicon = load_lexicon(path)
    assert isinstance(lexicon, Lexicon)
    for tool, words in lexicon.tools.items():
        for say in words.say:
            now, slash, past = say.split(" ")[0].partition("/")
            assert now.isalpha() and now.islower(), f"{tool}: {say!r} begins with no verb"
            assert slash or words.done, f"{tool}: {say!r} has no form for the report"
            assert past not in PAST_ONLY, f"{tool}: I've {past}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_tool_is_asked_for_or_says_why_not(path: Path) -> None:
    for tool, words in load_lexicon(path).tools.items():
        spoken = words.say or words.ask or words.rows or not words.goal or words.uncoverable
        assert spoken, f"{tool} has no words"
        assert not words.ask or words.rows or (words.tell and words.answer), f"{tool}: no answer"
