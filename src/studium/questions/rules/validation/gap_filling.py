"""Find the part of an aligned sentence that fills the gap of a question."""

import re
from collections.abc import Callable, Iterable, Iterator

from studium.core.text.english.parser import parse
from studium.core.text.english.tree import Word
from studium.questions.rules.comparison.lemmas import is_content, likeness
from studium.questions.rules.comparison.predicates import Argument, Predicate, is_denied
from studium.questions.rules.comparison.quantities import dates_in, quantities_in
from studium.questions.rules.validation.alignment import Alignment, is_open
from studium.questions.rules.validation.answer_phrases import clause, complement_phrase, marked_phrase, noun_phrase
from studium.questions.rules.validation.clause_gaps import (
    find_actions,
    find_means,
    find_outcomes,
    find_purposes,
    find_reasons,
)
from studium.questions.rules.validation.english_question import Gap
from studium.questions.rules.validation.question_analysis import LEXICON, MEASURED, ParsedQuestion
from studium.questions.rules.validation.typed_gaps import TIME_NOUNS, Filler, fill_typed

_LEAD = re.compile(r"^[^,;:]{1,80}:\s+(?=\S)")
SPARE_COST, OTHER_PLACE, FAR, WEAK = 0.1, 0.06, 0.12, 0.2
_PLACES = LEXICON.words("place_prepositions")
_PERSONAL = frozenset({"it", "they", "he", "she"})


def fill(asked: ParsedQuestion, aligned: Alignment) -> list[Filler]:
    """The answers that the aligned predicate offers, best first; none if the sentence denies what is asked."""
    question = aligned.question
    denied = question.predicate is not None and question.predicate.negated
    if aligned.predicate.negated != denied and question.gap not in ("quantity", "outcome", "action"):
        return []
    if question.gap in ("quantity", "measure", "time") or _is_measure(asked, aligned):
        return fill_typed(asked, aligned)
    fillers = [filler for filler in _FILLERS[question.gap](aligned) if filler.answer]
    return sorted(fillers, key=lambda filler: filler.cost)[:1]


def _is_measure(asked: ParsedQuestion, aligned: Alignment) -> bool:
    """`At which temperatures …?`, `What percentage …?`."""
    focus = aligned.question.focus
    return focus is not None and (asked.kind == "quantity" or focus.lemma in MEASURED)


def _things(aligned: Alignment) -> Iterator[Filler]:
    question = aligned.question
    if any(word.lower == "whose" for word in question.tree.words):
        yield from _owners(aligned)
        return
    if question.asks_what_it_is and question.role in ("complement", "subject"):
        yield from _other_side(aligned)
        return
    if question.focus is not None:
        yield from _named_by_focus(aligned)
    for argument, cost in _candidates(aligned):
        if is_open(aligned, argument.word):
            yield Filler(_argument_text(aligned, argument), cost + _focus_cost(aligned, argument.word))
        elif (
            question.focus is None and not cost and argument.word.lower in _PERSONAL and (meant := _antecedent(aligned))
        ):
            yield Filler(meant, cost + OTHER_PLACE)


def _antecedent(aligned: Alignment) -> str:
    """The subject of the line before, which a pronoun stands for."""
    tree = parse(aligned.line_before)
    if tree is None or tree.root is None:
        return ""
    subject = tree.child(tree.root, "nsubj")
    if subject is None or subject.pos not in ("NOUN", "PROPN"):
        return ""
    return noun_phrase(tree, subject)


def _owners(aligned: Alignment) -> Iterator[Filler]:
    """`Whose names …?`: `the names of Debra and Ian`, `Debra's name`."""
    focus, tree = aligned.question.focus, aligned.tree
    for noun in tree.words:
        if focus is not None and likeness(focus, noun):
            for owner in tree.children(noun, "nmod"):
                marker = tree.child(owner, "case")
                if marker is not None and marker.lower in ("of", "'s", "\u2019s", "'") and is_open(aligned, owner):
                    yield Filler(noun_phrase(tree, owner), 0.0)


