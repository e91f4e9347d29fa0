"""`davinci domains` and `davinci show` on the real catalogue, and domains that cannot be opened."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import SMALLEST, Davinci

SHIPPED = {"clinic_appointments", "library_lending", "order_management"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small domain of somebody else's."""
    (tmp_path / "corner_shop.py").write_text(SMALLEST)
    return tmp_path


def test_the_catalogue_lists_what_ships(davinci: Davinci) -> None:
    entries = json.loads(davinci("domains", "--json").stdout)
    assert SHIPPED <= {entry["name"] for entry in entries if entry["shipped"]}
    assert all(entry["category"] and entry["summary"] for entry in entries)
    printed = davinci("domains").stdout
    assert all(name in printed for name in SHIPPED)


def test_a_further_folder_is_listed_without_running_it(davinci: Davinci, folder: Path) -> None:
    trap = SMALLEST.replace("corner_shop", "trap") + "\nraise SystemExit('ran')\n"
    (folder / "trap.py").write_text(trap)
    entries = json.loads(davinci("domains", "--path", folder, "--json").stdout)
    ours = {entry["name"]: entry for entry in entries if not entry["shipped"]}
    assert set(ours) == {"corner_shop", "trap"}
    assert ours["corner_shop"]["summary"] == "A shop of one table."


def test_a_domain_is_shown_whole(davinci: Davinci, folder: Path) -> None:
    shown = json.loads(davinci("show", "corner_shop", "--path", folder, "--trust", "--json").stdout)
    assert (shown["name"], shown["version"], shown["access"]) == ("corner_shop", 1, "staff")
    assert (shown["tables"], shown["reads"], shown["writes"]) == (1, 1, 0)
    assert shown["tools"] == [
        {
            "tool": "get_person",
            "kind": "read",
            "arguments": ["person_id"],
            "optional": [],
            "does": "Get the details of one person.",
        }
    ]
    assert shown["records"] == [
        {"record": "Person", "is": "A customer.", "columns": ["person_id", "name"], "states": []}
    ]
    assert "clerk" in shown["policy"]
    assert shown["suite"] == {}


def test_a_part_is_shown_alone(davinci: Davinci) -> None:
    policy = davinci("show", "library_lending", "--part", "policy")
    assert policy.stdout.startswith("# ")
    rules = json.loads(davinci("show", "library_lending", "--part", "rules", "--json").stdout)
    assert list(rules) == ["rules"]
    tools = davinci("show", "library_lending", "--part", "tools").stdout
    assert "renew_loan" in tools
    assert "content hash" not in tools


def test_an_overview_holds_every_part(davinci: Davinci) -> None:
    result = davinci("show", "library_lending")
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.match(r"library_lending \d+\n  category", result.stdout)
    headings = ["# Library lending: policy", "Tools", "Records", "Rules", "Frozen suite"]
    places = [result.stdout.index(f"\n{heading}\n") for heading in headings]
    assert places == sorted(places)
    words = set(result.stdout.split())
    assert {"Loan", "renew_loan", "write", "identification", "confirmation"} <= words


def test_a_foreign_domain_is_not_run_without_trust(davinci: Davinci, folder: Path) -> None:
    marker = folder / "ran"
    with (folder / "corner_shop.py").open("a") as file:
        file.write(f"\nopen({str(marker)!r}, 'w').close()\n")
    result = davinci("show", "corner_shop", "--path", folder)
    assert result.exit_code == 2
    assert "is not trusted" in result.stderr
    assert "--trust" in result.stderr
    assert not marker.exists()


def test_a_broken_contract_names_file_and_line(davinci: Davinci, folder: Path) -> None:
    source = SMALLEST.replace("corner_shop", "loose") + (
        "\n\n@domain.rule()\ndef no_text(person: Person) -> bool:\n    return True\n"
    )
    loose = folder / "loose.py"
    loose.write_text(source)
    result = davinci("show", "loose", "--path", folder, "--trust")
    assert (result.exit_code, result.stdout) == (2, "")
    line = source.splitlines().index("@domain.rule()") + 1
    assert f"{loose}:{line}: " in result.stderr
    assert "no_text has no docstring" in result.stderr
    assert "Traceback" not in result.stderr
