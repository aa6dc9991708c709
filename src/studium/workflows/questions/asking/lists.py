"""Lists: what their leading sentence announces, in English, German, Spanish and French."""

import re
from collections.abc import Iterator

from studium.workflows.questions.asking.english.phrases import subject_of
from studium.workflows.questions.asking.english.verbs import PRESENT
from studium.workflows.questions.asking.english.words import is_plural
from studium.workflows.questions.asking.fact import Draft, Fact, Family, Vocabulary
from studium.workflows.questions.asking.soundness import is_apparatus, is_statement
from studium.workflows.questions.source import Listing, Sentence

FEWEST, MOST, LONGEST_ITEM = 2, 9, 12
TELLING = 3
_COUNT = r"(?:two|three|four|five|six|seven|eight|nine|[2-9])"
_WHAT = r"(?:(?:several|many|some|various|different|multiple) )?(?P<what>[a-z][\w -]*?[a-z])"
_HAS = re.compile(
    rf"(?P<subject>.+?) (?P<verb>{'|'.join(PRESENT)}) (?:the following )?(?P<count>{_COUNT} )?{_WHAT}"
    r"(?P<tail> (?:in|of|for|on|from) [^,:]+)?:"
)
_THERE = re.compile(rf"There are (?P<count>{_COUNT}) {_WHAT}(?P<tail> (?:in|of|for|on) [^,:]+)?:")
_ARE = re.compile(
    rf"The (?P<count>{_COUNT} )?(?P<what>[a-z][\w -]*? (?:of|for|in|on|by) [^,:]+?) "
    r"(?:are|are the following|are as follows|include):"
)
_TERM = re.compile(r"(?P<term>[^:–—.]{2,60}?)(?:\.?:|\s[–—-]\s|\.\s).+")
_FOREIGN = {
    "de": re.compile(r"(?P<subject>D(?:ie|er|as) .+?) (?:sind|lauten)(?: die folgenden| folgende)?:"),
    "es": re.compile(r"(?P<subject>L[oa]s .+?) son(?: los siguientes| las siguientes)?:"),
    "fr": re.compile(r"(?P<subject>Les .+?) sont(?: les suivants| les suivantes)?\s?:"),
}
_FOREIGN_QUESTION = {"de": "Was sind {}?", "es": "¿Cuáles son {}?", "fr": "Quels sont {} ?"}


def list_facts(listing: Listing, lead: Sentence | None, language: str, vocabulary: Vocabulary) -> Iterator[Fact]:
    """The question that a list answers as a whole, if its leading sentence says what it is a list of."""
    items = tuple(map(_name, listing.items))
    if lead is None or is_apparatus(listing.heading) or not _is_answer(items) or not is_statement(lead.text):
        return
    answer = ", ".join(items) if not any("," in item for item in items) else "; ".join(items)
    asked = _english(lead.text, vocabulary) if language == "en" else _foreign(lead.text, language)
    for question in asked:
        draft = Draft(Family.LIST, question, answer)
        yield Fact(draft.family, draft.question, draft.answer, (lead.quote, listing.quote), listing.line)


def _is_answer(items: tuple[str, ...]) -> bool:
    if not FEWEST <= len(items) <= MOST or len(set(items)) < len(items):
        return False
    return all(item and len(item.split()) <= LONGEST_ITEM and is_statement(item) for item in items)


def _name(item: str) -> str:
    """What an item names, without its explanation or its last sign."""
    found = _TERM.fullmatch(item)
    return (found["term"] if found else item).rstrip(" .;,")


def _english(lead: str, vocabulary: Vocabulary) -> Iterator[str]:
    if found := _ARE.fullmatch(lead):
        yield f"What are the {found['count'] or ''}{found['what']}?"
    elif found := _THERE.fullmatch(lead):
        yield f"Which {found['count']} {found['what']}{found['tail'] or ''} are there?"
    elif found := _HAS.fullmatch(lead):
        subject = subject_of(found["subject"], vocabulary)
        if subject and subject.specific and is_plural(found["what"].split()[-1]):
            count, tail = found["count"] or "", found["tail"] or ""
            yield f"Which {count}{found['what']} does {subject.text} {PRESENT[found['verb']]}{tail}?"


def _foreign(lead: str, language: str) -> Iterator[str]:
    pattern = _FOREIGN.get(language)
    if pattern and (found := pattern.fullmatch(lead)) and len(found["subject"].split()) >= TELLING:
        subject = found["subject"]
        yield _FOREIGN_QUESTION[language].format(subject[0].lower() + subject[1:])
