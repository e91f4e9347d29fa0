"""The results of commands as tables for people; each takes what a summary's `to_json()` gave.

Programs get the same results as JSON, whole (`display.print_json`). Why a command ends with status
1 is no result: it is a sentence on stderr, made by `shortfalls`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from davinci_env.cli import display
from davinci_env.cli.anatomy import Part

Result = Mapping[str, Any]

PROBLEMS = 10
"""How many bad lines of a file are listed."""

KINDS = ("act", "ask", "act+ask", "deny", "clarify", "handoff", "missing-tool")
"""Kinds of task in the order in which tables show them."""


def corpus(result: Result) -> None:
    """Print what a corpus holds: verified trajectories by domain and kind, and how they came."""
    facts = _generation(result)
    if result["verified"]:
        _by_kind(f"Verified trajectories in {result['out']}", result["verified"])
        solved = f"{result['verified_trajectories']:,} of {result['tasks']:,}"
        share = percent(result["expert_pass_rate"])
        display.facts([("solved by the expert", f"{solved} ({share})"), *facts])
    else:
        display.facts(facts, title=f"No verified trajectory in {result['out']}")


def suite(result: Result) -> None:
    """Print what a task file holds, and how it came about."""
    facts = _generation(result)
    if len(result["domains"]) > 1:
        facts.insert(1, ("of domain", _listed(result["domains"], sorted(result["domains"]))))
    display.facts(facts, title=f"Tasks in {result['out']}")


def rejected(examples: Result) -> None:
    """Print a rejected candidate for each reason: what was said, and what failed."""
    if not examples:
        display.say("No candidate was rejected.")
    for reason, example in examples.items():
        steps = [
            step["say"] if "say" in step else f"{step['tool']} {step['arguments']}"
            for step in example["solution"]
        ]
        display.facts(
            [
                ("what failed", str(example["detail"]) or reason),
                ("kind", str(example["kind"])),
                *[("the user", text) for text in example["turns"]],
                *[("solution", step) for step in steps],
                *[("required", text) for text in example["requirements"]],
            ],
            title=f"Rejected: {reason}",
        )


def certificates(result: Result, file: object) -> None:
    """Print how the certificates of a task file came out."""
    facts = [("certificates that hold", f"{result['certified']:,} of {result['tasks']:,}")]
    if result["kinds"]:
        facts.append(("of kind", _listed(result["kinds"], _in_order(result["kinds"]))))
    if result["updated"]:
        facts.append(("rewritten for the domains' present versions", "yes"))
    display.facts(facts, title=f"Certificates of {file}")
    _failures(result["failed"])
    problems(result["problems"])


def episodes(result: Result, out: object) -> None:
    """Print how an agent did, by kind of task."""
    rows = []
    for kind in _in_order(result["kinds"]):
        counts = result["kinds"][kind]
        passed, failed = counts.get("passed", 0), counts.get("failed", 0)
        rows.append((kind, passed, failed, percent(passed / (passed + failed))))
    if len(rows) > 1:
        passed, every = result["passed"], result["episodes"]
        rows.append(("all", passed, every - passed, percent(passed / every)))
    display.table(
        ["kind", "passed", "failed", "rate"],
        rows,
        title=f"Episodes of {result['agent']} in {out}",
        total=len(rows) > 1,
    )
    problems(result["problems"])


def report(result: Result, runs: object) -> None:
    """Print pass rates: of all, then by kind, domain and number of calls; then what failed."""
    facts = [
        ("episodes", result["episodes"]),
        ("tasks", result["tasks"]),
        ("pass@1", percent(result["pass@1"])),
    ]
    facts += [(f"pass^{k}", percent(rate)) for k, rate in result["pass^k"].items() if k != "1"]
    display.facts(facts, title=f"Report on {runs}")
    rows = [
        (by if number == 0 else "", group, percent(result[f"by_{by}"][group]))
        for by in ("kind", "domain", "calls")
        for number, group in enumerate(_in_order(result[f"by_{by}"]))
    ]
    if rows:
        display.table(["by", "", "pass@1"], rows)
    failures = list(result["failed_requirements"].items())
    if failures:
        display.table(["failed requirement", "episodes"], failures)
    problems(result["problems"])


def export(result: Result) -> None:
    """Print what an export wrote and left out."""
    facts = [
        ("rows", result["rows"]),
        ("read from", result["source"]),
        ("format", f"{result['format']}, for {_SHAPES[result['shape']]}"),
    ]
    if result["unlearned_messages"]:
        facts.append(("messages not to be learned", result["unlearned_messages"]))
    if result["skipped"]:
        facts.append(("left out", counts(result["skipped"])))
    display.facts(facts, title=f"Export in {result['out']}")
    problems(result["problems"])


_SHAPES = {"sft": "fine-tuning", "preference": "preference training"}


def audit(result: Result) -> None:
    """Print one domain's audit: findings, then how far it saw, sizes, likeness and mutants."""
    found = [(one["check"], one["subject"], one["text"], one["line"]) for one in result["findings"]]
    seen = [(f"{name.replace('_', ' ')}", value) for name, value in result["coverage"].items()]
    sizes = [f"{value:,} {name.replace('_', ' ')}" for name, value in result["statistics"].items()
             if isinstance(value, int)]  # fmt: skip
    facts = [("findings", len(found) or "none"), *seen, ("size", ", ".join(sizes))]
    if result["similarity"]:
        nearest = max(result["similarity"], key=result["similarity"].__getitem__)
        facts.append(("most like", f"{nearest}, {percent(result['similarity'][nearest])}"))
    mutants = result["mutants"]
    if mutants is not None:
        noticed = f"{mutants['killed']} of {mutants['total']} ({percent(mutants['rate'])})"
        sample = f"{noticed}, drawn from {mutants['generated']} with seed {mutants['seed']}"
        facts.append(("mutants noticed", sample))
        facts.append(("mutants that change nothing", mutants["equivalent"]))
    display.facts(facts, title=f"Audit of {result['domain']} ({result['profile']})")
    if found:
        display.table(["check", "about", "finding", "line"], found, title="Findings")
    if mutants is not None and mutants["survivors"]:
        rows = [
            (one["operator"], one["line"], one["change"], one["reason"])
            for one in mutants["survivors"]
        ]
        display.table(["operator", "line", "change", "what differs"], rows, title="Not noticed")


