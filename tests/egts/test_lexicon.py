"""Files of words: what they hold, and what is wrong with a bad one."""

from pathlib import Path

import pytest

from davinci_env.egts.lexicon import Arg, Lexicon, lexicon_of, load_lexicon
from davinci_env.errors import RecordError
from tests.egts.toy import WORDS


def written(folder: Path, text: str) -> Path:
    path = folder / "some.toml"
    path.write_text(text, "utf-8")
    return path


def test_one_wording_or_several_make_a_list(tmp_path: Path) -> None:
    words = load_lexicon(
        written(
            tmp_path,
            '[tools.send]\nsay = "send/sent {text}"\n[tools.look]\nask = ["what it is", "which"]\n',
        )
    )
    assert words.tools["send"].say == ("send/sent {text}",)
    assert words.tools["look"].ask == ("what it is", "which")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tools.look]\nrows = 'note'\n", "look lists rows of 'note', which is no noun here"),
        ("[tools.pin.args]\nid = { of = 'note' }\n", "pin.id is of 'note', which is no noun here"),
        ("[tools.a.args]\nb = { one_of = 'c' }\n", "a.b: there is no vocabulary 'c'"),
        ("[tools.a.args]\nb = { often = 1.5 }\n", "tools.a.args.b.often"),
        ("[tools.a]\nsays = 'x'\n", "tools.a.says"),
        ("[nouns.a.fields]\nb = { name = 'c', type = 'colour' }\n", "nouns.a.fields.b.type"),
        ("[tools.a\n", "can't be read"),
    ],
)
def test_a_bad_file_is_named_with_the_place(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(RecordError) as raised:
        load_lexicon(path)
    assert said in str(raised.value) and str(path) in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="can't be read"):
        load_lexicon(tmp_path / "none.toml")


def test_a_system_has_its_own_file_else_its_familys_else_no_words(tmp_path: Path) -> None:
    own = written(tmp_path, 'currency = "€"\n')
    assert lexicon_of("toy.big", "toy", {"toy.big": own, "toy": WORDS}).currency == "€"
    assert "write_note" in lexicon_of("toy.big", "toy", {"toy": WORDS}).tools
    assert lexicon_of("nobody", "nobody") == Lexicon()


def test_what_is_always_the_same_or_returned_is_never_said() -> None:
    assert Arg(value=False).silent and Arg(value=0).silent
    assert Arg(result="sign_in/token").silent
    assert not Arg(one_of=("a",)).silent


def test_every_file_of_words_can_be_read() -> None:
    folder = Path(str(__import__("davinci_env").__path__[0])) / "egts" / "words"
    files = sorted(folder.glob("*.toml"))
    assert files
    for path in files:
        assert load_lexicon(path).tools, path.name
