"""Net changes from the cell log, their canonical form, and the state hash."""

from __future__ import annotations

import hashlib
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import orjson

from .change import CREATED, DELETED, UPDATED, Change, plain
from .entity import EntityInfo
from .renaming import created_names
from .rows import MISSING

if TYPE_CHECKING:
    from .world import World


def net_changes(world: World, since: int) -> list[Change]:
    """Fold the cell log from position `since` on into net changes, sorted by table and key.

    A change that was taken back is no change; a row deleted and created again with the same key is
    an update.
    """
    # What a row held at `since`, or None for a row that did not exist; a sealed one holds it all.
    touched: dict[tuple[Any, str], dict[str, Any] | None] = {}
    sealed: set[tuple[Any, str]] = set()
    for cells, name, old, row in world.log[since:]:
        if row is None:
            continue
        place = (row.entity, row.id)
        if cells is not row.__dict__ and old is MISSING:  # created
            touched.setdefault(place, None)
            continue
        before = touched.setdefault(place, {})
        if before is None or place in sealed:
            continue
        if cells is row.__dict__:
            before.setdefault(name, old)
        else:  # deleted: the dead row still holds the values it had then
            for column in row._info.columns:
                before.setdefault(column, row.__dict__[column])
            sealed.add(place)
    changes = [
        change
        for (entity, key), before in touched.items()
        if (change := _compare(entity._info, key, before, world.get(entity, key))) is not None
    ]
    changes.sort(key=lambda c: (c.table, c.key))
    return changes


def cells_of(row: Any) -> dict[str, Any]:
    """The cell dictionary of a row."""
    return row.__dict__  # type: ignore[no-any-return]


def _compare(info: EntityInfo, key: str, before: dict[str, Any] | None, row: Any) -> Change | None:
    if before is None:
        if row is None:
            return None
        cells = cells_of(row)
        return Change(info.table, key, CREATED, {c: (None, cells[c]) for c in info.columns})
    if row is None:
        return Change(info.table, key, DELETED, {c: (v, None) for c, v in sorted(before.items())})
    cells = cells_of(row)
    changed = {c: (old, cells[c]) for c, old in sorted(before.items()) if old != cells[c]}
    return Change(info.table, key, UPDATED, changed) if changed else None


def canonical(world: World, changes: list[Change]) -> list[list[Any]]:
    """Changes as JSON lists `[table, key, op, cells]` without volatile columns.

    Generated ids of created rows are renamed by content (`new-1`, ...): two worlds whose created
    rows differ only in their ids have the same canonical changes.
    """
    names = created_names(world.schema, changes)
    out: list[list[Any]] = []
    for change in changes:
        table, key, op = change.table, change.key, change.op
        compared = world.schema.compared[table]
        cells: dict[str, Any] = {}
        if op == UPDATED:
            for column, (old, new) in change.cells.items():
                if column in compared:
                    target = compared[column]
                    if names and target is not None:
                        new = names.get((target, new), new)
                    cells[column] = [plain(old), plain(new)]
            if not cells:
                continue
        elif op == CREATED:
            for column, target in compared.items():
                new = change.cells[column][1]
                if names and target is not None:
                    new = names.get((target, new), new)
                cells[column] = plain(new)
        out.append([table, names.get((table, key), key), op, cells])
    if names:
        out.sort(key=itemgetter(0, 1))
    return out


def state_hash(start_hash: str, canonical_changes: list[list[Any]]) -> str:
    """sha256 of the start hash and the canonical net changes since the start."""
    if not canonical_changes:
        return start_hash
    body = orjson.dumps(canonical_changes, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(start_hash.encode() + body).hexdigest()
