"""Questions from the grammar of an English sentence: each asks for one part of a clause, and that part is the answer.

"Because most sites need it, the middleware is activated by default."
→ Why is the middleware activated by default? – because most sites need it
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

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
from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily

# What a question says instead of the verb of its clause.
_PREDICATES = {QuestionFamily.CONSEQUENCE: "happen", QuestionFamily.DUTY: "do", QuestionFamily.DEFINITION: "be"}
_MAKERS: tuple[Callable[[Clause], Iterator[QuestionDraft]], ...] = (
    ask_definition,
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
