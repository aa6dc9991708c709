"""Edge cases: titles and texts that are none."""

import re
from collections.abc import Iterator

from studium.workflows.concepts.judging.titles import LONGEST_TITLE, plain_title, short_title
from studium.workflows.concepts.judging.words import folded, in_quotes, lexicon, listed, sentences, stop_words, words_of
from studium.workflows.concepts.skills import CritiqueGiven, Idea, Remark

MOST_SENTENCES = 3
SHORTEST_SAYING = 5

_TODO = re.compile(r"\W*(?:TODO|FIXME|XXX)\W*|(?:TODO|FIXME|XXX)\s*[:(].*", re.DOTALL)
_NUMERAL = re.compile(r"[\dIVXLCivxlc]+")


def edge_cases(given: CritiqueGiven) -> Iterator[Remark]:
    """The concepts whose title or text is empty, a placeholder, a place in the book, or not plain text."""
    texts = {quote.key: quote.text for quote in given.quotes}
    for idea in given.concepts:
        own = [texts[key] for key in idea.quotes if key in texts]
        for message in filter(
            None, (_title_fault(idea, given.language[:2]), _marks_fault(idea), _text_fault(idea, own))
        ):
            yield Remark(message=message, concepts=(idea.key,))


def _title_fault(idea: Idea, language: str) -> str:
    title = plain_title(idea.title)
    if not words_of(title):
        fault = "is empty"
    elif _is_placeholder(title):
        fault = f"{in_quotes(title)} is a placeholder"
    elif _is_leftover(title):
        fault = f"{in_quotes(title)} is left over from a model's answer"
    elif _only_small_words(title, language) or _is_place(title):
        fault = f"{in_quotes(title)} names no idea"
    else:
        return ""
    return f"The title of {idea.key} {fault}: name the idea."


def _marks_fault(idea: Idea) -> str:
    plain = plain_title(idea.title)
    short = short_title(plain)
    if not words_of(plain) or short == idea.title:
        return ""
    fault = "holds marks or control signs" if short == plain else f"has more than {LONGEST_TITLE} signs"
    return f"The title of {idea.key} {fault}. Rename {idea.key} to {in_quotes(short)}."


def _text_fault(idea: Idea, quotes: list[str]) -> str:
    text = folded(idea.concept)
    if not text:
        fault = f"{idea.key} says nothing"
    elif text == folded(idea.title) and not _is_saying(text, quotes):
        fault = f"{idea.key} only repeats its title"
    elif _is_placeholder(idea.concept) or _is_leftover(idea.concept):
        fault = f"The text of {idea.key} is a placeholder or left over from a model's answer"
    else:
        return ""
    said = next((quote for quote in quotes if _says_more(quote, idea.title)), None)
    return f"{fault}. {idea.key} should say {in_quotes(said)}." if said else f"{fault}: say the idea in a sentence."


def _is_saying(text: str, quotes: list[str]) -> bool:
    """Whether a text is a sentence that one of its quotes consists of: a saying is its own title."""
    return len(text.split()) >= SHORTEST_SAYING and any(folded(quote) == text for quote in quotes)


def _says_more(quote: str, title: str) -> bool:
    return folded(quote) != folded(title) and len(sentences(quote)) <= MOST_SENTENCES


def _is_placeholder(text: str) -> bool:
    bare = text.strip().strip("[](){}<>*_\"'“”.").strip().casefold()
    numbered = re.fullmatch(r"(?:concept|concepto|title|título|idea)\s*\d*", bare)
    return bool(_TODO.fullmatch(text.strip()) or numbered) or bare in listed("placeholders")


def _is_leftover(text: str) -> bool:
    start = " ".join(text.replace("’", "'").casefold().split()).lstrip("\"'“*_ ")
    return any(start.startswith(leftover) for leftover in lexicon()["leftovers"])


def _only_small_words(title: str, language: str) -> bool:
    return "?" not in title and (stop_words(language) - listed("nameable")).issuperset(words_of(title))


def _is_place(title: str) -> bool:
    """Whether a title is a number or a place in the book: `12`, `p. 33`, `Chapter IV`."""
    words = words_of(title)
    if len(words) == 1 and not any(sign.isdigit() for sign in title):
        return words[0] in listed("places")
    numbers = [word for word in words if _NUMERAL.fullmatch(word)]
    return len(numbers) + sum(word in listed("places") for word in words) == len(words) and any(
        sign.isdigit() or word in listed("places") for word in words for sign in word
    )
