"""Align a question with the predicates of a sentence: which predicate it asks about, and how well its words fit."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from studium.core.text.english.tree import ParsedText, Word
from studium.questions.rules.comparison.lemmas import (
    DERIVED,
    are_contrary,
    is_content,
    is_path,
    key_of,
    likeness,
    number_value,
    opposed,
)
from studium.questions.rules.comparison.predicates import (
    Argument,
    Predicate,
    Role,
    is_predicate,
    predicates_of,
    read_nominal,
)
from studium.questions.rules.comparison.words import synonyms
from studium.questions.rules.validation.english_question import EnglishQuestion, Term
from studium.questions.rules.validation.lookup import LineMatch
from studium.questions.rules.validation.question_analysis import LEXICON, search_keys

PREDICATE_WEIGHT = 1.5
LIGHT_WEIGHT = 0.4
IN_PHRASE, OTHER_ROLE, ELSEWHERE, PRONOUN, INHERITED, BEFORE = 0.97, 0.85, 0.7, 0.85, 0.65, 0.5
WEIGHTY = 0.5
OCCUPIED = 0.3
"""The credit of a term whose place another phrase has."""
_LIGHT = frozenset(
    {"be", "have", "do", "take", "make", "give", "get", "use", "happen", "occur", "exist", "lie", "stand"}
)
_LIKE_BE = frozenset(
    {"mean", "denote", "constitute", "represent", "become", "remain", "call", "name", "know", "define"}
)
_LIKE_HAVE = LEXICON.words("like_have")
_POINTERS = LEXICON.words("pointers")
_CORE: tuple[Role, ...] = ("subject", "object")
_REFERRING = frozenset(
    {"it", "they", "he", "she", "this", "these", "those", "that", "them", "him", "its", "their", "we"}
)


@dataclass(frozen=True)
class Context:
    """What a line inherits: the stems of its headings and antecedents, of the line before, and of the document."""

    inherited: frozenset[str]
    before: frozenset[str]
    line_before: str = ""


@dataclass(frozen=True)
class Alignment:
    """A predicate of a sentence that a question may be about; `matched` are the words that the question has.

    It is lacking if a word of the question is nowhere in the sentence or before it.
    """

    question: EnglishQuestion
    match: LineMatch
    tree: ParsedText
    predicate: Predicate
    fit: float
    matched: frozenset[int]
    is_lacking: bool
    line_before: str = ""

    def is_matched(self, word: Word) -> bool:
        """Whether the question has this word."""
        return word.index in self.matched


def align(question: EnglishQuestion, match: LineMatch, tree: ParsedText, context: Context) -> list[Alignment]:
    """The predicates of the sentence that fit the question, best first."""
    matches = [_matches(term, tree) for term in question.terms]
    polar = question.gap == "polar"
    if any(
        _is_contradicted(term, found, tree, context, polar=polar)
        for term, found in zip(question.terms, matches, strict=True)
    ):
        return []
    aligned = (
        _align(question, match, tree, predicate, matches, context)
        for predicate in (*predicates_of(tree), *_nominal(question, tree))
    )
    return sorted((each for each in aligned if each is not None), key=lambda each: -each.fit)


def _matches(term: Term, tree: ParsedText) -> dict[int, float]:
    """The words of the sentence that are like a term, and how much."""
    found = {word.index: likeness(term.word, word) for word in tree.words if is_content(word)}
    return {index: like for index, like in found.items() if like}


def _is_contradicted(term: Term, found: dict[int, float], tree: ParsedText, context: Context, *, polar: bool) -> bool:
    """Whether the sentence has the opposite of a term, or lacks a name or a number that the context lacks, too."""
    if found:
        return False
    if _in(term.word, context.inherited) or _in(term.word, context.before):
        return False
    return term.is_firm or (not polar and any(opposed(term.word, word) for word in tree.words if is_content(word)))


def _in(word: Word, keys: frozenset[str]) -> bool:
    if is_path(word.text):
        return search_keys(word.text, "en") <= keys
    key = key_of(word)
    value = number_value(word.text)
    return key in keys or str(value) in keys or (word.pos != "PROPN" and bool(synonyms(key) & keys))


def _align(
    question: EnglishQuestion,
    match: LineMatch,
    tree: ParsedText,
    predicate: Predicate,
    matches: list[dict[int, float]],
    context: Context,
) -> Alignment | None:
    weight, credit = _predicate_credit(question, predicate)
    if credit is None:
        return None
    phrases = {argument: tree.subtree(argument.word, _outside(predicate, argument)) for argument in predicate.arguments}
    if question.predicate and not question.predicate.linking and _is_reversed(question, predicate, phrases, matches):
        return None
    if any(_has_another_modifier(term, question, tree, phrases) for term in question.terms):
        return None
    total, gained, missing = weight, weight * credit, False
    for term, found in zip(question.terms, matches, strict=True):
        gain = _term_credit(term, found, tree, predicate, phrases, context)
        if question.gap == "polar" and not found and _says_contrary(term, predicate, tree):
            gain = 1.0
        total += term.weight
        gained += term.weight * gain
        missing |= not gain and term.weight >= WEIGHTY
    matched = frozenset(index for found in matches for index in found)
    if credit and question.predicate:
        matched |= {predicate.word.index} if likeness(question.predicate.word, predicate.word) else frozenset()
    return Alignment(
        question, match, tree, predicate, gained / total if total else 0.0, matched, missing, context.line_before
    )


_MODIFIERS = ("amod", "compound", "nummod")


def _has_another_modifier(
    term: Term,
    question: EnglishQuestion,
    tree: ParsedText,
    phrases: dict[Argument, set[int]],
) -> bool:
    """Whether the noun has another modifier in the place of this one: `the hello interval` for `the dead interval`."""
    noun = question.tree.head(term.word)
    if noun is None or not term.word.is_(*_MODIFIERS) or term.weight < WEIGHTY:
        return False
    asked = [each.word for each in question.terms if question.tree.head(each.word) == noun]
    places = [
        word
        for argument, inside in phrases.items()
        if argument.role == term.role or {argument.role, term.role} <= set(_CORE)
        for word in (tree.words[index] for index in inside)
        if likeness(noun, word) == 1.0
    ]
    return bool(places) and all(_is_modified_otherwise(tree, word, term.word, asked) for word in places)


def _is_modified_otherwise(tree: ParsedText, noun: Word, modifier: Word, asked: list[Word]) -> bool:
    inside = [tree.words[index] for index in tree.subtree(noun)]
    if any(likeness(modifier, word) for word in inside):
        return False
    own = [child for child in tree.children(noun, *_MODIFIERS) if is_content(child)]
    return any(not any(likeness(each, child) for each in asked) for child in own)


def _says_contrary(term: Term, predicate: Predicate, tree: ParsedText) -> bool:
    """Whether the predicate is the opposite of a word of a yes-or-no question, which answers it, too."""
    return any(are_contrary(term.word, tree.words[index]) for index in tree.subtree(predicate.word, predicate.apart))


def _outside(predicate: Predicate, argument: Argument) -> Collection[int]:
    if argument.word.index == predicate.word.index:
        return predicate.apart - {predicate.word.index}
    return (predicate.word.index,)


def _predicate_credit(question: EnglishQuestion, predicate: Predicate) -> tuple[float, float | None]:
    """The weight of the question's predicate, and how well this one fits it; no credit if it cannot."""
    asked = question.predicate
    if question.gap in ("action", "outcome", "purpose"):
        return LIGHT_WEIGHT, 1.0
    if asked is None or question.asks_what_it_is or (asked.linking and question.gap == "measure"):
        return _linking_credit(question, predicate)
    like = likeness(asked.word, predicate.word)
    if asked.linking:
        return LIGHT_WEIGHT, max(like, 0.5)
    if asked.word.lemma == "have":
        return LIGHT_WEIGHT * 2, 1.0 if predicate.word.lemma in _LIKE_HAVE or predicate.linking else 0.0
    if asked.word.lemma in _LIGHT:
        return LIGHT_WEIGHT * 2, max(like, 0.3)
    return PREDICATE_WEIGHT, like


