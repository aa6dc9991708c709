"""Summarises a book and its author with sentences from the source."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from studium.concepts.rules.lexicon import (
    LANGUAGES,
    Lexicon,
    clean_quote,
    excerpt,
    lexicon_for_text,
    load_lexicon,
    words,
)
from studium.concepts.rules.phrases import stem_word, tokenize
from studium.concepts.skills import AuthorInput, AuthorOutput, Summary, SummaryInput
from studium.core.domain.skill import Tool
from studium.core.text.normal_form import fold
from studium.core.text.sentences import split_sentences
from studium.core.text.tokens import count_words
from studium.core.text.word_lists import load_word_table

SUMMARY_WORDS = 100
SHORT_WORDS = 30
MAX_SENTENCE_WORDS = 45
MIN_SENTENCE_WORDS = 4
_SAMPLE = 2_000
_FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#.*$|^[^\S\n]*+(?:[-*_=][^\S\n]*+){3,}+$", re.MULTILINE)
_BULLET = re.compile(r"^[^\S\n]*(?:[-*+•]|\d{1,3}[.)])\s+", re.MULTILINE)
_PAGE = re.compile(r"[(\[](?:pp?|págs?|pag|S|loc|location|página|page)s?\.?\s*[\d–-]+[)\]]", re.IGNORECASE)


def summarize_rule(given: SummaryInput, _tools: Sequence[Tool]) -> Summary:
    """A book in about 100 and 30 words, taken from its text; its title where there is no text."""
    found = _sentences(given.text)
    if not found:
        named = f"{given.title} ({given.author})" if given.author else given.title
        return Summary(summary=named or "—", summary_short=named or "—")
    ranked = _ranked(found, lexicon_for_text(given.text[:_SAMPLE], given.language))
    return Summary(
        summary=excerpt(found, ranked, SUMMARY_WORDS),
        summary_short=excerpt(found, ranked, SHORT_WORDS),
    )


def _sentences(text: str) -> list[str]:
    plain = _PAGE.sub("", _BULLET.sub("\n\n", _HEADING.sub("", _FRONTMATTER.sub("", text.replace("\r\n", "\n")))))
    paragraphs = (clean_quote(each) for each in re.split(r"\n\s*\n", plain))
    return [sentence for each in paragraphs if each for sentence in split_sentences(each, any_start=True)]


def _ranked(found: Sequence[str], lexicon: Lexicon) -> list[int]:
    """The sentences, the most central first: those whose words come back most often, and that say something new."""
    said = [_stems(sentence, lexicon) for sentence in found]
    often = Counter(word for those in said for word in those)
    weights = [_weight(sentence, those, often) for sentence, those in zip(found, said, strict=True)]
    order = sorted(range(len(found)), key=lambda at: (-weights[at], at))
    chosen: list[int] = []
    told: set[str] = set()
    repeating: list[int] = []
    for at in order:
        new = not said[at] or len(said[at] - told) * 2 >= len(said[at])
        (chosen if new else repeating).append(at)
        told |= said[at] if new else set()
    return chosen + repeating


def _stems(sentence: str, lexicon: Lexicon) -> frozenset[str]:
    said = (each.word for each in tokenize(sentence))
    return frozenset(stem_word(word, lexicon) for word in said if lexicon.is_content(word) and word not in lexicon.weak)


def _weight(sentence: str, stems: frozenset[str], often: Counter[str]) -> float:
    length = count_words(sentence)
    weight = sum(often[word] for word in stems) / (len(stems) + MIN_SENTENCE_WORDS)
    asks = sentence.rstrip('"”»’)').endswith(("?", ":"))
    return weight * (0.5 if asks or length < MIN_SENTENCE_WORDS or length > MAX_SENTENCE_WORDS else 1.0)


AUTHOR_SUMMARY_WORDS = 100
AUTHOR_SHORT_WORDS = 30
MAX_OCCUPATION = 10
_ASIDE = re.compile(r"(?<!\s)\s*[(\[][^()\[\]]{0,500}(?:\([^()]{0,500}\)[^()\[\]]{0,500}){0,20}[)\]]")
_PARTICLES = {"de", "del", "la", "von", "van", "der", "di", "da", "y", "of", "the"}


def author_rule(given: AuthorInput, _tools: Sequence[Tool]) -> AuthorOutput:
    """What the pages say about the author; nothing if none is about a person of that name."""
    title = given.title.casefold()
    for page in sorted(given.pages, key=lambda each: not title or title not in each.casefold()):
        said = split_sentences(_ASIDE.sub("", clean_quote(page)), any_start=True)
        occupation = _occupation(said[0], given) if said else ""
        if occupation:
            order = range(len(said))
            return AuthorOutput(
                occupation=occupation,
                summary=excerpt(said, order, AUTHOR_SUMMARY_WORDS),
                summary_short=excerpt(said, order[:1], AUTHOR_SHORT_WORDS),
            )
    return AuthorOutput()


def _occupation(sentence: str, given: AuthorInput) -> str:
    """What the author was (“Spanish novelist”); empty if the sentence is about someone or something else."""
    for language in dict.fromkeys((load_lexicon(given.language).language, *LANGUAGES)):
        found = re.search(load_lexicon(language).occupation, sentence)
        if found and _names(sentence[: found.start()], given.name):
            told = _listed(_ends().split(found[1].strip(" ."), maxsplit=1)[0])
            if any(word in _persons() for word in words(told)):
                return told[:1].upper() + told[1:]
    return ""


def _listed(told: str) -> str:
    """The part of a description that lists what a person was."""
    kept: list[str] = []
    for each in told.split(", "):
        if kept and not any(word in _persons() for word in words(each)[:3]):
            break
        kept.append(each)
    return " ".join(", ".join(kept).split()[:MAX_OCCUPATION]).strip(" ,.;")


def _names(subject: str, name: str) -> bool:
    """Whether the subject of a sentence is the person: it has the last name, and the first unless it has only one."""
    wanted = [fold(word, accents=False) for word in words(name) if word.lower() not in _PARTICLES]
    told = {fold(word, accents=False).removesuffix("'s") for word in words(subject)}
    return bool(wanted) and wanted[-1] in told and any(each.startswith(wanted[0]) for each in told)


def _people() -> dict[str, str]:
    return load_word_table(__package__, "people.yaml")


@cache
def _persons() -> frozenset[str]:
    return frozenset(_people()["persons"].split())


@cache
def _ends() -> re.Pattern[str]:
    ends = _people()["ends"].replace("| ", "|")
    return re.compile(rf"[;.]\s|,?\s(?:{ends})\b")
