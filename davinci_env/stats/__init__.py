"""Statistics: what a corpus is made of, number by number, beside what it should be.

`corpus` reads records and keeps what is counted, `measures` counts, `language` and `wordings` look
at the words, `structure` at what calls owe to one another, `comparison` at two corpora,
`trials` lets other agents play the tasks, `overview` puts all together. Everything is
measured on records; only `trials` runs anything.
"""

from davinci_env.stats.comparison import Comparison, compare
from davinci_env.stats.corpus import Corpus, read_corpus
from davinci_env.stats.measures import Measure, Target
from davinci_env.stats.overview import Survey, survey
from davinci_env.stats.structure import Structure, structure
from davinci_env.stats.trials import Trial, draw_tasks, play_trials

__all__ = [
    "Comparison",
    "Corpus",
    "Measure",
    "Structure",
    "Survey",
    "Target",
    "Trial",
    "compare",
    "draw_tasks",
    "play_trials",
    "read_corpus",
    "structure",
    "survey",
]
