"""Finding and loading what commands take: domains, and compositions of them, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import domain as single
from ..domain.domain import Domain
from ..domain.loader import (
    Entry,
    declared,
    declared_in,
    execute,
    header,
    raise_broken,
    require_trust,
    shipped_root,
)
from ..errors import ContractError, UnknownDomain
from .composition import Composition
from .sources import Sources, taken_from

_loaded: dict[tuple[Path, Sources], Composition] = {}


def catalogue(paths: Sequence[Path | str] = ()) -> list[Entry]:
    """Every domain and composition that can be found: domains by name, then compositions."""
    return [*single.catalogue(paths), *compositions(paths)]


def compositions(paths: Sequence[Path | str] = ()) -> list[Entry]:
    """Every composition that can be found, by name."""
    categories = {entry.name: entry.category for entry in single.catalogue(paths)}
    return [
        replace(e, category=" + ".join(dict.fromkeys(categories.get(d, "") for d in e.domains)))
        for e in declared("Composition", shipped_root("compositions"), paths)
    ]


def load(
    name: str,
    *,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    prefixes: bool = False,
) -> Domain:
    """Load a domain or a composition by name.

    Args:
        prefixes: whether all tools of a composition are called after their domain, not only those
            whose names clash.

    Raises:
        UnknownDomain: no such domain; names near ones.
        UntrustedDomain: it did not ship with the package and `trust` is not given.
        DomainSyntaxError, ContractError: the file is broken; with file and line.
    """
    entries = {entry.name: entry for entry in compositions(paths)}
    entry = entries.get(name)
    if entry is not None:
        require_trust(entry, trust)
        sources = Sources(tuple(paths), trust, prefixes)
        return load_file(entry.path, shipped=entry.shipped, sources=sources)
    try:
        return single.load(name, paths=paths, trust=trust)
    except UnknownDomain:
        raise_broken(name, shipped_root("compositions"), ())
        raise UnknownDomain(name, [e.name for e in catalogue(paths)]) from None


def load_path(path: Path) -> Domain:
    """Execute the file of a domain or a composition and return it finished."""
    if header(path, False, "Composition") is not None:
        return load_file(path)
    return single.load_file(path)


def load_file(
    path: Path,
    *,
    shipped: bool = False,
    sources: Sources = Sources(),  # noqa: B008
) -> Composition:
    """Execute a composition's file and return it finished (kept for the life of the process)."""
    path = path.resolve()
    if (path, sources) not in _loaded:
        with taken_from(sources):
            composition = declared_in(path, execute(path), "composition", Composition)
            composition.path, composition.shipped = path, shipped
            try:
                composition.finish()
            except ContractError as error:
                error.path = error.path or path
                raise
        _loaded[path, sources] = composition
    return _loaded[path, sources]
