"""An MCP server over stdio in the standard library alone that keeps notes, and misbehaves as told.

    python misbehaving_server.py FOLDER [HABIT]

Notes are the files of FOLDER. `work` does whatever the habit is; without one it all goes well.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
HABIT = sys.argv[2] if len(sys.argv) > 2 else ""

TEXT = {"type": "object", "properties": {"name": {"type": "string"}, "text": {"type": "string"}}}
READS = {"readOnlyHint": True}
TOOLS: list[dict[str, Any]] = [
    {"name": "list_notes", "description": "List the notes.", "inputSchema": {"type": "object"},
     "annotations": READS},
    {"name": "read_note", "description": "Read a note.", "annotations": READS,
     "inputSchema": {**TEXT, "required": ["name"]}},
    {"name": "write_note", "description": "Write a note.",
     "inputSchema": {**TEXT, "required": ["name", "text"]}},
    {"name": "work", "description": "Do what it does.", "inputSchema": {"type": "object"}},
]  # fmt: skip
SCHEMAS: dict[str, Any] = {
    "recursive": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
                  "$defs": {"a": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}}}},
    "invalid": {"type": "object", "properties": {"a": {"type": 12}}},
    "no-object": {"type": "array"},
}  # fmt: skip


def tell(message: dict[str, Any]) -> None:
    """Write one message."""
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def text(said: str, *, error: bool = False) -> dict[str, Any]:
    """A result that is one text."""
    return {"content": [{"type": "text", "text": said}], "isError": error}


class Refusal(Exception):
    """Becomes a JSON-RPC error."""


def listing(asked: dict[str, Any], times: int) -> dict[str, Any]:
    tools = list(TOOLS)
    if HABIT == "empty":
        tools = []
    if HABIT in SCHEMAS:
        tools.append({"name": "odd", "inputSchema": SCHEMAS[HABIT]})
    if HABIT == "changing" and times > 1:
        tools.append({"name": f"new_{times}", "inputSchema": {"type": "object"}})
    if HABIT == "announce-change" and times > 1:
        tools.pop()
    if HABIT == "twins":
        tools.append(tools[0])
    if HABIT == "pages":
        place = int(asked.get("cursor") or 0)
        more = {"nextCursor": str(place + 1)} if place + 1 < len(tools) else {}
        return {"tools": tools[place : place + 1], **more}
    if HABIT == "endless-pages":
        return {"tools": tools, "nextCursor": "again"}
    return {"tools": tools}


def call(name: str, given: dict[str, Any]) -> dict[str, Any]:
    if name == "list_notes":
        names = sorted(path.name for path in FOLDER.iterdir())
        return {"structuredContent": {"notes": names, "folder": str(FOLDER)}, "content": []}
    if name == "read_note":
        try:
            return text((FOLDER / given["name"]).read_text())
        except FileNotFoundError:
            return text(f"there is no {FOLDER / given['name']}", error=True)
    if name == "write_note":
        (FOLDER / given["name"]).write_text(given["text"])
        return text("written")
    return work()


def work() -> dict[str, Any]:
    """Do what the habit says."""
    if HABIT == "mute":
        sys.stdin.read()
    if HABIT == "crash":
        print("out of luck", file=sys.stderr)
        os._exit(3)
    if HABIT == "flood-line":
        while True:
            sys.stdout.write("a" * 65536)
    if HABIT == "flood-messages":
        message = {"level": "info", "data": "a" * 999}
        while True:
            tell({"method": "notifications/message", "params": message})
    if HABIT == "garbage":
        print("hello there", flush=True)
    if HABIT == "half-protocol":
        return {"content": "no list"}
    if HABIT == "deep":
        nested = "[" * 100_000 + "]" * 100_000
        sys.stdout.write('{"jsonrpc":"2.0","id":1,"result":' + nested + "}\n")
        sys.stdout.flush()
    if HABIT == "mutate-then-error":
        (FOLDER / "spoiled").write_text("half done")
        return text("it failed halfway", error=True)
    if HABIT == "mutate-then-refuse":
        (FOLDER / "a").write_text("half done")
        raise Refusal("it failed halfway")
    if HABIT == "error-as-success":
        (FOLDER / "spoiled").write_text("half done")
        return text("Error: it failed halfway")
    if HABIT == "leak-process":
        leak = "import time; time.sleep(600)"
        for _ in range(2):
            subprocess.Popen([sys.executable, "-c", leak], start_new_session=True)
    if HABIT == "leak-hidden-process":
        # Its starter is gone and it carries no variable: only its ancestors know it.
        started = subprocess.run(
            [sys.executable, "-c", HIDING, sys.executable], stdout=subprocess.PIPE, check=True
        )
        return text(started.stdout.decode())
    if HABIT == "leak-files":
        for place in (tempfile.gettempdir(), os.path.expanduser("~")):
            Path(place, "left-behind").write_text("x")
        return text(tempfile.gettempdir())
    if HABIT in ("announce", "announce-change"):
        tell({"method": "notifications/tools/list_changed"})
    if HABIT == "parts":
        return {"content": [
            {"type": "text", "text": "two"}, {"type": "text", "text": "[2]"},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "resource_link", "uri": "file:///x", "name": "x"},
            {"type": "resource", "resource": {"uri": "file:///y", "text": "inside"}},
        ]}  # fmt: skip
    return text("done")


HIDING = """
import subprocess, sys
command = [sys.argv[1], "-S", "-c", "import time; time.sleep(600)"]
nothing = subprocess.DEVNULL
print(subprocess.Popen(command, env={}, start_new_session=True, stdout=nothing).pid)
"""


def answer(method: str, asked: dict[str, Any], times: int) -> dict[str, Any]:
    if method == "initialize":
        version = "1999-01-01" if HABIT == "other-version" else asked["protocolVersion"]
        return {
            "protocolVersion": version,
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "notes", "version": "7.1"},
        }
    if method == "tools/list":
        return listing(asked, times)
    if method == "tools/call":
        return call(asked["name"], asked.get("arguments") or {})
    raise Refusal(f"there is no {method}")


def main() -> None:
    if HABIT == "no-start":
        sys.exit("the moon is wrong")
    if HABIT == "banner":
        print("Welcome!", flush=True)
    if HABIT == "silent":
        sys.stdin.read()
    times: dict[str, int] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        method = asked["method"]
        times[method] = times.get(method, 0) + 1
        try:
            result = answer(method, asked.get("params") or {}, times[method])
            tell({"id": asked["id"], "result": result})
        except Refusal as refusal:
            tell({"id": asked["id"], "error": {"code": -32000, "message": str(refusal)}})


if __name__ == "__main__":
    main()
