"""The workbooks of a small firm, generated from a seed: what the Excel server's folder holds.

Every sheet has the same form: a header, fifteen entries, and in the last column the product of the
two before it. So a request may speak of "the header row" or "the last column" of any of them.
"""

from __future__ import annotations

import datetime as dt
import random
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook  # type: ignore[import-untyped]
from openpyxl.chart import BarChart, LineChart, Reference  # type: ignore[import-untyped]
from openpyxl.comments import Comment  # type: ignore[import-untyped]
from openpyxl.styles import Font, PatternFill  # type: ignore[import-untyped]
from openpyxl.workbook.defined_name import DefinedName  # type: ignore[import-untyped]

ENTRIES = 15
LAST = ENTRIES + 1
"""The row of the last entry."""

_PEOPLE = (
    "Marta Lind", "Jonas Weber", "Priya Nair", "Tom Okafor", "Elena Rossi", "David Stein",
    "Lucy Chen", "Omar Haddad", "Nina Berg", "Paul Moreau", "Sofia Costa", "Ben Carter",
)  # fmt: skip
_FIRMS = (
    "Harbour Foods", "Miller & Sons", "Nordwind Travel", "City Bakery", "Alpine Sports",
    "Green Gardens", "Delta Print", "Lakeside Hotel", "Brightwater School", "Oak Furniture",
    "Bluebird Radio", "Stone & Tile", "Happy Dog Salon", "Market Pharmacy", "Sunrise Solar",
    "Old Mill Theatre",
)  # fmt: skip
_SUPPLIERS = (
    "Papierhaus", "Office Depot East", "Tonerworks", "Kaffee Kontor", "Lumen Lighting",
    "Safe & Clean",
)  # fmt: skip
_ARTICLES = (
    "Toner black", "Toner colour", "Copy paper", "Envelopes C5", "Coffee beans", "Desk lamp",
    "Hand soap", "Whiteboard markers", "Sticky notes", "USB cables", "Batteries AA", "Folders",
    "Paper towels", "Ball pens", "Staples", "Dish soap", "Light bulbs", "Bin bags", "Tea",
    "Scissors",
)  # fmt: skip
_PROJECTS = ("Website", "Trade fair", "Catalogue", "Shop move", "Audit", "Intranet")
_TOPICS = (
    "First aid", "Spreadsheets", "Negotiating", "Data protection", "Fire safety", "Presentation",
    "Project planning", "French", "Customer calls", "Bookkeeping", "Forklift licence",
    "Photography", "Writing for the web", "Time management", "Leading a team",
)  # fmt: skip
_TOWNS = (
    "Lyon", "Hamburg", "Milan", "Porto", "Vienna", "Bergen", "Leeds", "Ghent", "Prague", "Basel",
    "Malmö", "Cork", "Turin", "Graz", "Nantes",
)  # fmt: skip
_COSTS = (
    "Rent", "Electricity", "Cleaning", "Insurance", "Software", "Advertising", "Postage", "Travel",
    "Training", "Repairs", "Telephone", "Furniture", "Catering", "Legal advice", "Fair stand",
)  # fmt: skip
_DEPARTMENTS = ("Sales", "Accounting", "Purchasing", "Marketing", "Logistics")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September")
_REGIONS = ("North", "South", "East", "West")
_NOTES = (
    "Price agreed by phone", "Check with accounting", "Counted twice", "Discount until June",
    "Delivery was late", "Ask for the receipt",
)  # fmt: skip

# Sheet: prefix of its entries, what they are of, headers, values of the second column, the range of
# the fourth and of the fifth.
_Sheet = tuple[str, Sequence[str], tuple[str, ...], Sequence[str], tuple[int, int], tuple[int, int]]
_ORDER = ("Order", "Customer", "Date", "Quantity", "Price", "Amount")
_HOURS = ("Task", "Employee", "Date", "Hours", "Rate", "Cost")
_BUDGET = ("Item", "Asked for by", "Due", "Units", "Unit cost", "Total")

BOOKS: dict[str, dict[str, _Sheet]] = {
    "sales.xlsx": {
        "Orders": ("O-", _ARTICLES, _ORDER, _FIRMS, (1, 40), (4, 90)),
        "Regions": ("R-", _ARTICLES, ("Offer", "Region", *_ORDER[2:]), _REGIONS, (10, 90), (5, 40)),
        "Customers": (
            "C-", _FIRMS, ("Customer", "Contact", "Since", "Orders", "Average", "Turnover"),
            _PEOPLE, (2, 60), (50, 800),
        ),
        "Returns": ("T-", _ARTICLES, ("Return", *_ORDER[1:]), _FIRMS, (1, 5), (4, 90)),
    },
    "stock.xlsx": {
        "Stock": (
            "ST-", _ARTICLES, ("Article", "Supplier", "Counted", "Quantity", "Price", "Value"),
            _SUPPLIERS, (0, 120), (2, 60),
        ),
        "Reorders": ("RO-", _ARTICLES, ("Article", "Supplier", *_ORDER[2:]), _SUPPLIERS, (5, 80),
                     (2, 60)),
        "Loans": ("L-", _ARTICLES, ("Device", "Borrower", "Back by", "Days", "Fee", "Total"),
                  _PEOPLE, (1, 30), (1, 6)),
    },
    "budget.xlsx": dict.fromkeys(
        _DEPARTMENTS, ("B-", _COSTS, _BUDGET, _PEOPLE, (1, 12), (60, 900))
    ),
    "hours.xlsx": dict.fromkeys(_MONTHS, ("", _PROJECTS, _HOURS, _PEOPLE, (1, 9), (35, 80))),
    "staff.xlsx": {
        "Team": ("", _PEOPLE, ("Name", "Department", "Since", "Hours", "Rate", "Weekly pay"),
                 _DEPARTMENTS, (15, 40), (18, 45)),
        "Training": ("", _TOPICS, ("Course", "Department", "Begins", "Places", "Fee", "Cost"),
                     _DEPARTMENTS, (1, 12), (80, 400)),
    },
    "travel.xlsx": {
        "Trips": ("", _TOWNS, ("Town", "Traveller", "Leaves", "Nights", "Rate", "Cost"), _PEOPLE,
                  (1, 6), (70, 190)),
        "Fairs": ("", _TOWNS, ("Fair", "Visitor", "Begins", "Days", "Ticket", "Cost"), _PEOPLE,
                  (1, 4), (15, 60)),
    },
}  # fmt: skip
"""Workbook to its sheets. Of departments and months, each seed has three."""


