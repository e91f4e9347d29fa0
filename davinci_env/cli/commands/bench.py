"""`davinci bench`."""

from typing import Annotated, Any

import typer

from davinci_env.cli import display, shortfalls
from davinci_env.cli.options import Json


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MEASURE]...", help="Measures to take; all by default."),
    ] = None,
    json: Json = False,
) -> None:
    """Measure speed against the hand-written floor, both in this run, as ratios of CPU time.

    Ends with status 1 if a measure misses its limit.

    Examples:

    davinci bench tool_call episode
    """
    from davinci_env.bench import run

    result = run(names)
    measures: list[dict[str, Any]] = result["measures"]
    if json:
        display.print_json(result)
    else:
        columns = ["name", "product_us", "floor_us", "ratio", "per_second", "limit"]
        rows = [
            [*(one[column] for column in columns), "yes" if holds(one) else "no"]
            for one in measures
        ]
        headings = ["measure", "product µs", "floor µs", "ratio", "per second", "limit", "holds"]
        display.table(headings, rows)
    missed = [one["name"] for one in measures if not holds(one)]
    if missed:
        raise shortfalls.of_measures(missed)


def holds(measure: dict[str, Any]) -> bool:
    """Tell whether a measure keeps its limit.

    The limit bounds the figure that the measure has: the ratio from above, else the rate from
    below, else the product's µs from above.
    """
    limit = measure["limit"]
    if limit is None:
        return True
    if measure["ratio"] is not None:
        return bool(measure["ratio"] <= limit)
    if measure["per_second"] is not None:
        return bool(measure["per_second"] >= limit)
    return bool(measure["product_us"] <= limit)
