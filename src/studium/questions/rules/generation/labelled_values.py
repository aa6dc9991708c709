"""Questions about labelled values (`Armor Class: 15` under `Goblin`) and about abbreviations."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from studium.questions.rules.generation.english_words import is_plural
from studium.questions.rules.generation.facts import (
    DocumentVocabulary,
    Fact,
    QuestionDraft,
    QuestionFamily,
    is_back_matter,
    is_statement,
    lower_first,
    templates_for,
    title_of,
    topic_of,
)
from studium.questions.rules.parsed_document import ParsedSentence, strip_markdown

LONGEST_LABEL, LONGEST_VALUE = 5, 12
FARTHEST = 3
FEWEST = 3
SHORT_NAME, SHORT_WORD = 2, 3
_CODE = re.compile(r"[~|{}<>\\^]|\w\(|[=] ")
"""The labels of one thing: with fewer, they are rather remarks."""
_PART = re.compile(
    r"(?:chapter|section|part|appendix|step|table|figure)\b|\W|.*[.?!:]|.* (?:is|are|do|does|can) ", re.IGNORECASE
)
_COLONS = ":\uff1a"
_SIGNS = (*_COLONS, "**", "__")
_LABEL = rf"[^\W\d_][^{_COLONS}*|\n.!?]{{0,38}}?[^\W_)]*\)?"
_LINE = re.compile(
    rf"[ \t]*(?:[-*+•][ \t]+)?"
    rf"(?:\*\*(?P<bold>{_LABEL}):?\*\*:?|__(?P<under>{_LABEL}):?__:?|(?P<label>{_LABEL})[{_COLONS}])"
    r"[ \t]*(?P<value>\S.*?)[ \t\\]*"
)
_REMARK = re.compile(
    r"(?:notes?|warning|caution|important|tip|examples?|see|see also|question|answer|q|a|system|assistant|user"
    r"|human|instructions?|todo|remark|hint|definition|theorem|lemma|proof|background|objectives?|methods?|results?"
    r"|conclusions?|hinweis|achtung|beispiel|nota|ejemplo|advertencia|exemple|attention|remarque|примечание|пример"
    r"|注意|例|備考|figure \d+|table \d+|fig\. \d+|step \d+|https?)",
    re.IGNORECASE,
)
_NAMES_THE_WHOLE = re.compile(
    r"(?:(?:case |product |model )?name|title|case|product|model|patient|company|project|invention|titel|produkt"
    r"|modell|nombre|título|producto|modelo|nom|titre|produit|modèle|название|имя|модель|名称|品名|氏名|製品名)",
    re.IGNORECASE,
)
_DONE = re.compile(r"(?:decided|argued|filed|issued|published|released|founded|born|updated|introduced)", re.IGNORECASE)
_DATE = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_NO_NOUN = re.compile(r"(?:before|after|from|to|by|for|with|in|on|at|[a-z]{2,}(?<!e)ed)", re.IGNORECASE)
_BEGINS = re.compile(r"[+\-\u2212$€£¥(~≈\"“«„‘']*\w")
_ABBREVIATED = re.compile(r"\b\w{1,3}\.$")
_VERBS = re.compile(r"\b(?:is|are|was|were|has|have|can|must|should|will|ist|sind|es|son|est|sont)\b")


@dataclass(frozen=True)
class LabelledValue:
    """A label with its value, its line, and its `topic`: the thing that it describes."""

    label: str
    value: str
    quote: str
    line: int
    topic: str
    heading: str


def labelled_value_facts(
    sentences: Sequence[ParsedSentence], language: str, vocabulary: DocumentVocabulary
) -> Iterator[Fact]:
    """The facts in the labelled values of a document."""
    entries = _near_another(list(_entries(sentences)))
    topics = defaultdict(set)
    for entry in entries:
        topics[entry.label.lower()].add(entry.topic)
    together = Counter((entry.heading, entry.topic) for entry in entries)
    for entry in entries:
        if language == "en" and (
            (together[entry.heading, entry.topic] < FEWEST and len(topics[entry.label.lower()]) == 1)
            or _PART.match(entry.topic)
            or not _is_name(entry.topic)
        ):
            continue
        if entry.topic and not _NAMES_THE_WHOLE.fullmatch(entry.label):
            draft = question_for_value(
                entry.label,
                entry.value,
                entry.topic,
                language,
                vocabulary,
                several=len(topics[entry.label.lower()]) > 1,
            )
            yield Fact(QuestionFamily.ENTRY, draft.question, draft.answer, (entry.quote,), entry.line)


def question_for_value(
    label: str, value: str, topic: str, language: str, vocabulary: DocumentVocabulary, *, several: bool = False
) -> QuestionDraft:
    """Ask for the value of a label; `several` topics that share a label show that it names a property."""
    if language != "en" or (is_plural(topic) and not several):
        return QuestionDraft(QuestionFamily.ENTRY, templates_for(language).value.format(what=label, of=topic), value)
    if _DONE.fullmatch(label) and _DATE.search(value):
        return QuestionDraft(QuestionFamily.ENTRY, f"When was {topic} {label.lower()}?", value)
    article = "the " if vocabulary.takes_article(topic) and not topic.lower().startswith("the ") else ""
    verb = "are" if is_plural(label) else "is"
    link = "in" if re.search(r" (?:of|for|to) ", label) else "of"
    return QuestionDraft(QuestionFamily.ENTRY, f"What {verb} the {lower_first(label)} {link} {article}{topic}?", value)


def _entries(sentences: Sequence[ParsedSentence]) -> Iterator[LabelledValue]:
    named: dict[str, str] = {}
    title = title_of(sentences)
    for sentence in sentences:
        if is_back_matter(sentence.heading) or not any(sign in sentence.quote for sign in _SIGNS):
            continue
        for number, text in enumerate(sentence.quote.splitlines(), sentence.line):
            found = _LINE.fullmatch(text)
            if not found:
                continue
            label, value = (
                strip_markdown(found["bold"] or found["under"] or found["label"]),
                strip_markdown(found["value"]),
            )
            if _NAMES_THE_WHOLE.fullmatch(label):
                named.setdefault(sentence.heading, value)
            if _is_entry(label, value):
                topic = topic_of(sentence.heading) or named.get(sentence.heading) or title
                yield LabelledValue(label, value, text.strip(), number, topic, sentence.heading)


def _is_entry(label: str, value: str) -> bool:
    return _is_label(label, value) and _is_value(value) and is_statement(value) and not _CODE.search(value)


def _is_name(topic: str) -> bool:
    """Whether a heading is the name of a thing (`Goblin`, `Mercury Redstone`), not what a section is about."""
    words = topic.split()
    return len(words) <= SHORT_NAME or all(
        word[0].isupper() or word[0].isdigit() for word in words if len(word) > SHORT_WORD
    )


def _is_label(label: str, value: str) -> bool:
    if _REMARK.fullmatch(label) or _VERBS.search(label) or len(label.split()) > LONGEST_LABEL:
        return False
    if label[0].islower() and label.isascii():
        return False
    return not _NO_NOUN.fullmatch(label) or bool(_DONE.fullmatch(label) and _DATE.search(value))


def _is_value(value: str) -> bool:
    """Whether this is a value rather than a sentence."""
    words = value.split()
    ends = value.endswith(".") and not _ABBREVIATED.search(value)
    return bool(_BEGINS.match(value)) and not ends and len(words) <= LONGEST_VALUE


def _near_another(entries: list[LabelledValue]) -> list[LabelledValue]:
    """The entries near another one: a single colon is usually prose."""
    near = {
        id(each)
        for one, other in pairwise(entries)
        if one.heading == other.heading and 0 <= other.line - one.line <= FARTHEST
        for each in (one, other)
    }
    return [entry for entry in entries if id(entry) in near]


_SHORT_BEHIND = re.compile(
    r"(?P<before>(?:[\w’'/-]+ ){2,10})\((?P<short>[A-Z\u0410-\u042fÄÖÜ][A-Za-z\u0410-\u044f\d/-]{1,9})\)"
)
_LONG_BEHIND = re.compile(r"\b(?P<short>[A-Z\u0410-\u042fÄÖÜ]{2,8}) \((?P<long>[^\W\d_][\w’'/ -]{5,70})\)")
_STANDS_FOR = re.compile(
    r"\b(?P<short>[A-Z][A-Za-z\d/-]{1,9}) (?:stands for|is short for|is an abbreviation (?:of|for)) "
    r"(?P<long>[^,;.()]{5,70})"
)
_ELIDED = re.compile(r"^[ldLD][’']")
_FUNCTION_WORD = re.compile(
    r"(?:of|the|for|and|in|on|to|an?|de|la|el|los|las|del|y|des|du|et|le|der|die|das|und|für|von|i|и)"
)


def abbreviation_questions(sentence: str, language: str) -> Iterator[QuestionDraft]:
    """Questions about the abbreviations in a sentence."""
    for found in _SHORT_BEHIND.finditer(sentence):
        if long := _long_form(found["before"].split(), found["short"]):
            yield _draft(found["short"], long, language)
    for found in _LONG_BEHIND.finditer(sentence):
        if _initials_match(found["long"].split(), found["short"]):
            yield _draft(found["short"], found["long"], language)
    for found in _STANDS_FOR.finditer(sentence):
        if _initials_match(found["long"].split(), found["short"]):
            yield _draft(found["short"], found["long"].strip(), language)


def _draft(short: str, long: str, language: str) -> QuestionDraft:
    question = templates_for(language).stands_for.format(short=short)
    if language == "en" and short[-1] == "s" and short[:-1].isupper():
        question = question.replace("does", "do", 1)
    return QuestionDraft(QuestionFamily.ABBREVIATION, question, long)


def _long_form(before: list[str], short: str) -> str:
    """The shortest run of words before the abbreviation that matches its letters."""
    sizes = range(2, len(before) + 1)
    runs = (before[-size:] for size in sizes)
    return next(
        (
            _ELIDED.sub("", " ".join(run))
            for run in runs
            if not _FUNCTION_WORD.fullmatch(run[0].lower()) and _initials_match(run, short)
        ),
        "",
    )


def _initials_match(words: list[str], short: str) -> bool:
    """Whether the letters are the initials of the words, with or without function words."""
    words = [_ELIDED.sub("", word) for word in words]
    letters = "".join(char for char in short if char.isalpha()).lower().removesuffix("s" if short[-1] == "s" else "\0")
    pieces = [piece for word in words for piece in word.split("-") if piece]
    every = "".join(piece[0] for piece in pieces).lower()
    content = "".join(piece[0] for piece in pieces if not _FUNCTION_WORD.fullmatch(piece.lower())).lower()
    whole = "".join(word[0] for word in words).lower()
    return len(letters) > 1 and letters in (every, content, whole)
