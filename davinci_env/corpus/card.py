"""The dataset card of a corpus: the README that dataset hubs read, with its YAML header."""

import json
from collections.abc import Mapping
from typing import Any

#: Lower bounds of the size classes that hubs sort by.
_SIZES = (
    (1_000_000, "n>1M"),
    (100_000, "100K<n<1M"),
    (10_000, "10K<n<100K"),
    (1_000, "1K<n<10K"),
    (0, "n<1K"),
)

_WHAT = {
    "sft.jsonl": "conversations to train on: `messages`, `tools`, `meta`",
    "preferences.jsonl": "pairs of a better and a worse message after one prefix",
    "trajectories.jsonl": "every attempt, step by step, with its verdict and the evidence",
    "tasks.jsonl": "the tasks, with their verifiers and the proof that these can be trusted",
    "rejected.jsonl": "what was not good enough, with the reason",
}


def card(title: str, about: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> str:
    """Write the card.

    Args:
        title: what the data is called.
        about: what the manifest says of it: generator, worlds, counts.
        files: the data files, those to train on first, each with its number of lines.
    """
    counts = about["counts"]
    generator = about["generator"]
    filled = [name for name, file in files.items() if file["lines"]]
    sections = [
        _header(title, counts["sft_rows"], filled),
        f"# {title}\n",
        "Multi-turn conversations of an assistant that works with tools in a stateful world. "
        "Every task has an executable verifier; every conversation in `sft.jsonl` passed it. "
        "People, companies and records in it are made up.\n",
        f"Made by {generator['name']} {generator['version']}; `manifest.json` has the command, "
        "versions, seeds and hashes from which it can be made again.\n",
        "## Files\n",
        _table(
            ["file", "rows", "what"],
            [[f"`{name}`", files[name]["lines"], _WHAT[name]] for name in filled]
            + [["`rejected.jsonl`", counts["rejected"], _WHAT["rejected.jsonl"]]],
        ),
        "## What is in it\n",
        _table(
            ["world", "version", "tasks"],
            [
                [name, world["version"], counts["tasks_by_world"].get(name, 0)]
                for name, world in about["worlds"].items()
            ],
        ),
        _table(["kind of task", "tasks"], [list(one) for one in counts["tasks_by_kind"].items()]),
        _systems(about.get("systems", {})),
        "## Use\n",
        "```python\nfrom datasets import load_dataset\n\n"
        'load_dataset("json", data_files="sft.jsonl", split="train")\n```\n',
        "An assistant message with `weight: 0` is a mistake that the conversation recovers from: "
        "it is context, not something to learn; `meta.unlearned` counts them. Records "
        "whose `benchmark` is set are kept out of `sft.jsonl`, so that nobody trains on what "
        "they evaluate with.\n",
    ]
    return "\n".join(section for section in sections if section)


def _systems(systems: Mapping[str, Mapping[str, Any]]) -> str:
    """Which systems written by others the data was made with, and their licences."""
    rows = [
        [name, one["version"], one["licence"], one["origin"], one["benchmark"] or "–"]
        for name, one in systems.items()
    ]
    if not rows:
        return ""
    head = ["system", "version", "licence", "origin", "benchmark"]
    return f"## Systems written by others\n\n{_table(head, rows)}"


def _header(title: str, size: int, filled: list[str]) -> str:
    """Write the YAML that hubs read: a configuration for each file, as their columns differ."""
    sort = next(name for least, name in _SIZES if size >= least)
    lines = [
        "---",
        f"pretty_name: {json.dumps(title, ensure_ascii=False)}",
        "license: apache-2.0",
        "language:",
        "- en",
        "task_categories:",
        "- text-generation",
        "tags:",
        *(f"- {tag}" for tag in ("agents", "function-calling", "synthetic", "tool-use")),
        "size_categories:",
        f"- {sort}",
    ]
    if filled:
        lines.append("configs:")
    for position, name in enumerate(filled):
        lines.append(f"- config_name: {name.removesuffix('.jsonl')}")
        if position == 0:
            lines.append("  default: true")
        lines += ["  data_files:", "  - split: train", f"    path: {name}"]
    return "\n".join([*lines, "---", ""])


def _table(head: list[str], body: list[list[Any]]) -> str:
    """Write a Markdown table; nothing where it would have no row."""
    if not body:
        return ""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in lines) + "\n"
