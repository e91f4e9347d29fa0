"""`davinci show`: a domain, a task or a trajectory, as a person wants to read it."""

import re
from collections.abc import Iterable, Iterator
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from davinci_env.cli import display, shortfalls
from davinci_env.cli.anatomy import Part
from davinci_env.cli.commands.domains import show_domain
from davinci_env.cli.options import Json, Paths, Seed, Trust
from davinci_env.cli.outlet import writable_file
from davinci_env.errors import OutputError, UsageError

if TYPE_CHECKING:
    from davinci_env.reading import Found, Shelf
    from davinci_env.records import Problem

CORPUS = Path("corpus")
"""The folder in which an id is looked for unless --in names others."""

_ID = re.compile(r"[0-9a-f]{4,}")


What = Annotated[
    str,
    typer.Argument(
        metavar="WHAT",
        help="A domain; or a task or trajectory: its id, the beginning of it, FILE#N "
        "(record N of a file), or FILE (its first).",
    ),
]
OnePart = Annotated[Part | None, typer.Option(help="Of a domain, show this part alone.")]
Within = Annotated[
    list[Path] | None,
    typer.Option(
        "--in",
        metavar="PLACE",
        help="Where ids and the tasks of trajectories are looked for: a file, or the folder of "
        "a corpus or of runs; may be repeated. By default ./corpus and the frozen suites.",
        exists=True,
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(metavar="OUT", help="Write a page instead; of a FILE, all of it, with an index."),
]
Sample = Annotated[
    int | None, typer.Option(metavar="N", help="Of a FILE, N records drawn by --seed.", min=1)
]
Full = Annotated[bool, typer.Option("--full", help="Results and checks whole, not in short.")]
Replace = Annotated[bool, typer.Option("--force", help="Replace what --html names.")]


def show(
    what: What,
    part: OnePart = None,
    within: Within = None,
    html: Html = None,
    sample: Sample = None,
    full: Full = False,
    seed: Seed = 0,
    force: Replace = False,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Show a domain, or read a task or a trajectory.

    Of a domain: policy, tools, records, rules and frozen suite.

    Of a trajectory: what was said, called and changed, each requirement with
    how it came out, and what was proven of the verifier.

    Of a task: what the user says and does, the golden solution, the
    requirements, and what was proven of them.

    Examples:

    davinci show library_lending --part policy

    davinci show corpus/trajectories.jsonl#3

    davinci show 1f0c9a52 --in runs --in tasks.jsonl --full

    davinci show corpus/trajectories.jsonl --sample 50 --html page.html
    """
    places = within or []
    if _is_domain(what, places, paths or []):
        _only_of_records({"--in": within, "--html": html, "--sample": sample, "--full": full})
        show_domain(what, part, paths=paths or [], trust=trust, json=json)
        return
    if part is not None:
        raise UsageError("--part is of domains, and this is a record", "leave it out")
    target = None if html is None else writable_file(html, "--html")
    problems: list[Problem] = []
    found, source = _found(what, places, sample, seed, every=html is not None, problems=problems)
    bad = [one.to_json() for one in problems]
    if target is not None:
        result = {**_write(target, found, source, full=full, force=force), "problems": bad}
        if json:
            display.print_json(result)
        else:
            display.facts([("records", result["conversations"])], title=f"Page {target}")
    elif json:
        records = [_records(one) for one in found]
        display.print_json(records if sample is not None else records[0])
    else:
        _tell(found, full)
    if bad:
        raise shortfalls.of_lines(source, bad, used=len(found))


def _tell(found: "list[Found]", full: bool) -> None:
    """Print records as conversations."""
    from davinci_env.reading import conversation, render

    for one in found:
        shown = conversation(one.task, one.trajectory, one.attempts)
        display.drawn(render(shown, full=full))


def _is_domain(what: str, places: list[Path], paths: list[Path]) -> bool:
    """Tell whether a domain is meant: what is no id, no file and no folder, or in the catalogue."""
    from davinci_env.compose import catalogue

    if "#" in what or places:
        return False
    if any(entry.name == what for entry in catalogue(paths)):
        return True
    path = Path(what)
    return not (path.exists() or len(path.parts) > 1 or path.suffix or _ID.fullmatch(what))


def _only_of_records(given: dict[str, Any]) -> None:
    for option, value in given.items():
        if value:
            raise UsageError(f"{option} is of tasks and trajectories", "leave it out for a domain")


def _found(
    what: str,
    places: list[Path],
    sample: int | None,
    seed: int,
    *,
    every: bool,
    problems: "list[Problem]",
) -> "tuple[list[Found], str]":
    """Find the records that are meant, and what to call where they are from.

    Args:
        every: of a file, all records, not the first.
        problems: takes the lines of a file that are no records.
    """
    from davinci_env.reading import Shelf, files_of

    if not what:
        raise UsageError("nothing was named to be shown", "see `davinci show --help`")
    name, mark, number = what.rpartition("#")
    path = Path(name if mark else what)
    if not (mark or path.exists() or len(path.parts) > 1 or path.suffix):
        if sample is not None:
            raise UsageError("--sample is of a FILE, and this is an id", "leave it out")
        return [Shelf(places or _usual_places(what)).find(what)], what
    if mark and not number.isdigit():
        raise UsageError(f"{what} names no record", "write FILE#N, with N counted from 1")
    file = files_of(path)[0]
    shelf = Shelf([file, *places])
    if mark:
        return [shelf.at(file, int(number))], what
    if sample is not None:
        return _drawn(_good(shelf, file, problems), sample, seed), str(file)
    if every:
        return list(_good(shelf, file, problems)), str(file)
    return [shelf.at(file, 1)], str(file)


def _usual_places(what: str) -> list[Path]:
    """Where an id is looked for when nothing is said: ./corpus, and the frozen suites."""
    from davinci_env.reading import suites

    places = [*([CORPUS] if CORPUS.is_dir() else []), *suites()]
    if not places:
        raise UsageError(f"there is nowhere to look for {what!r}", "name a place with --in")
    return places


def _good(shelf: "Shelf", file: Path, problems: "list[Problem]") -> "Iterator[Found]":
    from davinci_env.records import Problem

    for found in shelf.all(file):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            yield found


def _drawn(found: "Iterable[Found]", n: int, seed: int) -> "list[Found]":
    """Draw `n` records by their ids, so that the same are drawn wherever they stand."""
    from davinci_env.records import content_id

    return nsmallest(n, found, key=lambda one: content_id([seed, one.id]))


def _records(found: "Found") -> dict[str, Any]:
    """A finding as JSON: the records, as they are stored."""
    trajectory = found.trajectory
    return {
        "task": found.task.model_dump(by_alias=True),
        "trajectory": None if trajectory is None else trajectory.model_dump(by_alias=True),
    }


def _write(
    out: Path, found: "list[Found]", source: str, *, full: bool, force: bool
) -> dict[str, Any]:
    """Write the page; another file that is there already is replaced only with `force`."""
    from davinci_env.episodes.place import replacing
    from davinci_env.reading import conversation, page

    shown = [conversation(one.task, one.trajectory, one.attempts) for one in found]
    text = "".join(page(shown, title=source if len(shown) != 1 else "", full=full)).encode()
    if not force and out.exists() and out.read_bytes() != text:
        raise OutputError(f"{out} holds something else", "overwrite it with --force")
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as file:
        file.write(text)
    return {"out": str(out), "conversations": len(shown)}