def _candidates(aligned: Alignment) -> Iterator[tuple[Argument, float]]:
    """The arguments that may fill the gap: those of its role first."""
    question, predicate = aligned.question, aligned.predicate
    if question.role == "oblique":
        same = [each for each in predicate.of("oblique") if each.marker == question.marker]
        yield from ((each, 0.0) for each in same)
        yield from ((each, OTHER_PLACE) for each in _nested(aligned))
        yield from ((each, FAR) for each in predicate.of("oblique", "object") if each not in same)
    elif question.role is not None:
        yield from ((each, 0.0) for each in predicate.of(question.role))
        if question.role == "object":
            yield from ((each, OTHER_PLACE) for each in predicate.of("complement") if each.word != predicate.word)
            if not predicate.of("object"):
                yield from ((each, FAR) for each in predicate.of("oblique"))
    else:
        yield from ((each, FAR) for each in predicate.of("object", "oblique", "subject"))


def _nested(aligned: Alignment) -> Iterator[Argument]:
    """Phrases with the gap's preposition deeper in the clause: `… at the congress in Riga`."""
    tree, marker = aligned.tree, aligned.question.marker
    for index in tree.subtree(aligned.predicate.word):
        word = tree.words[index]
        if word.is_("nmod") and any(child.lower == marker for child in tree.children(word, "case")):
            yield Argument("oblique", word, marker)


def _argument_text(aligned: Alignment, argument: Argument) -> str:
    tree, word = aligned.tree, argument.word
    if word.is_("ccomp", "xcomp") and word.pos in ("VERB", "AUX", "ADJ"):
        return clause(tree, word)
    if word.is_("ccomp") and tree.child(word, "cop"):
        return clause(tree, word)
    noun = tree.head(word)
    if word.is_("appos") and noun is not None and noun.pos == "PROPN" and word.pos != "PROPN":
        word = noun  # `the Halcyon, a schooner that ran aground`
    text = noun_phrase(tree, word, (aligned.predicate.word.index,))
    names = [child for child in tree.children(word, "appos") if child.pos == "PROPN" and not child.text.isupper()]
    if word.pos != "PROPN" and names and aligned.question.gap == "person":
        text = f"{text}, {noun_phrase(tree, names[0])}"
    return _LEAD.sub("", text) if aligned.question.focus else text


def _focus_cost(aligned: Alignment, word: Word) -> float:
    """What is taken off where the answer does not have the noun that is asked for."""
    focus = aligned.question.focus
    if focus is None:
        return 0.0
    inside = aligned.tree.subtree(word, (aligned.predicate.word.index,))
    if any(likeness(focus, aligned.tree.words[index]) for index in inside):
        return 0.0
    return OTHER_PLACE if word.pos == "PROPN" or word.text[:1].isupper() else FAR


def _named_by_focus(aligned: Alignment) -> Iterator[Filler]:
    """`Which port …?`: `… port 3917`, `the GNU Mach microkernel`, anywhere in the clause."""
    focus, tree = aligned.question.focus, aligned.tree
    inside = tree.subtree(aligned.predicate.word)
    role = {each.word.index for each in aligned.predicate.of(aligned.question.role)} if aligned.question.role else set()
    for word in tree.words:
        if focus is None or not likeness(focus, word) or word.pos not in ("NOUN", "PROPN"):
            continue
        text = noun_phrase(tree, word)
        # `PID=1`: the value may not depend on the noun.
        if (is_open(aligned, word) or re.search(r"[=-]\w*\d", text)) and not is_denied(tree, word):
            cost = 0.0 if word.index in role else OTHER_PLACE if word.index in inside else FAR
            yield Filler(_LEAD.sub("", text), cost)


