"""Finding and loading domains, and one clear sentence for each way in which that fails."""

import os
from pathlib import Path

import pytest

from davinci_env.domain import catalogue, load, load_file
from davinci_env.errors import (
    ContractError,
    DomainSyntaxError,
    UnknownDomain,
    UntrustedDomain,
    UsageError,
)

GOOD = '''
"""A very small domain. With more to say."""

from datetime import datetime

from davinci_env.domain import Domain, Mapped

MAX_SIZE = 3
domain = Domain(
    "{name}", version=4, category="Tests", today=datetime(2026, 3, 16), role="clerk"
)


class Person(domain.Entity, identity=True):
    """Somebody."""

    title: Mapped[str]


domain.reads(Person, get=True)


@domain.seed
def seed(w):
    w.add(Person, title="Ada")
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("DAVINCI_PATH", raising=False)
    return tmp_path


def write(folder: Path, name: str, text: str = GOOD) -> Path:
    path = folder / f"{name}.py"
    path.write_text(text.replace("{name}", name), encoding="utf-8")
    return path


def test_the_catalogue_reads_headers_and_executes_nothing(folder):
    write(folder, "tiny", GOOD + "\nraise SystemExit('executed')\n")
    write(folder, "broken", "def (")
    write(folder, "other", "x = 1")
    (folder / "binary.py").write_bytes(b"\xff\xfe\x00")
    found = {entry.name: entry for entry in catalogue([folder])}
    assert {"library_lending", "order_management", "clinic_appointments", "tiny"} <= set(found)
    tiny = found["tiny"]
    assert (tiny.category, tiny.summary, tiny.shipped) == (
        "Tests",
        "A very small domain. With more to say.",
        False,
    )
    assert "broken" not in found
    assert "other" not in found
    assert [entry.name for entry in catalogue([folder])] == sorted(found)


def test_the_catalogue_sees_a_file_that_has_changed(folder):
    path = write(folder, "tiny")
    assert "tiny" in {entry.name for entry in catalogue([folder])}
    path.write_text("x = 1")
    os.utime(path, ns=(1, 1))
    assert "tiny" not in {entry.name for entry in catalogue([folder])}


def test_a_domain_that_did_not_ship_must_be_trusted(folder):
    write(folder, "tiny")
    with pytest.raises(UntrustedDomain, match="--trust"):
        load("tiny", paths=[folder])
    domain = load("tiny", paths=[folder], trust=True)
    assert list(domain.tools) == ["get_person"]
    assert domain.version == 4
    assert not domain.shipped
    assert load("tiny", paths=[folder], trust=True) is domain


def test_shipped_domains_need_no_trust_and_can_t_be_shadowed(folder):
    write(folder, "library_lending")
    domain = load("library_lending", paths=[folder])
    assert domain.shipped
    assert "renew_loan" in domain.tools


def test_the_environment_variable_names_more_folders(folder, monkeypatch):
    for name in ("a", "b"):
        (folder / name).mkdir()
        write(folder / name, f"tiny_{name}")
    monkeypatch.setenv("DAVINCI_PATH", os.pathsep.join([str(folder / "a"), "", str(folder / "b")]))
    assert {"tiny_a", "tiny_b"} <= {entry.name for entry in catalogue()}
    with pytest.raises(UntrustedDomain):
        load("tiny_b")


def test_an_unknown_name_hears_of_near_ones(folder):
    with pytest.raises(UnknownDomain, match="did you mean") as caught:
        load("libary_lending")
    assert caught.value.near == ("library_lending",)
    with pytest.raises(UnknownDomain, match="davinci domains"):
        load("zzzzzz")


def test_a_folder_that_is_not_there(folder):
    with pytest.raises(UsageError, match="no folder"):
        catalogue([folder / "nowhere"])


@pytest.mark.parametrize(
    ("text", "kind", "line", "words"),
    [
        ("x = 1\ndef (:\n", DomainSyntaxError, 2, "mend the file"),
        ("x = 1\n", DomainSyntaxError, None, "no `domain = Domain"),
        (GOOD + "\n1 / 0\n", DomainSyntaxError, 27, "ZeroDivisionError"),
        (GOOD + "\nraise SystemExit(3)\n", DomainSyntaxError, 27, "SystemExit"),
        (GOOD + "\nimport no_such_module_at_all\n", DomainSyntaxError, 27, "ModuleNotFoundError"),
        (GOOD + "\ndel domain\n", DomainSyntaxError, None, "no `domain = Domain"),
        (GOOD.replace("Mapped[str]", "Mapped[dict]"), ContractError, 14, "not a column"),
        (GOOD + "\ndomain.reads(Person, find='colour')\n", ContractError, 27, "no column 'colour'"),
        (
            GOOD + '\n@domain.write()\ndef grow(db, person: Person):\n    """Grow."""\n',
            ContractError,
            27,
            "must say what it returns",
        ),
        (
            GOOD + '\n@domain.rule\ndef small(person: Person) -> bool:\n    """{MIN}"""\n',
            ContractError,
            27,
            "unknown constant",
        ),
    ],
)
def test_a_broken_file_is_named_with_its_line(folder, text, kind, line, words):
    path = write(folder, "tiny", text)
    with pytest.raises(kind, match=words) as caught:
        load("tiny", paths=[folder], trust=True)
    assert caught.value.path == path.resolve()
    assert caught.value.line == line
    place = f"{path.resolve()}:{line}" if line else str(path.resolve())
    assert str(caught.value).startswith(place)


def test_a_file_that_is_no_text(folder):
    (folder / "tiny.py").write_bytes(b"\xff\xfe")
    with pytest.raises(DomainSyntaxError, match="can't be read"):
        load("tiny", paths=[folder], trust=True)


def test_the_content_hash_is_of_the_file(folder):
    first = load_file(write(folder, "one"))
    (folder / "sub").mkdir()
    second = load_file(write(folder / "sub", "one"))
    third = load_file(write(folder, "three", GOOD + "\n# a comment\n"))
    assert first.content_hash == second.content_hash
    assert len(first.content_hash) == 16
    assert third.content_hash != first.content_hash
