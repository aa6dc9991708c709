"""Quotes as sentences, clauses and words."""

import re
from collections.abc import Iterable, Iterator, Sequence

_MARKED = re.compile(r"(?<![\w*_])(\*\*|__|\*|_)(?=\S)(.{1,300}?)(?<=\S)\1(?![\w*_])")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_WIKI = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]")
_NOISE = re.compile(r"<[^>]{1,80}>|\[\^?\d{1,3}\]|\[(?:…|\.\.\.|sic)\]|^[>#\s]+|[\u200b\ufeff]", re.MULTILINE)
_SPOKEN = re.compile(r"\s*[—–-]{1,2}\s*(?:[A-ZÁÉÍÓÚÑ][\w.’'-]*\s*){1,4}(?:,[^.!?]{0,60})?$")
_ABBREVIATED = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Dr|Sr|Sra|Dra|St|vs|p|pp|pág|cf|etc|e\.g|i\.e|vol|núm|no|ed|Prof)\.$")
_END = re.compile(r"(?<=[.!?…])[\"”»’')\]]*\s+(?=[\"“«‘'(\[¿¡—–-]*[^\W_])|(?<=[。\uff01\uff1f])")
_CLAUSE = re.compile(r"\s*(?:[;:]|,|\s[—–-]{1,2}\s|—)\s*")
_PART = re.compile(r"\s*(?:[;:]|\s[—–-]{1,2}\s|—)\s*")
WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*[’']?", re.UNICODE)
_ELIDED = re.compile(r"\b(?:l|d|j|m|t|s|n|c|qu|un|dell|all|dall|nell|sull|quest)[’'](?=\w)", re.IGNORECASE)
_QUOTED = re.compile(r"[“«„\"]([^“”«»„\"]{3,60})[”»“\"]")
QUOTE_MARKS = "\"“”«»„‘’'"


def clean_quote(text: str) -> str:
    """A quote without its markup, footnote marks and the name of who said it."""
    text = _NOISE.sub(" ", _WIKI.sub(r"\1", _LINK.sub(r"\1", text)))
    text = _MARKED.sub(r"\2", _MARKED.sub(r"\2", text))
    text = " ".join(text.split())
    told = _SPOKEN.sub("", text)
    return told if len(told) * 2 > len(text) else text


def emphasized_parts(text: str) -> tuple[str, ...]:
    """What a quote sets in italics, bold or quotation marks, when it is a part of it only."""
    found = [each[1] for each in _MARKED.findall(text)] + _QUOTED.findall(text)
    return tuple(each.strip(" .,;:") for each in found if len(each) * 2 < len(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text, in their order."""
    found: list[str] = []
    joins = False
    for piece in _END.split(text):
        said = piece.strip() if piece else ""
        if not said:
            continue
        if joins and found:
            found[-1] = f"{found[-1]} {said}"
        else:
            found.append(said)
        joins = bool(_ABBREVIATED.search(said))
    return found


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence between commas, colons and dashes."""
    return [each for each in _CLAUSE.split(sentence.strip(QUOTE_MARKS + " .")) if each.strip()]


def strong_clauses(sentence: str) -> list[str]:
    """The parts of a sentence between semicolons, colons and dashes."""
    return [each for each in _PART.split(sentence.strip(QUOTE_MARKS + " .")) if each.strip()]


def words(text: str) -> list[str]:
    """The words of a text as they stand; an elided article is a word of its own."""
    return [word for word, _ in tokens(text)]


def tokens(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text, each with whether a mark stands between it and the one before."""
    spaced = _ELIDED.sub(r"\g<0> ", text)
    end = 0
    for found in WORD.finditer(spaced):
        gap, end = spaced[end : found.start()], found.end()
        word = found.group()
        yield word if _ELIDED.match(f"{word}x") else word.rstrip("’'"), bool(gap.strip())


def count_words(text: str) -> int:
    """How many words a text has; in scripts without spaces, every two signs count as one."""
    return sum(max(1, len(word) // 2) if word[0] > "\u2e7f" else 1 for word in WORD.findall(text))


_STOP = re.compile(r"(?<=[,;:—–])\s")


def excerpt(sentences: Sequence[str], ranked: Iterable[int], words: int) -> str:
    """The best of the sentences (`ranked` names them, best first) that fit; one that is too long ends at a clause."""
    chosen: list[int] = []
    left = words
    order = list(ranked)
    for each in order:
        length = count_words(sentences[each])
        if length <= left and sentences[each] not in (sentences[i] for i in chosen):
            chosen.append(each)
            left -= length
    if not chosen and order:
        return shorten(sentences[order[0]], words)
    return " ".join(sentences[each] for each in sorted(chosen))


def shorten(sentence: str, words: int) -> str:
    """A sentence in no more words than these: whole, or up to a clause's end with “…”."""
    if count_words(sentence) <= words:
        return sentence
    kept = ""
    for clause in _STOP.split(sentence):
        longer = f"{kept} {clause}" if kept else clause
        if count_words(longer) > words:
            break
        kept = longer
    if kept:
        return kept.rstrip(" ,;:—–") + " …"
    first = sentence.split()
    if len(first) > 1:
        return " ".join(first[:words]).rstrip(" ,;:—–") + " …"
    return sentence[: 2 * words] + "…"
