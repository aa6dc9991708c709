"""The generator of the rules: extract facts from a document, and ask about the best one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from studium.core.domain.skill import Tool
from studium.questions.rules.comparison.answers import same_answer
from studium.questions.rules.generation import east_asian, european, labelled_values
from studium.questions.rules.generation import english_questions as english
from studium.questions.rules.generation.facts import (
    TEMPLATES,
    DocumentVocabulary,
    Fact,
    QuestionDraft,
    QuestionFamily,
    in_section,
    is_back_matter,
    is_statement,
    is_well_formed,
    subject_matter,
    title_of,
    topic_of,
)
from studium.questions.rules.generation.labelled_values import labelled_value_facts
from studium.questions.rules.generation.lists_and_tables import list_facts, table_facts
from studium.questions.rules.parsed_document import ParsedDocument, ParsedSentence, read_parsed_document
from studium.questions.skills import Candidate, Exhausted, GenerateInput

LONGEST_SENTENCE = 400


MAX_CACHED = 8
# By identity, since comparing documents is slow; each document is kept so that its id is not reused.
_cached_facts: dict[tuple[int, str], tuple[ParsedDocument, tuple[Fact, ...]]] = {}


def extract_facts(source: ParsedDocument, language: str) -> tuple[Fact, ...]:
    """The facts of a document that have one answer, in order; cached for the last few documents."""
    key = id(source), language
    if key not in _cached_facts:
        while len(_cached_facts) >= MAX_CACHED:
            _cached_facts.pop(next(iter(_cached_facts)), None)
        _cached_facts[key] = source, _extract(source, language)
    return _cached_facts[key][1]


def _extract(source: ParsedDocument, language: str) -> tuple[Fact, ...]:
    vocabulary = DocumentVocabulary(tuple(sentence.text for sentence in source.sentences))
    found = [fact for fact in _all_facts(source, language, vocabulary) if is_well_formed(fact.question, fact.answer)]
    return tuple(sorted(_with_one_answer(found), key=lambda fact: fact.line))


def _all_facts(source: ParsedDocument, language: str, vocabulary: DocumentVocabulary) -> Iterator[Fact]:
    yield from labelled_value_facts(source.sentences, language, vocabulary)
    for table in source.tables:
        yield from table_facts(table, language, vocabulary)
    leads = {sentence.text: sentence for sentence in source.sentences if sentence.text.endswith((":", "\uff1a"))}
    for listing in source.lists:
        yield from list_facts(listing, leads.get(listing.lead), language, vocabulary)
    sentences = [sentence for sentence in source.sentences if _is_usable(sentence)]
    title = title_of(source.sentences)
    for sentence in sentences:
        yield from _of_sentence(sentence, language, vocabulary, title)
    if language == "en":
        for before, sentence in pairwise(sentences):
            yield from _pronoun_facts(before, sentence, vocabulary)


def _is_usable(sentence: ParsedSentence) -> bool:
    if len(sentence.text) > LONGEST_SENTENCE or is_back_matter(sentence.heading):
        return False
    return is_statement(sentence.text)


def _of_sentence(sentence: ParsedSentence, language: str, vocabulary: DocumentVocabulary, title: str) -> Iterator[Fact]:
    topic = topic_of(sentence.heading) or title
    for draft in _sentence_questions(sentence.text, language, vocabulary):
        if draft.complete or topic:
            question = draft.question if draft.complete else in_section(draft.question, topic)
            yield Fact(draft.family, question, draft.answer, (sentence.quote,), sentence.line)


def _pronoun_facts(before: ParsedSentence, sentence: ParsedSentence, vocabulary: DocumentVocabulary) -> Iterator[Fact]:
    """`Skarn is a town. It was founded in 1271.`: after a definition, a pronoun is the defined term."""
    pronoun, _, rest = sentence.text.partition(" ")
    follows = sentence.line - before.line - before.quote.count("\n") <= 1 and before.heading == sentence.heading
    if not follows or pronoun not in ("It", "He", "She"):
        return
    defined = english.defined_by(before.text, vocabulary)
    if defined and defined.person == (pronoun != "It"):
        for draft in english.english_questions(f"{defined.name} {rest}", vocabulary):
            if draft.complete:
                yield Fact(draft.family, draft.question, draft.answer, (before.quote, sentence.quote), sentence.line)


def _sentence_questions(text: str, language: str, vocabulary: DocumentVocabulary) -> Iterator[QuestionDraft]:
    if "(" in text or "stands for" in text:
        yield from labelled_values.abbreviation_questions(text, language)
    if language == "en":
        yield from english.english_questions(text, vocabulary)
    elif language in ("ja", "zh"):
        yield from east_asian.east_asian_questions(text, language)
    else:
        yield from european.european_questions(text, language, vocabulary)


def _with_one_answer(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts with one answer in the document; of two that ask the same, the first."""
    alike: defaultdict[frozenset[str], list[Fact]] = defaultdict(list)
    for fact in facts:
        alike[fact.matter].append(fact)
    for first, *others in alike.values():
        if all(first.answer == other.answer or same_answer(first.answer, other.answer) for other in others):
            yield first


