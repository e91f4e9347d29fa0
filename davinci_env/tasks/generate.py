"""Task suites: certified tasks in one JSONL file, resumable, the same bytes for any `--jobs`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..compose import catalogue, load
from ..episodes.jobs import Done, run_schedule
from ..episodes.store import Result, RunStore
from ..errors import UsageError
from ..records import to_line
from .kinds import DRAWS
from .limits import read_limits, read_quotas
from .schedule import Tally, note_of, quota_schedule, schedule
from .units import TWINS, Order, make, world_seed

Progress = Callable[[int, int, str], None]
"""Called with tasks done, tasks wanted, and a note."""


@dataclass(frozen=True)
class SuiteSummary:
    """What a generation gave."""

    out: Path
    tally: Tally

    @property
    def passed(self) -> bool:
        """Whether as many tasks were certified as were asked for."""
        return self.tally.tasks >= self.tally.wanted and not self.tally.short

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON."""
        short = {"short": self.tally.short} if self.tally.short else {}
        return {"out": str(self.out), **summary_of(self.tally), **short}


def summary_of(tally: Tally) -> dict[str, Any]:
    """Counts of a generation as JSON."""
    return {
        "wanted": tally.wanted,
        "tasks": tally.tasks,
        "kinds": dict(sorted(tally.by_kind.items())),
        "domains": dict(sorted(tally.by_domain.items())),
        "rejected": dict(sorted(tally.rejected.items())),
        "rejection_rate": round(tally.rejection_rate, 4),
        "draws_without_candidate": dict(sorted(tally.missed.items())),
    }


def generate_suite(
    names: Sequence[str] | None,
    n: int,
    out: Path,
    seed: int = 0,
    jobs: int = 1,
    scale: float = 1.0,
    *,
    kinds: Sequence[str] | None = None,
    difficulty: Sequence[str] = (),
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    progress: Progress | None = None,
    force: bool = False,
) -> SuiteSummary:
    """Generate `n` certified tasks for each domain into one file.

    Args:
        names: domains; None takes all that ship with the package.
        kinds: only these kinds; with a number (`deny=10`), so many of each instead of `n`.
        difficulty: limits on measured difficulty, such as `calls>=6`.
        out: JSONL file; an unfinished run of the same command is resumed.

    Raises:
        UnknownDomain, UsageError: bad names, kinds or limits, or an odd number of twins.
        OutputError: something else is at `out`.
    """
    domains = domain_names(names, paths=paths, trust=trust)
    chosen, numbers = _wanted(kinds, n)
    read_limits(difficulty)
    command = {
        "command": "tasks", "domains": versions(domains, paths, trust), "n": n, "seed": seed,
        "scale": scale, "kinds": chosen, **({"quotas": numbers} if numbers else {}),
        **({"difficulty": list(difficulty)} if difficulty else {}),
    }  # fmt: skip
    make_order = order_maker(seed, scale, paths, trust, difficulty)
    try_worlds(domains, seed, scale, paths, trust)
    with RunStore(out, command, force=force) as store:
        if store.manifest is not None:
            return SuiteSummary(out, tally_from(store.manifest["tally"]))
        if numbers:
            plan = quota_schedule(domains, numbers, make_order)
        else:
            plan = schedule(domains, n, chosen, make_order, each=True)
        wanted = (sum(numbers.values()) or n) * len(domains)
        tally = run_schedule(
            store,
            plan,
            functools.partial(_work, out.name),
            jobs=jobs,
            progress=counting(progress, wanted),
        )
        store.finish({"tally": tally_to(tally)})
    return SuiteSummary(out, tally)


def _wanted(kinds: Sequence[str] | None, n: int) -> tuple[list[str], dict[str, int]]:
    """The kinds that are asked for, and how many of each where that is said."""
    quotas = read_quotas(kinds or list(DRAWS), list(DRAWS))
    numbers = {kind: number for kind, number in quotas.items() if number is not None}
    if not numbers and n % 2 and TWINS.issuperset(quotas):
        raise UsageError(
            f"--n {n} can't be reached with {' and '.join(quotas)} alone",
            "each comes with a feasible twin, so give an even number",
        )
    return list(quotas), numbers


def domain_names(
    names: Sequence[str] | None,
    *,
    source: str | None = None,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
) -> list[str]:
    """The domains and compositions asked for, or all shipped domains.

    Args:
        source: "ees-cross" takes all shipped compositions instead, and refuses single domains;
            "ees-single" refuses compositions.

    Raises:
        UnknownDomain, UntrustedDomain: one can't be had. UsageError: one is of the other sort.
    """
    joined = source == "ees-cross"
    if not names:
        entries = [entry for entry in catalogue(paths) if entry.shipped]
        return [entry.name for entry in entries if bool(entry.domains) == joined]
    found = list(dict.fromkeys(names))
    for name in found:
        domain = load(name, paths=paths, trust=trust)
        if source is not None and bool(domain.homes) != joined:
            sort = "a composition" if domain.homes else "a single domain"
            raise UsageError(f"{name} is {sort}, which is no --source {source}", "leave one out")
    return found


def try_worlds(
    domains: Sequence[str], seed: int, scale: float, paths: Sequence[Path | str], trust: bool
) -> None:
    """Build the first world of each domain, so that a seed that fails does so before anything is
    written.
    """
    for name in domains:
        load(name, paths=paths, trust=trust).build(world_seed(seed, 0), scale)


def versions(
    domains: Sequence[str], paths: Sequence[Path | str] = (), trust: bool = False
) -> dict[str, Any]:
    """Name, version and content hash of domains: what a run's bytes depend on."""
    loaded = [load(name, paths=paths, trust=trust) for name in domains]
    return {d.name: {"version": d.version, "content_hash": d.content_hash} for d in loaded}


def order_maker(
    seed: int,
    scale: float,
    paths: Sequence[Path | str],
    trust: bool,
    difficulty: Sequence[str] = (),
) -> Callable[[str, str, int], Order]:
    """Orders of one run."""
    texts, limits = tuple(str(p) for p in paths), tuple(difficulty)
    return lambda domain, kind, index: Order(domain, kind, index, seed, scale, texts, trust, limits)


def counting(progress: Progress | None, wanted: int) -> Callable[[Done], None] | None:
    """Turn finished units into counts of tasks."""
    if progress is None:
        return None
    done = 0

    def step(unit: Done) -> None:
        nonlocal done
        note: Any = unit.note
        done += len(note["kinds"])
        progress(min(done, wanted), wanted, str(note["domain"]))

    return step


def _work(name: str, order: Order) -> Result:
    made = make(order)
    return Result({name: [to_line(task) for task in made.tasks]}, note_of(order, made))


def tally_to(tally: Tally) -> dict[str, Any]:
    """A tally as JSON, for the manifest."""
    return {
        "wanted": tally.wanted,
        "by_kind": dict(sorted(tally.by_kind.items())),
        "by_domain": dict(sorted(tally.by_domain.items())),
        "rejected": dict(sorted(tally.rejected.items())),
        "missed": dict(sorted(tally.missed.items())),
        "passed": dict(sorted(tally.passed.items())),
        "short": dict(tally.short),
        "examples": dict(sorted(tally.examples.items())),
    }


def tally_from(stored: dict[str, Any]) -> Tally:
    """A tally from a manifest."""
    tally = Tally(stored["wanted"])
    for name in ("by_kind", "by_domain", "rejected", "missed", "passed"):
        getattr(tally, name).update(stored[name])
    tally.short, tally.examples = stored["short"], stored["examples"]
    return tally
