"""Pick whole sentences from passages that are relevant to a question, with citations."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from studium.core.text.sentences import split_sentences
from studium.core.text.stems import stem
from studium.core.text.stop_words import stop_words
from studium.tutor.skills import NumberedPassage

MOST_WORDS = 120
SHORTEST = 3
LATER = 0.75
"""The weight of a sentence relative to one of the passage before."""
DEFINES, SAID = 1.5, 0.6
"""A sentence that defines the thing asked about comes first; one that is hardly relevant is left out."""

_FENCE = re.compile(r"(?<!`)```[^\n]*\n(?P<code>[\s\S]*?)(?:```|\Z)|^(?:(?: {4}|\t).*\n?)+", re.MULTILINE)
_NO_PROSE = re.compile(r"^\s*(?:#|\||>|---|===|!\[)")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_EMPHASIS = re.compile(r"(?<![\w*`])(\*{1,2})(?=\S)([^*\n`]+?)(?<=\S)\1(?![\w*])")
_BLANK = re.compile(r"<[a-z][a-z_]*>")  # a placeholder that has not been filled in
_INLINE_CODE = re.compile(r"`[^`]*`")
# `LSAs are refreshed` says what happens to them, not what they are.
_IS = re.compile(r"\b(?:is|are)\b(?! (?:\w+ed|not|never|only|always|also|often|sent|shown)\b)", re.IGNORECASE)
_ASIDE = re.compile(r"[,(]")
_WORD = re.compile(r"[a-z0-9][a-z0-9/-]*")
_ASKING = frozenset(
    {"difference", "explain", "mean", "means", "please", "tell", "use", "used", "whats", "work", "works"}
)
_ADDRESSED_TO_US = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,30}\b(?:instruction|prompt|rule)s?\b|\bsystem prompt\b"
    r"|\b(?:as|you are) an? (?:ai|assistant)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a passage with its relevance to the question."""

    text: str
    number: int
    place: int
    weight: float = 0.0


def relevant_sentences(
    question: str, passages: Sequence[NumberedPassage], most_words: int = MOST_WORDS
) -> list[Sentence]:
    """The most relevant sentences, up to a number of words; the best passage first."""
    asked = content_words(question)
    candidates = [sentence for passage in passages for sentence in sentences_in(passage)]
    rarity = _rarity(candidates)
    order = {passage.number: place for place, passage in enumerate(passages)}
    weighed = [replace(each, weight=_weight(asked, each, rarity) * LATER ** order[each.number]) for each in candidates]
    weighed.sort(key=lambda each: (-each.weight, order[each.number], each.place))
    chosen = _fitting(weighed, most_words) or _opening(candidates, most_words)
    best_first = list(dict.fromkeys(each.number for each in chosen))
    return sorted(chosen, key=lambda sentence: (best_first.index(sentence.number), sentence.place))


def join_with_citations(sentences: Sequence[Sentence]) -> str:
    """Join sentences, with the citation after the last one of each passage."""
    together = groupby(sentences, key=lambda sentence: sentence.number)
    return " ".join(f"{' '.join(each.text for each in told)} [{number}]" for number, told in together)


def best_sentence(sentences: Sequence[Sentence]) -> Sentence:
    """The most relevant sentence."""
    return max(sentences, key=lambda sentence: sentence.weight)


def sentences_in(passage: NumberedPassage) -> Iterator[Sentence]:
    """The sentences of a passage's prose and lists, without headings, tables, code and instructions to a model."""
    return (Sentence(told, passage.number, place) for place, told in enumerate(_prose(passage.text)))


def first_sentence(text: str) -> str:
    """The first sentence of a text; empty if it has none."""
    return next(_prose(text), "")


