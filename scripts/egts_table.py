"""The table of all families: what is explored, demonstrated and accepted, and what exploring costs.

    python scripts/egts_table.py --out demonstrations             # every family that is installed
    python scripts/egts_table.py --out demonstrations --systems kanban,excel --episodes 60

Runs `python -m davinci_env.egts run` for all systems at once, then measures exploration's own CPU
beside the systems' in a few episodes of each hosted one. Prints Markdown, as in docs/egts.md; ends
with status 1 where a target is missed.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from davinci_env.corpus.systems import run_systems
from davinci_env.egts.blocks import Setting
from davinci_env.egts.experience import Experience
from davinci_env.egts.explorer import explore
from davinci_env.egts.lexicon import lexicon_of
from davinci_env.egts.systems import SystemEnvironment, installed
from davinci_env.egts.systems.hosted import HostedSystem
from davinci_env.egts.systems.registry import Options, open_system, system_names
from davinci_env.errors import UsageError
from davinci_env.records import Trajectory, read_jsonl

LESS = ("kanban", "excel")
"""Systems of which a smaller share of tools has to be demonstrated."""

COST_EPISODES = 40


def main() -> int:
    """Run all systems and print the table."""
    given = _parser().parse_args()
    names = given.systems.split(",") if given.systems else list(_installed())
    begun = time.monotonic()
    summary = run_systems(
        names, given.episodes, given.out, given.seed, given.jobs,
        setting=Setting(), progress=_told, force=given.force,
    )  # fmt: skip
    minutes = (time.monotonic() - begun) / 60
    systems: Mapping[str, Any] = summary.to_json()["systems"]
    print(_table(systems))
    for line, holds in _targets(systems, given.out, minutes):
        print(f"- {'holds' if holds else 'MISSED'}: {line}")
    _print_uncoverable(systems)
    print("\n| system | episodes | own CPU s | foreign code | host in all | own / foreign |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        cost = _cost(name, given.seed)
        if cost is not None:
            own, foreign, host = cost
            print(
                f"| {name} | {COST_EPISODES} | {own:.2f} | {foreign:.2f} | {host:.2f} "
                f"| {own / max(foreign, 1e-9):.1f} |"
            )
    return 0 if all(holds for _, holds in _targets(systems, given.out, minutes)) else 1


def _installed() -> Iterator[str]:
    """The systems of other people that can be opened here."""
    for name in system_names():
        family = name.partition(".")[0]
        if family in ("davinci", "tau2"):
            continue
        try:
            installed.home(family)
        except UsageError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        yield name


def _table(systems: Mapping[str, Any]) -> str:
    lines = [
        "| system | tools | coverable | explored | demonstrated | accepted | mutations | sequences "
        "| two tools or more | mean calls | turned down |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for name, one in systems.items():
        down = ", ".join(f"{reason} {n}" for reason, n in one["rejected"].items())
        lines.append(
            f"| {name} | {one['tools']} | {one['coverable']} | {len(one['explored'])} "
            f"| {len(one['demonstrated'])} | {one['accepted']} | {one['mutations']} "
            f"| {one['sequences']} | {one['several_tools']} | {one['mean_calls']} | {down} |"
        )
    return "\n".join(lines)


def _targets(systems: Mapping[str, Any], out: Path, minutes: float) -> Iterator[tuple[str, bool]]:
    """What the table has to show, and whether it does."""
    coverable = sum(one["coverable"] for one in systems.values())
    explored = sum(len(one["explored"]) for one in systems.values())
    shown = sum(len(one["demonstrated"]) for one in systems.values())
    yield f"{explored} of {coverable} coverable tools explored (90 %)", explored >= 0.9 * coverable
    yield f"{shown} of {coverable} demonstrated (80 %)", shown >= 0.8 * coverable
    for name, one in systems.items():
        if name in LESS:
            share = len(one["demonstrated"]) / one["coverable"]
            yield f"{name}: {share:.0%} demonstrated (60 %)", share >= 0.6
    records = read_jsonl(out / "trajectories.jsonl", Trajectory).records
    calls = [[step.tool for step in r.steps if step.type == "call"] for r in records]
    n = max(1, len(records))
    yield f"{len(records)} accepted (2,000)", len(records) >= 2000
    changed = sum(bool(record.terminal.diff) for record in records)
    yield f"{changed} of them mutations (1,000)", changed >= 1000
    sequences = Counter((r.world.name, *c) for r, c in zip(records, calls, strict=True))
    yield f"{len(sequences)} distinct tool sequences (300)", len(sequences) >= 300
    yield (
        f"{max(sequences.values(), default=0)} of one sequence at most (20)",
        (max(sequences.values(), default=0) <= 20),
    )
    several = sum(len(set(c)) > 1 for c in calls)
    yield f"{several / n:.0%} with two tools or more (50 %)", several >= n / 2
    mean = sum(map(len, calls)) / n
    yield f"{mean:.2f} calls in the mean (3)", mean >= 3
    yield f"{minutes:.1f} minutes (30)", minutes <= 30


def _print_uncoverable(systems: Mapping[str, Any]) -> None:
    print("\n| tool | why it can't be covered |")
    print("| --- | --- |")
    for name, one in systems.items():
        for tool, why in one["uncoverable"].items():
            print(f"| {name}: {tool} | {why} |")
    for name, one in systems.items():
        missing = set(one["explored"]) - set(one["demonstrated"])
        if missing:
            print(f"| {name} | explored, not demonstrated: {', '.join(sorted(missing))} |")


def _cost(name: str, seed: int) -> tuple[float, float, float] | None:
    """CPU seconds of exploring: ours, the foreign code's, the whole other interpreter's; None for a
    system whose process is not ours to measure.
    """
    system = open_system(name, Options())
    if not isinstance(system, HostedSystem):
        return None
    environment = SystemEnvironment(system, seed=seed)
    lexicon = lexicon_of(system.info.name, system.info.family)
    experience = Experience()
    foreign, host, begun = system.foreign_cpu, system.host_cpu, time.process_time()
    try:
        for episode in range(COST_EPISODES):
            _, learned = explore(environment, lexicon, experience, seed=seed, episode=episode)
            experience.add(learned)
        own = time.process_time() - begun
        return own, system.foreign_cpu - foreign, system.host_cpu - host
    finally:
        environment.close()


def _told(done: int, total: int, note: str) -> None:
    print(f"\r{done}/{total} {note:<30}", end="", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="The table of all families of foreign systems.")
    parser.add_argument("--out", type=Path, required=True, help="folder of the corpus")
    parser.add_argument("--systems", help="names with commas between (default: all installed)")
    parser.add_argument("--episodes", type=int, default=130, help="of each system (default 130)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--force", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
