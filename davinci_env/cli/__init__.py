"""The `davinci` command: thin, and importing what a command needs only when it runs.

`app` names the commands, `commands/` holds one small module for each group of them, `ending` is
the one place where errors become an exit status; `display`, `progress`, `options` and `outlet` are
what the commands share.
"""

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with the status that `ending` describes."""
    from davinci_env.cli.app import app

    app(prog_name="davinci")
