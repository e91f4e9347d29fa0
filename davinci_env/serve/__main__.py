"""`python -m davinci_env.serve NAME`: what an MCP client's configuration starts."""

import argparse
import os
import sys
from collections.abc import Sequence

from davinci_env.errors import DavinciError
from davinci_env.serve import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve what the command line names; return the exit status."""
    given = _parser().parse_args(arguments)
    try:
        serve(
            given.name,
            http=given.http,
            seed=given.seed,
            scale=given.scale,
            actor=given.actor,
            tokens=os.environ.get("DAVINCI_TOKEN", "").split(),
            operator_port=given.operator_port,
            operator_token=os.environ.get("DAVINCI_OPERATOR_TOKEN"),
            lease_seconds=given.lease_seconds,
            max_environments=given.max_environments,
            paths=given.path,
            trust=given.trust,
        )
    except DavinciError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m davinci_env.serve",
        description="Serve a domain as an MCP server, over stdio or over HTTP on 127.0.0.1.",
        epilog="Bearer tokens are read from the environment, where no list of processes shows "
        "them: DAVINCI_TOKEN for agents (several are separated by blanks), "
        "DAVINCI_OPERATOR_TOKEN for the operator's listener.",
    )
    parser.add_argument("name", help="a domain or composition of the catalogue")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve HTTP; 0 takes a free port")
    parser.add_argument("--seed", type=int, default=0, help="seed of the world (default 0)")
    parser.add_argument("--scale", type=float, default=1.0, help="size of the world (default 1)")
    parser.add_argument("--actor", metavar="ID", help="whose self-service world it is")
    parser.add_argument(
        "--operator-port", type=int, metavar="PORT", help="reset, snapshot, restore, verify here"
    )
    parser.add_argument("--lease-seconds", type=float, default=1800.0, metavar="S")
    parser.add_argument("--max-environments", type=int, default=1000, metavar="N")
    parser.add_argument("--path", action="append", default=[], metavar="DIR", help="more domains")
    parser.add_argument("--trust", action="store_true", help="run a domain that did not ship here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
