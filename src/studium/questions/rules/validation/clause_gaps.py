"""Fill the gaps that ask for a reason, a means, a purpose, an action or an outcome: mostly clauses."""

from collections.abc import Iterator

from studium.questions.rules.comparison.lemmas import likeness
from studium.questions.rules.comparison.predicates import read_predicate
from studium.questions.rules.comparison.quantities import quantities_in
from studium.questions.rules.validation.alignment import Alignment, is_open
from studium.questions.rules.validation.answer_phrases import clause, marked_phrase, noun_phrase, verb_phrase
from studium.questions.rules.validation.question_analysis import LEXICON
from studium.questions.rules.validation.typed_gaps import Filler

OTHER_PLACE, FAR, WEAK = 0.06, 0.12, 0.2
_REASONS = LEXICON.words("reason_conjunctions")
_CAUSES = frozenset(LEXICON.wordings("causes"))
_MEANS = LEXICON.words("means_prepositions")


def find_reasons(aligned: Alignment) -> Iterator[Filler]:
    """Why: `because …`, `due to …`, and what for: `to …`."""
    tree = aligned.tree
    for argument in aligned.predicate.of("clause", "oblique", "complement"):
        marker, word = argument.marker, argument.word
        if word == aligned.predicate.word or not is_open(aligned, word):
            continue
        if argument.role == "clause" and marker.split(" ")[0] in _REASONS and marker != "as":
            yield Filler(clause(tree, word), 0.0)
        elif argument.role == "oblique" and marker in _CAUSES:
            yield Filler(noun_phrase(tree, word), 0.0)
        elif marker.split(" ")[-1:] == ["to"] and word.pos == "VERB":
            yield Filler(clause(tree, word), OTHER_PLACE)
        elif argument.role == "oblique" and marker == "for" and not quantities_in(tree.phrase(word), "en"):
            yield Filler(marked_phrase(tree, word), WEAK)


def find_means(aligned: Alignment) -> Iterator[Filler]:
    """How: `by …ing`, `with …`; and what one does to reach it: `To list them, run apt list.`."""
    tree, predicate = aligned.tree, aligned.predicate
    for argument in predicate.of("clause", "oblique", "complement"):
        if argument.word != predicate.word and (
            argument.marker.split(" ")[0] in _MEANS or (argument.word.lemma == "use" and argument.word.tag == "VBG")
        ):
            yield Filler(marked_phrase(tree, argument.word), 0.0)
        elif argument.marker == "as" and is_open(aligned, argument.word):
            yield Filler(marked_phrase(tree, argument.word), FAR)
    head = tree.head(predicate.word)
    if head is not None and predicate.word.is_("advcl", "xcomp") and tree.child(predicate.word, "mark"):
        main = read_predicate(tree, head)
        yield Filler(verb_phrase(tree, main, (predicate.word.index,)), 0.0)
    for argument in predicate.of("adverb"):
        if argument.word.lower.endswith("ly") and not aligned.is_matched(argument.word):
            yield Filler(argument.word.text, FAR)


def find_purposes(aligned: Alignment) -> Iterator[Filler]:
    """What something is for: `is used to …`, `serves as …`, `The purpose of … is to …`."""
    tree, predicate = aligned.tree, aligned.predicate
    subjects = [each for each in predicate.of("subject", "object") if aligned.is_matched(each.word)]
    if not subjects:
        return
    for argument in predicate.of("clause", "complement", "oblique"):
        last = argument.marker.split(" ")[-1]
        if argument.word != predicate.word and last in ("to", "for", "as") and is_open(aligned, argument.word):
            meant = predicate.word.lemma in (
                "use",
                "serve",
                "mean",
                "intend",
                "design",
                "make",
                "need",
                "help",
                "employ",
            )
            yield Filler(marked_phrase(tree, argument.word), 0.0 if meant else FAR)
    if predicate.linking and any(
        child.lower in ("to", "for") for child in tree.children(predicate.word, "mark", "case")
    ):
        yield Filler(clause(tree, predicate.word, predicate.apart - _to(aligned)), 0.0)


def _to(aligned: Alignment) -> set[int]:
    return {child.index for child in aligned.tree.children(aligned.predicate.word, "mark")}


def find_actions(aligned: Alignment) -> Iterator[Filler]:
    """What the subject does: the verb phrase without the condition that the question has."""
    question, predicate, tree = aligned.question, aligned.predicate, aligned.tree
    wanted = question.predicate
    subjects = {each.word.index for each in predicate.of("subject")}
    asked_subject = [term.word for term in question.terms if term.role == "subject"]
    known = any(likeness(word, tree.words[index]) for word in asked_subject for index in subjects)
    refers = any(tree.words[index].pos == "PRON" for index in subjects)
    if predicate.linking or not (known or refers or asked_subject == []):
        return
    if predicate.word.is_("acl", "advcl") or (wanted and wanted.modal and predicate.modal not in ("", wanted.modal)):
        return
    conditions = {each.word.index for each in predicate.of("clause", "oblique") if aligned.is_matched(each.word)}
    plain = 0.0 if not wanted or predicate.modal == wanted.modal else OTHER_PLACE
    yield Filler(verb_phrase(tree, predicate, conditions), plain)


def find_outcomes(aligned: Alignment) -> Iterator[Filler]:
    """What happens in the case that the question names."""
    tree, predicate = aligned.tree, aligned.predicate
    cases = [each.word.index for each in predicate.of("clause") if aligned.is_matched(each.word)]
    times = [each.word.index for each in predicate.of("oblique") if aligned.is_matched(each.word)]
    subordinate = predicate.word.is_("advcl", "acl", "ccomp") and not times
    if (cases or times) and not subordinate:
        yield Filler(clause(tree, predicate.word, (cases or times)), 0.0)
