"""Cloze, multiple choice and true-or-false questions from the facts of a document.

Each also has its open form (`asks`, `expected`), by which it is validated and compared with other questions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from studium.core.domain.document import content_id
from studium.core.text.english.tree import Word
from studium.questions.kinds import BLANK, TRUE_OR_FALSE, QuestionKind
from studium.questions.rules.generation.distractors import ENOUGH, wrong_answers
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import Fact, QuestionFamily, content_words
from studium.questions.rules.generation.phrases import (
    QUOTES,
    WRITTEN_TYPES,
    Phrase,
    PhrasePool,
    phrase_of,
    text_of_phrase,
    written_type,
)
from studium.questions.rules.generation.ranking import Topics
from studium.questions.rules.generation.statements import MOST_ANSWER_WORDS, Statement, statement_of
from studium.questions.skills import Candidate

_VAGUE = word_list("vague")
_LISTED = (QuestionFamily.ENTRY, QuestionFamily.TABLE)
_VOWEL = re.compile(r"[aeio]|u(?!ni|se|ti)|[FHLMNRSX](?=[A-Z0-9])", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?P<article>[Aa])n? $")
_OFTEN = 2


@dataclass(frozen=True)
class KindContext:
    """What a question of another kind is made from, besides its own fact."""

    is_english: bool
    facts: Sequence[Fact]
    topics: Topics
    pool: PhrasePool


def make_kind(kind: QuestionKind, fact: Fact, context: KindContext, *, is_true: bool) -> Candidate | None:
    """A question of this kind about a fact; None if what it needs is missing."""
    if kind == "true_false":
        return true_false(fact, context, is_true=is_true)
    return cloze(fact, context) if kind == "cloze" else multiple_choice(fact, context)


def cloze(fact: Fact, context: KindContext) -> Candidate | None:
    """`The bridge is _____ long.`: the source sentence with the answer left out."""
    statement = _narrowed(fact, context)
    if statement is None or not _is_known(statement, context) or _describes(statement):
        return None
    statement = _named_part(statement, fact)
    rest = statement.filled(BLANK)
    if len(statement.words) > MOST_ANSWER_WORDS or content_words(statement.answer) & content_words(rest):
        return None
    return _candidate(fact, rest, statement.answer)


def multiple_choice(fact: Fact, context: KindContext) -> Candidate | None:
    """The open question with three wrong answers of the same type from the document."""
    if fact.family in _LISTED:
        right = Phrase(fact.answer, written_type(fact.answer), line=fact.line)
        wrong = wrong_answers(fact, right, context.pool, context.facts)
    else:
        statement = _narrowed(fact, context)
        if statement is None:
            return None
        right, wrong = _phrase(statement, fact), _wrong(statement, fact, context)
    if len(wrong) < ENOUGH:
        return None
    answer, *others = _in_one_style((right.text, *wrong), right.type)
    choices = sorted((answer, *others), key=lambda choice: _hash(fact, choice))
    return _candidate(fact, fact.question, answer, tuple(choices))


def true_false(fact: Fact, context: KindContext, *, is_true: bool) -> Candidate | None:
    """The main clause of the source sentence, or the same with a wrong answer in place of the right one."""
    statement = _narrowed(fact, context)
    if statement is None or not _is_known(statement, context):
        return None
    wrong = _wrong(statement, fact, context)
    if not wrong:
        return None
    said = statement.text if is_true else _agreeing(statement, min(wrong[:2], key=lambda each: _hash(fact, each)))
    return _candidate(fact, f"{TRUE_OR_FALSE}{said}", str(is_true))


def _candidate(fact: Fact, question: str, answer: str, choices: tuple[str, ...] = ()) -> Candidate:
    return Candidate(
        question=question,
        answer=answer,
        quotes=fact.quotes,
        choices=choices,
        asks=fact.question,
        expected=fact.answer,
    )


def _hash(fact: Fact, text: str) -> str:
    """By which choices are put in an order that tells nothing, and is the same every time."""
    return content_id(f"{fact.question}\n{text}")


def _wrong(statement: Statement, fact: Fact, context: KindContext) -> list[str]:
    right = _phrase(statement, fact)
    return wrong_answers(fact, right, context.pool, context.facts, same_head=_describes(statement))


def _in_one_style(choices: Sequence[str], of_type: str) -> list[str]:
    """The choices without quotation marks, and all with a capital if one of them has one."""
    bare = [choice.strip(QUOTES) if {choice[0], choice[-1]} <= set(QUOTES) else choice for choice in choices]
    if of_type in WRITTEN_TYPES or not any(choice[0].isupper() for choice in bare):
        return bare
    if any(re.search(r"[^\w\s'\u2019-]", choice.split()[0]) for choice in bare):
        return bare
    return [choice[0].upper() + choice[1:] for choice in bare]


def _narrowed(fact: Fact, context: KindContext) -> Statement | None:
    """The statement with its answer, without the preposition and the article that stand before it."""
    statement = statement_of(fact, context.topics) if context.is_english else None
    if statement is None:
        return None
    words = list(statement.words)
    while words and words[0].pos in ("ADP", "DET"):
        del words[0]
    if not words or words[0].pos == "ADV":
        return None
    return Statement(statement.tree, words[0].start, words[-1].end)


def _phrase(statement: Statement, fact: Fact) -> Phrase:
    text = text_of_phrase(statement.tree, statement.words)
    return phrase_of(statement.tree, _head(statement), text, fact.line)


def _head(statement: Statement) -> Word:
    inside = {word.index for word in statement.words}
    return next(word for word in statement.words if word.head not in inside)


def _is_known(statement: Statement, context: KindContext) -> bool:
    """Whether readers can know the answer: a number, a name, a term of several words or one that comes up again."""
    phrase = phrase_of(statement.tree, _head(statement), statement.answer)
    if phrase.type not in ("thing", "abstract", "person", "place") or any(sign.isdigit() for sign in phrase.text):
        return True
    telling = [word for word in statement.words if word.lemma not in _VAGUE and word.pos in ("NOUN", "PROPN", "ADJ")]
    # Of a single word, only the subject can be found out from the rest.
    is_subject = _head(statement).is_("nsubj") and context.pool.counts[phrase.key] >= _OFTEN
    return len(telling) > 1 or (bool(telling) and is_subject)


def _describes(statement: Statement) -> bool:
    """`VMWare is _____`: many descriptions would be right."""
    head = _head(statement)
    determiner = statement.tree.child(head, "det")
    is_predicate = statement.tree.child(head, "cop") is not None
    return is_predicate and (determiner is None or determiner.lower != "the") and head.pos == "NOUN"


def _named_part(statement: Statement, fact: Fact) -> Statement:
    """For `Which package …?`: `virtinst` of `virtinst package`, so that the reader sees what is to be named."""
    *names, head = statement.words
    named = fact.question.startswith(f"Which {head.lower} ") and all(word.is_("compound", "flat") for word in names)
    return Statement(statement.tree, statement.start, names[-1].end) if names and named else statement


def _agreeing(statement: Statement, wrong: str) -> str:
    """The statement with a wrong answer, and `a` or `an` before it as it needs."""
    before = statement.text[: statement.start]
    article = _ARTICLE.search(before)
    if article:
        before = f"{before[: article.start()]}{article['article']}{'n' if _VOWEL.match(wrong) else ''} "
    said = f"{before}{wrong}{statement.text[statement.end :]}"
    return said[0].upper() + said[1:]