def _other_side(aligned: Alignment) -> Iterator[Filler]:
    """What the sentence says that the question's noun is, or of what it says so."""
    tree, predicate = aligned.tree, aligned.predicate
    if not predicate.linking:
        return
    for known, other in _sides(predicate):
        inside = _side_words(aligned, known)
        main = [term for term in aligned.question.terms if term.is_main and term.role != "clause"]
        if known.index not in aligned.matched or not any(
            likeness(term.word, known) for term in main or aligned.question.terms
        ):
            continue
        unfit = other.pos in ("ADV", "ADP", "SCONJ", "CCONJ", "INTJ") or (
            other.pos == "VERB" and not _is_clause(aligned)
        )
        if unfit or not is_open(aligned, other) or _is_unfit(aligned, known, other):
            continue
        spare = [word for word in inside if is_content(word) and not aligned.is_matched(word)]
        text = complement_phrase(tree, predicate) if other == predicate.word else noun_phrase(tree, other)
        if other == predicate.word and _is_clause(aligned):
            text = clause(tree, other, predicate.apart)
        if len(text.split()) == 1 and text.endswith("ly"):
            continue
        lacking = WEAK if other.pos == "ADJ" and not tree.child(other, "obl") else 0.0
        yield Filler(text, SPARE_COST * len(spare) + lacking)


def _is_clause(aligned: Alignment) -> bool:
    """`The aim is to reduce noise`: a clause says what the subject is."""
    return any(each.relation == "nsubj:outer" for each in aligned.tree.children(aligned.predicate.word))


def _is_unfit(aligned: Alignment, known: Word, other: Word) -> bool:
    """`(LRP)` is a short name, and `in progress` a state: neither says what something is."""
    short = other.text.isupper() and other.is_("appos") and aligned.tree.text[other.start - 1 : other.start] == "("
    state = other == aligned.predicate.word and aligned.tree.child(other, "case") is not None
    expanded = known.text.isupper() and known.is_("appos") and aligned.tree.text[known.start - 1 : known.start] == "("
    return short or state or expanded


def _sides(predicate: Predicate) -> Iterator[tuple[Word, Word]]:
    for subject in predicate.of("subject"):
        yield subject.word, predicate.word
        yield predicate.word, subject.word


def _side_words(aligned: Alignment, side: Word) -> list[Word]:
    tree, predicate = aligned.tree, aligned.predicate
    apart = predicate.apart - {side.index} if side == predicate.word else {predicate.word.index}
    later = {child.index for child in tree.children(side, "acl", "appos")}
    return [tree.words[index] for index in tree.subtree(side, {*apart, *later})]


def _places(aligned: Alignment) -> Iterator[Filler]:
    tree = aligned.tree
    for argument in aligned.predicate.of("oblique", "adverb", "complement", "clause"):
        first = argument.marker.split(" ")[0]
        if first not in _PLACES and first != "where":
            continue
        phrase = tree.phrase(argument.word)
        timed = dates_in(phrase) or argument.word.lemma in TIME_NOUNS or quantities_in(phrase, "en")
        if not is_open(aligned, argument.word) or (timed and argument.word.pos != "PROPN"):
            continue
        yield Filler(_place_text(aligned, argument), 0.0 if first != "to" else OTHER_PLACE)


def _place_text(aligned: Alignment, argument: Argument) -> str:
    if argument.word.index == aligned.predicate.word.index:
        return f"{argument.marker} {complement_phrase(aligned.tree, aligned.predicate)}"
    return marked_phrase(aligned.tree, argument.word)


def _names(aligned: Alignment) -> Iterator[Filler]:
    """What something is called."""
    predicate, tree = aligned.predicate, aligned.tree
    if predicate.word.lemma in ("call", "name", "know", "dub", "nickname", "label", "title"):
        for argument in predicate.of("complement", "oblique"):
            if is_open(aligned, argument.word) and argument.word != predicate.word:
                yield Filler(noun_phrase(tree, argument.word), 0.0)
    if predicate.linking:
        yield from (Filler(each.answer, each.cost + FAR) for each in _other_side(aligned))


_FILLERS: dict[Gap, Callable[[Alignment], Iterable[Filler]]] = {
    "thing": _things,
    "person": _things,
    "place": _places,
    "reason": find_reasons,
    "manner": find_means,
    "purpose": find_purposes,
    "action": find_actions,
    "outcome": find_outcomes,
    "name": _names,
}
