"""Why a command ends with status 1: one sentence on stderr, beside the result on stdout."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from davinci_env.cli.results import counts, number
from davinci_env.errors import Shortage

Result = Mapping[str, Any]

MISSED = 4
"""How many missed targets a sentence names."""


def of_tasks(result: Result) -> Shortage:
    """Fewer tasks than asked for: how many there are, and what became of the other draws."""
    tasks, wanted = result["tasks"], result["wanted"]
    given = f"{result['out']} holds {tasks} of the {wanted} tasks asked for" if tasks else (
        f"not one of the {wanted} tasks asked for came out"
    )  # fmt: skip
    reasons = []
    if result["rejected"]:
        reasons.append(f"candidates rejected: {counts(result['rejected'])}")
    if result.get("short"):
        reasons.append(f"missing: {counts(result['short'])}")
    missed = result["draws_without_candidate"]
    if missed:
        reasons.append(f"draws without a candidate: {counts(missed)}")
    why = f" ({'; '.join(reasons)})" if reasons else ""
    return Shortage(f"{given}{why}", "ask for fewer, for other kinds, or at another --scale")


def of_lines(file: Path | str, problems: Sequence[Result], *, used: int) -> Shortage:
    """Lines that are no such record: the first one, and how many others there are.

    Args:
        used: how many good lines there were.
    """
    first, others = problems[0], len(problems) - 1
    said = str(first["message"]).removesuffix(".")
    more = f" (and {number(others, 'more line')} like that)" if others else ""
    remedy = f"the {number(used, 'good line')} counted, so mend the file or leave it at that"
    return Shortage(
        f"{file}, line {first['line']}: {said[:1].lower()}{said[1:]}{more}",
        remedy if used else "check that this is the right file",
    )


def of_certificates(file: Path | str, result: Result, *, update: bool) -> Shortage:
    """Certificates that do not hold."""
    failed, tasks = len(result["failed"]), result["tasks"]
    if not update:
        return Shortage(
            f"{failed} of {tasks} certificates in {file} do not hold",
            "leave these tasks out with --update, or make them anew with `davinci tasks`",
        )
    if result["updated"]:
        return Shortage(f"{failed} of {tasks} tasks do not hold any more and were left out")
    return Shortage(
        f"not one of the {tasks} tasks in {file} holds any more, so it stays as it was",
        "make them anew with `davinci tasks`",
    )


def of_rows(result: Result) -> Shortage:
    """Nothing to export."""
    why = f" ({counts(result['skipped'])})" if result["skipped"] else ""
    return Shortage(f"nothing in {result['source']} can be exported{why}")


def of_domains(findings: Mapping[str, int]) -> Shortage:
    """Domains with findings, by name."""
    said = [f"{name} has {number(count, 'finding')}" for name, count in findings.items() if count]
    return Shortage(" and ".join(said))


def of_targets(missed: Sequence[tuple[str, str]]) -> Shortage:
    """Measures of a corpus that miss their target, with their domains."""
    names = [f"{name} of {domain}" for domain, name in missed]
    more = f" and {len(names) - MISSED} more" if len(names) > MISSED else ""
    return Shortage(f"{number(len(names), 'target')} missed: {', '.join(names[:MISSED])}{more}")


def of_measures(names: Sequence[str]) -> Shortage:
    """Measures of the bench that miss their limit."""
    return Shortage(f"over the limit: {', '.join(names)}")
