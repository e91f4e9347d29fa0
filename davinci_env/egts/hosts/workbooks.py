"""Makes and reads Excel workbooks, beside the server that edits them.

    PYTHON workbooks.py

One JSON object a line each way. `{"make": seed}` gives the folder of a seed, file name to Base64;
`{"read": FOLDER}` the folder's canonical state. Runs in the interpreter of the Excel family, which
has openpyxl: a workbook is far too much to be read without a library, and ours is not to depend on
one for this.

The state has what openpyxl reads by itself. Of the parts that it passes over (pivot tables,
slicers, sparklines, charts' looks) it has hashes, without the random ids in them.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from openpyxl import load_workbook  # type: ignore[import-untyped]
from openpyxl.styles.colors import Color  # type: ignore[import-untyped]
from openpyxl.worksheet.worksheet import Worksheet  # type: ignore[import-untyped]
from workbook_scene import files, workbooks  # type: ignore[import-not-found]

_READ = (
    "[Content_Types].xml", "_rels/", "docProps/", "xl/workbook.xml", "xl/_rels/", "xl/styles.xml",
    "xl/sharedStrings.xml", "xl/worksheets/", "xl/theme/", "xl/comments", "xl/tables/", "xl/media/",
    "xl/calcChain.xml", "xl/metadata.xml",
)  # fmt: skip
"""Parts that are read by what they mean, or that only join others."""
_RANDOM = re.compile(rb"\{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?")
_EXTENSIONS = re.compile(rb"<extLst>.*</extLst>", re.DOTALL)
_WORKBOOK = (".xlsx", ".xlsm", ".xltx", ".xltm")


class Reader:
    """Reads folders; what was read once is known by its bytes."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def read(self, folder: Path) -> dict[str, Any]:
        """The state of a folder."""
        state: dict[str, Any] = {"workbooks": {}, "files": {}}
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            name, content = path.relative_to(folder).as_posix(), path.read_bytes()
            if path.suffix in _WORKBOOK:
                state["workbooks"][name] = self._workbook(content)
            elif path.suffix in (".csv", ".tsv"):
                state["files"][name] = content.decode("utf-8", "replace")
            else:
                state["files"][name] = hashlib.sha256(content).hexdigest()
        return state

    def _workbook(self, content: bytes) -> Any:
        key = hashlib.sha256(content).hexdigest()
        if key not in self.known:
            if len(self.known) > 200:
                self.known.clear()
            try:
                self.known[key] = read_workbook(content)
            except Exception:
                # What openpyxl can't read, the server can't either: a state like any other.
                self.known[key] = {"unreadable": key}
        return self.known[key]


def read_workbook(content: bytes) -> dict[str, Any]:
    """A workbook as canonical JSON."""
    book = load_workbook(io.BytesIO(content))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    properties = book.properties
    return {
        "sheets": {
            sheet.title: _sheet(sheet, number)
            if isinstance(sheet, Worksheet)
            else {"chart": number}
            for number, sheet in enumerate(book._sheets, 1)
        },
        "names": {name: found.attr_text for name, found in book.defined_names.items()},
        "properties": {
            name: getattr(properties, name)
            for name in ("title", "subject", "creator", "keywords")
            if getattr(properties, name)
        },
        "calculation": _plain(book.calculation),
        "protected": bool(book.security and book.security.lockStructure),
        "others": _others(parts),
    }


def _others(parts: dict[str, bytes]) -> dict[str, str]:
    """Hashes of what openpyxl passes over."""
    found = {name: data for name, data in parts.items() if not name.startswith(_READ)}
    for name, data in parts.items():
        extension = _EXTENSIONS.search(data) if name.startswith("xl/worksheets/sheet") else None
        if extension is not None:
            found[f"{name}#extensions"] = extension.group()
        if name.startswith("xl/media/"):
            found[name] = data
    return {
        name: hashlib.sha256(_RANDOM.sub(b"{}", data)).hexdigest()[:16]
        for name, data in sorted(found.items())
    }


def _sheet(sheet: Any, number: int) -> dict[str, Any]:
    cells: dict[str, dict[str, Any]] = {}
    looks: dict[str, Any] = {}
    notes: dict[str, Any] = {}
    links: dict[str, Any] = {}
    known: dict[Any, Any] = {}
    for (row, _), cell in sorted(sheet._cells.items()):
        if cell.value is not None:
            cells.setdefault(str(row), {})[cell.column_letter] = _value(cell.value)
        if cell.has_style:
            key = tuple(cell._style)
            if key not in known:
                known[key] = _look(cell)
            if known[key]:
                looks[cell.coordinate] = known[key]
        if cell.comment is not None:
            notes[cell.coordinate] = {"text": cell.comment.text, "author": cell.comment.author}
        if cell.hyperlink is not None:
            links[cell.coordinate] = cell.hyperlink.target or cell.hyperlink.location
    found = {
        "position": number, "cells": cells, "looks": looks, "notes": notes, "links": links,
        "merged": sorted(str(place) for place in sheet.merged_cells.ranges),
        "charts": {_title(chart) or str(n): type(chart).__name__
                   for n, chart in enumerate(sheet._charts, 1)},
        "images": len(sheet._images),
        "tables": {name: _plain(table) for name, table in sheet.tables.items()},
        "validations": [_plain(rule) for rule in sheet.data_validations.dataValidation],
        "conditions": {str(place.sqref): [_plain(rule) for rule in place.rules]
                       for place in sheet.conditional_formatting},
        "pivots": [pivot.name for pivot in sheet._pivots],
        **_layout(sheet),
    }  # fmt: skip
    return {name: value for name, value in found.items() if value not in ({}, [], None, 0, "")}


