"""`python -m davinci_env`: the same command as `davinci`."""

from davinci_env.cli import main

if __name__ == "__main__":
    main()
