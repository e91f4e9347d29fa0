"""A corpus to be killed: `python -m tests.corpus.corpus_job OUT JOBS`."""

import sys
from pathlib import Path

from davinci_env.corpus import generate_corpus
from tests.support.toy_desk import TOYS

WANTED = 20


def run(out: Path, jobs: int, *, n: int = WANTED, seed: int = 4, force: bool = False) -> object:
    """Make the corpus, or what is left of it."""
    return generate_corpus(
        ["toy_rental"], n, out, seed, jobs, paths=[TOYS], trust=True, force=force
    )


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
