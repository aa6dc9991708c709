"""The generator of the rules: extract facts from a document, and ask about the best one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from studium.core.domain.skill import Tool
from studium.core.text.english.parser import parse_all
from studium.questions.difficulty import word_counts
from studium.questions.kinds import FOR_MODELS
from studium.questions.rules.comparison.answers import same_answer
from studium.questions.rules.generation import labelled_values, other_languages
from studium.questions.rules.generation.english_questions import Resolved, english_questions, resolve
from studium.questions.rules.generation.facts import (
    TEMPLATES,
    DocumentVocabulary,
    Fact,
    QuestionDraft,
    QuestionFamily,
    content_words,
    in_section,
    is_back_matter,
    is_statement,
    is_well_formed,
    subject_matter,
    title_of,
    topic_of,
)
from studium.questions.rules.generation.grader import Pair, grade_all
from studium.questions.rules.generation.kinds import KindContext, make_kind
from studium.questions.rules.generation.labelled_values import labelled_value_facts
from studium.questions.rules.generation.lists_and_tables import is_telling_cell, list_facts, table_facts
from studium.questions.rules.generation.naturalness import CERTAIN, is_natural
from studium.questions.rules.generation.phrases import PhrasePool
from studium.questions.rules.generation.ranking import Topics, is_source, most_telling, preference
from studium.questions.rules.parsed_document import ParsedDocument, ParsedSentence, read_parsed_document
from studium.questions.skills import Candidate, Exhausted, GenerateInput

LONGEST_SENTENCE = 400
TRANCHE = 300
"""The sentences whose grammar is read at a time; the next ones are read when nothing is left to ask."""

GOOD, FAIR, POOR = 1.85, 1.5, 1.0
"""What questions are worth. More of a document is read before one is asked that is not good; where there is much prose,
only fair ones are asked after the first few, and poor ones never."""
FIRST_FEW = 12
PROSE = 40
"""With so many sentences to ask about, nobody asks for the labels and the bare figures beside them."""
ALIKE = 0.6
MAX_CACHED = 8
# By identity, since comparing documents is slow; each document is kept so that its id is not reused.
_cached: "dict[tuple[int, str], FactSource]" = {}


class FactSource:
    """The facts of a document that have one answer; found piece by piece, since reading grammar takes time."""

    def __init__(self, source: ParsedDocument, language: str) -> None:
        self.source, self.language = source, language
        self.vocabulary = DocumentVocabulary(tuple(sentence.text for sentence in source.sentences))
        usable = [each for each in source.sentences if _is_usable(each)]
        self._usable = [each for each in usable if is_statement(each.text)]
        self._unread = [each for each in usable if is_source(each.text)] if language == "en" else []
        self.is_prose = len(self._unread) >= PROSE
        self._found: list[Fact] = []
        self._pooled: list[ParsedSentence] = []
        self._pool: PhrasePool | None = None
        self.facts: tuple[Fact, ...] = ()
        self._add(self._first_facts())

    @cached_property
    def _topics(self) -> Topics:
        return Topics(
            tuple(each.text for each in self.source.sentences), tuple(each.heading for each in self.source.sentences)
        )

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How often the document says each word."""
        return word_counts("\n".join(each.text for each in self.source.sentences))

    @property
    def kind_context(self) -> KindContext:
        """What questions of other kinds are made from."""
        if self._pool is None:
            self._pool = PhrasePool(self._pooled)
        return KindContext(self.language == "en", self.facts, self._topics, self._pool)

    @property
    def is_read(self) -> bool:
        """Whether no sentence is left whose grammar was not read."""
        return not self._unread

    def read_more(self) -> None:
        """Read the grammar of the next sentences: first of those that say most, from all parts of the document."""
        chosen = most_telling([each.text for each in self._unread], self._topics, TRANCHE)
        sentences = [self._unread[at] for at in chosen]
        self._unread = [each for at, each in enumerate(self._unread) if at not in set(chosen)]
        self._pooled += sentences
        self._pool = None
        made = _grammar_facts(sentences, resolve(sentences, self.source.sentences), self._topics)
        self._add(fact for fact in made if not self.is_prose or fact.worth > POOR)

    def _add(self, facts: Iterable[Fact]) -> None:
        self._found += [fact for fact in facts if is_well_formed(fact.question, fact.answer)]
        self.facts = tuple(sorted(_with_one_answer(self._found), key=lambda fact: fact.line))

    def _first_facts(self) -> Iterator[Fact]:
        """Labels, tables, lists and abbreviations; in other languages than English also sentences."""
        source, language, vocabulary = self.source, self.language, self.vocabulary
        if not self.is_prose:
            yield from labelled_value_facts(source.sentences, language, vocabulary)
        for table in source.tables:
            yield from (
                fact
                for fact in table_facts(table, language, vocabulary)
                if not self.is_prose or is_telling_cell(fact.answer)
            )
        leads = {sentence.text: sentence for sentence in source.sentences if sentence.text.endswith((":", "\uff1a"))}
        for listing in source.lists:
            yield from list_facts(listing, leads.get(listing.lead), language)
        title = title_of(source.sentences)
        for sentence in self._usable:
            yield from _of_sentence(sentence, language, vocabulary, title)


