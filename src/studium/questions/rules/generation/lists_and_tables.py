"""Questions about lists, by the sentence that introduces them, and about tables."""

import re
from collections import Counter
from collections.abc import Iterator

from studium.core.text.english.parser import parse
from studium.core.text.word_pieces import is_known_word
from studium.questions.rules.generation.english_questions import listed_objects
from studium.questions.rules.generation.english_words import is_plural
from studium.questions.rules.generation.facts import (
    DocumentVocabulary,
    Fact,
    QuestionDraft,
    QuestionFamily,
    in_section,
    is_back_matter,
    is_statement,
    lower_first,
    templates_for,
    topic_of,
)
from studium.questions.rules.generation.labelled_values import question_for_value
from studium.questions.rules.parsed_document import ParsedList, ParsedSentence, ParsedTable

FEWEST, MOST, LONGEST_ITEM = 2, 9, 12
TELLING = 3
_LIST_LENGTH = r"(?:two|three|four|five|six|seven|eight|nine|[2-9])"
_WHAT = r"(?:(?:several|many|some|various|different|multiple) )?(?P<what>[a-z][\w -]*?[a-z])"
_FOLLOWING = re.compile(r"\b(?:the )?following(?: (?=\w))?", re.IGNORECASE)
_THERE = re.compile(rf"There are (?P<count>{_LIST_LENGTH}) {_WHAT}(?P<tail> (?:in|of|for|on) [^,:]+)?:")
_ARE = re.compile(
    rf"The (?P<count>{_LIST_LENGTH} )?(?P<what>[a-z][\w -]*? (?:of|for|in|on|by) [^,:]+?) "
    r"(?:are|are the following|are as follows|include):"
)
_TERM = re.compile(r"(?P<term>[^:–—.]{2,60}?)(?:\.?:|\s[–—-]\s|\.\s).+")
_FOREIGN = {
    "de": re.compile(r"(?P<subject>D(?:ie|er|as) .+?) (?:sind|lauten)(?: die folgenden| folgende)?:"),
    "es": re.compile(r"(?P<subject>L[oa]s .+?) son(?: los siguientes| las siguientes)?:"),
    "fr": re.compile(r"(?P<subject>Les .+?) sont(?: les suivants| les suivantes)?\s?:"),
}
_FOREIGN_QUESTION = {"de": "Was sind {}?", "es": "¿Cuáles son {}?", "fr": "Quels sont {} ?"}


def list_facts(listing: ParsedList, lead: ParsedSentence | None, language: str) -> Iterator[Fact]:
    """The fact of a whole list, if the sentence before it says what it lists."""
    items = tuple(map(_name, listing.items))
    if lead is None or is_back_matter(listing.heading) or not _is_answer(items) or not is_statement(lead.text):
        return
    answer = ", ".join(items) if not any("," in item for item in items) else "; ".join(items)
    asked = _english_list_questions(lead.text) if language == "en" else _other_list_questions(lead.text, language)
    for question in asked:
        draft = QuestionDraft(QuestionFamily.LIST, question, answer)
        yield Fact(draft.family, draft.question, draft.answer, (lead.quote, listing.quote), listing.line)


def _is_answer(items: tuple[str, ...]) -> bool:
    if not FEWEST <= len(items) <= MOST or len(set(items)) < len(items):
        return False
    return all(item and len(item.split()) <= LONGEST_ITEM and is_statement(item) for item in items)


def _name(item: str) -> str:
    """The name of an item, without its explanation and final punctuation."""
    found = _TERM.fullmatch(item)
    return (found["term"] if found else item).rstrip(" .;,")


def _english_list_questions(lead: str) -> Iterator[str]:
    if found := _ARE.fullmatch(lead):
        yield f"What are the {found['count'] or ''}{found['what']}?"
    elif found := _THERE.fullmatch(lead):
        yield f"Which {found['count']} {found['what']}{found['tail'] or ''} are there?"
    elif tree := parse(_FOLLOWING.sub("", lead.rstrip(": ")) + "."):
        yield from listed_objects(tree)


def _other_list_questions(lead: str, language: str) -> Iterator[str]:
    pattern = _FOREIGN.get(language)
    if pattern and (found := pattern.fullmatch(lead)) and len(found["subject"].split()) >= TELLING:
        subject = found["subject"]
        yield _FOREIGN_QUESTION[language].format(subject[0].lower() + subject[1:])


