"""`davinci audit`."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from davinci_env.cli import display, results, shortfalls
from davinci_env.cli.options import Json, Names, Paths, Seed, Trust
from davinci_env.cli.progress import progress

if TYPE_CHECKING:
    from davinci_env.audit import AuditReport


def audit(
    names: Names = None,
    profile: Annotated[
        Literal["quick", "full"],
        typer.Option(help="full: longer walks, and more mutants."),
    ] = "quick",
    mutants: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="How many mutants to try, 0 for none."),
    ] = None,
    seed: Seed = 0,
    paths: Paths = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Audit domains: findings, coverage, and the rate of mutants caught.

    Ends with status 1 if a domain has a finding.

    Examples:

    davinci audit library_lending

    davinci audit library_lending --mutants 100 --seed 1

    davinci audit --profile full --json
    """
    from davinci_env.audit import audit as audit_domain
    from davinci_env.compose import load

    folders = paths or []
    sample: dict[str, Any] = {} if mutants is None else {"mutants": mutants}
    reports: dict[str, AuditReport] = {}
    for name in names or _shipped():
        domain = load(name, paths=folders, trust=trust)
        with progress(f"Auditing {name}") as step:
            reports[name] = audit_domain(
                domain, profile=profile, seed=seed, progress=step, **sample
            )
        if not json:
            results.audit(reports[name].to_json())
    if json:
        display.print_json({name: report.to_json() for name, report in reports.items()})
    if not all(report.passed for report in reports.values()):
        raise shortfalls.of_domains({name: len(one.findings) for name, one in reports.items()})


def _shipped() -> list[str]:
    from davinci_env.compose import catalogue

    return [entry.name for entry in catalogue([]) if entry.shipped]
