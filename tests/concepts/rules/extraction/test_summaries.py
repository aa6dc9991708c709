"""Summaries from a book's own sentences."""

import pytest

from studium.concepts.rules.lexicon import shorten
from studium.concepts.rules.summaries import summarize_rule
from studium.concepts.skills import Summary, SummaryInput
from studium.core.text.sentences import split_sentences

BOOK = """---
title: On Habits
---
# Quotes

## One

- Habits are the compound interest of self-improvement. (p. 12)
- A habit begins with a cue, and the cue is what most people overlook. (pp. 14-15)
- Sherlock Holmes lived in Baker Street.

## Two

Every habit that lasts has a reward. Without a reward the habit fades, whatever the cue. Why should that be so?

The easiest way to change a habit is to change the place in which its cue appears. My uncle had a boat.
"""


def told(text: str, language: str = "en") -> Summary:
    return summarize_rule(SummaryInput(title="On Habits", author="A. Writer", text=text, language=language), ())


def test_a_summary_is_whole_sentences_of_the_book_in_their_order() -> None:
    long = BOOK + "\n\n".join(f"Number {at} of the ships sailed into the harbour of Lisbon." for at in range(30))
    summary = told(long).summary
    assert len(summary.split()) <= 100
    assert "A habit begins with a cue, and the cue is what most people overlook." in summary
    assert "p. 12" not in summary
    assert "#" not in summary
    places = [long.index(each) for each in split_sentences(summary, any_start=True)]
    assert places == sorted(places)


def test_the_short_one_is_about_what_comes_back_most() -> None:
    short = told(BOOK).summary_short
    assert "habit" in short
    assert "boat" not in short
    assert len(short.split()) <= 35


def test_spanish_is_summarised_in_spanish() -> None:
    text = "La atención es un hábito. El hábito de la atención se pierde sin silencio. Ayer llovió en Burgos."
    assert told(text, "es").summary == text


@pytest.mark.parametrize("text", ["", "   \n", "# Quotes\n"])
def test_a_book_without_text_is_its_title(text: str) -> None:
    assert told(text) == Summary(summary="On Habits (A. Writer)", summary_short="On Habits (A. Writer)")


def test_a_sentence_that_is_too_long_ends_at_a_clause() -> None:
    assert (
        shorten("First we walk, then we run, and at last we fly over the hills.", 8) == "First we walk, then we run …"
    )
    assert shorten("We walk home.", 8) == "We walk home."
    assert shorten("one two three four five", 3) == "one two three …"
