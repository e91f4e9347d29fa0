"""`python -m davinci_env.egts`: its own command line, in the manner of `davinci`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from davinci_env.cli import INTERRUPTED, display
from davinci_env.cli.adding import add
from davinci_env.cli.ending import Group
from davinci_env.cli.options import CORES, Force, Jobs, Json, Seed, Trust
from davinci_env.cli.outlet import writable_folder
from davinci_env.cli.progress import progress

if TYPE_CHECKING:
    from davinci_env.egts.blocks import Setting

app = typer.Typer(
    name="egts",
    cls=Group,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Systems = Annotated[
    list[str],
    typer.Option(
        "--system", metavar="NAME", help="A system, as `systems` lists it; may be repeated."
    ),
]
Episodes = Annotated[
    int,
    typer.Option(metavar="N", help="Episodes of exploration for each system.", min=1, max=100_000),
]
Out = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder to write; an unfinished is resumed.")
]
Source = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="The folder that the stage before wrote.", exists=True, file_okay=False
    ),
]
Servers = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A file with `mcpServers`, as MCP clients have it: its servers are systems by name.",
        exists=True,
        dir_okay=False,
    ),
]
State = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=DIR", help="Where a server of --servers keeps its state; may be repeated."
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=FILE", help="A file of words for a system (TOML); may be repeated."),
]
AllowWrites = Annotated[
    bool,
    typer.Option(
        "--allow-writes", help="Call also tools of --servers that aren't known to read only."
    ),
]
Place = Annotated[
    Path | None,
    typer.Option(
        "--path", metavar="DIR", help="Where tau2-bench, or your own domains, are.", exists=True
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="A model behind an OpenAI-compatible endpoint explores, words and replays "
        "(OPENAI_API_KEY), instead of the built-in expert.",
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", metavar="URL", help="The endpoint (OPENAI_BASE_URL).")
]


@app.callback(
    invoke_without_command=True,
    epilog="Begin with [bold]python -m davinci_env.egts systems[/bold].",
)
def root(context: typer.Context) -> None:
    """Verified demonstrations from tool systems that other people wrote.

    A system is explored, what was reached becomes a request, the request is carried out anew from
    the same start, and what passes the audit is kept. With --json, stdout holds the result alone.
    Exit status: 0 done, 1 nothing came of it, 2 wrong usage or bad input.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def systems(json: Json = False) -> None:
    """List the systems that can be named, and whether what they need is installed.

    Examples:

    python -m davinci_env.egts systems
    """
    from davinci_env.egts.systems.installed import PINS, command, is_installed
    from davinci_env.egts.systems.registry import system_names

    rows = []
    for name in system_names():
        family = name.partition(".")[0]
        ready = family not in PINS or is_installed(family)
        rows.append(
            {"system": name, "installed": ready, "install": "" if ready else command(family)}
        )
    if json:
        display.print_json({"systems": rows})
    else:
        told = [(r["system"], r["installed"], r["install"]) for r in rows]
        display.table(["system", "installed", "install it with"], told, title="Systems")


def install(
    family: Annotated[str, typer.Argument(metavar="FAMILY", help="A family of systems, or all.")],
) -> None:
    """Put what a family of systems needs into a folder of its own (PyPI, npm).

    The folder is below $DAVINCI_SYSTEMS (default: ~/.local/share/davinci/systems).

    Examples:

    python -m davinci_env.egts install agentdojo

    python -m davinci_env.egts install all
    """
    from davinci_env.egts.systems.installed import install as install_family

    install_family(family, display.note)


