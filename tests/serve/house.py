"""A running server for tests: ledgers on free loopback ports, in the test's own event loop."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx2
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from davinci_env.serve.service import Service, Settings
from davinci_env.serve.source import EnvironmentSource

OPERATOR_TOKEN = "operator-token"


@dataclass
class House:
    """A service with its doors: plain HTTP to both listeners, MCP clients to the agents'."""

    service: Service
    agent: httpx2.AsyncClient
    operator: httpx2.AsyncClient

    def client(
        self, token: str | None = None, env_id: str | None = None, **more: Any
    ) -> Client[Any]:
        """Return an MCP client, to be entered, with the headers that bind it."""
        headers = _bearer(token) | ({} if env_id is None else {"x-env-id": env_id})
        transport = StreamableHttpTransport(f"{self.service.agent_url}/mcp", headers=headers)
        return Client(transport, **more)

    async def new_environment(self, token: str | None = None) -> str:
        """Ask for a private environment; return its id."""
        answer = await self.agent.post("/environments", headers=_bearer(token))
        assert answer.status_code == 201, answer.text
        env_id: str = answer.json()["env_id"]
        return env_id


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"authorization": f"Bearer {token}"}


@contextlib.asynccontextmanager
async def house(source: EnvironmentSource, **settings: Any) -> AsyncIterator[House]:
    """Serve a source over HTTP, with an operator's listener, for the time of the block."""
    given = {"http": 0, "operator_port": 0, "operator_token": OPERATOR_TOKEN, **settings}
    service = Service(source, Settings(**given))
    assert service.agent_url is not None
    assert service.operator_url is not None
    operator_headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
    async with (
        service.listening(),
        httpx2.AsyncClient(base_url=service.agent_url) as agent,
        httpx2.AsyncClient(base_url=service.operator_url, headers=operator_headers) as operator,
    ):
        yield House(service, agent, operator)
