"""The Excel server: a folder of a small firm's workbooks.

A second process in the family's interpreter (`hosts/workbooks.py`) makes the workbooks of a seed
and reads them for the state: the family has a library for that, and our own interpreter needs none.
Pivot tables, slicers, sparklines and pictures of the initial state are put there by the server
itself, as openpyxl can't write them. The server's clock is stopped; sizes of files are left out of
its answers, since ids that it draws at random change them by some bytes.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import installed
from .hosted import HOSTS
from .mcp_system import McpSystem
from .process import Contained
from .protocol import Answer, System, SystemInfo
from .registry import Options
from .stores import DirectoryStore, date_all

MOMENT = "2025-05-14T09:30:00"
"""The moment at which every episode stands: a Wednesday morning."""

CONTEXT = """\
You edit the Excel workbooks in the office's folder; paths are relative to it. Today is Wednesday, \
14 May 2025. Every sheet has a header in row 1 and its fifteen entries in rows 2 to 16, in the \
columns A to F; column F is calculated from D and E."""

_SETTLING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("set_table", {"path": "sales.xlsx", "sheet": "Customers", "name": "CustomerList",
                   "range": "A1:F16"}),
    ("add_slicer", {"path": "sales.xlsx", "sheet": "Customers", "at": "H2", "field": "Contact",
                    "target": {"sheet": "Customers", "name": "CustomerList"}}),
    ("create_pivot_table", {"path": "sales.xlsx", "sheet": "Returns", "at": "H2",
                            "source": "A1:F16", "row_fields": ["Customer"],
                            "name": "ReturnsByCustomer", "value_fields": [{"field": "Amount"}]}),
    ("add_sparklines", {"path": "stock.xlsx", "sheet": "Reorders", "range": "G2:G16",
                        "source": "D2:F16"}),
    ("insert_image", {"path": "stock.xlsx", "sheet": "Loans", "at": "H2", "name": "Stamp",
                      "image_path": "stamp.png"}),
    ("insert_image", {"path": "stock.xlsx", "sheet": "Loans", "at": "H12", "name": "Floor map",
                      "image_path": "map.png"}),
)  # fmt: skip
"""What the server adds to the workbooks of a seed."""


class ExcelStore(DirectoryStore):
    """The folder, made and read by the second process."""

    def __init__(self) -> None:
        super().__init__()
        self._reader: Contained | None = None

    def prepare(self, seed: int, folder: Path, live: Path) -> str:
        """Write the files of a seed."""
        for name, content in self._ask({"make": seed}).items():
            (folder / self.place / name).write_bytes(base64.b64decode(content))
        date_all(folder / self.place)
        return ""

    def capture(self, folder: Path) -> Any:
        """What the workbooks hold, and the other files."""
        return self._ask({"read": str(folder / self.place)})

    def close(self) -> None:
        """End the second process."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _ask(self, asked: dict[str, Any]) -> Any:
        if self._reader is None:
            self._reader = Contained("the reader of workbooks")
            python = installed.python("excel")
            command = [str(python), str(HOSTS / "frozen.py"), MOMENT, "workbooks:main"]
            self._reader.start(command, {"PYTHONPATH": str(HOSTS)})
        self._reader.renew()
        try:
            return json.loads(self._reader.ask(json.dumps(asked).encode()))
        except BaseException:
            self.close()
            raise


class ExcelSystem(McpSystem):
    """The server."""

    store: ExcelStore

    def __init__(self) -> None:
        origin = "PyPI excel-mcp-server"
        info = SystemInfo("excel", "excel", "2.2.2", "MIT", origin, context=CONTEXT)
        super().__init__(info, ExcelStore())

    def command(self, folder: Path) -> Sequence[str]:
        """The server under a stopped clock, for the one folder."""
        return [
            str(installed.python("excel")), str(HOSTS / "frozen.py"), MOMENT, "excel_mcp.cli:main",
            "stdio", "--allow-dir", str(folder / "work"),
        ]  # fmt: skip

    def settle(self, seed: int) -> None:
        """Add what only the server can write."""
        for tool, arguments in _SETTLING:
            answer: Answer = self.call(tool, arguments)
            assert answer.ok, f"{tool}: {answer.error}"

    def tidied(self, tool: str, content: Any) -> Any:
        """Without the sizes of files."""
        if tool == "list_workbooks" and isinstance(content, dict):
            return sorted(content.get("result", content))
        return content

    def close(self) -> None:
        """End the server and the reader."""
        super().close()
        self.store.close()


def open_system(name: str, options: Options) -> System:
    """The Excel system.

    Raises:
        UsageError: it is not installed.
    """
    installed.home("excel")
    return ExcelSystem()