def _linking_credit(question: EnglishQuestion, predicate: Predicate) -> tuple[float, float | None]:
    """The credit for a question with `be`; the sentence must say it of the noun that is asked about."""
    if question.gap == "measure" and predicate.word.is_("appos"):
        return LIGHT_WEIGHT, None
    if not predicate.linking and predicate.word.lemma not in _LIKE_BE:
        return LIGHT_WEIGHT, 0.0
    main = [term.word for term in question.terms if term.is_main and term.role in ("subject", "complement")]
    sides = [each.word for each in predicate.of("subject", "complement", "object")]
    said = any(side.lower in _REFERRING or any(likeness(word, side) for word in main) for side in sides)
    return LIGHT_WEIGHT, 1.0 if said or not main or not predicate.word.is_("appos") else None


def _term_credit(
    term: Term,
    found: dict[int, float],
    tree: ParsedText,
    predicate: Predicate,
    phrases: dict[Argument, set[int]],
    context: Context,
) -> float:
    """How well the sentence has a term: in its role, in another, elsewhere, or only in what comes before."""
    best, occupied = 0.0, False
    known = _in(term.word, context.inherited | context.before)
    for argument, inside in phrases.items():
        here = max((like for index, like in found.items() if index in inside), default=0.0)
        same = (
            term.role is None or argument.role == term.role or {argument.role, term.role} == {"complement", "subject"}
        )
        if here:
            top = argument.word.index in found and term.is_main
            best = max(best, here * ((1.0 if top else IN_PHRASE) if same else OTHER_ROLE))
        elif argument.role == term.role and known and _refers(argument.word, tree):
            best = max(best, PRONOUN)
        elif argument.role == term.role and term.role in _CORE:
            occupied = True
    if found and term.is_firm and occupied and best <= OTHER_ROLE:
        # Another name stands in its place: `The line to Northwold closed, the line to Hexby …`.
        return 0.0
    if best:
        return best
    if found:
        beside = term.is_firm and all(_is_in_sister_clause(tree, tree.words[index], predicate.word) for index in found)
        return 0.0 if beside else ELSEWHERE * max(found.values())
    if occupied and term.is_main and known:
        return OCCUPIED
    return INHERITED if _in(term.word, context.inherited) else BEFORE if known else 0.0


