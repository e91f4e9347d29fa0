"""`davinci serve`."""

from typing import Annotated

import typer

from davinci_env.cli.options import Name, Paths, Scale, Seed, Trust

Port = Annotated[
    int | None,
    typer.Option(
        metavar="PORT",
        help="Serve over HTTP on this port of 127.0.0.1; 0 takes a free one.",
        min=0,
        max=65535,
    ),
]
OperatorPort = Annotated[
    int | None,
    typer.Option(
        metavar="PORT", help="Reset, snapshot, restore and verify here.", min=0, max=65535
    ),
]
Tokens = Annotated[
    list[str] | None,
    typer.Option(
        "--token",
        metavar="TOKEN",
        envvar="DAVINCI_TOKEN",
        help="A bearer token with environments of its own; may be repeated. "
        "The variable keeps it out of lists of processes.",
    ),
]
OperatorToken = Annotated[
    str | None,
    typer.Option(
        metavar="TOKEN", envvar="DAVINCI_OPERATOR_TOKEN", help="The operator's bearer token."
    ),
]
Actor = Annotated[str | None, typer.Option(metavar="ID", help="Whose self-service world it is.")]
LeaseSeconds = Annotated[
    float, typer.Option(metavar="S", help="How long a private environment lives unused.", min=1)
]
Prefixes = Annotated[
    bool,
    typer.Option(
        "--prefixes",
        help="Of a composition: call every tool after its domain, not only where names clash.",
    ),
]
MaxEnvironments = Annotated[
    int, typer.Option(metavar="N", help="Private environments at once.", min=0)
]


def serve(
    name: Name,
    http: Port = None,
    seed: Seed = 0,
    scale: Scale = 1.0,
    actor: Actor = None,
    tokens: Tokens = None,
    operator_port: OperatorPort = None,
    operator_token: OperatorToken = None,
    lease_seconds: LeaseSeconds = 1800.0,
    max_environments: MaxEnvironments = 1000,
    paths: Paths = None,
    trust: Trust = False,
    prefixes: Prefixes = False,
) -> None:
    """Serve a domain or a composition as an MCP server, over stdio or over streamable HTTP.

    Over HTTP every bearer token has its own environment; where no token is configured, callers
    from this machine share one.

    Examples:

    davinci serve library_lending

    davinci serve library_lending --http 8000
    """
    from davinci_env.serve import serve as serve_domain

    serve_domain(
        name,
        http=http,
        seed=seed,
        scale=scale,
        actor=actor,
        tokens=tokens or [],
        operator_port=operator_port,
        operator_token=operator_token,
        lease_seconds=lease_seconds,
        max_environments=max_environments,
        paths=paths or [],
        trust=trust,
        prefixes=prefixes,
    )