def _layout(sheet: Any) -> dict[str, Any]:
    return {
        "widths": {letter: [d.width, d.hidden, d.outline_level]
                   for letter, d in sorted(sheet.column_dimensions.items())},
        "heights": {str(n): [d.height, d.hidden, d.outline_level]
                    for n, d in sorted(sheet.row_dimensions.items())
                    if d.height or d.hidden or d.outline_level},
        "frozen": sheet.freeze_panes,
        "filter": _plain(sheet.auto_filter) if sheet.auto_filter.ref else None,
        "visibility": sheet.sheet_state if sheet.sheet_state != "visible" else None,
        "tab": _plain(sheet.sheet_properties.tabColor),
        "protection": _plain(sheet.protection) if sheet.protection.sheet else None,
        "print": {"page": _plain(sheet.page_setup), "margins": _plain(sheet.page_margins),
                  "options": _plain(sheet.print_options), "area": sheet.print_area or "",
                  "rows": sheet.print_title_rows, "columns": sheet.print_title_cols,
"running": _running(sheet.HeaderFooter)},
        "view": _plain(sheet.sheet_view),
    }  # fmt: skip


def _running(found: Any) -> list[str | None]:
    """The texts above and below every printed page."""
    places = (found.oddHeader, found.oddFooter)
    return [part.text for place in places for part in (place.left, place.center, place.right)]


def _look(cell: Any) -> dict[str, Any]:
    """How a cell is shown, where that is more than the default."""
    fill = cell.fill
    found = {
        "font": {name: _plain(getattr(cell.font, name))
                 for name in ("name", "sz", "b", "i", "u", "strike", "color")
                 if getattr(cell.font, name)},
        "fill": [fill.fill_type, _plain(fill.fgColor)] if fill.fill_type else None,
        "number": cell.number_format if cell.number_format != "General" else None,
        "alignment": _plain(cell.alignment),
        "border": {side: getattr(cell.border, side).style
                   for side in ("left", "right", "top", "bottom")
                   if getattr(cell.border, side) and getattr(cell.border, side).style},
        "unlocked": not cell.protection.locked,
        "formula hidden": cell.protection.hidden,
    }  # fmt: skip
    if set(found["font"]) == {"name", "sz", "color"}:
        found["font"] = {}
    return {name: value for name, value in found.items() if value}


def _title(chart: Any) -> str:
    """A chart's title, as text."""
    title = chart.title
    rich = title.tx.rich if title is not None and title.tx is not None else None
    runs = [run.t for p in rich.p for run in p.r or ()] if rich is not None else []
    return "".join(runs)


def _value(value: Any) -> Any:
    if isinstance(value, bool | int | float | str):
        return value
    text = getattr(value, "text", None)  # of an array formula
    if isinstance(text, str):
        return {"array": text, "range": value.ref}
    iso = getattr(value, "isoformat", None)
    return iso().removesuffix("T00:00:00") if iso is not None else str(value)


def _plain(thing: Any) -> Any:
    """One of openpyxl's descriptions as JSON, without what is not set."""
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if isinstance(thing, list | tuple):
        return [_plain(item) for item in thing]
    if isinstance(thing, dict):
        return {str(name): _plain(value) for name, value in thing.items()}
    if isinstance(thing, Color):
        return thing.rgb if thing.type == "rgb" else f"{thing.type} {thing.value} {thing.tint}"
    names = [*getattr(thing, "__attrs__", ()), *getattr(thing, "__elements__", ())]
    if not names:
        return str(thing)
    found = {name: _plain(getattr(thing, name, None)) for name in names}
    return {name: value for name, value in found.items() if value not in (None, [], {}, False, "")}


def make(seed: int) -> dict[str, str]:
    """The files of a seed, as Base64."""
    made = dict(files(seed))
    for name, book in workbooks(seed).items():
        buffer = io.BytesIO()
        book.save(buffer)
        made[name] = buffer.getvalue()
    return {name: base64.b64encode(made[name]).decode() for name in sorted(made)}


def main() -> None:
    """Answer until standard input ends."""
    reader = Reader()
    for line in sys.stdin:
        asked = json.loads(line)
        told = make(asked["make"]) if "make" in asked else reader.read(Path(asked["read"]))
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