# How well a question of each family tests whether someone read the document.
_FAMILY_WEIGHT = {
    QuestionFamily.NUMBER: 1.0,
    QuestionFamily.ENTRY: 0.95,
    QuestionFamily.TABLE: 0.95,
    QuestionFamily.DATE: 0.95,
    QuestionFamily.NAME: 0.9,
    QuestionFamily.PROPERTY: 0.9,
    QuestionFamily.LIST: 0.85,
    QuestionFamily.PURPOSE: 0.8,
    QuestionFamily.DEFINITION: 0.8,
    QuestionFamily.ABBREVIATION: 0.75,
}
_NEUTRAL_KINDS = "labelled values, tables and abbreviations"


async def generate(given: GenerateInput, tools: Sequence[Tool]) -> Candidate | Exhausted:
    """Propose the best question about the lines in focus, or the lines nearest to them."""
    source = await read_parsed_document(given.document, tools)
    facts = extract_facts(source, _language(given))
    left = _not_asked(facts, given.asked)
    if not left:
        return Exhausted(reason=_exhausted_reason(_language(given), len(facts)))
    fact = _best(left, facts, given)
    return Candidate(question=fact.question, answer=fact.answer, quotes=fact.quotes)


def _language(given: GenerateInput) -> str:
    """The language of the document; English if it is unknown, as in short texts and data sheets."""
    return "en" if given.language in ("und", "") else given.language


def _not_asked(facts: Sequence[Fact], asked: Sequence[str]) -> list[Fact]:
    """The facts that no question has asked about, in any words."""
    matters = {subject_matter(question) for question in asked}
    told = {(fact.answer, fact.quotes) for fact in facts if fact.matter in matters}
    return [fact for fact in facts if fact.matter not in matters and (fact.answer, fact.quotes) not in told]


def _best(left: Sequence[Fact], facts: Sequence[Fact], given: GenerateInput) -> Fact:
    """The fact nearest to the focus; among equals, the best family and the least used place."""
    open_ones = {id(fact) for fact in left}
    asked = [fact for fact in facts if id(fact) not in open_ones]
    families, places = Counter(fact.family for fact in asked), Counter(fact.quotes for fact in asked)

    def rank(fact: Fact) -> tuple[int, float, int]:
        distance = max(given.focus_start - fact.line, fact.line - given.focus_end, 0)
        repeated = families[fact.family] / (len(asked) or 1) + places[fact.quotes]
        return distance, repeated / 4 - _FAMILY_WEIGHT[fact.family], fact.line

    return min(left, key=rank)


def _exhausted_reason(language: str, found: int) -> str:
    """Why there is nothing left to ask, and what the rules can ask about."""
    kinds = ", ".join(QuestionFamily) if language in TEMPLATES else _NEUTRAL_KINDS
    asked = (
        f"All {found} questions that the rules can make were asked" if found else "The rules find nothing to ask about"
    )
    limit = "" if language in TEMPLATES else f" (they have no sentence patterns for the language `{language}`)"
    return f"{asked}; without a model they look for {kinds}{limit}."