LONGEST_LABEL, LONGEST_CELL = 6, 14
PAIR = 2
_REMARKS = re.compile(
    r"(?:notes?|comments?|remarks?|see|#|references?|refs?|source|sources|link|links|url)", re.IGNORECASE
)
_LABELS = re.compile(
    r"(?:|#|attribute|property|parameter|field|item|key|feature|characteristic|specification|spec|eigenschaft|merkmal"
    r"|parámetro|propiedad|característica|propriété|paramètre|свойство|параметр|項目|属性|参数|项目)",
    re.IGNORECASE,
)
_VALUES = re.compile(
    r"(?:|values?|details?|specification|wert|angabe|valor|valeur|значение|値|内容|数值|值)", re.IGNORECASE
)
# Behind these, a label says on its own what it is.
_SELF_EVIDENT = re.compile(
    r"(?:|name|item|country|city|state|person|company|planet|element|species|language|product|protocol|river|mountain"
    r"|monster|creature|team|player|author|book|title|organisation|organization|term|command|animal|region|island)",
    re.IGNORECASE,
)
_DONE = frozenset({"released", "founded", "established", "opened", "born", "built", "published", "introduced"})
_NO_NOUN = re.compile(r"^[a-z]{2,}(?<!e)ed$|\b(?:to|by|from|in|on|at|for|with|is|are|has)$|[?]$", re.IGNORECASE)
_NOUN = re.compile(r"\b[A-Z]?[a-z]{3,}\b")
_PERSON = re.compile(
    r"(?:.* )?(?:master|author|director|inventor|founder|president|chair|head|leader|captain|winner|champion|keeper"
    r"|mayor|king|queen|minister|manager|owner|editor|composer|artist|architect|designer|coach|judge|discoverer)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\d+(?:,\d{3})*")
_EMPTY = re.compile(r"[-–—?.…*/]*|n/?a|none|yes|no|x|✓|✗|ja|nein|sí|oui|non|да|нет", re.IGNORECASE)
_YEAR = re.compile(r"(?:1\d{3}|20\d{2})")
_IS_TEXT = re.compile(r"\.(?:\s|$)|\[")
_HAS_DATE = re.compile(r"\b(?:1\d{3}|20\d{2})\b")


def table_facts(table: ParsedTable, language: str, vocabulary: DocumentVocabulary) -> Iterator[Fact]:
    """The facts in a table."""
    if is_back_matter(table.heading):
        return
    if _is_single_row(table) or _is_label_and_value(table):
        yield from _labelled(table, language, vocabulary)
        return
    labels = Counter(row[0].casefold() for row in table.rows)
    for at, row in enumerate(table.rows):
        if labels[row[0].casefold()] == 1 and _is_label(row[0]):
            for draft in _cells(table, row, language):
                topic = topic_of(table.heading)
                if draft.complete or topic:
                    question = draft.question if draft.complete else in_section(draft.question, topic)
                    yield Fact(draft.family, question, draft.answer, (table.quotes[at],), table.line + 2 + at)


def _is_single_row(table: ParsedTable) -> bool:
    """One row of values without a label of its own, like the ability scores of a creature."""
    return (
        len(table.rows) == 1
        and len(table.columns) > 1
        and all(re.match(r"[-+\u2212]?\d", cell) for cell in table.rows[0])
    )


def _is_label_and_value(table: ParsedTable) -> bool:
    columns = table.columns
    return len(columns) == PAIR and bool(_LABELS.fullmatch(columns[0]) and _VALUES.fullmatch(columns[1]))


def _labelled(table: ParsedTable, language: str, vocabulary: DocumentVocabulary) -> Iterator[Fact]:
    topic = topic_of(table.heading)
    if not topic:
        return
    if _is_single_row(table):
        pairs = [(label, value, 0) for label, value in zip(table.columns, table.rows[0], strict=True)]
    else:
        pairs = [(row[0], row[1], at) for at, row in enumerate(table.rows)]
    counted = Counter(label.casefold() for label, _, _ in pairs)
    for label, value, at in pairs:
        if counted[label.casefold()] == 1 and _is_label(label) and _is_value(value):
            draft = question_for_value(label, value, topic, language, vocabulary, several=True)
            yield Fact(QuestionFamily.TABLE, draft.question, draft.answer, (table.quotes[at],), table.line + 2 + at)


