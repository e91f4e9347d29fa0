"""The published JSON Schemas: in step with the models, and true of what is written."""

import jsonschema
import orjson
import pytest

from davinci_env.records import MODELS, Model, to_line
from davinci_env.records.schemas import DEFAULT_FOLDER, schemas, write_schemas
from tests.records import samples

RECORDS = [samples.task(), samples.trajectory(), samples.preference()]


def test_the_published_schemas_are_in_step() -> None:
    """Run `python -m davinci_env.records.schemas` after a change of the models."""
    published = {path.name: orjson.loads(path.read_bytes()) for path in DEFAULT_FOLDER.iterdir()}
    assert published == schemas()


def test_a_schema_is_named_by_its_id() -> None:
    assert [schema["$id"] for schema in schemas().values()] == list(MODELS)


@pytest.mark.parametrize("record", RECORDS)
def test_what_is_written_obeys_its_schema(record: Model) -> None:
    schema = schemas()[f"{type(record).__name__.lower()}.json"]
    line = orjson.loads(to_line(record))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(line, schema)
    for name in line:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({key: line[key] for key in line if key != name}, schema)


def test_writing_them_makes_the_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("docs") / "schemas"
    names = [path.name for path in write_schemas(folder)]
    assert names == ["task.json", "trajectory.json", "preference.json"]
