"""Questions from the grammar of an English sentence: each asks for one part of a clause, and that part is the answer.

"Because most sites need it, the middleware is activated by default."
→ Why is the middleware activated by default? – because most sites need it
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from studium.core.text.english.parser import parse_all
from studium.core.text.english.tree import ParsedText
from studium.questions.rules.generation.adjunct_questions import (
    ask_amount,
    ask_consequence,
    ask_instruction,
    ask_named_place,
    ask_place,
    ask_reason,
    ask_time,
    ask_use,
    ask_way,
)
from studium.questions.rules.generation.argument_questions import (
    ask_agent,
    ask_apposition,
    ask_count,
    ask_definition,
    ask_doer,
    ask_duty,
    ask_name,
    ask_object,
    ask_prepositional_object,
    ask_property,
    ask_statement,
    ask_who,
)
from studium.questions.rules.generation.asking import ask
from studium.questions.rules.generation.clauses import Clause, clauses_of, trimmed
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily
from studium.questions.rules.parsed_document import ParsedSentence

# What a question says instead of the verb of its clause.
_PREDICATES = {QuestionFamily.CONSEQUENCE: "happen", QuestionFamily.DUTY: "do", QuestionFamily.DEFINITION: "be"}
_MAKERS: tuple[Callable[[Clause], Iterator[QuestionDraft]], ...] = (
    ask_definition,
    ask_apposition,
    ask_name,
    ask_reason,
    ask_way,
    ask_time,
    ask_place,
    ask_consequence,
    ask_duty,
    ask_statement,
    ask_use,
    ask_prepositional_object,
    ask_amount,
    ask_property,
    ask_named_place,
    ask_who,
    ask_count,
    ask_object,
    ask_agent,
    ask_doer,
)


def english_questions(tree: ParsedText) -> Iterator[QuestionDraft]:
    """All the questions that the clauses of a sentence can be turned into."""
    for clause in clauses_of(tree):
        makers = _MAKERS if clause.subject is not None else (ask_instruction,)
        for make in makers:
            # `The aim is to help`: the verb is no predicate of its own.
            if clause.copula is not None and clause.predicate.pos == "VERB" and make is not ask_definition:
                continue
            for draft in make(clause):
                yield replace(draft, predicate=_PREDICATES.get(draft.family) or clause.predicate.lemma)


def listed_objects(tree: ParsedText) -> Iterator[str]:
    """For `The tool has three modes`, before a list of them: Which three modes does the tool have?"""
    for clause in clauses_of(tree):
        for word in clause.complements:
            if clause.subject is not None and word.relation == "obj" and word.tag == "NNS" and not clause.is_negated:
                yield ask(clause, f"Which {tree.text_of(trimmed(tree, word))}", word)


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
