"""Answer yes or no by grammar: the sentence that states or denies what is asked."""

from collections.abc import Iterator

from studium.core.text.english.tree import Word
from studium.questions.rules.comparison.lemmas import are_contrary, is_content, likeness, opposed
from studium.questions.rules.comparison.predicates import Argument, Predicate, is_denied
from studium.questions.rules.validation.alignment import Alignment
from studium.questions.rules.validation.english_question import EnglishQuestion

MIN_LIKENESS = 0.85
_DUTY, _LEAVE = frozenset({"must", "should", "need", "ought"}), frozenset({"can", "may"})
_POSSIBLE = frozenset({"possible", "allow", "permit", "able", "permissible"})
_HEDGES = frozenset({"if", "unless", "though", "although", "whether"})


def decide(aligned: Alignment) -> bool | None:
    """Whether the aligned sentence says yes; none if it says neither."""
    question, predicate = aligned.question, aligned.predicate
    asked = question.predicate
    if asked is None or aligned.is_lacking:
        return None
    turned = _turned(aligned, asked)
    if turned is None:
        return None
    verdict = not turned
    if (
        any(is_denied(aligned.tree, word) for word in _matched_phrases(aligned)) != predicate.negated
        or predicate.negated
    ):
        verdict = not verdict
    if asked.negated:
        verdict = not verdict
    return _by_modal(asked, aligned, verdict=verdict)


def _turned(aligned: Alignment, asked: Predicate) -> bool | None:
    """Whether the sentence says the opposite of the question's predicate; none if it says neither."""
    predicate = aligned.predicate
    if asked.linking or asked.word.lemma in _POSSIBLE:
        if _is_hedged(aligned):
            return None
        if any(likeness(asked.word, word) >= MIN_LIKENESS for word in _complement(aligned)):
            return False
        against = any(are_contrary(asked.word, word) for word in _complement(aligned))
        return True if against else None
    if likeness(asked.word, predicate.word) >= MIN_LIKENESS:
        return None if _is_hedged(aligned) else False
    return True if opposed(asked.word, predicate.word) and predicate.word.pos == "VERB" else None


def _complement(aligned: Alignment) -> list[Word]:
    tree, word = aligned.tree, aligned.predicate.word
    return [tree.words[index] for index in tree.subtree(word, aligned.predicate.apart) if is_content(tree.words[index])]


def _is_hedged(aligned: Alignment) -> bool:
    """Whether the statement holds only in a case that the question does not name, or stands in such a case."""
    tree, predicate = aligned.tree, aligned.predicate
    if any(child.lower in _HEDGES for child in tree.children(predicate.word, "mark")):
        return True
    cases = [each for each in predicate.of("clause") if each.marker.split(" ")[0] in ("if", "unless")]
    return any(not aligned.is_matched(each.word) for each in cases)


def _matched_phrases(aligned: Alignment) -> Iterator[Word]:
    """The words of the arguments that the question has, where `not` or `no` may stand."""
    for argument in aligned.predicate.of("object", "subject", "oblique", "complement"):
        inside = aligned.tree.subtree(argument.word, (aligned.predicate.word.index,))
        yield from (
            aligned.tree.words[index]
            for index in inside
            if index != aligned.predicate.word.index and index in aligned.matched and _is_top(aligned, argument, index)
        )


def _is_top(aligned: Alignment, argument: Argument, index: int) -> bool:
    word = aligned.tree.words[index]
    return index == argument.word.index or word.is_("conj", "appos")


def _by_modal(asked: Predicate, aligned: Alignment, *, verdict: bool) -> bool | None:
    """`Must one …?` is not answered by `one can …`, but with no by `it works without …`."""
    predicate = aligned.predicate
    if asked.modal in _DUTY and predicate.modal in _LEAVE and verdict:
        return None
    if asked.modal in _DUTY and predicate.negated and not predicate.modal and not verdict:
        return verdict
    if asked.modal in _LEAVE and predicate.modal in _DUTY and verdict:
        return True
    return verdict


def works_without(question: EnglishQuestion, aligned: Alignment) -> bool:
    """Whether the sentence says that what `must` be done first need not: `… can be posted without subscribing`."""
    asked = question.predicate
    if asked is None or (asked.modal not in _DUTY and asked.word.lemma not in ("necessary", "require", "need")):
        return False
    tree = aligned.tree
    return any(
        likeness(asked.word, word) >= MIN_LIKENESS and any(child.lower == "without" for child in tree.children(word))
        for word in tree.words
    )
