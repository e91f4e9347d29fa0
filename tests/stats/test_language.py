"""How varied language is: masks, 4-grams, compression, vocabulary, by hand."""

import zlib

from davinci_env.stats.language import WORDS, masked_text, measure


def test_values_are_masked_by_their_form() -> None:
    text = 'Hi, "The Salt Roads" (LN-00017) is due on the 24th of March or Friday, March 20, $3.50.'
    assert masked_text(text) == "Hi, ▢ (▢) is due on ▢ or ▢, ▢."
    assert (
        masked_text("Ask ada.berg@example.com about #W5490111 at 10:30!") == "Ask ▢ about ▢ at ▢!"
    )


def test_given_values_are_masked_the_longest_first() -> None:
    assert masked_text("The Map of the Map Room", ["Map", "Map Room"]) == "The ▢ of the ▢"
    assert masked_text("Mapping a Map", ["Map"]) == "Mapping a ▢"


def test_4_grams_do_not_cross_texts() -> None:
    # a b c d, b c d e | a b c d: three 4-grams, two of them distinct
    found = measure(["a b c d e", "a b c d"])
    assert found.distinct4 == 2 / 3
    assert found.vocabulary == 5


def test_vocabulary_counts_words_without_case_marks_and_values() -> None:
    assert measure(['Yes, yes: "No" 12 (well)!']).vocabulary == 2


def test_compression_is_of_the_masked_text() -> None:
    text = "one two three one two three one two three"
    assert measure([text]).gzip_ratio == len(zlib.compress(text.encode(), 9)) / len(text)


def test_only_the_first_words_count() -> None:
    head = " ".join(f"word{'x' * (n % 50)}" for n in range(WORDS))
    assert measure([head, "other words entirely"]) == measure([head])
    assert measure(["", head]).vocabulary == measure([head]).vocabulary


def test_nothing_said_measures_nothing() -> None:
    assert measure([]) == measure([""])
    assert measure([]).vocabulary == 0
