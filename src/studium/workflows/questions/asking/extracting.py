"""All that can be asked about a document, found once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from studium.workflows.questions.answers import same_answer
from studium.workflows.questions.asking import abbreviations, eastasian
from studium.workflows.questions.asking.english import sentences as english
from studium.workflows.questions.asking.entries import entry_facts
from studium.workflows.questions.asking.european import sentences as european
from studium.workflows.questions.asking.fact import Draft, Fact, Vocabulary
from studium.workflows.questions.asking.lists import list_facts
from studium.workflows.questions.asking.soundness import is_apparatus, is_sound, is_statement
from studium.workflows.questions.asking.tables import table_facts
from studium.workflows.questions.asking.titles import title_of
from studium.workflows.questions.asking.wording import in_section, topic_of
from studium.workflows.questions.source import Sentence, Source

LONGEST_SENTENCE = 400


MOST_REMEMBERED = 8
# By identity, for to compare sources is to compare documents; each source is kept, so that its id stays its own.
_remembered: dict[tuple[int, str], tuple[Source, tuple[Fact, ...]]] = {}


def facts_of(source: Source, language: str) -> tuple[Fact, ...]:
    """The facts of a document, each with one answer, in the order in which they stand; found once for each source."""
    key = id(source), language
    if key not in _remembered:
        while len(_remembered) >= MOST_REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
        _remembered[key] = source, _find(source, language)
    return _remembered[key][1]


def _find(source: Source, language: str) -> tuple[Fact, ...]:
    vocabulary = Vocabulary(tuple(sentence.text for sentence in source.sentences))
    found = [fact for fact in _all(source, language, vocabulary) if is_sound(fact.question, fact.answer)]
    return tuple(sorted(_with_one_answer(found), key=lambda fact: fact.line))


def _all(source: Source, language: str, vocabulary: Vocabulary) -> Iterator[Fact]:
    yield from entry_facts(source.sentences, language, vocabulary)
    for table in source.tables:
        yield from table_facts(table, language, vocabulary)
    leads = {sentence.text: sentence for sentence in source.sentences if sentence.text.endswith((":", "\uff1a"))}
    for listing in source.lists:
        yield from list_facts(listing, leads.get(listing.lead), language, vocabulary)
    sentences = [sentence for sentence in source.sentences if _may_be_asked_about(sentence)]
    title = title_of(source.sentences)
    for sentence in sentences:
        yield from _of_sentence(sentence, language, vocabulary, title)
    if language == "en":
        for before, sentence in pairwise(sentences):
            yield from _continued(before, sentence, vocabulary)


def _may_be_asked_about(sentence: Sentence) -> bool:
    if len(sentence.text) > LONGEST_SENTENCE or is_apparatus(sentence.heading):
        return False
    return is_statement(sentence.text)


def _of_sentence(sentence: Sentence, language: str, vocabulary: Vocabulary, title: str) -> Iterator[Fact]:
    topic = topic_of(sentence.heading) or title
    for draft in _drafts(sentence.text, language, vocabulary):
        if draft.complete or topic:
            question = draft.question if draft.complete else in_section(draft.question, topic)
            yield Fact(draft.family, question, draft.answer, (sentence.quote,), sentence.line)


def _continued(before: Sentence, sentence: Sentence, vocabulary: Vocabulary) -> Iterator[Fact]:
    """`Skarn is a town. It was founded in 1271.`: right behind a definition, a pronoun is what was defined."""
    pronoun, _, rest = sentence.text.partition(" ")
    follows = sentence.line - before.line - before.quote.count("\n") <= 1 and before.heading == sentence.heading
    if not follows or pronoun not in ("It", "He", "She"):
        return
    defined = english.defined_by(before.text, vocabulary)
    if defined and defined.person == (pronoun != "It"):
        for draft in english.drafts(f"{defined.name} {rest}", vocabulary):
            if draft.complete:
                yield Fact(draft.family, draft.question, draft.answer, (before.quote, sentence.quote), sentence.line)


def _drafts(text: str, language: str, vocabulary: Vocabulary) -> Iterator[Draft]:
    if "(" in text or "stands for" in text:
        yield from abbreviations.drafts(text, language)
    if language == "en":
        yield from english.drafts(text, vocabulary)
    elif language in ("ja", "zh"):
        yield from eastasian.drafts(text, language)
    else:
        yield from european.drafts(text, language, vocabulary)


def _with_one_answer(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Those that the document answers in one way; of two that ask the same, the first."""
    alike: defaultdict[frozenset[str], list[Fact]] = defaultdict(list)
    for fact in facts:
        alike[fact.matter].append(fact)
    for first, *others in alike.values():
        if all(first.answer == other.answer or same_answer(first.answer, other.answer) for other in others):
            yield first
