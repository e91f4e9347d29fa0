"""`python -m davinci_env.egts`: verified demonstrations from systems that other people wrote."""

from davinci_env.cli.egts import main

if __name__ == "__main__":
    main()
