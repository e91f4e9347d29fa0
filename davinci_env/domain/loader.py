"""Finding and loading domains: the catalogue reads file headers without executing them; loading
executes one file.

Shipped domains load as they are. A domain from `--path`, `DAVINCI_PATH` or an entry point runs only
when trusted.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from ..errors import (
    ContractError,
    DavinciError,
    DomainSyntaxError,
    UnknownDomain,
    UntrustedDomain,
    UsageError,
)
from .blame import DOMAIN_MODULES
from .domain import Domain

PATH_VARIABLE = "DAVINCI_PATH"
ENTRY_POINTS = "davinci_env.domains"
D = TypeVar("D", bound=Domain)
_PACKAGE = Path(__file__).parent.parent
_loaded: dict[Path, Domain] = {}


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue. `domains` are those that a composition joins."""

    name: str
    category: str
    path: Path
    summary: str
    shipped: bool
    domains: tuple[str, ...] = ()


def shipped_root(kind: str = "domains") -> Path:
    """Where the shipped domains lie: in the wheel's data, or beside the package in a checkout."""
    installed = _PACKAGE / "_data" / kind
    return installed if installed.is_dir() else _PACKAGE.parent / kind


def catalogue(paths: Sequence[Path | str] = ()) -> list[Entry]:
    """Every domain that can be found, by name.

    Files that don't declare a domain are passed over.
    """
    return declared("Domain", shipped_root(), paths)


def declared(call: str, root: Path, paths: Sequence[Path | str] = ()) -> list[Entry]:
    """What files declare with `Domain(...)`, or another call, by name: the shipped ones below
    `root`, and those of other folders.
    """
    entries: dict[str, Entry] = {}
    for folder, shipped in [(root, True), *((folder, False) for folder in _folders(paths))]:
        for path in sorted(folder.rglob("*.py")):
            entry = header(path, shipped, call)
            if entry is not None and entry.name not in entries:
                entries[entry.name] = entry
    return sorted(entries.values(), key=lambda e: e.name)


def load(name: str, *, paths: Sequence[Path | str] = (), trust: bool = False) -> Domain:
    """Load a domain by name.

    Raises:
        UnknownDomain: no such domain; names near ones.
        UntrustedDomain: it did not ship with the package and `trust` is not given.
        DomainSyntaxError, ContractError: the file is broken; with file and line.
    """
    entries = {entry.name: entry for entry in catalogue(paths)}
    entry = entries.get(name)
    if entry is None:
        raise_broken(name, shipped_root(), paths)
        raise UnknownDomain(name, entries)
    require_trust(entry, trust)
    return load_file(entry.path, shipped=entry.shipped)


def require_trust(entry: Entry, trust: bool) -> None:
    """Raise UntrustedDomain for a file that did not ship with the package, unless it is trusted."""
    if not entry.shipped and not trust:
        raise UntrustedDomain(entry.name, entry.path)


def load_file(path: Path, *, shipped: bool = False) -> Domain:
    """Execute a domain file and return its finished domain (kept for the life of the process)."""
    path = path.resolve()
    if path not in _loaded:
        domain = declared_in(path, execute(path), "domain", Domain)
        domain.path, domain.shipped = path, shipped
        try:
            domain.finish()
        except ContractError as error:
            error.path = error.path or path
            raise
        _loaded[path] = domain
    return _loaded[path]


def execute(path: Path, name: str = "") -> ModuleType:
    """Execute a domain file as a module of its own.

    Raises DomainSyntaxError, ContractError: the file is broken; with file and line.
    """
    name = f"{DOMAIN_MODULES}.{name or path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DomainSyntaxError("This is not a Python file", path=path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise DomainSyntaxError(
            f"{error.msg}", "mend the file", path=path, line=error.lineno
        ) from None
    except DavinciError as error:
        if isinstance(error, ContractError) and error.path is None:
            error.path, error.line = path, error.line or _line_in(path, error)
        raise
    except (Exception, SystemExit) as error:
        message = f"the file fails with {type(error).__name__}: {error}"
        raise DomainSyntaxError(
            message, "mend it", path=path, line=_line_in(path, error)
        ) from error
    return module


def declared_in(path: Path, module: ModuleType, name: str, kind: type[D]) -> D:
    """The domain that an executed file declares. Raises DomainSyntaxError where there is none."""
    found = getattr(module, name, None)
    if not isinstance(found, kind):
        raise DomainSyntaxError(
            f"no `{name} = {kind.__name__}(...)` in this file", "declare one", path=path
        )
    return found


def _line_in(path: Path, error: BaseException) -> int | None:
    lines = [
        f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == path
    ]
    return lines[-1] if lines else None


def _folders(paths: Sequence[Path | str]) -> Iterator[Path]:
    for path in paths:
        if not Path(path).is_dir():
            raise UsageError(
                f"there is no folder {str(path)!r}", "give one that holds domain files"
            )
        yield Path(path)
    for text in os.environ.get(PATH_VARIABLE, "").split(os.pathsep):
        if text:
            yield Path(text)
    yield from _installed_folders()


@lru_cache(maxsize=1)
def _installed_folders() -> tuple[Path, ...]:
    """The folders that installed packages offer (the entry points are scanned once a process)."""
    found = []
    for point in entry_points(group=ENTRY_POINTS):
        package, *inner = point.module.split(".")
        spec = importlib.util.find_spec(package)  # of the outermost package: nothing is executed
        for folder in (spec.submodule_search_locations or []) if spec else []:
            found.append(Path(folder, *inner))
    return tuple(found)


def header(path: Path, shipped: bool, call: str) -> Entry | None:
    """What a file declares with a call, None where it doesn't; read again only when the file has
    changed.
    """
    try:
        stat = path.stat()
    except OSError:
        return None
    return _read_header(path, shipped, call, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4096)
def _read_header(path: Path, shipped: bool, name: str, modified: int, size: int) -> Entry | None:
    """Read `domain = Domain("name", category=...)` and the docstring from the syntax tree."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError, OSError, ValueError):
        return None
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            call = node.value
            if isinstance(call.func, ast.Name) and call.func.id == name and call.args:
                given = {k.arg: k.value for k in call.keywords}
                summary = (ast.get_docstring(tree) or "").split("\n", 1)[0]
                joins = given.get("domains")
                parts = [_text(e) for e in joins.elts] if isinstance(joins, ast.List) else []
                called = _text(call.args[0])
                entry = Entry(
                    called, _text(given.get("category")), path, summary, shipped, tuple(parts)
                )
                return entry if called else None
    return None


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def raise_broken(name: str, root: Path, paths: Sequence[Path | str]) -> None:
    """Raise DomainSyntaxError for a file called `name` whose header can't be read, with its line.

    Where there is no such file, nothing is raised.
    """
    for folder in (root, *_folders(paths)):
        for path in sorted(folder.rglob(f"{name}.py")):
            try:
                ast.parse(path.read_text(encoding="utf-8"))
            except SyntaxError as error:
                raise DomainSyntaxError(
                    f"{error.msg}", "mend the file", path=path, line=error.lineno
                ) from None
            except (UnicodeDecodeError, OSError, ValueError) as error:
                raise DomainSyntaxError(f"the file can't be read ({error})", path=path) from None
            raise DomainSyntaxError(
                "no `domain = Domain(...)` in this file", "declare one", path=path
            )
