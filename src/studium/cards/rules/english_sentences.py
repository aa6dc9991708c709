"""What an English sentence says, by its grammar: a statement, a title, or only the way to what follows.

"A sharded table has no joins."  a statement     "Common pitfalls"  a title     "There are three kinds:"  leads over
"""

import re
from functools import lru_cache
from typing import NamedTuple

from studium.core.text.english.parser import parse, parse_all
from studium.core.text.english.tree import ParsedText, Word
from studium.core.text.normal_form import markdown_to_text
from studium.core.text.sentences import split_sentences
from studium.core.text.stems import stem
from studium.core.text.tokens import split_words

_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_ASKING = frozenset({"WP", "WRB", "WDT", "WP$"})
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "X"})
_UNFINISHED = frozenset({"ADP", "SCONJ", "AUX", "DET", "CCONJ"})
_LIGHT_VERBS = frozenset({"be", "do", "have", "use", "make", "work", "mean", "need", "know"})
_MANY = frozenset({"several", "many", "multiple", "various", "different", "few", "some"})
_TEXTS = frozenset({"guide", "section", "article", "note", "chapter", "answer", "example", "table", "snippet", "list"})
_POINTS = frozenset({"following", "here", "below", "above"})
_REFERS = frozenset({"see", "refer"})
_OF_IT = frozenset({"of", "between", "about"})
_STATING = frozenset({"that", "because"})
_TITLE = re.compile(r"(?:\d{1,2}[.)][ \t]+)?(\*\*|__)(?:(?!\1).)+\1[ \t]*:?|#{1,6}[ \t].*")
_SHORT_TITLE = 3
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_DEFINED = re.compile(
    r"(?:\*\*|__|`)[^\n]{1,120}?"
    r"(?:(?:\*\*|__|`)(?:[ \t]*\([^)\n]*\))?(?:[ \t]*:|[ \t][-\u2013\u2014][ \t])|:(?:\*\*|__))[ \t]*[\w`]"
)
_LABEL = re.compile(r"[^.:!?\n]{1,60}:[ \t]+(?=\S)|[^.:!?\n]{1,60}?[ \t][-\u2013\u2014][ \t]+(?=\S)")
_ASIDE = re.compile(r"(?<=\w) \([^()]{1,200}\)")
_MAY_LEAD = re.compile(r":\W{0,9}$|^\W{0,9}(?:there|see|refer|this)\b", re.IGNORECASE)
_MAY_REFER = re.compile(r"\W{0,9}(?:see|refer)\b", re.IGNORECASE)
_SHOWN = re.compile(r"^[ \t]*(?:```|~~~|\|)|:[*_ \t]{0,9}\n\s{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]", re.MULTILINE)
STARTS_WITH_PRONOUN = re.compile(r"\W{0,9}(?:it|they|this|these)\b", re.IGNORECASE)
_MARKS_BEFORE = re.compile(r"^[^\w(\"'\u201c`]+")


def is_title(line: str) -> bool:
    """Whether a line is written as a title: a heading, or bold from its start to its end."""
    return bool(_TITLE.fullmatch(line.strip()))


def defines(line: str) -> bool:
    """Whether a line is a marked term and what it is, also without a verb: `**Model** - data and rules`."""
    return bool(_DEFINED.match(_ITEM.sub("", line)))


class Asked(NamedTuple):
    """The stems of what a question asks about: its subject, object and verbs, and the verbs alone."""

    stems: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()


NOTHING = Asked()


def says_something(sentence: str, asked: Asked = NOTHING) -> bool:
    """Whether a sentence states, commands or defines something, and does not merely lead to what follows it."""
    sentence = "\n".join(line for line in sentence.splitlines() if not is_title(line))
    plain = _plain(sentence)
    tree = parse(plain)
    if tree is None or tree.root is None or _leads_over(tree, tree.root):
        return False
    # `Rebase before a review.` The question says that it is a verb.
    if _has_predicate(tree) or tree.root.tag == "UH" or stem(tree.words[0].text, "en") in asked.verbs:
        return True
    return defines(sentence) or _says_after_label(plain, asked)


def _says_after_label(plain: str, asked: Asked) -> bool:
    """Whether a statement comes after `Note: `, or a definition after what is asked: `Saga - a chain of steps`."""
    label = _LABEL.match(plain)
    if label is None:
        return False
    said = plain[label.end() :]
    if asked.stems & stems_of(label[0]) and len(said.split()) > _SHORT_TITLE:
        return True
    tree = parse(said)
    return tree is not None and tree.root is not None and _has_predicate(tree) and not _leads_over(tree, tree.root)


def answers(question: str, back: str) -> bool:
    """Whether a text speaks of what is asked, and has a statement, code, a table or a list that a line announces."""
    asked = what_is_asked(question)
    if asked.stems and not asked.stems & stems_of(back) and not STARTS_WITH_PRONOUN.match(back):
        return False
    return bool(_SHOWN.search(back)) or any(
        says_something(sentence, asked) for sentence in split_sentences(back, "en", markdown=True)
    )


def refers_elsewhere(text: str) -> bool:
    """Whether a text is one sentence that only sends the reader to another place."""
    if not _MAY_REFER.match(text) or len(split_sentences(text, "en", markdown=True)) > 1:
        return False
    tree = parse(_plain(text))
    return tree is not None and tree.root is not None and _refers(tree, tree.root)