def fact_source(source: ParsedDocument, language: str) -> FactSource:
    """The facts of a document; those of the last few documents are cached."""
    key = id(source), language
    if key not in _cached:
        while len(_cached) >= MAX_CACHED:
            _cached.pop(next(iter(_cached)), None)
        _cached[key] = FactSource(source, language)
    return _cached[key]


def _is_usable(sentence: ParsedSentence) -> bool:
    if len(sentence.text) > LONGEST_SENTENCE or is_back_matter(sentence.heading):
        return False
    return is_statement(sentence.text, to_the_reader=True)


def _grammar_facts(sentences: Sequence[ParsedSentence], resolved: Sequence[Resolved], topics: Topics) -> Iterator[Fact]:
    """The questions that the grammar of English sentences gives, if a person would ask them and a teacher keep them."""
    drafts = [
        (sentence, quotes, tree, draft)
        for sentence, (_, quotes), tree in zip(
            sentences, resolved, parse_all([text for text, _ in resolved]), strict=True
        )
        if tree is not None and tree.certainty >= CERTAIN
        for draft in english_questions(tree)
    ]
    questions = parse_all([draft.question for _, _, _, draft in drafts])
    natural = [
        made for made, question in zip(drafts, questions, strict=True) if is_natural(made[3], made[2], question, topics)
    ]
    grades = grade_all([Pair(draft.question, draft.answer, tree.text) for _, _, tree, draft in natural])
    for (sentence, quotes, _, draft), grade in zip(natural, grades, strict=True):
        where = sentence.line, sentence.heading
        yield Fact(draft.family, draft.question, draft.answer, quotes, *where, 1 + grade.value, draft.predicate)


def _of_sentence(sentence: ParsedSentence, language: str, vocabulary: DocumentVocabulary, title: str) -> Iterator[Fact]:
    topic = topic_of(sentence.heading) or title
    for draft in _sentence_questions(sentence.text, language, vocabulary):
        if draft.complete or topic:
            question = draft.question if draft.complete else in_section(draft.question, topic)
            yield Fact(draft.family, question, draft.answer, (sentence.quote,), sentence.line, sentence.heading)


def _sentence_questions(text: str, language: str, vocabulary: DocumentVocabulary) -> Iterator[QuestionDraft]:
    if "(" in text or "stands for" in text:
        yield from labelled_values.abbreviation_questions(text, language)
    if language in ("ja", "zh"):
        yield from other_languages.east_asian_questions(text, language)
    elif language != "en":
        yield from other_languages.european_questions(text, language, vocabulary)


