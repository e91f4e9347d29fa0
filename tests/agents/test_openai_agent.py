"""A model behind an OpenAI-compatible endpoint: a local server that answers from a script."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

pytest.importorskip("openai")

from davinci_env.agents.openai_agent import OpenAIAgent
from davinci_env.errors import UsageError
from tests.agents.talks import Person, desk, talk


class Endpoint:
    """Answers each request with the next message of its script, and keeps the requests."""

    def __init__(self, script: list[dict[str, Any]]) -> None:
        self.requests: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append(json.loads(body))
                message = script[len(outer.requests) - 1]
                status = message.pop("status", 200)
                answer = {
                    "id": "c", "object": "chat.completion", "created": 0, "model": "m",
                    "choices": [
                        {
                            "index": 0,
                            "finish_reason": "stop",
                            "message": {"role": "assistant", "content": None, **message},
                        }
                    ],
                }  # fmt: skip
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def call(number: int, tool: str, arguments: str) -> dict[str, Any]:
    """A tool call as the API gives it."""
    return {
        "id": f"call_{number}",
        "type": "function",
        "function": {"name": tool, "arguments": arguments},
    }


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    started = Endpoint(request.param)
    host, port = started.server.server_address[:2]
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://{host!s}:{port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    yield started
    started.close()


SCRIPT = [
    {
        "tool_calls": [
            call(1, "find_rider_by_email", '{"email": "ada@example.com"}'),
            call(2, "search_stations", "{broken"),
        ]
    },
    {"content": "You are Ada Holm."},
]


@pytest.mark.parametrize("endpoint", [SCRIPT], indirect=True)
def test_calls_and_messages_cross_in_the_form_of_the_api(endpoint: Endpoint) -> None:
    environment = desk()
    made = talk(environment, OpenAIAgent("m"), Person("Who am I?", {}), [])
    assert made == [
        ("find_rider_by_email", {"email": "ada@example.com"}),
        ("search_stations", {"arguments": "{broken"}),
        ("say", "You are Ada Holm."),
    ]
    first, second = endpoint.requests
    assert first["model"] == "m" and first["temperature"] == 0
    assert [m["role"] for m in first["messages"]] == ["system", "user"]
    assert "You are the clerk of a bike rental desk" in first["messages"][0]["content"]
    assert {t["function"]["name"] for t in first["tools"]} == {s.name for s in environment.tools()}
    assert [m["role"] for m in second["messages"][2:]] == ["assistant", "tool"] * 2
    asked = second["messages"][2]["tool_calls"][0]
    assert json.loads(asked["function"]["arguments"]) == {"email": "ada@example.com"}
    assert second["messages"][3]["tool_call_id"] == asked["id"]
    assert "invalid_arguments" in second["messages"][5]["content"]


@pytest.mark.parametrize("endpoint", [[{"status": 400}]], indirect=True)
def test_a_refusal_of_the_endpoint_is_the_callers_to_mend(endpoint: Endpoint) -> None:
    with pytest.raises(UsageError, match="the endpoint of m refuses"):
        talk(desk(), OpenAIAgent("m"), Person("Who am I?", {}), [])


def test_without_a_key_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="set OPENAI_API_KEY"):
        OpenAIAgent("m")
