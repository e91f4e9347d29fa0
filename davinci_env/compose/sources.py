"""Where the domains of a composition come from while its file is executed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from ..domain.domain import Domain
from ..domain.loader import catalogue, declared_in, execute, require_trust
from ..errors import ContractError, UnknownDomain


@dataclass(frozen=True)
class Sources:
    """Further folders of domains, whether these are trusted, and whether every tool is called after
    its domain.
    """

    paths: tuple[Path | str, ...] = ()
    trust: bool = False
    prefixes: bool = False


_ALONE = Sources()
_sources: ContextVar[Sources] = ContextVar("sources", default=_ALONE)


@contextmanager
def taken_from(sources: Sources) -> Iterator[None]:
    """Take domains from these sources meanwhile."""
    token = _sources.set(sources)
    try:
        yield
    finally:
        _sources.reset(token)


def current_sources() -> Sources:
    """The sources from which domains are taken now."""
    return _sources.get()


def declare_part(composition: str, name: str) -> ModuleType:
    """Execute a domain's file once more, for a composition alone.

    Raises:
        ContractError: there is no such domain.
        UntrustedDomain: it did not ship with the package, and is not trusted.
    """
    sources = _sources.get()
    entries = {entry.name: entry for entry in catalogue(sources.paths)}
    entry = entries.get(name)
    if entry is None:
        near = UnknownDomain(name, entries).near
        remedy = f"did you mean {', '.join(near)}?" if near else "`davinci domains` lists them all"
        raise ContractError(f"there is no domain {name!r} to join", remedy)
    require_trust(entry, sources.trust)
    module = execute(entry.path, f"{composition}.{entry.path.stem}")
    domain = declared_in(entry.path, module, "domain", Domain)
    domain.path, domain.shipped = entry.path, entry.shipped
    return module
