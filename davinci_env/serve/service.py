"""A running server: its listeners, its leases, and the end of both."""

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from davinci_env.environment import Environment
from davinci_env.errors import UsageError
from davinci_env.serve.agent_http import agent_app
from davinci_env.serve.guard import Tokens
from davinci_env.serve.leases import LEASE_SECONDS, MAX_ENVIRONMENTS, PARK_SECONDS, Leases
from davinci_env.serve.listen import Listener, bind, stopped_by_signals
from davinci_env.serve.operations import Operations
from davinci_env.serve.operator_http import operator_app
from davinci_env.serve.protocol import PAGE_SIZE, build_server
from davinci_env.serve.source import EnvironmentSource
from davinci_env.serve.stdio import Wire, serve_stdio

_SWEEP_SECONDS = 5.0


@dataclass(frozen=True)
class Settings:
    """How to serve; `davinci_env.serve.serve` says what each field means.

    Raises:
        UsageError: fields that contradict each other.
    """

    http: int | None = None
    tokens: tuple[str, ...] = field(default=(), repr=False)
    operator_port: int | None = None
    operator_token: str | None = field(default=None, repr=False)
    lease_seconds: float = LEASE_SECONDS
    park_seconds: float = PARK_SECONDS
    max_environments: int = MAX_ENVIRONMENTS
    page_size: int = PAGE_SIZE
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        if self.operator_port is not None and self.operator_token is None:
            raise UsageError(
                "the operator's listener wants a token of its own", "set DAVINCI_OPERATOR_TOKEN"
            )
        if not self.lease_seconds > 0:
            raise UsageError("a lease must last longer than no time", "give seconds above 0")
        if self.max_environments < 0:
            raise UsageError("the number of environments can't be negative", "give 0 or more")
        # Together, so that an agent's token that opens the operator's listener is refused as a
        # double.
        agents = {f"token {n}": token for n, token in enumerate(self.tokens, start=1)}
        operator = (
            {} if self.operator_token is None else {"the operator's token": self.operator_token}
        )
        Tokens(agents | operator)

    def agent_tokens(self) -> Tokens | None:
        """Return who may use the agents' listener; None is everybody on this machine."""
        if not self.tokens:
            return None
        return Tokens({f"token-{n}": token for n, token in enumerate(self.tokens, start=1)})


class Service:
    """Everything that one `davinci serve` runs. Ports are bound at once: a taken one fails early.

    Attributes:
        leases: who holds which environment.
        agent_url: the base address of the agents' listener, or None over stdio.
        operator_url: the base address of the operator's listener, or None.
    """

    def __init__(self, source: EnvironmentSource, settings: Settings) -> None:
        self._source = source
        self._settings = settings
        self._stop: asyncio.Event | None = None
        self.leases = Leases(
            source,
            clock=settings.clock,
            lease_seconds=settings.lease_seconds,
            park_seconds=settings.park_seconds,
            max_environments=settings.max_environments,
        )
        self._agent: Listener | None = None
        self._operator: Listener | None = None
        with contextlib.ExitStack() as on_failure:
            if settings.http is not None:
                agent_socket = on_failure.enter_context(bind(settings.http, "MCP"))
                tokens, size = settings.agent_tokens(), settings.page_size
                app = agent_app(source.metadata, self.leases, tokens, page_size=size)
                self._agent = Listener(app, agent_socket)
            if settings.operator_port is not None:
                operator_socket = on_failure.enter_context(
                    bind(settings.operator_port, "the operator")
                )
                operations = Operations(source, self.leases, settings.clock)
                token = Tokens({"operator": settings.operator_token or ""})
                self._operator = Listener(operator_app(operations, token), operator_socket)
            on_failure.pop_all()
        self.agent_url = None if self._agent is None else self._agent.url
        self.operator_url = None if self._operator is None else self._operator.url

    def announce(self) -> None:
        """Tell on standard error what is served where."""
        name = self._source.metadata.name
        if self.agent_url is None:
            print(f"{name}: MCP over stdio", file=sys.stderr)
        else:
            print(f"{name}: MCP at {self.agent_url}/mcp", file=sys.stderr)
        if self.operator_url is not None:
            print(f"{name}: operator at {self.operator_url}", file=sys.stderr)
        sys.stderr.flush()

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Serve HTTP inside the block; at its end answer what is open and close everything."""
        listeners = [each for each in (self._agent, self._operator) if each is not None]
        running = [asyncio.create_task(each.run()) for each in listeners]
        sweeper = asyncio.create_task(self._sweep())
        try:
            yield
        finally:
            sweeper.cancel()
            for each in listeners:
                each.stop()
            await asyncio.gather(*running, return_exceptions=True)
            self.leases.close()

    async def run(self, wire: Wire | None = None) -> None:
        """Serve until a signal comes or, over stdio, until the client leaves.

        Args:
            wire: where to speak stdio; the process's own streams if not given.
        """
        stop = asyncio.Event()
        with stopped_by_signals(stop):
            async with self.listening():
                self.announce()
                waiting: set[asyncio.Task[Any]] = {asyncio.create_task(stop.wait())}
                if self._agent is None:
                    waiting.add(asyncio.create_task(self._stdio(wire)))
                done, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in rest:
                    task.cancel()
                await asyncio.gather(*rest, return_exceptions=True)
        for task in done:
            task.result()

    async def _stdio(self, wire: Wire | None) -> None:
        def environment_of(context: object) -> Environment:
            return self.leases.environment(self.leases.default("stdio"))

        server = build_server(
            self._source.metadata, environment_of, page_size=self._settings.page_size
        )
        await serve_stdio(server, wire or Wire.claim_standard_streams())

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            self.leases.sweep()


def run(source: EnvironmentSource, settings: Settings) -> None:
    """Run a service in this process until it ends."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    # Ctrl-C before or after the time when it is handled, or where the event loop takes no signals.
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(Service(source, settings).run())
