"""What came of systems that others wrote, as tables for people, and why nothing came of them."""

from collections.abc import Mapping
from typing import Any

from davinci_env.cli import display
from davinci_env.cli.results import counts
from davinci_env.errors import Shortage

Result = Mapping[str, Any]


def demonstrations(result: Result) -> None:
    """Print what came of exploring systems that others wrote: a row for each, then why the rest was
    turned down.
    """
    heads = ["system", "tools", "coverable", "explored", "demonstrated", "accepted", "mutations",
             "sequences", "mean calls"]  # fmt: skip
    systems = result["systems"]
    rows: list[tuple[Any, ...]] = [
        (name, one["tools"], one["coverable"], len(one["explored"]), len(one["demonstrated"]),
         one["accepted"], one["mutations"], one["sequences"], one["mean_calls"])
        for name, one in systems.items()
    ]  # fmt: skip
    if len(rows) > 1:
        calls = sum(one["calls"] for one in systems.values())
        sums = [sum(row[column] for row in rows) for column in range(1, 8)]
        accepted = sums[4]
        rows.append(("all", *sums, round(calls / accepted, 2) if accepted else None))
    title = f"{_STAGES[result['stage']]} in {result['out']}: {result['gave']:,}"
    display.table(heads, rows, title=title, total=len(rows) > 1)
    facts = [("turned down", counts(result["rejected"]))] if result["rejected"] else []
    for name, one in systems.items():
        facts += [
            (f"{name}: {tool}", f"not coverable: {why}") for tool, why in one["uncoverable"].items()
        ]
    display.facts(facts)


_STAGES = {
    "run": "Accepted demonstrations",
    "explore": "Explorations",
    "propose": "Candidates",
    "replay": "Replays",
    "audit": "Accepted demonstrations",
}


def nothing(result: Result) -> Shortage:
    """Why a command ends with status 1."""
    why = f" (turned down: {counts(result['rejected'])})" if result["rejected"] else ""
    return Shortage(f"{result['out']} holds nothing that was kept{why}", "explore more episodes")
