"""Pick whole sentences from passages that are relevant to a question, with citations."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import accumulate, groupby

from studium.core.text.sentences import split_sentences
from studium.core.text.stems import stem
from studium.core.text.stop_words import stop_words
from studium.core.text.word_pieces import is_known_word
from studium.tutor.rules.question import main_question
from studium.tutor.skills import NumberedPassage

MOST_WORDS = 120
SHORTEST = 3
LATER = 0.75
"""The weight of a sentence relative to one of the passage before."""
DEFINES, SAID = 1.5, 0.6
"""A sentence that defines the thing asked about comes first; one that is hardly relevant is left out."""
TYPED = 1.4
"""The weight of a sentence with a command, if the question is how to do something."""

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
_LONGEST_ACRONYM = 5
_COMMAND_SHOWN = re.compile(r"Syntax: `|^(?: {4}|\t)\w+(?:\([\w-]+\))?[#>] ?\w", re.MULTILINE)
_LONG_WORD = re.compile(r"(?<![\w/.-])[A-Za-z]{5,}(?![\w/.-])")
_NEAR = 0.85
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
    spelled = spelled_as_in(passages, question)
    main, asked = main_question(spelled), content_words(spelled)
    thing = content_words(main.about[0]) if main and main.kind == "definition" and main.about else asked
    named = {each.number for each in passages if thing and content_words(heading_of(each)).keys() == thing.keys()}
    shows = main is not None and main.kind == "procedure"
    candidates = [sentence for passage in passages for sentence in sentences_in(passage)]
    rarity = _rarity(candidates)
    order = {passage.number: place for place, passage in enumerate(passages)}
    weighed = [
        replace(each, weight=_weight(asked, each, rarity, _defines(each, thing, named)) * LATER ** order[each.number])
        for each in candidates
    ]
    if shows:
        weighed = [replace(each, weight=each.weight * (TYPED if "`" in each.text else 1)) for each in weighed]
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


def shows_command(text: str) -> bool:
    """Whether a passage shows what to type: the syntax of a command, or lines after a prompt."""
    return bool(_COMMAND_SHOWN.search(text))


def words_of(text: str) -> set[str]:
    """The words of a text in lower case."""
    return set(_WORD.findall(text.lower()))


def opening_sentences(passage: NumberedPassage, most_words: int = MOST_WORDS) -> list[Sentence]:
    """A passage from its beginning, up to the word limit; its first sentence is the best."""
    sentences = [replace(each, weight=float(each.place == 0)) for each in sentences_in(passage)]
    totals = accumulate(len(each.text.split()) for each in sentences)
    return [each for each, total in zip(sentences, totals, strict=True) if total <= most_words]


def is_definition(sentence: str, asked: Collection[str]) -> bool:
    """Whether a sentence defines the thing asked about: `OSPF, Open Shortest Path First, is a …`."""
    told = _IS.split(sentence, maxsplit=1)
    subject = _ASIDE.split(told[0])[0]  # another name for it is between commas or in brackets
    return len(told) > 1 and bool(asked) and set(content_words(subject)) == set(asked)


def is_mentioned(words: Collection[str], passages: Sequence[NumberedPassage]) -> bool:
    """Whether the passages have one of these words, also where it is misspelt, cut short, or an acronym."""
    said = " ".join(f"{heading_of(each)} {each.text}" for each in passages).lower()
    known = set(_WORD.findall(said))
    return not words or any(_is_known(word, known) or _is_spelled_out(word, said) for word in words)


def spelled_as_in(passages: Sequence[NumberedPassage], question: str) -> str:
    """A question whose misspelt words are corrected to those of these passages, or to the usual words of questions."""
    return correct_spelling(question, _ASKING.union({"command"}, *(words_of(passage.text) for passage in passages)))


def correct_spelling(text: str, known: Collection[str]) -> str:
    """A question whose misspelt words are those of the passages: `address` for `adress`."""

    def corrected(found: re.Match[str]) -> str:
        word = found[0].lower()
        if word in known or word.removesuffix("s") in known or is_known_word(word):
            return found[0]
        return next(iter(get_close_matches(word, known, 1, cutoff=_NEAR)), found[0])

    return _LONG_WORD.sub(corrected, text)


def _is_known(word: str, known: Collection[str]) -> bool:
    return (
        not word.isalpha()
        or any(each.startswith(word) or stem(each, "en") == stem(word, "en") for each in known)
        or bool(get_close_matches(word, known, 1, cutoff=0.8))
    )


def _is_spelled_out(word: str, said: str) -> bool:
    """`rip`: routing information (protocol)."""
    letters = word.removesuffix("p") if len(word) > SHORTEST - 1 else word
    return len(word) <= _LONGEST_ACRONYM and bool(re.search(r"\b" + r"\w+[ -]".join(letters), said))


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


def _weight(asked: Counter[str], sentence: Sentence, rarity: dict[str, float], bonus: float) -> float:
    said = content_words(sentence.text)
    shared = sum(rarity[key] for key in said if key in asked)
    return (shared + bonus) / math.sqrt(4 + len(said))


def _defines(sentence: Sentence, thing: Collection[str], named: Collection[int]) -> float:
    """What a sentence gains that defines the thing, or that opens the page with its name."""
    opens = sentence.number in named and sentence.place == 0
    return DEFINES * (opens or is_definition(sentence.text, thing))


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