def _is_in_sister_clause(tree: ParsedText, word: Word, predicate: Word) -> bool:
    """Whether a word is in another clause with its own subject: `…, the line to Hexby is still in use`."""
    clause: Word | None = word
    while clause is not None and not is_predicate(tree, clause):
        clause = tree.head(clause)
    if clause is None or clause == predicate or not tree.child(clause, "nsubj"):
        return False
    return (clause.is_("conj", "parataxis") and clause.head == predicate.index) or (
        predicate.is_("conj", "parataxis") and predicate.head in (clause.index, clause.head)
    )


def _refers(word: Word, tree: ParsedText) -> bool:
    """Whether a phrase points back: `it`, `this file`, `the file`."""
    if word.lower in _REFERRING:
        return True
    modifiers = tree.children(word, "amod", "compound", "nmod", "acl", "nummod", "appos", "flat")
    pointing = [child.lower for child in tree.children(word, "det", "nmod:poss")]
    return any(said in ("this", "these", "such", "its", "their") for said in pointing) or (
        pointing == ["the"] and not modifiers
    )


def _is_reversed(
    question: EnglishQuestion,
    predicate: Predicate,
    phrases: dict[Argument, set[int]],
    matches: list[dict[int, float]],
) -> bool:
    """`What starts the loader?` is not answered by what the loader starts."""
    for term, found in zip(question.terms, matches, strict=True):
        if not term.is_main or term.role not in _CORE or not found:
            continue
        places = {
            argument.role for argument, inside in phrases.items() if argument.role in _CORE and inside & found.keys()
        }
        own = [argument for argument in predicate.arguments if argument.role == term.role]
        if places and term.role not in places and (own or question.role in places):
            return True
    return False


def _nominal(question: EnglishQuestion, tree: ParsedText) -> Iterator[Predicate]:
    """The nouns that are derived from the question's verb: `the construction of the pier by Marrack`."""
    asked = question.predicate
    if asked is None or asked.linking or asked.word.lemma in _LIGHT:
        return
    for word in tree.words:
        if word.pos == "NOUN" and likeness(asked.word, word) >= DERIVED:
            yield read_nominal(tree, word)


def is_open(aligned: Alignment, word: Word) -> bool:
    """Whether a phrase says what the question does not."""
    if word.lower in _POINTERS and word.pos in ("PRON", "DET", "ADV"):
        return False
    if aligned.tree.text[: word.start].endswith(("#", "@", "$")):
        return True
    main = aligned.predicate.word.index
    outside = aligned.predicate.apart - {main} if word.index == main else {main}
    phrase = (aligned.tree.words[index] for index in aligned.tree.subtree(word, outside))
    said = [each for each in phrase if is_content(each)]
    focus = aligned.question.focus
    own = [each for each in said if not aligned.is_matched(each) and not (focus and likeness(focus, each))]
    if focus and own and all(each.pos == "NUM" and each.index < word.index for each in own) and likeness(focus, word):
        return False
    head_known = aligned.is_matched(word) and not (focus and likeness(focus, word))
    return bool(own) and (not head_known or len(own) * 2 > len(said))
