"""Corpora: records in the forms that trainers read, and the folder that holds everything together.

Nothing here runs or judges an episode: what is exported was verified before.
"""

from davinci_env.corpus.export import ExportSummary, export
from davinci_env.corpus.folder import (
    CORPUS_DERIVED,
    CORPUS_OUTPUTS,
    finish_corpus,
    open_corpus,
)
from davinci_env.corpus.formats import FORMATS, Converter, converter_for
from davinci_env.corpus.generate import CorpusSummary, generate_corpus

__all__ = [
    "CORPUS_DERIVED",
    "CORPUS_OUTPUTS",
    "FORMATS",
    "Converter",
    "CorpusSummary",
    "ExportSummary",
    "converter_for",
    "export",
    "finish_corpus",
    "generate_corpus",
    "open_corpus",
]
