"""The `davinci` command: thin, and importing what a command needs only when it runs.

`app` names the commands, `commands/` holds one small module for each group of them, `ending` is
the one place where errors become an exit status; `display`, `progress`, `options` and `outlet` are
what the commands share.
"""

import signal
import sys

__all__ = ["main"]

INTERRUPTED = 130
"""The status of a command that Ctrl-C ended, as shells have it."""


def main() -> None:
    """Run the command line and exit with the status that `ending` describes."""
    try:
        from davinci_env.cli.app import app

        app(prog_name="davinci")
    except KeyboardInterrupt:
        # Before a command began, or while it was ending.
        print("davinci: interrupted.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            # Another Ctrl-C that comes while Python winds up would still kill the process.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise
