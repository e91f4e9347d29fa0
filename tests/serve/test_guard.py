"""Who gets in: this machine's names, this machine's pages, and tokens that are known."""

import asyncio
from typing import Any

import pytest

from davinci_env.errors import UsageError
from davinci_env.serve.guard import OWNER, Guard, Tokens


def knock(guard: Guard, headers: dict[str, str]) -> tuple[int, dict[str, str]]:
    """Send a request through a guard; return the status and the headers of the answer."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": raw}
    asyncio.run(guard(scope, receive, send))
    return sent[0]["status"], {n.decode(): v.decode() for n, v in sent[0].get("headers", [])}


class Inside:
    """What stands behind the guard: answers 200 and remembers whom it was let in as."""

    def __init__(self) -> None:
        self.owners: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.owners.append(scope[OWNER])
        await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:8000", 200),
        ("localhost:8000", 200),
        ("LOCALHOST", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost:8000.evil.example", 421),
        ("127.0.0.1:8000@evil.example", 421),
        ("127.0.0.2", 421),
        ("", 421),
    ],
)
def test_the_host_header_must_name_this_machine(host: str, status: int) -> None:
    assert knock(Guard(Inside(), None), {"host": host})[0] == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:6274", 200),
        ("http://127.0.0.1:3000", 200),
        ("https://localhost", 200),
        ("http://[::1]:3000", 200),
        ("http://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("http://localhost@evil.example", 403),
        ("null", 403),
        ("", 403),
        ("file://", 403),
    ],
)
def test_the_origin_must_be_a_page_of_this_machine(origin: str, status: int) -> None:
    assert knock(Guard(Inside(), None), {"host": "localhost", "origin": origin})[0] == status


def test_a_request_without_host_is_refused() -> None:
    assert knock(Guard(Inside(), None), {})[0] == 421


def test_tokens_name_their_owners() -> None:
    inside = Inside()
    guard = Guard(inside, Tokens({"token-1": "alpha", "token-2": "beta"}))
    for token in ("beta", "alpha"):
        assert knock(guard, {"host": "localhost", "authorization": f"Bearer {token}"})[0] == 200
    assert inside.owners == ["token-2", "token-1"]


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", "Bearer alph", "Bearer alphaa", "Basic alpha", "alpha"],
)
def test_without_a_known_token_nobody_gets_in(authorization: str | None) -> None:
    inside = Inside()
    headers = {"host": "localhost"} | (
        {} if authorization is None else {"authorization": authorization}
    )
    status, answered = knock(Guard(inside, Tokens({"token-1": "alpha"})), headers)
    assert (status, answered["www-authenticate"]) == (401, "Bearer")
    assert inside.owners == []


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "ünicode"])
def test_a_token_that_no_header_can_carry_is_refused(token: str) -> None:
    with pytest.raises(UsageError, match="token-1"):
        Tokens({"token-1": token})


def test_two_equal_tokens_are_refused() -> None:
    with pytest.raises(UsageError, match="are the same"):
        Tokens({"token-1": "alpha", "token-2": "alpha"})
