"""MCP servers: a domain over stdio or streamable HTTP, and the operator's listener beside it.

The protocol is an adapter: it adds no meaning to an environment and takes none away. An environment
is bound to a process (stdio), to a bearer token or to a secret id that this server gave out, never
to a protocol session.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from davinci_env.errors import MissingExtra

__all__ = ["serve"]


def serve(
    name: str,
    *,
    http: int | None = None,
    seed: int = 0,
    scale: float = 1.0,
    actor: str | None = None,
    tokens: Sequence[str] = (),
    operator_port: int | None = None,
    operator_token: str | None = None,
    lease_seconds: float = 1800.0,
    max_environments: int = 1000,
    paths: Sequence[Path | str] = (),
    trust: bool = False,
    prefixes: bool = False,
) -> None:
    """Serve a domain until the client leaves (stdio) or a signal comes; tell where on stderr.

    Args:
        name: a domain or composition of the catalogue.
        http: port of 127.0.0.1 for streamable HTTP, 0 for a free one; None serves stdio.
        seed: seed of the world.
        scale: how much data the world holds, 1.0 being the domain's own measure.
        actor: key of the person whose self-service world it is.
        tokens: bearer tokens of the agents' listener, each with environments of its own. Without
            any, all callers on this machine share one environment, and may still ask for private
            ones.
        operator_port: port of the operator's listener, 0 for a free one; None for none.
        operator_token: the bearer token that the operator's listener wants. Tokens may stand in the
            environment of every command, so one without a listener is no error.
        lease_seconds: how long a private environment lives without being used.
        max_environments: how many private environments there may be at once.
        paths: folders of further domains.
        trust: run a domain that did not ship with the package.
        prefixes: call all tools of a composition after their domain, not only those whose names
            clash.

    Raises:
        MissingExtra: the extra `mcp` is not installed.
        UsageError: an unknown domain, a taken port, tokens that are unfit or do not belong to what
            is served.
    """
    if find_spec("mcp") is None or find_spec("fastmcp") is None:
        raise MissingExtra("mcp", "serving a domain over MCP")
    from davinci_env.serve.service import Settings, run
    from davinci_env.serve.source import DomainSource

    settings = Settings(
        http=http,
        tokens=tuple(tokens),
        operator_port=operator_port,
        operator_token=operator_token,
        lease_seconds=lease_seconds,
        max_environments=max_environments,
    )
    source = DomainSource.of(
        name, seed=seed, scale=scale, actor=actor, paths=tuple(map(Path, paths)), trust=trust,
        prefixes=prefixes,
    )  # fmt: skip
    run(source, settings)
