"""Predicates of an English sentence with their arguments, the same for active and passive, main and relative clauses.

The loader, which is started by the UEFI, …    →    start(subject=UEFI, object=loader)
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from studium.core.text.english.tree import ParsedText, Word
from studium.questions.rules.comparison.lemmas import is_path

Role = Literal["subject", "object", "complement", "oblique", "clause", "adverb"]
NEGATIONS = frozenset(
    {"not", "n't", "n\u2019t", "never", "no", "neither", "nor", "hardly", "nobody", "nothing", "none", "nowhere"}
)
_NEGATIVE_MARKS = frozenset({"without", "unless"})
_RELATIVE = frozenset({"who", "which", "that", "whom", "whose", "where", "when"})
_NO_AGENTS = frozenset({"default", "hand", "mail", "post", "means", "law", "way", "date", "day", "year", "week"})
_ROLES: dict[str, Role] = {
    "obj": "object",
    "iobj": "object",
    "ccomp": "object",
    "xcomp": "complement",
    "advcl": "clause",
    "advmod": "adverb",
}
_SUBJECTS = ("nsubj", "csubj")


@dataclass(frozen=True)
class Argument:
    """A part of a clause: its role, its main word, and the preposition or conjunction before it."""

    role: Role
    word: Word
    marker: str = ""


@dataclass(frozen=True)
class Predicate:
    """A verb, or the noun or adjective after `be`, with its arguments; `linking` if it says what something is."""

    word: Word
    arguments: tuple[Argument, ...]
    negated: bool
    modal: str
    linking: bool = False
    passive: bool = False
    apart: frozenset[int] = field(default=frozenset())

    def of(self, *roles: Role) -> tuple[Argument, ...]:
        """The arguments with one of these roles, in order."""
        return tuple(each for each in self.arguments if each.role in roles)


def predicates_of(tree: ParsedText) -> list[Predicate]:
    """All predicates of a sentence, in order; an apposition (`Bern, the capital`) is one, too."""
    found = [read_predicate(tree, word) for word in tree.words if is_predicate(tree, word)]
    return [*found, *_appositions(tree), *_clauses_after_be(tree)]


def is_predicate(tree: ParsedText, word: Word) -> bool:
    """Whether a word is a verb with arguments, or what follows `be`."""
    if tree.child(word, "cop"):
        return True
    return (word.pos == "VERB" and not word.is_("amod", "compound")) or (word.pos == "AUX" and word.is_("root", "conj"))


def read_predicate(tree: ParsedText, word: Word) -> Predicate:
    """The predicate of a word."""
    done = word.tag == "VBN" and any(child.lemma in ("be", "get") for child in tree.children(word, "aux", "cop"))
    passive = done or tree.child(word, "aux:pass") is not None or (word.is_("acl") and word.tag == "VBN")
    linking = tree.child(word, "cop") is not None and not passive
    own = list(_own_arguments(tree, word, passive=passive, linking=linking))
    own += _antecedent(tree, word, own, passive=passive)
    if not any(each.role == ("object" if passive else "subject") for each in own):
        own += _shared_subject(tree, word, passive=passive)
    return Predicate(
        word, tuple(own), _is_negated(tree, word, own), _modal(tree, word), linking, passive, _apart(tree, word)
    )


def _own_arguments(tree: ParsedText, word: Word, *, passive: bool, linking: bool) -> Iterator[Argument]:
    if linking:
        yield Argument("complement", word, _marker(tree, word))
    first: Role = "object" if passive else "subject"
    for child in tree.children(word):
        marker = _marker(tree, child)
        if child.relation == "nsubj:outer":
            continue
        if child.is_(*_SUBJECTS):
            yield Argument(first, child, marker)
        elif child.is_("obl"):
            yield _oblique(tree, child, marker, passive=passive)
        elif is_path(child.text) and child.index < word.index and not tree.child(word, *_SUBJECTS) and not marker:
            yield Argument(first, child)
        elif role := _role(child, linking=linking):
            yield Argument(role, child, "" if child.is_("ccomp", "advmod") else marker)


def _role(word: Word, *, linking: bool) -> Role | None:
    if word.is_("advmod") and word.lower in NEGATIONS:
        return None
    if linking and word.is_("nmod"):
        return "oblique"
    return _ROLES.get(word.relation.partition(":")[0])


def _oblique(tree: ParsedText, word: Word, marker: str, *, passive: bool) -> Argument:
    if marker == "by" and passive and word.lemma not in _NO_AGENTS:
        return Argument("subject", word, marker)
    if word.pos == "ADP" and word.index + 1 < len(tree.words):
        # A path after a preposition that the parser took for something else.
        return Argument("oblique", tree.words[word.index + 1], word.lower)
    return Argument("oblique", word, marker)


def _marker(tree: ParsedText, word: Word) -> str:
    """The preposition or conjunction before a word: `in`, `because of`, `to`."""
    marks = [child for child in tree.children(word, "case", "mark") if child.index < word.index or child.pos == "ADP"]
    whole = (piece for mark in marks for piece in (mark, *tree.children(mark, "fixed")))
    return " ".join(piece.lower for piece in sorted(whole, key=lambda piece: piece.index))


def _antecedent(tree: ParsedText, word: Word, own: list[Argument], *, passive: bool) -> list[Argument]:
    """The noun that a relative clause or a participle describes, in the place of the relative pronoun."""
    noun = tree.head(word)
    if noun is None or not word.is_("acl"):
        return []
    for argument in own:
        if argument.word.lower in _RELATIVE and argument.word.pos in ("PRON", "DET", "SCONJ", "ADV"):
            own.remove(argument)
            return [Argument(argument.role, noun, argument.marker)]
    if passive or (word.relation == "acl:relcl" and any(each.role == "subject" for each in own)):
        return [Argument("object", noun)]
    return [Argument("subject", noun)] if word.tag == "VBG" else []


def _shared_subject(tree: ParsedText, word: Word, *, passive: bool) -> list[Argument]:
    """The subject of the clause that this one continues: `… was built and opened`, `… helps to find`."""
    head = tree.head(word)
    while head is not None and head.is_("xcomp", "conj") and not tree.child(head, *_SUBJECTS):
        head = tree.head(head)
    if head is None or not word.is_("conj", "xcomp", "advcl"):
        return []
    role: Role = "object" if passive else "subject"
    if word.is_("xcomp") and (controller := tree.child(head, "obj")):
        return [Argument(role, controller)]
    if subject := tree.child(head, *_SUBJECTS):
        return [Argument(role, subject)]
    noun = tree.head(head)
    return [Argument(role, noun)] if head.is_("acl") and noun else []


def _is_negated(tree: ParsedText, word: Word, arguments: list[Argument]) -> bool:
    if any(child.lower in NEGATIONS for child in tree.children(word, "advmod", "det", "cc")):
        return True
    if any(child.lower in _NEGATIVE_MARKS for child in tree.children(word, "mark", "case")):
        return True
    core = [each.word for each in arguments if each.role in ("subject", "object")]
    return any(is_denied(tree, each) for each in core if each.pos in ("NOUN", "PROPN", "PRON"))


def is_denied(tree: ParsedText, word: Word) -> bool:
    """Whether a phrase is negated: `no gate`, `not a gate`, `nobody`."""
    return word.lower in NEGATIONS or any(
        child.lower in NEGATIONS for child in tree.children(word, "det", "advmod", "cc")
    )


def _modal(tree: ParsedText, word: Word) -> str:
    """The modal verb: `must`, also for `has to` and `is required to`."""
    modal = next((child.lemma for child in tree.children(word, "aux") if child.tag == "MD"), "")
    head = tree.head(word)
    if not modal and head is not None and word.is_("xcomp"):
        if head.lemma in ("have", "need", "require", "oblige"):
            return "must"
        return "can" if head.lemma in ("able", "allow", "permit", "possible") else _modal(tree, head)
    return {"ca": "can", "could": "can", "might": "may", "shall": "must", "wo": "will"}.get(modal, modal)


_CLAUSE_LEVEL = ("nsubj", "csubj", "cop", "aux", "mark", "cc", "advcl", "parataxis", "discourse", "punct", "expl")


def _apart(tree: ParsedText, word: Word) -> frozenset[int]:
    """The dependents of a word that belong to its clause and not to its phrase."""
    clauses = [
        child
        for child in tree.children(word, "conj")
        if is_predicate(tree, child) and not any(each.lower in _RELATIVE for each in tree.children(child, "nsubj"))
    ]
    apart = {child.index for child in tree.children(word, *_CLAUSE_LEVEL)} | {each.index for each in clauses}
    if tree.child(word, "cop"):
        early = [child for child in tree.children(word, "obl", "advmod") if child.index < word.index]
        before = tree.child(word, "cop")
        apart |= {child.index for child in early if before and child.index < before.index}
    return frozenset(apart)


def _appositions(tree: ParsedText) -> Iterator[Predicate]:
    for word in tree.words:
        noun = tree.head(word)
        if word.is_("appos") and noun is not None and word.pos in ("NOUN", "PROPN") and _is_set_off(tree, noun, word):
            arguments = (Argument("subject", noun), Argument("complement", word))
            yield Predicate(word, arguments, negated=False, modal="", linking=True, apart=frozenset({word.index}))


def _is_set_off(tree: ParsedText, noun: Word, word: Word) -> bool:
    """Whether a mark stands before an apposition, or one of the two is a name."""
    between = tree.text[min(noun.end, word.end) : max(noun.start, word.start)]
    return any(mark in between for mark in ",(\u2013\u2014") or word.text[:1].isupper() or noun.text[:1].isupper()


def _clauses_after_be(tree: ParsedText) -> Iterator[Predicate]:
    """`The aim is to reduce noise`, `The problem is that …`: the clause is what the subject is."""
    for word in tree.words:
        subject = next((child for child in tree.children(word) if child.relation == "nsubj:outer"), None)
        if subject is not None:
            mark = tree.child(word, "mark")
            start = mark.index if mark else word.index
            before = {child.index for child in tree.children(word) if child.index < start}
            verbs = {other.index for other in tree.words if other.is_("cop") and subject.index < other.index < start}
            arguments = (Argument("subject", subject), Argument("complement", word))
            yield Predicate(word, arguments, negated=False, modal="", linking=True, apart=frozenset(before | verbs))


def read_nominal(tree: ParsedText, noun: Word) -> Predicate:
    """A noun as a predicate: `the construction of the pier by Marrack in 1702`."""
    head = tree.head(noun)
    denied = is_denied(tree, noun) or (head is not None and is_denied(tree, head))
    return Predicate(noun, tuple(_noun_arguments(tree, noun)), denied, modal="")


def _noun_arguments(tree: ParsedText, noun: Word) -> Iterator[Argument]:
    for child in tree.children(noun, "nmod", "compound", "amod"):
        marker = _marker(tree, child)
        if child.relation == "nmod:poss" or marker == "by":
            yield Argument("subject", child, marker)
        elif marker == "of" or child.is_("compound"):
            yield Argument("object", child, marker)
        else:
            yield Argument("oblique", child, marker)
    governor = tree.head(noun)
    for child in tree.children(governor, "obl", "advcl") if governor else ():
        if child != noun:
            yield Argument("oblique", child, _marker(tree, child))