def explore(
    system: Systems,
    out: Out,
    episodes: Episodes = 50,
    seed: Seed = 0,
    jobs: Jobs = CORES,
    servers: Servers = None,
    state: State = None,
    words: Words = None,
    allow_writes: AllowWrites = False,
    path: Place = None,
    trust: Trust = False,
    model: Model = None,
    base_url: BaseUrl = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Explore systems: episodes with their recorded values, in explorations.jsonl.

    Examples:

    python -m davinci_env.egts explore --system agentdojo.banking --episodes 50 --out explored
    """
    setting = _setting(servers, state, words, allow_writes, path, trust, model, base_url)
    _from_nothing("explore", system, episodes, out, seed, jobs, setting, force, json)


def run(
    system: Systems,
    out: Out,
    episodes: Episodes = 50,
    seed: Seed = 0,
    jobs: Jobs = CORES,
    servers: Servers = None,
    state: State = None,
    words: Words = None,
    allow_writes: AllowWrites = False,
    path: Place = None,
    trust: Trust = False,
    model: Model = None,
    base_url: BaseUrl = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Explore, propose, replay and audit in one pass: a corpus that `davinci export` reads.

    Needs no model and no network. The same seed gives the same bytes, whatever --jobs says.

    Examples:

    python -m davinci_env.egts run --system agentdojo.banking --episodes 50 --seed 1 --out out

    python -m davinci_env.egts run --servers mcp.json --system notes --state notes=./notes --out out
    """
    setting = _setting(servers, state, words, allow_writes, path, trust, model, base_url)
    _from_nothing("run", system, episodes, out, seed, jobs, setting, force, json)


def propose(
    source: Source,
    out: Out,
    jobs: Jobs = CORES,
    servers: Servers = None,
    state: State = None,
    words: Words = None,
    allow_writes: AllowWrites = False,
    path: Place = None,
    trust: Trust = False,
    model: Model = None,
    base_url: BaseUrl = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Make requests of explorations: candidates.jsonl, and rejected.jsonl with reasons.

    Examples:

    python -m davinci_env.egts propose explored --out proposed
    """
    setting = _setting(servers, state, words, allow_writes, path, trust, model, base_url)
    _from_stage("propose", source, out, jobs, setting, force, json)


def replay(
    source: Source,
    out: Out,
    jobs: Jobs = CORES,
    servers: Servers = None,
    state: State = None,
    words: Words = None,
    allow_writes: AllowWrites = False,
    path: Place = None,
    trust: Trust = False,
    model: Model = None,
    base_url: BaseUrl = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Carry candidates' requests out anew, from the same start: replays.jsonl.

    Whoever replays gets the request, what its words state, and guidance without values.

    Examples:

    python -m davinci_env.egts replay proposed --out replayed
    """
    setting = _setting(servers, state, words, allow_writes, path, trust, model, base_url)
    _from_stage("replay", source, out, jobs, setting, force, json)


def audit(
    source: Source,
    out: Out,
    jobs: Jobs = CORES,
    servers: Servers = None,
    state: State = None,
    words: Words = None,
    allow_writes: AllowWrites = False,
    path: Place = None,
    trust: Trust = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Keep the replays that hold, with certificates: tasks.jsonl, trajectories.jsonl and the rest.

    Examples:

    python -m davinci_env.egts audit replayed --out corpus
    """
    setting = _setting(servers, state, words, allow_writes, path, trust, None, None)
    _from_stage("audit", source, out, jobs, setting, force, json)


def ground_truth(
    system: Annotated[
        str, typer.Option("--system", metavar="FAMILY", help="A family with solutions of its own.")
    ],
    json: Json = False,
) -> None:
    """Replay a benchmark's own reference solutions through our adapter, judged by our verifier.

    Examples:

    python -m davinci_env.egts ground-truth --system agentdojo --json
    """
    from davinci_env.egts.ground_truth import ground_truth as replay_solutions

    found = replay_solutions(system, display.note)
    if json:
        display.print_json(found.to_json())
    else:
        display.document(found.table())


for _command in (systems, install, explore, propose, replay, audit, run, ground_truth):
    add(app, _command)


def main() -> None:
    """Run the command line and exit with the status that `ending` describes."""
    try:
        app(prog_name="python -m davinci_env.egts")
    except KeyboardInterrupt:
        print("davinci: interrupted.", file=sys.stderr)
        sys.exit(INTERRUPTED)


# -- behind the commands ---------------------------------------------------------------------------


def _from_nothing(
    stage: str, names: list[str], episodes: int, out: Path, seed: int, jobs: int,
    setting: "Setting", force: bool, json: bool,
) -> None:  # fmt: skip
    folder = writable_folder(out)

    from davinci_env.corpus.systems import run_systems

    with progress("Exploring") as step:
        summary = run_systems(
            names, episodes, folder, seed, jobs,
            setting=setting, stage=stage, progress=step, force=force,
        )  # fmt: skip
    _show(summary.to_json(), summary.passed, json)


def _from_stage(
    stage: str, source: Path, out: Path, jobs: int, setting: "Setting", force: bool, json: bool
) -> None:
    folder = writable_folder(out)

    from davinci_env.corpus.systems import run_stage

    labels = {"propose": "Proposing", "replay": "Replaying", "audit": "Auditing"}
    with progress(labels[stage]) as step:
        summary = run_stage(
            stage, source, folder, jobs, setting=setting, progress=step, force=force
        )
    _show(summary.to_json(), summary.passed, json)


def _show(result: dict[str, Any], passed: bool, json: bool) -> None:
    from davinci_env.cli import demonstrations

    if json:
        display.print_json(result)
    else:
        demonstrations.demonstrations(result)
    if not passed:
        raise demonstrations.nothing(result)


def _setting(
    servers: Path | None,
    state: list[str] | None,
    words: list[str] | None,
    allow_writes: bool,
    path: Path | None,
    trust: bool,
    model: str | None,
    base_url: str | None,
) -> "Setting":
    """What the options say of all systems. Raises UsageError for what can't be."""
    from davinci_env.egts.blocks import Setting
    from davinci_env.egts.systems.registry import Options
    from davinci_env.errors import UsageError

    states, files = _pairs("--state", state), _pairs("--words", words)
    if servers is None and (states or allow_writes):
        raise UsageError("--state and --allow-writes are for servers of your own", "add --servers")
    for option, places in (("--state", states), ("--words", files)):
        missing = next((place for place in places.values() if not place.exists()), None)
        if missing is not None:
            raise UsageError(f"{option}: there is no {missing}", "check the path")
    if base_url is not None and model is None:
        raise UsageError("--base-url is the address of a model", "add --model")
    options = Options(
        servers=servers, state=states, allow_writes=allow_writes, path=path, trust=trust
    )
    return Setting(options=options, words=files, model=model, base_url=base_url)


def _pairs(option: str, given: list[str] | None) -> dict[str, Path]:
    """NAME=PATH, several times."""
    from davinci_env.errors import UsageError

    pairs = {}
    for one in given or ():
        name, separator, place = one.partition("=")
        if not separator or not name or not place:
            raise UsageError(f"{option} {one!r} is not of the form NAME=PATH", "put an = between")
        pairs[name] = Path(place)
    return pairs
