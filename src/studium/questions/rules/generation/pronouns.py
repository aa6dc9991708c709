"""Name what the pronoun at the beginning of a sentence stands for.

"Skarn is a town. It was founded in 1271."  →  "Skarn was founded in 1271."
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from studium.core.text.english.parser import parse_all
from studium.core.text.english.tree import ParsedText
from studium.questions.rules.generation.clauses import trimmed
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.parsed_document import ParsedSentence

_PRONOUN = re.compile(r"(?P<pronoun>It|They|He|She|Its|Their) (?=[a-z])")
_PLURAL = ("NNS", "NNPS")
_LONGEST_NAME = 6
Resolved = tuple[str, tuple[str, ...]]
"""A sentence in which every word is understood, and the quotes that prove it."""


def resolve(sentences: Sequence[ParsedSentence], document: Sequence[ParsedSentence]) -> list[Resolved]:
    """Each sentence, with the subject of the sentence before it in place of the pronoun at its beginning."""
    before = {id(later): earlier for earlier, later in pairwise(document) if _follows(earlier, later)}
    leading = [each for each in sentences if id(each) in before and _PRONOUN.match(each.text)]
    trees = parse_all([before[id(each)].text for each in leading])
    names = {id(each): _name(tree, each.text) for each, tree in zip(leading, trees, strict=True) if tree is not None}
    return [
        (_PRONOUN.sub(f"{name} ", each.text, count=1), (before[id(each)].quote, each.quote))
        if (name := names.get(id(each)))
        else (each.text, (each.quote,))
        for each in sentences
    ]


def _follows(earlier: ParsedSentence, later: ParsedSentence) -> bool:
    return later.line - earlier.line - earlier.quote.count("\n") <= 1 and earlier.heading == later.heading


def _name(tree: ParsedText, text: str) -> str:
    """The subject of a sentence, if the pronoun of the next one can only be that."""
    subject = tree.root and tree.child(tree.root, "nsubj")
    found = _PRONOUN.match(text)
    if not subject or not found or subject.pos not in ("NOUN", "PROPN") or tree.child(subject, "conj"):
        return ""
    pronoun = found["pronoun"]
    words = trimmed(tree, subject)
    if (subject.tag in _PLURAL) != (pronoun in ("They", "Their")) or len(words) > _LONGEST_NAME:
        return ""
    is_person = subject.lemma in word_list("persons") or _is_said_to_be_a_person(tree)
    if is_person != (pronoun in ("He", "She")) and pronoun not in ("They", "Their"):
        return ""
    if any(tree.words[index].pos == "PRON" for index in words):
        return ""
    return tree.text_of(words) + ("'s" if pronoun == "Its" else "\u2019" if pronoun == "Their" else "")


def _is_said_to_be_a_person(tree: ParsedText) -> bool:
    """`Ida Brandt was a Danish geologist`."""
    root = tree.root
    return root is not None and root.lemma in word_list("persons") and tree.child(root, "cop") is not None
