"""The trigger witness: an independent account of what changed, for tests and the audit.

TEMP triggers note the first old version of each touched row in SQLite itself; nothing here uses the
cell log.
"""

from __future__ import annotations

from typing import Any

import orjson

from .world import World


class TriggerWitness:
    """Watches a world from now on.

    Rolls back with it, since the notes live in the same transaction.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        world.accept()
        world.connection.mode = "setup"
        execute = world.connection.execute
        execute(
            "CREATE TEMP TABLE witness (t TEXT, k TEXT, old TEXT, PRIMARY KEY (t, k)) WITHOUT ROWID"
        )
        for entity in world.schema.entities.values():
            info = entity._info
            name, pk = info.table, info.pk
            old = "json_array(" + ", ".join(f'OLD."{c}"' for c in info.columns) + ")"
            for event, key, value in (
                ("INSERT", "NEW", "NULL"),
                ("UPDATE", "OLD", old),
                ("DELETE", "OLD", old),
            ):
                execute(
                    f"CREATE TEMP TRIGGER witness_{event}_{name} "
                    f'AFTER {event} ON main."{name}" BEGIN '
                    f"INSERT OR IGNORE INTO witness VALUES ('{name}', {key}.\"{pk}\", {value}); "
                    "END"
                )
        world.connection.mode = "engine"

    def changes(self) -> list[tuple[str, str, str, dict[str, list[Any]]]]:
        """Net changes since the witness began: (table, key, op, {column: [old, new]}), sorted."""
        self.world.flush()
        out = []
        execute = self.world.connection.execute
        for table, key, old in execute("SELECT t, k, old FROM witness ORDER BY t, k").fetchall():
            info = self.world.schema.by_table[table]._info
            names = list(info.columns)
            listed = ", ".join(f'"{c}"' for c in names)
            row = execute(
                f'SELECT {listed} FROM "{table}" WHERE "{info.pk}" = ?', (key,)
            ).fetchone()
            before = None if old is None else orjson.loads(old)
            if before is None and row is None:
                continue
            if before is None:
                out.append(
                    (table, key, "+", {c: [None, v] for c, v in zip(names, row, strict=True)})
                )
            elif row is None:
                cells = {c: [v, None] for c, v in zip(names, before, strict=True)}
                out.append((table, key, "-", cells))
            else:
                pairs = zip(names, before, row, strict=True)
                changed = {c: [a, b] for c, a, b in pairs if a != b}
                if changed:
                    out.append((table, key, "~", changed))
        return out
