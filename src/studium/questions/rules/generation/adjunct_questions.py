"""English questions for the circumstances: when, where, why, how, how much, how often, and what follows from what."""

import re
from collections.abc import Iterator

from studium.core.text.english.tree import ParsedText, Word
from studium.questions.rules.generation.asking import (
    adjunct_text,
    ask,
    comes_alone,
    conjunction,
    draft,
    how_much,
    marks_of,
    subject_text,
)
from studium.questions.rules.generation.clauses import Clause, lowered, trimmed
from studium.questions.rules.generation.english_words import MONTHS, word_list
from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily

_PLACE_CASES = word_list("place_cases")
_SEASONS = "spring|summer|autumn|winter|morning|evening|midnight|noon"
_TIME = re.compile(rf"\b(?:1[0-9]\d\d|20\d\d)\b|\b(?:{MONTHS})\b|\bcentury\b")
_DATE = re.compile(
    rf"(?:(?:on|in|by|since|at|around|about|before|after|during|between|and|of|the|early|late|mid|end|beginning|year"
    rf"|century|decade|AD|BC|{MONTHS}|{_SEASONS}|\d+(?:st|nd|rd|th|s)?)\b[,-]?\s?)+"
)
_YEAR = re.compile(r"(?:in )?(?:1[5-9]\d\d|20\d\d)")
_SHORTEST_DEFINITION = 3
_PLACES = word_list("places")
_MOVING = word_list("moving")
_ATTEMPTS = ("try", "want", "need", "attempt", "choose", "decide", "happen", "like")
_SELECTED = word_list("selected")
_STATES = word_list("states")
_DIMENSIONS = word_list("dimensions")
_LOCATED = word_list("located")


def ask_instruction(clause: Clause) -> Iterator[QuestionDraft]:
    """`To list the packages, run apt list.` → How can you list the packages? – Run apt list."""
    predicate, tree = clause.predicate, clause.tree
    if predicate.tag not in ("VB", "VBP") or predicate.pos != "VERB" or clause.auxiliaries or clause.is_negated:
        return
    for word in clause.fronted:
        goal = _goal(tree, word)
        if goal:
            said = clause.verb_phrase()
            yield from draft(QuestionFamily.INSTRUCTION, f"How can you {goal}?", said[0].upper() + said[1:])


def _goal(tree: ParsedText, word: Word) -> str:
    """What `to …` and `if you want to …` are for."""
    if not word.is_("advcl"):
        return ""
    mark = tree.child(word, "mark")
    if mark is not None and mark.lemma == "to" and word.tag == "VB":
        return lowered(tree, tree.subtree(word) - marks_of(tree, word))
    want = tree.child(word, "xcomp")
    if mark is not None and mark.lemma == "if" and word.lemma in ("want", "wish", "need") and want is not None:
        return lowered(tree, tree.subtree(want) - marks_of(tree, want))
    return ""


def ask_reason(clause: Clause) -> Iterator[QuestionDraft]:
    """`because …`, `so that …`, `to …` → Why …?"""
    tree = clause.tree
    for word in clause.adjuncts:
        mark = conjunction(tree, word)
        case = " ".join(tree.text_of(tree.subtree(each)).lower() for each in tree.children(word, "case"))
        causal = mark in ("because", "so that") or (mark == "since" and not clause.is_perfect)
        if causal or (word.is_("obl") and case in ("because of", "due to", "owing to")):
            yield from draft(QuestionFamily.REASON, ask(clause, "Why", word), adjunct_text(tree, word))
        elif (
            mark in ("to", "in") and word.tag == "VB" and word.index > clause.predicate.index and not clause.is_negated
        ):
            yield from _purpose(clause, word)


def _purpose(clause: Clause, word: Word) -> Iterator[QuestionDraft]:
    """`X is used to …` → What is X used for?; `They sign it to …` → Why do they sign it?"""
    tree = clause.tree
    answer = lowered(tree, tree.subtree(word))
    if any(each.lower in ("enough", "too") for each in tree.words) or clause.predicate.lemma in _ATTEMPTS:
        return
    if len(answer.split()) < _SHORTEST_DEFINITION or clause.modal in ("can", "could", "may", "might"):
        return
    if clause.predicate.lemma == "use" and clause.is_passive and comes_alone(clause, word):
        yield from draft(QuestionFamily.PURPOSE, ask(clause, "What", word).removesuffix("?") + " for?", answer)
    elif clause.predicate.pos == "VERB" and (clause.is_passive or tree.child(clause.predicate, "obj")):
        yield from draft(QuestionFamily.PURPOSE, ask(clause, "Why", word), answer)


def ask_use(clause: Clause) -> Iterator[QuestionDraft]:
    """`X is used to …` where `to …` is what `used` needs, and `X is used for …`."""
    tree = clause.tree
    if clause.predicate.lemma != "use" or not clause.is_passive or clause.is_negated:
        return
    for word in clause.complements:
        mark, case = tree.child(word, "mark"), tree.child(word, "case")
        if not comes_alone(clause, word):
            continue
        if (word.is_("xcomp") and mark is not None and mark.lemma == "to") or (
            word.is_("obl", "advcl") and "for" in (case and case.lemma, mark and mark.lemma)
        ):
            question = ask(clause, "What", word).removesuffix("?") + " for?"
            own = {each.index for each in (mark, case) if each is not None and each.lemma == "for"}
            yield from draft(QuestionFamily.PURPOSE, question, tree.text_of(tree.subtree(word) - own))