def _is_label(text: str) -> bool:
    return bool(re.search(r"[^\W_]", text)) and len(text.split()) <= LONGEST_LABEL and is_statement(text)


def _is_asked_for(column: str) -> bool:
    """Whether a column's name is a word that people know, so that they can ask for it."""
    words = re.findall(r"[a-z]{3,}", column.lower())
    return (
        column[0].isalpha()
        and not _HAS_DATE.search(column)
        and not _IS_TEXT.search(column)
        and (column.isupper() or (bool(words) and 2 * sum(map(is_known_word, words)) >= len(words)))
    )


def _is_value(text: str) -> bool:
    if (
        not re.search(r"[^\W_]", text)
        or _EMPTY.fullmatch(text)
        or len(text.split()) > LONGEST_CELL
        or text[0] in ":=,;."
    ):
        return False
    return is_statement(text)


def is_telling_cell(cell: str) -> bool:
    """Whether a cell says something in words, or gives an amount with its unit."""
    return bool(re.search(r"[^\W\d_]{3}", cell))


def _cells(table: ParsedTable, row: tuple[str, ...], language: str) -> Iterator[QuestionDraft]:
    for column, cell in zip(table.columns[1:], row[1:], strict=True):
        if not column or _REMARKS.fullmatch(column) or not _is_value(cell):
            continue
        if _compares_things(table):
            what, of = row[0], column
        elif language == "en":
            what, of = column, _thing(table.columns[0], row[0])
        else:
            what, of = column, f"{table.columns[0]} {row[0]}" if row[0].isdigit() and table.columns[0] else row[0]
        if language != "en":
            yield QuestionDraft(QuestionFamily.TABLE, templates_for(language).value.format(what=what, of=of), cell)
        elif _YEAR.fullmatch(row[0]):
            yield _of_a_year(column, row[0], cell)
        elif _is_asked_for(what) and (draft := _english_cell_question(what, of, cell)):
            yield draft


def _compares_things(table: ParsedTable) -> bool:
    """Whether the columns are things and the rows their properties, as in a product comparison."""
    return len(table.columns) > PAIR and bool(table.columns[0]) and bool(_LABELS.fullmatch(table.columns[0]))


def _english_cell_question(column: str, thing: str, cell: str) -> QuestionDraft | None:
    """`What is the capital of France?`; nobody would ask for a column that is not a noun."""
    done = column.lower()
    if done in _DONE and _HAS_DATE.search(cell):
        question = f"When was {thing} {done}?"
    elif _NO_NOUN.search(column) or not _NOUN.search(column):
        return None
    elif is_plural(column) and _COUNT.fullmatch(cell):
        question = f"How many {lower_first(column)} does {thing} have?"
    else:
        person = _PERSON.fullmatch(column) and not re.search(r"\d", cell)
        verb = "Who is" if person else "What are" if is_plural(column.partition(" (")[0]) else "What is"
        question = f"{verb} the {lower_first(column)} of {thing}?"
    return QuestionDraft(QuestionFamily.TABLE, question, cell)


def _thing(kind: str, label: str) -> str:
    """`France`, `port 22`, `the timer hello interval`: a label, with its column's name if needed."""
    if (_SELF_EVIDENT.fullmatch(kind) and not label.isdigit()) or kind.lower() in label.lower():
        return label
    return f"{lower_first(kind)} {label}" if label[0].isdigit() else f"the {lower_first(kind)} {label}"


def _of_a_year(column: str, year: str, cell: str) -> QuestionDraft:
    """A question about a year; it needs the section's topic to be complete."""
    if is_plural(column) and _COUNT.fullmatch(cell):
        return QuestionDraft(
            QuestionFamily.TABLE, f"How many {lower_first(column)} were there in {year}?", cell, complete=False
        )
    who = "Who" if _PERSON.fullmatch(column) and not re.search(r"\d", cell) else "What"
    return QuestionDraft(QuestionFamily.TABLE, f"{who} was the {lower_first(column)} in {year}?", cell, complete=False)
