"""Excerpts: whole sentences of a text, in their order, in no more words than are wanted."""

import re
from collections.abc import Iterable, Sequence

from studium.workflows.concepts.drafting.sentences import count

_STOP = re.compile(r"(?<=[,;:—–])\s")


def excerpt(sentences: Sequence[str], ranked: Iterable[int], words: int) -> str:
    """The best of the sentences (`ranked` names them, best first) that fit; one that is too long ends at a clause."""
    chosen: list[int] = []
    left = words
    order = list(ranked)
    for each in order:
        length = count(sentences[each])
        if length <= left and sentences[each] not in (sentences[i] for i in chosen):
            chosen.append(each)
            left -= length
    if not chosen and order:
        return shortened(sentences[order[0]], words)
    return " ".join(sentences[each] for each in sorted(chosen))


def shortened(sentence: str, words: int) -> str:
    """A sentence in no more words than these: whole, or up to a clause's end with “…”."""
    if count(sentence) <= words:
        return sentence
    kept = ""
    for clause in _STOP.split(sentence):
        longer = f"{kept} {clause}" if kept else clause
        if count(longer) > words:
            break
        kept = longer
    if kept:
        return kept.rstrip(" ,;:—–") + " …"
    first = sentence.split()
    if len(first) > 1:
        return " ".join(first[:words]).rstrip(" ,;:—–") + " …"
    return sentence[: 2 * words] + "…"
