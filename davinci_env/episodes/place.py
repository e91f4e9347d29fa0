"""Where the files of a run are, whose they are, and what may be done to them.

Everything that decides whether an existing file may be touched stands here: a run overwrites and
deletes what a run wrote, and nothing else.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

import orjson

from davinci_env.episodes.locks import lock
from davinci_env.errors import OutputError
from davinci_env.records import encode

RUN_SCHEMA = "davinci/run@1"

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where a run's files are: alone in a folder, or one file with its two companions beside it."""

    out: Path
    root: Path
    outputs: tuple[str, ...]
    derived: tuple[str, ...]
    journal: Path
    manifest: Path

    @classmethod
    def of(cls, out: Path, outputs: Sequence[str], derived: Sequence[str]) -> Self:
        """Lay out a run; refuse a folder where a file is needed, and the other way round."""
        if outputs:
            if out.exists() and not out.is_dir():
                raise OutputError(f"{out} is a file", "name a folder")
            journal, manifest = out / "journal.jsonl", out / "manifest.json"
            return cls(out, out, tuple(outputs), tuple(derived), journal, manifest)
        if out.is_dir():
            raise OutputError(f"{out} is a folder", "name a file")
        journal = out.with_name(f"{out.name}.journal.jsonl")
        manifest = out.with_name(f"{out.name}.manifest.json")
        return cls(out, out.parent, (out.name,), tuple(derived), journal, manifest)

    @property
    def alone(self) -> bool:
        """Whether the run has a folder to itself."""
        return self.out == self.root

    def wipe(self) -> None:
        """Delete what the run that is here wrote, and nothing else.

        What tells that these files are a run's goes last, so that a wipe can be taken up again.
        """
        if self.journal.exists():
            # Not under the hands of a process that is still writing.
            with self.journal.open("r+b") as journal:
                lock(journal, self.out)
        for marker in (self.journal, self.manifest):
            header = header_of(marker)
            if header is None:
                continue
            stored = orjson.loads(header)
            for name in (*stored["outputs"], *stored["derived"]):
                # A name with a folder in it is not ours, whoever wrote the header.
                if name == Path(name).name:
                    (self.root / name).unlink(missing_ok=True)
        for path in (self.manifest, self.journal):
            if header_of(path) is not None:
                path.unlink()

    def refuse_strangers(self, force: bool) -> None:
        """Raise OutputError where no run is, but something else."""
        if not self.alone:
            if self.out.exists() and not force:
                raise OutputError(f"{self.out} is there already", "overwrite it with --force")
            self.out.unlink(missing_ok=True)
            return
        half_made = {_half(self.journal).name}
        found = sorted(path.name for path in self.root.iterdir() if path.name not in half_made)
        ours = {*self.outputs, *self.derived, self.journal.name, self.manifest.name}
        clash = sorted(ours.intersection(found))
        if clash:
            raise OutputError(
                f"{self.root} holds {clash[0]}, which no run of davinci-env wrote",
                "choose another folder, or remove that file",
            )
        if found and not force:
            raise OutputError(
                f"{self.root} is not empty and holds no run of davinci-env",
                "choose another folder, or use this one with --force",
            )

    def unaltered_manifest(self) -> Mapping[str, Any]:
        """Read the manifest of a finished run, and see that its files are as long as they were."""
        manifest: dict[str, Any] = orjson.loads(self.manifest.read_bytes())
        for name, about in manifest["files"].items():
            path = self.root / name
            if not path.is_file() or path.stat().st_size != about["bytes"]:
                raise OutputError(
                    f"{path} was removed or altered since its run finished",
                    "make the run anew with --force",
                )
        return manifest


def describe(path: Path) -> dict[str, Any]:
    """Give a file's number of lines, length and SHA-256."""
    digest = hashlib.sha256()
    lines = size = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            lines += chunk.count(b"\n")
            size += len(chunk)
    return {"lines": lines, "bytes": size, "sha256": digest.hexdigest()}


def header_of(path: Path) -> bytes | None:
    """Give what identifies the run that a journal or manifest belongs to; None: it is neither."""
    try:
        with path.open("rb") as file:
            value = orjson.loads(file.readline() if path.suffix == ".jsonl" else file.read())
        if value["schema"] != RUN_SCHEMA:
            return None
        header = {name: value[name] for name in ("schema", "command", "outputs", "derived")}
    except (FileNotFoundError, orjson.JSONDecodeError, TypeError, KeyError):
        return None
    return encode(header, canonical=True)


def _half(path: Path) -> Path:
    """Where a file is written before it is renamed into place."""
    return path.with_name(f"{path.name}.part")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Write a file so that it is there with all its bytes, or as it was before."""
    half = _half(path)
    try:
        with half.open("wb") as file:
            yield file
    except BaseException:
        half.unlink(missing_ok=True)
        raise
    os.replace(half, path)