def leads_over(sentence: str) -> bool:
    """Whether a sentence only announces, counts or points to what is said elsewhere."""
    if not _MAY_LEAD.search(sentence):  # as most do not, and parsing takes time
        return False
    tree = parse(_plain(sentence))
    return tree is not None and tree.root is not None and _leads_over(tree, tree.root)


@lru_cache(maxsize=512)
def stems_of(text: str) -> frozenset[str]:
    """The stems of all words of a text."""
    return frozenset(stem(word, "en") for word in split_words(markdown_to_text(text).casefold(), symbols=True))


@lru_cache(maxsize=64)
def what_is_asked(question: str) -> Asked:
    """What a question asks about; the place, time or purpose of it only if it names nothing else."""
    sentences = split_sentences(markdown_to_text(question, one_line=True), "en")
    trees = [tree for tree in parse_all(sentences) if tree is not None]
    words = [word for tree in trees for word in _asked_words(tree)]
    if not words:
        words = [word for tree in trees for word in tree.words if word.pos in _CONTENT]
    stems = [(stem(word.text, "en"), word.pos) for word in words]
    return Asked(frozenset(each for each, _ in stems), frozenset(each for each, pos in stems if pos == "VERB"))


def _asked_words(tree: ParsedText) -> list[Word]:
    aside = {index for word in tree.words if _is_setting(tree, word) for index in tree.subtree(word)}
    return [
        word
        for word in tree.words
        if word.pos in _CONTENT
        and word.index not in aside
        and not (word.pos == "VERB" and (word.lemma in _LIGHT_VERBS or _is_command(tree, word)))
    ]


def _is_setting(tree: ParsedText, word: Word) -> bool:
    """Whether a phrase says where, when or for what: `in Kotlin`, `during a rotation`."""
    case = tree.child(word, "case")
    return word.is_("obl", "nmod") and case is not None and case.lower not in _OF_IT


def _plain(sentence: str) -> str:
    return _ASIDE.sub("", _MARKS_BEFORE.sub("", markdown_to_text(sentence, one_line=True)))


def _has_predicate(tree: ParsedText) -> bool:
    """Whether the main clause, or one beside it, has a finite verb with a subject, or commands."""
    if tree.root is None:
        return False
    heads = [tree.root, *tree.children(tree.root, "parataxis", "conj", "ccomp", "appos")]
    return any(_is_stated(tree, word) for word in heads) or _is_command(tree, tree.root)


def _is_stated(tree: ParsedText, word: Word) -> bool:
    helpers = tree.children(word, "aux", "cop")
    has_subject = tree.child(word, "nsubj", "csubj", "expl") is not None
    # A plural subject and a bare form: `Path problems find`.
    is_finite = any(verb.tag in _FINITE for verb in (word, *helpers)) or (word.tag == "VB" and not helpers)
    return has_subject and is_finite and not _is_dependent(tree, word)


def _is_dependent(tree: ParsedText, word: Word) -> bool:
    """Whether a clause asks, or is only a condition of another one: `Why it leaks`, `When the state is null`."""
    asks = word.tag in _ASKING or any(
        child.tag in _ASKING and child.index < word.index and not tree.child(child, "acl")
        for child in tree.children(word)
    )
    return asks or tree.text.endswith("?") or any(mark.lower not in _STATING for mark in tree.children(word, "mark"))


def _is_command(tree: ParsedText, word: Word) -> bool:
    # `Testing` is no base form, whatever the parser takes it for.
    is_form = word.lower.endswith("ing") and stem(word.lower, "en") != word.lower
    is_base = word.pos == "VERB" and word.tag in ("VB", "VBP") and not is_form
    is_alone = tree.child(word, "nsubj", "csubj", "expl", "mark", "aux", "cop") is None
    return is_base and is_alone and not _is_dependent(tree, word)


def _leads_over(tree: ParsedText, root: Word) -> bool:
    """Whether a sentence only announces, counts or names the text that says it."""
    subject = tree.child(root, "nsubj")
    if _refers(tree, root):
        return True
    if subject and subject.lemma in _TEXTS and any(word.lower == "this" for word in tree.children(subject, "det")):
        return True
    if subject and tree.child(root, "expl") and subject.tag == "NNS" and _is_counted(tree, subject):
        return True
    return tree.text.rstrip().endswith(":") and _announces(tree, root)


def _refers(tree: ParsedText, root: Word) -> bool:
    return root.lemma in _REFERS and _is_command(tree, root)


def _announces(tree: ParsedText, root: Word) -> bool:
    """Whether a sentence that ends in a colon says nothing without what comes after it."""
    words = [word for word in tree.words if word.pos != "PUNCT"]
    told = (*tree.children(root, "nsubj", "obj"), root)
    return (
        words[-1].pos in _UNFINISHED
        or words[-1].lemma == "include"
        or any(word.lower in _POINTS for word in words)
        or any(_is_counted(tree, word) for word in told if word.tag == "NNS")
    )


def _is_counted(tree: ParsedText, word: Word) -> bool:
    """Whether a noun has a number in words or a quantity: `three kinds`, `several ways`."""
    return any(child.text.isalpha() for child in tree.children(word, "nummod")) or any(
        child.lemma in _MANY for child in tree.children(word, "amod", "det")
    )
