"""The run store: files that a killed run can be resumed into, to the same bytes.

A run writes JSON Lines files. Its work items come in a fixed order, and each item appends some
lines to some of the files. An append to several files is no atomic thing, so a journal says what
counts:

1. the item's lines are appended to the files;
2. one line is appended to the journal: the item's key, how long each file now is, and a note.

A process that is killed leaves at most one item half written. On opening, the journal is cut after
its last complete line, and every file where that line says. Nothing is synced to the disk: a killed
process loses nothing that it wrote, and after a power cut the store goes back to the last item of
which all bytes are there.

A finished run has a manifest, put in place by one rename, and no journal. The store knows nothing
of what is computed (`davinci_env.episodes.jobs`) nor of what the lines mean.

    journal.jsonl    while unfinished: {"schema", "command", "outputs", "derived"}, then a line
                     {"key", "ends", "note"} for each item
    manifest.json    once finished: {"schema", "command", "outputs", "derived", …,
                     "files": {name: {"lines", "bytes", "sha256"}}}
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import orjson

from davinci_env.episodes.locks import lock
from davinci_env.episodes.place import RUN_SCHEMA, RunPlace, describe, header_of, replacing
from davinci_env.errors import OutputError
from davinci_env.records import JsonObject, encode


@dataclass(frozen=True, slots=True)
class Result:
    """What one work item adds to a run.

    Attributes:
        lines: complete lines (with their newline) for each file; files may be left out.
        note: a small JSON object, kept in the journal, that later decisions may depend on.
    """

    lines: Mapping[str, Sequence[bytes]]
    note: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished item, as the journal has it.

    Attributes:
        key: the item's content hash.
        ends: length of each file after the item, in bytes, in the order of the run's outputs.
        note: the result's note, as it came back from JSON.
    """

    key: str
    ends: tuple[int, ...]
    note: JsonObject


