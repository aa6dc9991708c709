"""The sentence behind a fact as a statement that is understood on its own, and where its answer stands in it."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from studium.core.text.english.parser import parse
from studium.core.text.english.tree import ParsedText, Word
from studium.questions.rules.generation.clauses import Clause, trimmed
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import Fact, QuestionFamily, is_statement
from studium.questions.rules.generation.naturalness import CERTAIN
from studium.questions.rules.generation.phrases import has_loose_words, is_clear, is_invented
from studium.questions.rules.generation.ranking import Topics, is_source
from studium.questions.rules.parsed_document import strip_markdown

MOST_ANSWER_WORDS = 5
_LENGTH = range(6, 27)
_OTHER_FORM = (QuestionFamily.ABBREVIATION, QuestionFamily.LIST, QuestionFamily.TABLE, QuestionFamily.ENTRY)
_POINTING = (word_list("pointing") - {"that"}) | {"same"}
_OWN = word_list("own")
_VAGUE = word_list("vague")
_RELATIVE = word_list("relative")
_CONTAINERS = word_list("containers")
_ENOUGH = 2
_OF_PEOPLE = word_list("of_people")
_FIRST_PERSON = word_list("first_person")
_HEADS = ("NOUN", "PROPN", "NUM", "SYM", "X")
_PHRASES = (
    "in other words",
    "in both cases",
    "in either case",
    "in some cases",
    "in many cases",
    "as a result",
    "in response",
)
_SINCE = ("later", "earlier", "afterwards", "meantime", "ago", "time")
_OPENINGS = ("CCONJ", "SCONJ", "PRON", "INTJ", "PUNCT")
_HEDGES = word_list("hedges")


@dataclass(frozen=True)
class Statement:
    """A statement, and the words in it that answer the question about it."""

    tree: ParsedText
    start: int
    end: int

    @property
    def text(self) -> str:
        """The whole statement."""
        return self.tree.text

    @property
    def answer(self) -> str:
        """The words that answer the question, as they stand in the statement."""
        return self.text[self.start : self.end]

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of the answer."""
        return tuple(word for word in self.tree.words if self.start <= word.start and word.end <= self.end)

    def filled(self, text: str) -> str:
        """The statement with other words in place of the answer."""
        said = f"{self.text[: self.start]}{text}{self.text[self.end :]}"
        return said[0].upper() + said[1:]


def statement_of(fact: Fact, topics: Topics) -> Statement | None:
    """The main clause of the sentence that a fact was found in; none if it says too little or too much by itself."""
    if len(fact.quotes) != 1 or fact.family in _OTHER_FORM:
        return None
    text = _main_clause(strip_markdown(fact.quotes[0]), fact.answer)
    tree = parse(text) if text else None
    if tree is None or tree.certainty < CERTAIN or not _stands_alone(tree, topics):
        return None
    return _with_answer(tree, fact.answer)


@lru_cache(maxsize=4096)
def _main_clause(sentence: str, answer: str) -> str:
    """A sentence without what is only added to it; empty if it is no plain statement.

    "However, the bridge, which is old, is 40 m long (see below)." → "The bridge is 40 m long."
    """
    tree = parse(sentence) if is_source(sentence) and is_statement(sentence, to_the_reader=True) else None
    if tree is None or tree.root is None or tree.certainty < CERTAIN:
        return ""
    clause = Clause(tree, tree.root, tree.child(tree.root, "nsubj"))
    if clause.subject is None or clause.is_negated or tree.child(tree.root, "expl", "csubj"):
        return ""
    out = set(clause.dropped)
    for word in tree.words:
        if word.index not in out and word.is_("nsubj", "obj", "obl", "nmod"):
            out |= tree.subtree(word) - trimmed(tree, word)
        elif word.is_("parataxis") and word.index not in out:
            out |= tree.subtree(word)
    # A comma beside what is left out goes with it.
    out |= {word.index for word in tree.words if word.text == "," and {word.index - 1, word.index + 1} & out}
    said = _text_without(tree, out).strip(" ,;:.!")
    found = bool(said) and answer.lower() in said.lower()
    return f"{said[0].upper()}{said[1:]}." if found else ""


def _text_without(tree: ParsedText, out: set[int]) -> str:
    """The sentence without some words, spaced as written."""
    kept = [word for word in tree.words if word.index not in out]
    pieces = [kept[0].text] if kept else []
    for before, word in pairwise(kept):
        joined = before.index + 1 == word.index
        pieces += [tree.text[before.end : word.start] if joined else " " * word.text[0].isalnum(), word.text]
    return "".join(pieces)


def _stands_alone(tree: ParsedText, topics: Topics) -> bool:
    if len(tree.words) - 1 not in _LENGTH or not _begins_anew(tree):
        return False
    if any(sign in tree.text for sign in ";:()[]?!\u2014") or tree.text.count('"') % 2 or tree.text.endswith('".'):
        return False
    nouns: list[Word] = []
    for word in tree.words:
        points = word.lower in _POINTING | _FIRST_PERSON or _points_back(tree, word)
        points = points or is_invented(word) or (word.pos == "NUM" and tree.child(word, "det") is not None)
        if points or (word.lower in _OWN | _OF_PEOPLE and (not nouns or word.is_("nsubj"))):
            return False
        if word.pos in ("NOUN", "PROPN"):
            nouns.append(word)
            if not _is_specific(tree, word, topics):
                return False
    return _has_whole_subject(tree)