def workbooks(seed: int) -> dict[str, Any]:
    """The workbooks of a seed, by file name."""
    dice = random.Random(f"workbooks {seed}")
    books = {name: _book(dice, sheets) for name, sheets in BOOKS.items()}
    _chart(books["sales.xlsx"]["Regions"], dice, "Offers", BarChart())
    _chart(books["sales.xlsx"]["Regions"], dice, "Quantities", LineChart())
    for title, place in (("OrderTotals", "Orders!$F$2:$F$16"), ("Discount", "0.05"),
                         ("CustomerNames", "Customers!$A$2:$A$16")):  # fmt: skip
        books["sales.xlsx"].defined_names[title] = DefinedName(title, attr_text=place)
    stock = books["stock.xlsx"]["Stock"]
    for row, text in zip(dice.sample(range(2, LAST + 1), 4), dice.sample(_NOTES, 4), strict=True):
        stock.cell(row, dice.randint(2, 5)).comment = Comment(text, dice.choice(_PEOPLE))
    return books


def files(seed: int) -> dict[str, bytes]:
    """What else lies in the folder: tables to import, and pictures."""
    dice = random.Random(f"tables {seed}")
    return {
        "new_orders.csv": _table(dice, _ORDER[:5], [f"O-{n}" for n in range(3001, 3009)], _FIRMS),
        "price_list.csv": _table(dice, ("Article", "Supplier", "Valid from", "Packs", "Price"),
                                 dice.sample(_ARTICLES, 8), _SUPPLIERS),
        "visitors.csv": _table(dice, ("Visitor", "Firm", "Day", "Talks", "Score"),
                               dice.sample(_PEOPLE, 8), _FIRMS),
        "logo.png": picture(64, 32, (20, 60 + seed % 120, 140)),
        "stamp.png": picture(40, 40, (150, 30, 30)),
        "map.png": picture(80, 60, (60, 130, 70)),
    }  # fmt: skip


def _book(dice: random.Random, sheets: dict[str, _Sheet]) -> Any:
    book = Workbook()
    book.remove(book.active)
    book.properties.creator = dice.choice(_PEOPLE)
    titles = list(sheets)
    if len(titles) > 4:
        first = dice.randrange(len(titles) - 2)
        titles = titles[first : first + 3]
    for title in titles:
        _fill(book.create_sheet(title), dice, sheets[title])
    return book


def _fill(sheet: Any, dice: random.Random, form: _Sheet) -> None:
    prefix, things, headers, others, whole, price = form
    sheet.append(headers)
    number = dice.randrange(101, 180)
    places = dice.sample(range(max(len(things), ENTRIES)), ENTRIES)
    for row, thing in enumerate((things[place % len(things)] for place in places), 2):
        number += dice.randint(1, 9)
        sheet.append([
            f"{prefix}{number} {thing}" if prefix else thing,
            dice.choice(others),
            dt.date(2025, 1, 6) + dt.timedelta(days=dice.randrange(170)),
            dice.randint(*whole),
            round(dice.uniform(*price) * 2) / 2,
            f"=D{row}*E{row}",
        ])  # fmt: skip
        sheet.cell(row, 3).number_format = "yyyy-mm-dd"
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="FFDDE7F2")
    for column, width in zip("ABCDEF", (26, 20, 12, 10, 10, 12), strict=True):
        sheet.column_dimensions[column].width = width


def _chart(sheet: Any, dice: random.Random, title: str, chart: Any) -> None:
    chart.title = title
    column = 4 if title == "Quantities" else 5
    chart.add_data(Reference(sheet, min_col=column, min_row=1, max_row=LAST), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=LAST))
    chart.width, chart.height = 14 + dice.randint(0, 3), 7
    sheet.add_chart(chart, "H2" if column == 4 else "H20")


def _table(
    dice: random.Random, headers: Sequence[str], firsts: Sequence[str], others: Sequence[str]
) -> bytes:
    lines = [",".join(headers)]
    for first in firsts:
        day = dt.date(2025, 5, 1) + dt.timedelta(days=dice.randrange(14))
        number, price = dice.randint(1, 30), dice.randint(8, 120) / 2
        lines.append(f"{first},{dice.choice(others)},{day},{number},{price}")
    return ("\n".join(lines) + "\n").encode()


def picture(width: int, height: int, color: tuple[int, int, int]) -> bytes:
    """A PNG of one colour."""
    line = b"\0" + bytes(color) * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(line * height, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
