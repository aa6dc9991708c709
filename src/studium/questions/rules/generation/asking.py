"""What all English questions are made of: the parts of a clause as they stand in a question and in its answer."""

import re
from collections.abc import Iterator

from studium.core.text.english.tree import ParsedText, Word
from studium.questions.rules.generation.clauses import Clause, lowered, trimmed
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily

_LONGEST_ANSWER = 32
_BRACKETS = re.compile(r"\s?\([^()]*\)$")
_PERSONS = word_list("persons")
_FILLERS = word_list("fillers")
_TITLES = word_list("titles")
_OFTEN = ("once", "twice", "daily", "weekly", "monthly", "annually", "yearly")
_TIME_UNITS = word_list("time_units")
_CURRENCIES = ("$", "€", "£", "¥")


def draft(family: QuestionFamily, question: str, answer: str) -> Iterator[QuestionDraft]:
    """The pair, if both sides have words; the answer is no sentence, so it ends without a point."""
    answer = _BRACKETS.sub("", answer).strip(" .,;:")
    first, _, rest = answer.partition(" ")
    answer = rest if first.lower() in _FILLERS and rest else answer
    if question and answer and len(answer.split()) <= _LONGEST_ANSWER:
        yield QuestionDraft(family, question[0].upper() + question[1:], answer)


def subject_text(clause: Clause) -> str:
    """The subject as it stands inside a question; empty if there is none."""
    return lowered(clause.tree, trimmed(clause.tree, clause.subject)) if clause.subject else ""


def ask(clause: Clause, asked: str, answer: Word | None = None) -> str:
    """The clause as a question without its answer."""
    without = further_verbs(clause) | ({answer.index} if answer else set())
    return clause.question(asked, frozenset(without), subject=subject_text(clause))


def adjunct_text(tree: ParsedText, word: Word) -> str:
    """When, where, why or how, without a verb of another form that was only added after a comma."""
    added = {
        index
        for child in tree.children(word, "conj")
        if tree.child(child, "punct") is not None and tree.child(child, "nsubj") is None and child.tag != word.tag
        for index in tree.subtree(child)
        if child.pos in ("VERB", "AUX")
    }
    return lowered(tree, tree.subtree(word) - added)


def further_verbs(clause: Clause) -> frozenset[int]:
    """Further verbs of the same subject, which a question about the first leaves out."""
    return frozenset(word.index for word in clause.complements if word.is_("conj"))


def is_telling(tree: ParsedText, noun: Word) -> bool:
    """Whether a noun has words that tell which one is meant."""
    return bool(tree.children(noun, "amod", "compound", "nmod", "acl", "nummod", "flat"))


def is_person(tree: ParsedText, noun: Word) -> bool:
    """Whether one asks for a noun with `who`."""
    around = {word.lower for word in tree.children(noun, "compound", "flat", "nmod:desc", "appos")}
    is_human = noun.lemma in _PERSONS or noun.lemma.endswith(("ician", "ologist", "woman"))
    return (is_human and noun.pos == "NOUN") or (noun.pos == "PROPN" and bool(around & _TITLES))


def looks_like_a_name(tree: ParsedText, word: Word) -> bool:
    """`Ian Murdock`: two capitalised words and nothing else."""
    words = [tree.words[index] for index in sorted(tree.subtree(word)) if not tree.words[index].is_("case", "punct")]
    return (
        len(words) in (2, 3)
        and all(each.pos == "PROPN" and each.text.isalpha() for each in words[:2])
        and tree.child(word, "det") is None
    )


def conjunction(tree: ParsedText, word: Word) -> str:
    """The conjunction of a subordinate clause, or its `when`."""
    if not word.is_("advcl"):
        return ""
    marks = [
        each.lower
        for each in tree.children(word)
        if each.is_("mark") or (each.is_("advmod") and each.lower in ("when", "whenever"))
    ]
    return " ".join(marks[:2]) if marks[:2] == ["so", "that"] else next(iter(marks), "")


def marks_of(tree: ParsedText, word: Word) -> set[int]:
    """The words that a subordinate clause begins with: `to`, `in order to`."""
    return {index for mark in tree.children(word, "mark") for index in tree.subtree(mark)}


def comes_alone(clause: Clause, word: Word) -> bool:
    """Whether nothing else comes after the predicate, so that `for` can end the question."""
    others = [each for each in clause.complements if each != word and not each.is_("compound")]
    return not clause.fronted and all(clause.is_added(each) for each in others)


def how_much(clause: Clause, word: Word) -> str:
    """How one asks for an amount: `How much`, `How long`, `How often`; empty for what is none."""
    tree = clause.tree
    own = tree.children(word)
    money = word.text in _CURRENCIES or any(each.text in _CURRENCIES for each in own)
    if word.relation == "obj" and money and any(each.pos == "NUM" for each in (word, *own)):
        return "How much"
    if word.lemma in _TIME_UNITS and any(each.pos == "NUM" for each in own):
        for_ = [each.lower for each in tree.children(word, "case")] == ["for"]
        if (word.is_("obl") and for_) or (
            word.relation in ("obj", "obl:unmarked") and clause.predicate.lemma in ("take", "last")
        ):
            return "How long"
    every = any(each.lower in ("every", "each") for each in tree.children(word, "det"))
    if word.is_("obl") and every and word.lemma in _TIME_UNITS and tree.child(word, "case") is None:
        return "How often"
    repeated = word.is_("advmod") and word.lower in _OFTEN and word.index > clause.predicate.index
    return "How often" if repeated else ""
