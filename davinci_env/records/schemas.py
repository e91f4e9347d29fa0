"""The JSON Schemas of the records, as they are published in `docs/schemas/`.

`python -m davinci_env.records.schemas [FOLDER]` writes them.
"""

import sys
from pathlib import Path
from typing import Any

import orjson

from davinci_env.records.jsonl import MODELS

#: Where the schemas live in a source checkout.
DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "docs" / "schemas"


def schemas() -> dict[str, dict[str, Any]]:
    """Make the JSON Schema of each record's stored form, by file name."""
    made = {}
    for name, model in MODELS.items():
        # "serialization": what is written. Every key is in every line, except the optional ones of
        # a message.
        schema = model.model_json_schema(mode="serialization")
        dialect = "https://json-schema.org/draft/2020-12/schema"
        made[f"{model.__name__.lower()}.json"] = {"$schema": dialect, "$id": name, **schema}
    return made


def write_schemas(folder: Path = DEFAULT_FOLDER) -> list[Path]:
    """Write the schemas into a folder, which is made if need be, and give their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, schema in schemas().items():
        path = folder / name
        path.write_bytes(orjson.dumps(schema, option=orjson.OPT_INDENT_2) + b"\n")
        paths.append(path)
    return paths


if __name__ == "__main__":
    for written in write_schemas(*map(Path, sys.argv[1:2])):
        print(written)