def following_sentences(
    told: Sequence[Sentence], passages: Sequence[NumberedPassage], most_words: int = MOST_WORDS
) -> list[Sentence]:
    """The sentences plus those that follow the best one, up to the word limit."""
    best = best_sentence(told)
    passage = next(each for each in passages if each.number == best.number)
    texts = {each.text for each in told}
    following = [each for each in sentences_in(passage) if each.place > best.place and each.text not in texts]
    totals = accumulate((len(each.text.split()) for each in following), initial=sum(map(len, map(str.split, texts))))
    next(totals)
    added = [each for each, total in zip(following, totals, strict=True) if total <= most_words]
    own = sorted([*(each for each in told if each.number == best.number), *added], key=lambda each: each.place)
    return own + [each for each in told if each.number != best.number]


def first_code_example(passage: NumberedPassage, most_lines: int = 8) -> str:
    """The first short code example of a passage."""
    found = _FENCE.search(passage.text)
    if not found:
        return ""
    code = (found["code"] or found[0]).strip("\n")
    return code if code.strip() and code.count("\n") < most_lines else ""


def heading_of(passage: NumberedPassage) -> str:
    """The innermost heading of a passage."""
    path, _, headings = passage.source.partition(": ")
    return (headings or path).split(" > ")[-1]


def cited_example(passage: NumberedPassage) -> str:
    """The example of a passage with its citation; empty if it has none."""
    example = first_code_example(passage)
    return f"An example [{passage.number}]:\n\n```\n{example}\n```" if example else ""


def content_words(text: str) -> Counter[str]:
    """The stems of the content words of a text."""
    words = _WORD.findall(text.lower())
    return Counter(stem(word, "en") for word in words if word not in _ASKING and word not in stop_words("en"))


def is_definition(sentence: str, asked: Collection[str]) -> bool:
    """Whether a sentence defines the thing asked about: `OSPF, Open Shortest Path First, is a …`."""
    told = _IS.split(sentence, maxsplit=1)
    subject = _ASIDE.split(told[0])[0]  # another name for it is between commas or in brackets
    return len(told) > 1 and bool(asked) and set(content_words(subject)) == set(asked)


def _prose(text: str) -> Iterator[str]:
    for paragraph in _paragraphs(_FENCE.sub("\n\n", text)):
        for sentence in split_sentences(paragraph, "en", markdown=True):
            told = _EMPHASIS.sub(r"\2", sentence).strip()
            if _is_prose(told):
                yield told


def _is_prose(told: str) -> bool:
    """Whether it is prose for the student, not an instruction to a model."""
    is_sentence = len(told.split()) >= SHORTEST and not told.endswith(":") and bool(_INLINE_CODE.sub("", told).strip())
    is_shown = told.startswith("Example:") or bool(_BLANK.search(told))
    return is_sentence and not is_shown and not _ADDRESSED_TO_US.search(told)


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs and list items with their lines joined."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        starts_paragraph = not line.strip() or _NO_PROSE.match(line) or _BULLET.match(line)
        if starts_paragraph and lines:
            yield " ".join(lines)
            lines = []
        if line.strip() and not _NO_PROSE.match(line):
            lines.append(_BULLET.sub("", line).strip())


def _rarity(candidates: Sequence[Sentence]) -> dict[str, float]:
    counts = Counter(key for each in candidates for key in content_words(each.text))
    return {key: math.log(1 + len(candidates) / count) for key, count in counts.items()}


def _weight(asked: Counter[str], sentence: Sentence, rarity: dict[str, float]) -> float:
    said = content_words(sentence.text)
    shared = sum(rarity[key] for key in said if key in asked)
    return (shared + DEFINES * is_definition(sentence.text, asked)) / math.sqrt(4 + len(said))


def _fitting(weighed: Sequence[Sentence], most_words: int) -> list[Sentence]:
    chosen: dict[str, Sentence] = {}
    least = SAID * weighed[0].weight if weighed else 0.0
    for sentence in weighed:
        words = sum(len(text.split()) for text in (*chosen, sentence.text))
        if sentence.weight > 0 and sentence.weight >= least and words <= most_words:
            chosen.setdefault(sentence.text, sentence)
    return list(chosen.values())


def _opening(candidates: Sequence[Sentence], most_words: int) -> list[Sentence]:
    """The first sentences of the best passage, if no word of the question is found."""
    first = candidates[0] if candidates else None
    return [first] if first and len(first.text.split()) <= most_words else []
