"""The Croissant description of a corpus (http://mlcommons.org/croissant/1.0), written by hand.

Croissant has no type for nested JSON, and readers stumble over columns that hold it: of such a
column only the texts in it are described.
"""

from collections.abc import Mapping
from typing import Any

import orjson

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{
        name: f"cr:{name}"
        for name in (
            "citeAs",
            "column",
            "equivalentProperty",
            "extract",
            "field",
            "fileObject",
            "fileProperty",
            "fileSet",
            "format",
            "includes",
            "isLiveDataset",
            "jsonPath",
            "key",
            "md5",
            "parentField",
            "path",
            "recordSet",
            "references",
            "regex",
            "repeated",
            "replace",
            "samplingRate",
            "separator",
            "source",
            "subField",
            "transform",
        )
    },
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}

#: What is described of each file: columns, and paths in columns of objects or of lists of objects.
_FIELDS: dict[str, tuple[str, ...]] = {
    "sft.jsonl": (
        "messages[].role",
        "messages[].content",
        "tools[].function.name",
        "meta.task_id",
        "meta.trajectory_id",
        "meta.source",
        "meta.kind",
        "meta.world.name",
        "meta.world.version",
    ),
    "preferences.jsonl": (
        *("id", "task_id", "source", "kind"),
        "prefix[].role",
        "prefix[].content",
        "chosen.content",
        "rejected.content",
    ),
    "trajectories.jsonl": (
        *("id", "task_id", "source", "kind", "finish_reason"),
        "agent.name",
        "messages[].role",
        "messages[].content",
    ),
    "tasks.jsonl": (
        *("id", "source", "kind", "actor"),
        "request.text",
        "requirements[].kind",
        "requirements[].text",
    ),
}


def croissant(title: str, files: Mapping[str, Mapping[str, Any]]) -> bytes:
    """Describe the data files of a corpus that hold anything, as JSON-LD.

    Args:
        title: what the data is called.
        files: the data files, each with its lines, bytes and SHA-256.
    """
    filled = {name: about for name, about in files.items() if about["lines"]}
    described = {
        "@context": dict(sorted(_CONTEXT.items())),
        "@type": "sc:Dataset",
        "name": title,
        "description": "Verified multi-turn conversations of an assistant that works with tools.",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": "https://www.apache.org/licenses/LICENSE-2.0",
        "isLiveDataset": False,
        "distribution": [_file(name, about) for name, about in filled.items()],
        "recordSet": [_records(name) for name in filled],
    }
    return orjson.dumps(described, option=orjson.OPT_INDENT_2) + b"\n"


def _file(name: str, about: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{about['bytes']} B",
        "encodingFormat": "application/jsonlines",
        "sha256": about["sha256"],
    }


def _records(name: str) -> dict[str, Any]:
    """Describe the columns of a file."""
    stem = name.removesuffix(".jsonl")
    fields: dict[str, dict[str, Any]] = {}
    for path in _FIELDS[name]:
        column, dot, inner = path.partition(".")
        column, list_of, _ = column.partition("[]")
        source: dict[str, Any] = {"fileObject": {"@id": name}, "extract": {"column": column}}
        if not dot:
            fields[column] = {**_field(stem, column), "dataType": "sc:Text", "source": source}
            continue
        field = fields.setdefault(
            column, {**_field(stem, column), "repeated": bool(list_of), "subField": []}
        )
        source["transform"] = {"jsonPath": inner}
        field["subField"].append(
            {**_field(f"{stem}/{column}", inner), "dataType": "sc:Text", "source": source}
        )
    return {
        "@type": "cr:RecordSet",
        "@id": stem,
        "name": stem,
        "field": list(fields.values()),
    }


def _field(parent: str, name: str) -> dict[str, Any]:
    return {"@type": "cr:Field", "@id": f"{parent}/{name}", "name": name}