DOMAINS = 5
"""How many domains have a column of their own in a survey."""

_GROUPS = {
    "kind": "Kinds of task",
    "goal": "Goals",
    "turn": "Turns after the first",
    "calls": "Calls, repeats aside",
    "denials": "Denials",
    "episodes": "Episodes",
    "cross": "Across domains",
    "requests": "Words of requests",
    "assistant": "Words of assistants",
    "agents": "Passed by others",
}


_NOTED = {
    "denials/most-common-rule": "most common rule",
    "requests/vocabulary": "too few requests",
    "assistant/vocabulary": "too few answers",
}
"""Measures of which it is told what else to know, and how that is called."""


def survey(result: Result, source: str) -> None:
    """Print the measures of a corpus group by group, a column for each domain and for all."""
    title = f"{source}: {number(result['tasks'], 'task')}, {number(result['episodes'], 'episode')}"
    domains = list(dict.fromkeys(one["domain"] for one in result["measures"]))
    shown = domains if len(domains) <= DOMAINS + 1 else domains[-1:]
    found = {(one["name"], one["domain"]): one for one in result["measures"]}
    names = dict.fromkeys(one["name"] for one in result["measures"])
    rows: list[tuple[str, ...]] = []
    for group, heading in _GROUPS.items():
        own = [name for name in names if name.partition("/")[0] == group]
        if own:
            rows.append((heading, "", *("" for _ in shown)))
        for name in own:
            told = [_mark(found.get((name, domain))) for domain in shown]
            rows.append((f"  {name.partition('/')[2]}", _target(found, name), *told))
    display.table(["", "target", *shown], rows, title=title)
    missed = [one for one in result["measures"] if one["holds"] is False]
    if len(shown) < len(domains) and missed:
        rows = [(one["domain"], one["name"], _mark(one), _ends(one)) for one in missed]
        display.table(["domain", "missed", "", "target"], rows)
    held = sum(one["holds"] is True for one in result["measures"])
    notes = []
    for name, said in _NOTED.items():
        noted = [found[name, domain] for domain in shown if (name, domain) in found]
        texts = [f"{one['note']} ({one['domain']})" for one in noted if one["note"]]
        if texts:
            notes.append((said, ", ".join(texts)))
    display.facts([*notes, ("targets met", f"{held} of {held + len(missed)}")])
    problems(result["problems"])


def comparison(result: Result) -> None:
    """Print what trajectories over joined domains have beyond others that are as long."""
    title = (
        f"{number(result['pairs'], 'pair')} of {result['single']} single-domain and "
        f"{result['cross']} cross-domain trajectories, {result['calls']:.1f} calls each"
    )
    rows = [
        (
            one["name"],
            f"{one['all_single']:.2f}",
            f"{one['all_cross']:.2f}",
            f"{one['single']:.2f}",
            f"{one['cross']:.2f}",
            f"{one['difference']:+.2f}",
            "" if one["low"] is None else f"{one['low']:+.2f} to {one['high']:+.2f}",
        )
        for one in result["measures"]
    ]
    columns = ["", "single", "cross", "as long: single", "cross", "difference", "95 %"]
    display.table(columns, rows, title=title)


def _mark(measure: Result | None) -> str:
    """A value with its mark."""
    if measure is None or measure["value"] is None:
        return "–"
    mark = {True: "✓", False: "✗", None: " "}[measure["holds"]]
    return f"{mark} {_figure(measure['value'], measure['unit'])}"