class RunStore:
    """The files of one run, open for appending. Use it in a `with` block.

    Attributes:
        manifest: the manifest of a finished run, or None while there is something to do.
        entries: the finished items of an unfinished run, in order.
    """

    def __init__(
        self,
        out: Path | str,
        command: Mapping[str, Any],
        outputs: Sequence[str] = (),
        *,
        derived: Sequence[str] = (),
        force: bool = False,
    ) -> None:
        """Open a run: start it, or take it up where it was left.

        Args:
            out: the run's folder; where `outputs` is empty, the one file that the run writes (its
                journal and manifest then stand beside it, as `FILE.journal.jsonl` and
                `FILE.manifest.json`).
            command: what identifies the run, as JSON: everything the bytes depend on, and so
                neither the number of jobs, nor the place, nor `force`.
            outputs: names of the JSON Lines files that items append to.
            derived: names of the files that are made from those at the end (`deriving`).
            force: start anew, whatever run is there. Files that no run wrote are never touched in a
                folder; a single file is overwritten.

        Raises:
            OutputError: another command's run or something else is there, the finished run was
                altered, another process is writing it, or the place cannot be written.
        """
        self._place = RunPlace.of(Path(out), outputs, derived)
        self._header = {
            "schema": RUN_SCHEMA,
            "command": dict(command),
            "outputs": list(self._place.outputs),
            "derived": list(self._place.derived),
        }
        self.manifest: Mapping[str, Any] | None = None
        self.entries: list[Entry] = []
        self._files: list[BinaryIO] = []
        self._ends: list[int] = []
        self._journal: BinaryIO | None = None
        try:
            self._open(force)
        except OSError as error:
            self.close()
            raise _unwritable(self._place.out, error) from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def finished(self) -> bool:
        """Whether the run is complete and nothing may be added."""
        return self.manifest is not None

    def path(self, name: str) -> Path:
        """Where one of the run's files is."""
        return self._place.root / name

    def append(self, key: str, result: Result) -> Entry:
        """Add the next item's lines to the run, all of them or, if the process is killed, none.

        Raises:
            OutputError: the disk is full or the place can no longer be written; the run can be
                resumed.
            ValueError: the result names a file that is not one of the run's.
        """
        if self._journal is None:
            raise ValueError("the run is finished or closed")
        unknown = set(result.lines) - set(self._place.outputs)
        if unknown:
            raise ValueError(f"{sorted(unknown)} are no outputs of this run")
        try:
            for position, name in enumerate(self._place.outputs):
                data = b"".join(result.lines.get(name, ()))
                _write(self._files[position], data)
                self._ends[position] += len(data)
            line = encode({"key": key, "ends": self._ends, "note": result.note}) + b"\n"
            _write(self._journal, line)
        except BaseException as error:
            # What was half written is cut off when the run is opened again, and only then.
            self.close()
            if not isinstance(error, OSError):
                raise
            raise _unwritable(self._place.out, error, "make room and run it again") from error
        entry = _entry(line)
        self.entries.append(entry)
        return entry

    @contextmanager
    def deriving(self, name: str) -> Iterator[BinaryIO]:
        """Write a file that is made from the outputs; it is there when the block has ended well."""
        if name not in self._place.derived:
            raise ValueError(f"{name} is no derived file of this run")
        try:
            with replacing(self.path(name)) as file:
                yield file
        except OSError as error:
            raise _unwritable(self._place.out, error, "make room and run it again") from error

    def finish(self, about: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Mark the run as finished and close it.

        Args:
            about: what the manifest says besides the command and the files.

        Returns:
            the manifest.
        """
        for file in self._files:
            file.close()
        names = [*self._place.outputs, *self._place.derived]
        files = {name: describe(self.path(name)) for name in names if self.path(name).exists()}
        manifest = {**self._header, **(about or {}), "files": files}
        with replacing(self._place.manifest) as file:
            file.write(orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")
        self.close()
        self._place.journal.unlink()
        self.manifest = manifest
        return manifest

    def close(self) -> None:
        """Close the files; an unfinished run stays resumable."""
        for file in (*self._files, self._journal):
            if file is not None:
                file.close()
        self._files = []
        self._journal = None

    def _open(self, force: bool) -> None:
        """Find out what is there, and start, resume or leave it."""
        place = self._place
        place.root.mkdir(parents=True, exist_ok=True)
        if force:
            place.wipe()
        identity = encode(self._header, canonical=True)
        mine = header_of(place.journal), header_of(place.manifest)
        if mine == (None, None):
            place.refuse_strangers(force)
            with replacing(place.journal) as file:
                file.write(encode(self._header) + b"\n")
        elif any(header not in (None, identity) for header in mine):
            raise OutputError(
                f"{place.out} holds the run of another command",
                "choose another --out, or start anew with --force",
            )
        elif mine[1] is not None:
            # Killed between the two steps of finishing, a run has both.
            place.journal.unlink(missing_ok=True)
            self.manifest = place.unaltered_manifest()
            return
        self._journal = place.journal.open("r+b", buffering=0)
        lock(self._journal, place.out)
        self._resume(self._journal)

    def _resume(self, journal: BinaryIO) -> None:
        """Cut the journal and the files after the last item of which everything is there."""
        paths = [self.path(name) for name in self._place.outputs]
        sizes = [path.stat().st_size if path.exists() else 0 for path in paths]
        header, *lines = journal.read().splitlines(keepends=True)
        end = len(header)
        for line in lines:
            entry = _complete(line, len(paths))
            if entry is None or any(map(int.__gt__, entry.ends, sizes)):
                break
            self.entries.append(entry)
            end += len(line)
        journal.truncate(end)
        journal.seek(end)
        self._ends = list(self.entries[-1].ends) if self.entries else [0] * len(paths)
        for path, size in zip(paths, self._ends, strict=True):
            file = path.open("ab", buffering=0)
            self._files.append(file)
            file.truncate(size)


def _complete(line: bytes, files: int) -> Entry | None:
    """Read a line of the journal; None where it was not written to its end."""
    if not line.endswith(b"\n"):
        return None
    try:
        entry = _entry(line)
    except (orjson.JSONDecodeError, TypeError, KeyError):
        return None
    return entry if len(entry.ends) == files else None


def _entry(line: bytes) -> Entry:
    value = orjson.loads(line)
    return Entry(value["key"], tuple(value["ends"]), value["note"])


def _write(file: BinaryIO, data: bytes) -> None:
    """Write all bytes to an unbuffered file."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _unwritable(out: Path, error: OSError, remedy: str = "choose another --out") -> OutputError:
    reason = (error.strerror or str(error)).lower()
    return OutputError(f"cannot write to {out} ({reason})", remedy)
