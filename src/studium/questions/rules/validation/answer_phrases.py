"""Cut answers from a tree: noun phrases, clauses and verb phrases, without asides and without what frames them."""

from collections.abc import Collection

from studium.core.text.english.tree import ParsedText, Word
from studium.questions.rules.comparison.predicates import Predicate, is_predicate

_FRAME = ("case", "mark", "cc", "punct", "discourse", "parataxis", "cc:preconj")
_OPENING, _CLOSING = "([{", ")]}"


def noun_phrase(tree: ParsedText, word: Word, without: Collection[int] = ()) -> str:
    """A noun with its modifiers, without the preposition before it, brackets, and what follows a comma."""
    frame = {child.index for child in tree.children(word, *_FRAME)}
    return _text(tree, word, {*without, *frame, *_asides(tree, word), *_clause_parts(tree, word)})


def marked_phrase(tree: ParsedText, word: Word, without: Collection[int] = ()) -> str:
    """A phrase with its preposition or conjunction: `in /var/log`, `when the segment starts`."""
    own = {child.index for child in tree.children(word, "cc", "punct", "discourse", "parataxis")}
    clauses = {
        child.index
        for child in tree.children(word, "conj")
        if is_predicate(tree, child) and not is_predicate(tree, word)
    }
    return _text(tree, word, {*without, *own, *clauses, *_asides(tree, word)})


def clause(tree: ParsedText, word: Word, without: Collection[int] = ()) -> str:
    """A whole clause without the conjunction before it: `the contract was void`."""
    marks = {
        child.index
        for child in tree.children(word, "mark", "cc", "punct", "discourse", "parataxis")
        if child.lower != "to"
    }
    return _text(tree, word, {*without, *marks, *_brackets(tree, word)})


def verb_phrase(tree: ParsedText, predicate: Predicate, without: Collection[int] = ()) -> str:
    """What a clause says of its subject: `answer within a week`."""
    word = predicate.word
    apart = {
        child.index
        for child in tree.children(word, "nsubj", "csubj", "aux", "mark", "cc", "punct", "discourse", "expl")
    }
    own_subject = {
        child.index for child in tree.children(word, "conj", "parataxis") if tree.child(child, "nsubj", "expl")
    }
    kept = {child.index for child in tree.children(word, "aux") if child.lemma == "be"} if predicate.passive else set()
    return _text(tree, word, {*without, *(apart - kept), *own_subject, *_brackets(tree, word)})


def complement_phrase(tree: ParsedText, predicate: Predicate) -> str:
    """What follows `be`."""
    word = predicate.word
    frame = {child.index for child in tree.children(word, *_FRAME)}
    mark = {child.index for child in tree.children(word, "mark") if child.lower == "to"}
    verbs = {index for index in tree.subtree(word) if tree.words[index].is_("cop") and index < word.index}
    return _text(tree, word, {*predicate.apart, *frame, *verbs, *_asides(tree, word)} - {word.index} - mark)


def _text(tree: ParsedText, word: Word, without: Collection[int]) -> str:
    kept = sorted(tree.subtree(word, {index for index in without if index != word.index}))
    kept = _whole_name(tree, kept)
    while kept and tree.words[kept[-1]].pos == "PUNCT" and tree.words[kept[-1]].text not in (*_CLOSING, "%"):
        kept.pop()
    while (
        kept and tree.words[kept[0]].pos == "PUNCT" and tree.words[kept[0]].text not in (*_OPENING, "-", "\u2212", "#")
    ):
        kept.pop(0)
    return tree.text_of(kept)


def _whole_name(tree: ParsedText, kept: list[int]) -> list[int]:
    """The phrase with the rest of a name or a code that the parser cut: `Odile Marrack`, `L-311`, `PID=1`."""
    kept = sorted({*kept, *(index - 1 for index in kept if index and _joins(tree.words[index - 1], tree.words[index]))})
    while kept and kept[-1] + 1 < len(tree.words) and _continues(tree.words[kept[-1]], tree.words[kept[-1] + 1]):
        kept.append(kept[-1] + 1)
    while kept and kept[0] and _precedes(tree.words[kept[0] - 1], tree.words[kept[0]]):
        kept.insert(0, kept[0] - 1)
    return kept


def _continues(word: Word, following: Word) -> bool:
    joined = word.end == following.start and (following.text in "-=/_" or word.text in "-=/_")
    name = following.pos == "PROPN" and word.pos in ("PROPN", "NOUN") and following.start == word.end + 1
    share = word.pos == "NUM" and following.text == "%"
    return joined or name or share


def _joins(before: Word, word: Word) -> bool:
    """Whether a sign belongs to the word after it: `#debian`."""
    return before.text in ("#", "@", "$") and before.end == word.start


def _precedes(before: Word, word: Word) -> bool:
    return (before.pos == "PROPN" and word.pos == "PROPN") or (before.pos == "NUM" and word.text == "%")


def _clause_parts(tree: ParsedText, word: Word) -> set[int]:
    """The subject and the verbs of a noun that is a predicate itself."""
    if not tree.child(word, "cop"):
        return set()
    return {child.index for child in tree.children(word, "nsubj", "cop", "aux", "advcl", "expl")}


def _asides(tree: ParsedText, word: Word) -> set[int]:
    """Brackets, and appositions and relative clauses after a comma, anywhere in the phrase."""
    found = _brackets(tree, word)
    for index in tree.subtree(word):
        child = tree.words[index]
        after_comma = child.is_("appos", "acl", "advcl", "parataxis") and _follows_comma(tree, child)
        if after_comma and child.index != word.index and not _is_listed(tree, child) and not tree.child(child, "cc"):
            found.add(index)
        if child.is_("conj") and child.head == word.index and _is_another(tree, child):
            found.add(index)
    return found


def _is_listed(tree: ParsedText, word: Word) -> bool:
    """Whether an apposition is rather an item of a list: `Tuesdays, Thursdays and Saturdays`."""
    head = tree.head(word)
    return (
        word.is_("appos")
        and head is not None
        and any(child.index > word.index and tree.child(child, "cc") for child in tree.children(head, "conj"))
    )


def _is_another(tree: ParsedText, word: Word) -> bool:
    """Whether a conjunct is a clause of its own, or what is not the case: `…, not to fire damage`."""
    subject = tree.child(word, "nsubj")
    clause_of_its_own = (
        is_predicate(tree, word) and subject is not None and subject.lower not in ("who", "which", "that")
    )
    return clause_of_its_own or any(child.lower in ("not", "but") for child in tree.children(word, "advmod", "cc"))


def _follows_comma(tree: ParsedText, word: Word) -> bool:
    start = min(tree.subtree(word))
    before = tree.words[start - 1] if start else None
    return tree.words[start].text in (",", "(", "\u2013", "\u2014") or (
        before is not None and before.text in (",", "\u2013", "\u2014")
    )


def _brackets(tree: ParsedText, word: Word) -> set[int]:
    """The words in brackets, if the phrase does not begin in them."""
    inside: set[int] = set()
    depth = 0
    for each in tree.words:
        if each.text in _OPENING:
            depth += 1
        if depth:
            inside.add(each.index)
        if each.text in _CLOSING and depth:
            depth -= 1
    return set() if word.index in inside or depth else inside