def ask_way(clause: Clause) -> Iterator[QuestionDraft]:
    """`by running …`, `using …`, `via …` → How …?"""
    tree = clause.tree
    for word in (*clause.adjuncts, *(each for each in clause.complements if each.is_("xcomp"))):
        case = {each.lower for each in tree.children(word, "case", "mark")}
        by = word.is_("advcl") and "by" in case and word.tag == "VBG"
        using = word.is_("advcl", "xcomp") and word.lower == "using" and not case and not conjunction(tree, word)
        via = word.is_("obl") and bool(case & {"via", "through"}) and clause.predicate.lemma not in _MOVING
        if len(tree.subtree(word)) == 1:
            continue  # what is used stands elsewhere: the parser guessed
        if (by or using or via) and not clause.is_negated and clause.predicate.pos in ("VERB", "ADJ"):
            yield from draft(QuestionFamily.WAY, ask(clause, "How", word), adjunct_text(tree, word))


def ask_time(clause: Clause) -> Iterator[QuestionDraft]:
    """Dates, and clauses with when, after, before, until, once → When …?"""
    tree = clause.tree
    dated = [word for word in clause.adjuncts if word.is_("obl") and _TIME.search(tree.phrase(word))]
    for word in clause.adjuncts:
        said = adjunct_text(tree, word)
        case = tree.child(word, "case")
        if word in dated and (
            len(dated) > 1 or (case is not None and case.lower in ("until", "from", "through", "to"))
        ):
            continue
        if word.is_("obl") and _TIME.search(said) and _DATE.fullmatch(said):
            asked = "In which year" if _YEAR.fullmatch(said) else "When"
            answer = said.removeprefix("in ") if asked != "When" else said
            yield from draft(QuestionFamily.TIME, ask(clause, asked, word), answer)
        elif (
            conjunction(tree, word) in ("when", "whenever", "after", "before", "once")
            and tree.child(word, "nsubj") is not None
            and not (clause.is_negated or clause.copula or clause.modal)
        ):
            yield from draft(QuestionFamily.TIME, ask(clause, "When", word), said)


def ask_place(clause: Clause) -> Iterator[QuestionDraft]:
    """`Log files go into /var/log.` → Where do log files go?"""
    tree = clause.tree
    for word in clause.adjuncts:
        case = tree.child(word, "case")
        if not word.is_("obl") or case is None or case.lower not in _PLACE_CASES or clause.is_negated:
            continue
        if f"{clause.predicate.lemma}_{case.lower}" in _SELECTED:
            continue  # `it rests on the tree`: on what, not where
        is_path = word.text.startswith(("/", "~"))
        if (word.lemma in _PLACES or is_path) and clause.predicate.pos == "VERB" and not _TIME.search(word.text):
            yield from draft(QuestionFamily.PLACE, ask(clause, "Where", word), lowered(tree, tree.subtree(word)))


def ask_named_place(clause: Clause) -> Iterator[QuestionDraft]:
    """`She was born in Aarhus.` → Where was she born?"""
    tree = clause.tree
    for word in clause.complements:
        case = tree.child(word, "case")
        if (
            not word.is_("obl")
            or case is None
            or case.lower not in ("in", "at")
            or word.pos != "PROPN"
            or clause.is_negated
        ):
            continue
        if clause.predicate.lemma in _LOCATED and not _TIME.search(tree.phrase(word)):
            yield from draft(QuestionFamily.PLACE, ask(clause, "Where", word), tree.text_of(trimmed(tree, word)))


def ask_consequence(clause: Clause) -> Iterator[QuestionDraft]:
    """`If the disk is full, the job stops.` → What happens if the disk is full?"""
    tree = clause.tree
    for word in (*clause.fronted, *clause.complements):
        if conjunction(tree, word) not in ("if", "when") or clause.modal in (
            "must",
            "should",
            "can",
            "may",
            "might",
            "could",
        ):
            continue
        if clause.predicate.pos != "VERB" or not word.is_("advcl") or tree.child(word, "nsubj") is None:
            continue
        if clause.predicate.lemma in _STATES or any(
            each.lower == "only" for each in (*clause.inner, *tree.children(word))
        ):
            continue
        condition = lowered(tree, tree.subtree(word)).removeprefix("even ")
        kept = tree.subtree(clause.predicate, without={word.index}) - clause.dropped
        others = {index for each in clause.fronted if each != word for index in tree.subtree(each)}
        answer = tree.text_of(kept - others)
        past = any(each.tag == "VBD" for each in (clause.predicate, *clause.auxiliaries))
        happens = "would happen" if clause.modal == "would" else "happened" if past else "happens"
        yield from draft(QuestionFamily.CONSEQUENCE, f"What {happens} {condition}?", answer)


def ask_amount(clause: Clause) -> Iterator[QuestionDraft]:
    """How much for money, how long for time, how often for what returns, how high for what is measured."""
    tree, predicate = clause.tree, clause.predicate
    if clause.is_negated:
        return
    size = (
        tree.child(predicate, "obl", "nmod", "advmod", "nummod")
        if predicate.lemma in _DIMENSIONS and predicate.tag == "JJ"
        else None
    )
    if size and clause.copula and any(word.pos == "NUM" for word in (size, *tree.children(size))):
        question = f"How {predicate.lower} {clause.copula.lower} {subject_text(clause)}?"
        yield from draft(QuestionFamily.NUMBER, question, tree.text_of(tree.subtree(size)))
    for word in (*clause.complements, *clause.fronted):
        asked = how_much(clause, word)
        if asked:
            amount = lowered(tree, trimmed(tree, word)).removeprefix("for ")
            yield from draft(QuestionFamily.NUMBER, ask(clause, asked, word), amount)