def _points_back(tree: ParsedText, word: Word) -> bool:
    """`that harbour`, `until that happens`; not `a harbour that …`."""
    head = tree.head(word)
    relative = head is not None and head.is_("acl")
    return word.lower == "that" and (word.pos == "DET" or (word.pos == "PRON" and not relative))


def _has_whole_subject(tree: ParsedText) -> bool:
    """Whether there is a subject, and no comma between it and its verb, which something left out would leave behind."""
    subject = tree.root and tree.child(tree.root, "nsubj")
    if tree.root is None or not subject or _is_misread(tree, tree.root, subject):
        return False
    verbs = [word.index for word in (tree.root, *tree.children(tree.root, "aux", "cop")) if word.index > subject.index]
    between = tree.words[subject.index : min(verbs, default=subject.index)]
    return sum(word.text == "," for word in between) % 2 == 0


def _is_misread(tree: ParsedText, root: Word, subject: Word) -> bool:
    """`The ratio of CEO to worker pay …`: its verb does not agree; `…, where information …`: it lacks a verb."""
    bare = root.tag == "VBP" and subject.tag == "NN" and not tree.children(root, "aux", "cop")
    verbs = [word.index for word in tree.words if word.pos in ("VERB", "AUX")]
    opened = [word.index for word in tree.words if word.lower in ("where", "which", "who")]
    return bare or any(all(verb < index for verb in verbs) for index in opened)


def _begins_anew(tree: ParsedText) -> bool:
    """Whether nothing at the beginning leads over from the sentence before."""
    first = tree.words[0]
    comma = next((word.index for word in tree.words if word.text == ","), 0)
    adverbs = comma > 0 and all(word.pos == "ADV" for word in tree.words[:comma])
    since = any(word.lower in _SINCE for word in tree.words[:comma])
    leads_over = first.pos in _OPENINGS or first.lower in _HEDGES or adverbs or since
    return not leads_over and not tree.text.lower().startswith(_PHRASES)


def _is_specific(tree: ParsedText, noun: Word, topics: Topics) -> bool:
    """Whether readers know which one is meant: `the cookie` needs to be what the document is about."""
    if noun.pos == "PROPN" or not noun.is_("nsubj", "obj", "root"):
        return True
    telling = [
        word
        for word in tree.children(noun, "amod", "compound", "nmod", "acl", "nummod", "flat", "appos")
        if word.lower not in _RELATIVE and not re.match(r"\d+(?:st|nd|rd|th)|first", word.lower)
    ]
    determiner = tree.child(noun, "det")
    if telling or determiner is None:
        return bool(telling) or noun.lemma not in _VAGUE
    if determiner.lower in ("another", "other", "both", "either"):
        return False
    return (determiner.lower != "the" or topics.is_often_said(noun)) and noun.lemma not in _VAGUE


def _with_answer(tree: ParsedText, answer: str) -> Statement | None:
    """The statement, if the answer stands in it once and is the name of a thing or a number."""
    found = [
        match
        for match in re.finditer(re.escape(answer), tree.text, re.IGNORECASE)
        if not _is_inside_a_word(tree.text, match.start(), match.end())
    ]
    if len(found) != 1:
        return None
    statement = Statement(tree, found[0].start(), found[0].end())
    words = statement.words
    inside = {word.index for word in words}
    heads = [word for word in words if word.head not in inside]
    if len(heads) != 1 or heads[0].pos not in _HEADS or len(words) > MOST_ANSWER_WORDS + 2:
        return None
    if (
        any(word.pos in ("PRON", "CCONJ", "VERB") or word.lower == "to" for word in words)
        or not is_clear(words)
        or has_loose_words(words)
    ):
        return None
    # What belongs to the head must not be left outside: `the user` of `the user who …`.
    if heads[0].lemma in _CONTAINERS or not _says_enough(tree, inside):
        return None
    return statement if tree.subtree(heads[0]) - inside <= _outside(tree, heads[0]) else None


def _says_enough(tree: ParsedText, answer: set[int]) -> bool:
    """Whether there are at least two words beside the answer to know the matter by."""
    telling = [
        word
        for word in tree.words
        if word.index not in answer
        and word.pos in ("NOUN", "PROPN", "NUM", "ADJ")
        and word.lower not in _RELATIVE | _VAGUE | _CONTAINERS
    ]
    return len(telling) >= _ENOUGH


def _outside(tree: ParsedText, head: Word) -> set[int]:
    """What may stay when the head and its words are replaced: the preposition, and the verb's own words."""
    kept: set[int] = set()
    for child in tree.children(head):
        if child.is_("case", "punct", "cop", "nsubj", "aux", "advmod", "obl", "advcl", "mark"):
            kept |= tree.subtree(child)
    return kept


def _is_inside_a_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    joined = bool(re.match(r"[\w/@~$-]", before)) or bool(re.match(r"[\w/@-]", after))
    return joined or bool(re.match(r"[.'\u2019]\w", text[end : end + 2]))
