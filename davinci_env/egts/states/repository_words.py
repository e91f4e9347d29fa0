"""The projects that generated repositories hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    """What a repository can hold.

    Attributes:
        files: first text of each file, by path.
        changes: what commits do: message, path, line that is added. Never to a file of `drafts`.
        branches: branch names and the two changes made on each, as above.
        drafts: what stands uncommitted: path and line that is added.
        fresh: files that nobody has committed yet, with their text.
    """

    files: Mapping[str, str]
    changes: tuple[tuple[str, str, str], ...]
    branches: Mapping[str, tuple[tuple[str, str, str], ...]]
    drafts: tuple[tuple[str, str], ...]
    fresh: Mapping[str, str]


AUTHORS = (
    ("Mara Ellwood", "mara@ellwood.example"),
    ("Tomasz Zielak", "tomasz@zielak.example"),
    ("Aoife Brennan", "aoife@brennan.example"),
    ("Rui Tavares", "rui@tavares.example"),
)

PROJECTS: Mapping[str, Project] = {
    "tidepool": Project(
        files={
            "README.md": "# Tidepool\n\nTide tables for small harbours.\n",
            "CHANGELOG.md": "# Changes\n\n## 0.1\n\n- First harbours.\n",
            "src/tables.py": "def high_water(harbour, day):\n    return lookup(harbour, day)[0]\n",
            "src/harbours.py": "HARBOURS = ['Dunmore', 'Roscoff']\n",
            "src/cli.py": "import tables\n\nprint(tables.high_water('Dunmore', 1))\n",
            "src/units.py": "FEET = 0.3048\n",
            "tests/test_tables.py": "def test_high_water_comes_twice_a_day():\n    assert True\n",
            "docs/usage.md": "# Usage\n\nCall it with a harbour and a day.\n",
            "docs/glossary.md": "# Glossary\n\nNeap: the smallest range of the tide.\n",
            "data/harbours.csv": "name,latitude,longitude\nDunmore,52.15,-6.99\n",
            "data/corrections.csv": "harbour,minutes\nDunmore,4\n",
            "config/defaults.ini": "[output]\nunits = metres\n",
            "config/logging.ini": "[log]\nlevel = warning\n",
            "scripts/fetch.sh": "#!/bin/sh\ncurl -o data/raw.txt \"$1\"\n",
        },
        changes=(
            ("Add Brixham to the harbours", "data/harbours.csv", "Brixham,50.40,-3.51"),
            ("Add Leirvik to the harbours", "data/harbours.csv", "Leirvik,59.78,5.50"),
            ("Look up low water too", "src/tables.py", "def low_water(harbour):\n    return 0"),
            ("Say how to install it", "README.md", "\nInstall it with pip."),
            ("Name the licence", "README.md", "\nMIT licence."),
            ("Test an unknown harbour", "tests/test_tables.py", "def test_unknown():\n    pass"),
            ("Explain summer time", "docs/usage.md", "\nTimes are local, summer time included."),
            ("Give usage examples", "docs/usage.md", "\n    tidepool Roscoff 12"),
            ("Note the release of 0.2", "CHANGELOG.md", "\n## 0.2\n\n- Low water."),
            ("Take the day from the command line", "src/cli.py", "import sys"),
        ),
        branches={
            "moon-phases": (
                ("Compute the age of the moon", "src/moon.py", "SYNODIC_MONTH = 29.53"),
                ("Show the phase beside the table", "src/moon.py", "def phase(day):\n    return 0"),
            ),
            "fix-leap-years": (
                ("Count February right in leap years", "src/calendar.py", "LEAP = 366"),
                ("Test the day after 28 February", "tests/test_calendar.py", "assert True"),
            ),
            "norwegian-harbours": (
                ("Read the Norwegian tables", "data/norway.csv", "name,station"),
                ("Add Ålesund and Florø", "data/norway.csv", "Ålesund,ALES"),
            ),
            "json-output": (
                ("Print tables as JSON", "src/json_output.py", "import json"),
                ("Keep the keys in order", "src/json_output.py", "SORTED = True"),
            ),
            "docs-rewrite": (
                ("Start a tutorial", "docs/tutorial.md", "# Tutorial"),
                ("Draw the tide curve in the tutorial", "docs/tutorial.md", "\n![curve](a.svg)"),
            ),
        },
        drafts=(
            ("src/units.py", "FATHOM = 1.8288"),
            ("src/harbours.py", "HARBOURS.append('Brest')"),
            ("docs/glossary.md", "Slack: when the water stands."),
            ("data/corrections.csv", "Roscoff,-2"),
            ("config/defaults.ini", "language = en"),
            ("config/logging.ini", "file = tidepool.log"),
            ("scripts/fetch.sh", "echo done"),
        ),
        fresh={
            "docs/faq.md": "# Questions\n\nWhy is the table empty? The harbour has no tides.\n",
            "src/wind.py": "KNOT = 0.5144\n",
            "tests/test_units.py": "def test_feet():\n    assert True\n",
            "data/closures.csv": "harbour,from,to\n",
            "notes/ideas.txt": "Warn of spring tides by e-mail.\n",
        },
    ),
    "potluck": Project(
        files={
            "README.md": "# Potluck\n\nWho brings what to the street party.\n",
            "NEWS.md": "# News\n\n## Spring\n\n- People can take a dish.\n",
            "app/dishes.js": "export const dishes = [];\n",
            "app/guests.js": "export const guests = [];\n",
            "app/main.js": "import { dishes } from './dishes.js';\n",
            "app/colours.css": "body { background: ivory; }\n",
            "app/layout.css": "main { max-width: 40rem; }\n",
            "pages/index.html": "<h1>Potluck</h1>\n",
            "pages/about.html": "<p>Made for Linden Street.</p>\n",
            "pages/rules.html": "<p>One dish a household.</p>\n",
            "tests/dishes.test.js": "test('nobody brings nothing', () => {});\n",
            "translations/de.txt": "dish = Gericht\n",
            "translations/fr.txt": "dish = plat\n",
            "settings.json": "{\"guests\": 80}\n",
            "Makefile": "serve:\n\tpython -m http.server\n",
        },
        changes=(
            ("Let a household take two dishes", "app/dishes.js", "export const most = 2;"),
            ("Sort dishes by course", "app/dishes.js", "dishes.sort();"),
            ("Show how many salads there are", "app/main.js", "console.log(dishes.length);"),
            ("Greet guests by name", "pages/index.html", "<p>Hello!</p>"),
            ("Link the rules from the front page", "pages/index.html", "<a href='rules.html'>"),
            ("Say who runs the site", "pages/about.html", "<p>Run by Nadia.</p>"),
            ("Test that dishes are sorted", "tests/dishes.test.js", "test('sorted', () => {});"),
            ("Explain how to run it", "README.md", "\nRun `make serve`."),
            ("Announce the date", "NEWS.md", "\n- The party is on 28 June."),
            ("Announce the rain date", "NEWS.md", "\n- If it rains: 5 July."),
        ),
        branches={
            "allergy-labels": (
                ("List the allergens", "app/allergens.js", "export const nuts = 'N';"),
                ("Mark dishes with nuts", "app/allergens.js", "export const mark = true;"),
            ),
            "dark-theme": (
                ("Add a dark theme", "app/dark.css", "body { background: black; }"),
                ("Make links readable in the dark", "app/dark.css", "a { color: gold; }"),
            ),
            "printable-list": (
                ("Print one page a course", "pages/print.html", "<h1>List</h1>"),
                ("Leave room for a signature", "pages/print.html", "<p>Signed:</p>"),
            ),
            "portuguese": (
                ("Translate the front page", "translations/pt.txt", "welcome = bem-vindo"),
                ("Translate the courses", "translations/pt.txt", "dessert = sobremesa"),
            ),
            "fix-double-booking": (
                ("Refuse a dish that is taken", "app/booking.js", "export const taken = true;"),
                ("Test two people at once", "tests/booking.test.js", "test('one wins', () => {});"),
            ),
        },
        drafts=(
            ("app/guests.js", "guests.push('Kofi');"),
            ("app/colours.css", "h1 { color: teal; }"),
            ("app/layout.css", "footer { margin-top: 3rem; }"),
            ("pages/rules.html", "<p>Label your bowl.</p>"),
            ("translations/de.txt", "guest = Gast"),
            ("translations/fr.txt", "guest = invité"),
            ("Makefile", "test:\n\tnode --test"),
        ),
        fresh={
            "app/weather.js": "export const rain = false;\n",
            "pages/map.html": "<p>Between numbers 4 and 22.</p>\n",
            "translations/tr.txt": "dish = yemek\n",
            "notes/music.txt": "Ask the brass band for two hours.\n",
            "tests/guests.test.js": "test('eighty fit', () => {});\n",
        },
    ),
}  # fmt: skip