def _figure(value: float, unit: str) -> str:
    if unit == "share":
        return percent(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _target(found: Mapping[tuple[str, str], Result], name: str) -> str:
    """The target of a measure, which is the same for every domain."""
    return next(_ends(one) for (own, _), one in found.items() if own == name)


def _ends(measure: Result) -> str:
    """A target in short: `≥ 50 %`, `≤ 40 %`, `10 % to 20 %`."""
    target, unit = measure["target"], measure["unit"]
    if target is None:
        return ""
    ends = [_figure(end, unit) for end in (target["least"], target["most"]) if end is not None]
    if len(ends) == 2:
        return " to ".join(ends)
    if unit == "share" and target["least"] == 1:
        return ends[0]
    return f"{'≥' if target['least'] is not None else '≤'} {ends[0]}"


def domain(head: Result) -> None:
    """Print what identifies a domain, and its measure."""
    title = f"{head['name']} {head['version']}"
    display.facts(
        [
            ("category", head["category"]),
            ("the agent is", head["role"]),
            ("access", str(head["access"]).replace("_", "-")),
            ("its time", head["now"]),
            ("tools", f"{head['reads']} that read, {head['writes']} that write"),
            ("records", head["tables"]),
            (
                "rules",
                f"{head['enforced_rules']} that tools enforce, "
                f"{head['agent_rules']} for the agent to obey",
            ),
            ("policy", f"{head['policy_words']:,} words"),
            ("content hash", head["content_hash"]),
        ],
        title=title,
    )


def part(name: Part, value: Any) -> None:
    """Print one part of a domain."""
    match name:
        case "policy":
            display.document(value)
        case "tools":
            rows = [(one["tool"], one["kind"], _arguments(one), one["does"]) for one in value]
            display.table(["tool", "", "arguments", "what it does"], rows, title="Tools")
        case "records":
            rows = [(one["record"], one["is"], one["columns"], one["states"]) for one in value]
            display.table(["record", "what it is", "columns", "states"], rows, title="Records")
        case "rules":
            rows = [
                (one["rule"], one["kind"] or one["by"], one["governs"], one["clause"])
                for one in value
            ]
            display.table(["rule", "by", "governs", "clause"], rows, title="Rules")
        case "suite":
            facts = [(kind, value[kind]) for kind in _in_order(set(value) - {"tasks"})]
            facts.insert(0, ("tasks", value.get("tasks", "none is frozen yet")))
            display.facts(facts, title="Frozen suite")


def _arguments(tool: Result) -> list[str]:
    """Names of a tool's arguments, those that may be left out in brackets."""
    return [*tool["arguments"], *(f"[{name}]" for name in tool["optional"])]


def problems(found: Sequence[Result]) -> None:
    """Print the first lines of a file that are no records, if there are any."""
    rows = [(problem["line"], problem["message"]) for problem in found[:PROBLEMS]]
    if rows:
        display.table(["line", "problem"], rows)
    if len(found) > PROBLEMS:
        display.say(f"… and {len(found) - PROBLEMS} more lines\n")


def percent(share: float) -> str:
    """Write a share as a percentage, to a tenth; 0 % and 100 % only for none and all."""
    tenths = round(1000 * share)
    if 0 < share < 1:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths / 10:g} %"


def counts(found: Mapping[str, int]) -> str:
    """Write counts by name, the largest first: `few-outcomes 5, baseline-passes 4`."""
    by_size = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in by_size)


def number(count: int, noun: str) -> str:
    """Write how many there are of something: `1 task`, `2,000 tasks`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _by_kind(title: str, table: Mapping[str, Mapping[str, int]]) -> None:
    """Print counts by domain and kind, with sums of both."""
    kinds = _in_order({kind for row in table.values() for kind in row})
    rows: list[list[Any]] = []
    for name, row in table.items():
        found = [row.get(kind, 0) for kind in kinds]
        rows.append([name, *found, sum(found)])
    if len(rows) > 1:
        rows.append(["all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])])
    display.table(["domain", *kinds, "all"], rows, title=title, total=len(rows) > 1)


def _generation(result: Result) -> list[tuple[str, Any]]:
    """What generation asked for, rejected and missed."""
    facts: list[tuple[str, Any]] = [
        ("tasks certified", f"{result['tasks']:,} of {result['wanted']:,} asked for")
    ]
    if result["kinds"]:
        facts.append(("of kind", _listed(result["kinds"], _in_order(result["kinds"]))))
    if result["rejected"]:
        rejected = sum(result["rejected"].values())
        share = percent(round(result["rejection_rate"], 3))
        facts.append(("candidates rejected", f"{rejected} ({share}): {counts(result['rejected'])}"))
    missed = result["draws_without_candidate"]
    if missed:
        facts.append(("draws without a candidate", f"{sum(missed.values())}: {counts(missed)}"))
    return facts


def _listed(found: Mapping[str, int], names: list[str]) -> str:
    return ", ".join(f"{name} {found[name]}" for name in names)


def _failures(failed: list[Result]) -> None:
    """Print the tasks whose certificates do not hold, if there are any."""
    if failed:
        rows = [(failure["task"], failure["kind"], failure["reason"]) for failure in failed]
        display.table(["task", "kind", "why it does not hold"], rows)


def _in_order(kinds: Any) -> list[str]:
    """Kinds in the house's order, unknown ones last."""
    return sorted(kinds, key=lambda kind: (KINDS.index(kind) if kind in KINDS else 99, kind))