def _with_one_answer(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts with one answer in the document; of two that ask the same, the first."""
    alike: defaultdict[frozenset[str], list[Fact]] = defaultdict(list)
    for fact in facts:
        alike[fact.matter].append(fact)
    for first, *others in alike.values():
        if all(first.answer == other.answer or same_answer(first.answer, other.answer) for other in others):
            yield first


# How good questions of the families are that no grammar ranks.
_FAMILY_WORTH = {
    QuestionFamily.NUMBER: 1.3,
    QuestionFamily.DATE: 1.3,
    QuestionFamily.ENTRY: 0.6,
    QuestionFamily.TABLE: 0.6,
    QuestionFamily.NAME: 1.2,
    QuestionFamily.PROPERTY: 1.2,
    QuestionFamily.LIST: 1.2,
    QuestionFamily.PURPOSE: 1.2,
    QuestionFamily.DEFINITION: 1.2,
    QuestionFamily.ABBREVIATION: 1.25,
}
_IN_FOCUS = 0.5
# What one more of the same costs.
_SAME_FAMILY, _SAME_SENTENCE, _SAME_SECTION, _SAME_WORDS, _SAME_PREDICATE = 0.08, 0.8, 0.05, 0.07, 0.15
_MOST_REPEATED = 0.4
_NEUTRAL_KINDS = "labelled values, tables and abbreviations"


async def generate(given: GenerateInput, tools: Sequence[Tool]) -> Candidate | Exhausted:
    """Propose the best question that was not asked yet."""
    if given.kind in FOR_MODELS:
        return Exhausted(reason=f"The rules cannot ask {given.kind} questions; a model can.")
    source = fact_source(await read_parsed_document(given.document, tools), _language(given))
    while True:
        left = _not_asked(source.facts, given.asked)
        if source.is_prose and len(given.asked) >= FIRST_FEW:
            left = [fact for fact in left if _worth(fact) >= FAIR]
        if source.is_read or any(_worth(fact) >= GOOD for fact in left):
            if made := _next(source, left, given):
                return made
            if source.is_read:
                return Exhausted(reason=_exhausted_reason(given, len(source.facts)))
        source.read_more()


def _next(source: FactSource, left: Sequence[Fact], given: GenerateInput) -> Candidate | None:
    """The best question of the kind that is asked for, among the facts that were read so far."""
    for fact in _ranked(left, source, given):
        if given.kind == "open":
            return Candidate(question=fact.question, answer=fact.answer, quotes=fact.quotes)
        if made := make_kind(given.kind, fact, source.kind_context, is_true=given.truth == "true"):
            return made
    return None


def _language(given: GenerateInput) -> str:
    """The language of the document; English if it is unknown, as in short texts and data sheets."""
    return "en" if given.language in ("und", "") else given.language


def _not_asked(facts: Sequence[Fact], asked: Sequence[str]) -> list[Fact]:
    """The facts that no question has asked about, in any words."""
    matters = {subject_matter(question) for question in asked}
    asked_before = [fact for fact in facts if fact.matter in matters]
    told = {(fact.answer, fact.quotes) for fact in asked_before}
    used: defaultdict[tuple[str, ...], list[Fact]] = defaultdict(list)
    for fact in asked_before:
        if fact.worth:
            used[fact.quotes].append(fact)
    new = [fact for fact in facts if fact.matter not in matters and (fact.answer, fact.quotes) not in told]
    first = [fact for fact in new if not fact.worth or not used[fact.quotes]]
    return first or [fact for fact in new if len(used[fact.quotes]) == 1 and not _mirrors(fact, used[fact.quotes][0])]


def _mirrors(one: Fact, other: Fact) -> bool:
    """Whether two questions ask for one fact: each has the answer of the other in it, or they are nearly the same."""
    asked, before = content_words(one.question), content_words(other.question)
    if len(asked & before) > ALIKE * min(len(asked), len(before)):
        return True
    return content_words(one.answer) <= before and content_words(other.answer) <= asked


def _ranked(left: Sequence[Fact], source: FactSource, given: GenerateInput) -> list[Fact]:
    """The best question first, if its family, its sentence and its section have not had many already.

    One about the lines in focus is better by as much as families differ.
    """
    matters = {subject_matter(question) for question in given.asked}
    asked = [fact for fact in source.facts if fact.matter in matters]
    predicates = Counter((fact.family, fact.predicate) for fact in asked if fact.predicate)
    families, sentences = Counter(fact.family for fact in asked), Counter(fact.quotes for fact in asked)
    sections, openings = Counter(fact.heading for fact in asked), Counter(_opening(fact.question) for fact in asked)

    def worth_now(fact: Fact) -> tuple[float, int]:
        repeated = (
            families[fact.family] * _SAME_FAMILY
            + sections[fact.heading] * _SAME_SECTION
            + openings[_opening(fact.question)] * _SAME_WORDS
            + predicates[fact.family, fact.predicate] * _SAME_PREDICATE
        )
        repeated = min(repeated, _MOST_REPEATED) + sentences[fact.quotes] * _SAME_SENTENCE
        in_focus = given.focus_start <= fact.line <= given.focus_end
        wanted = preference(fact, given, source.counts)
        return _worth(fact) - repeated + in_focus * _IN_FOCUS + wanted, -fact.line

    return sorted(left, key=worth_now, reverse=True)


def _worth(fact: Fact) -> float:
    return fact.worth or _FAMILY_WORTH.get(fact.family, 1.0)


def _opening(question: str) -> str:
    return question.partition(" ")[0]


def _exhausted_reason(given: GenerateInput, found: int) -> str:
    """Why there is nothing left to ask, and what the rules can ask about."""
    language = _language(given)
    if given.kind != "open" and found:
        english = "" if language == "en" else " beside tables in English only, and this document is in another language"
        return f"The rules can make no further {given.kind} question: they make them from short answers{english}."
    kinds = ", ".join(QuestionFamily) if language in TEMPLATES else _NEUTRAL_KINDS
    asked = (
        f"All {found} questions that the rules can make were asked" if found else "The rules find nothing to ask about"
    )
    limit = "" if language in TEMPLATES else f" (they have no sentence patterns for the language `{language}`)"
    return f"{asked}; without a model they look for {kinds}{limit}."
