"""Checks of a card by code, independent of who made or judges it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from studium.anki.clozes import split_shown_and_hidden
from studium.cards.models import CardSource, QAIssue
from studium.cards.rules.answer_blocks import list_heads
from studium.cards.rules.english_sentences import is_title, refers_elsewhere
from studium.cards.rules.mapping import RULE, find_dangling_references
from studium.cards.rules.text_features import CYRILLIC_LANGUAGES, TextFeatures, coverage, text_features
from studium.cards.skills import MadeCard
from studium.core.text.language_detection import detect_language
from studium.core.text.normal_form import fold, markdown_to_text
from studium.core.text.sentences import first_sentence, leading_sentences

IssueType = Literal["answer_mismatch", "front_leaks_answer", "language_mismatch", "style_issue"]

MIN_SUPPORT = 0.6
"""The share of a reworded answer's words that must be in the note."""
HALF = 0.5
LEAD_CHARS = 300
"""The start of an answer, whose bold terms and numbers must not be left out."""
SHORT_WORD = 3
LONG_FRONT = 8
MANY_QUESTIONS = 3
MIN_WORDS, MIN_WORDS_LATIN = 3, 8
"""The least number of words to tell a language by its script, or by its function words."""
HARDLY = 0.2
SURE = 0.9

_EITHER = re.compile(r"\b(?:or|vs|versus|или)\b|/", re.IGNORECASE)
_YES_NO = re.compile(r"\W*(?:yes|no|true|false|both|neither|да|нет|верно|неверно)\b", re.IGNORECASE)
_BOLD = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.+)$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+", re.MULTILINE)
# Possessive quantifiers keep a list of one long item from being matched in every possible way.
_LIST = re.compile(
    r"(?:^[ \t]*+(?:[-*+]|\d{1,9}[.)])[ \t]++.*+\n?+(?:^(?![ \t]*+(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]++.*+\n?+)*+){2,}+",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(
    r"\W*+(?:todo|tbd|fixme|wip|to be (?:done|written|added)|coming soon|n/?a|нет ответа|дописать|добавить|позже"
    r"|see (?:above|below|link|notes?)|см\.? (?:выше|ниже|ссылку|заметку))\W*+$"
    r"|(?=[^?…-]*+[?…-]|(?:[^.]|\.(?!\.))*+\.)\W*+$",  # nothing but marks: `?`, `…`, `--`
    re.IGNORECASE,
)
_LINK_ONLY = re.compile(r"\s*(?:see |см\.? )?(?:\[\[[^\]]+\]\]|\[[^\]]*\]\([^)]*\)|https?://\S+)[\s.]*$", re.IGNORECASE)
_ASKS = re.compile(r"[?？…!.:»”\"')`]\s*$|```\s*$|\$\s*$|\|\s*$")


@dataclass(frozen=True)
class CardSide:
    """One language of a card (front and back) and its source; `hides` marks a cloze."""

    front: TextFeatures
    back: TextFeatures
    language: str
    source: CardSource
    quotes: tuple[str, ...] = ()
    hides: bool = False

    @cached_property
    def answer(self) -> TextFeatures:
        """The whole answer in the note."""
        return text_features(
            f"{self.source.back}\n\n{self.source.extra}".strip() if not self.hides else self.source.front
        )

    @property
    def is_english(self) -> bool:
        """Whether Back is in English, as declared or else as detected."""
        return (self.language or self.back.language) == "en" and not self.back.is_cyrillic

    @property
    def is_whole(self) -> bool:
        """Whether Back is the answer of the note, unchanged."""
        return self.back.markdown == self.source.back.strip()


def sides_of(made: MadeCard, quotes: tuple[str, ...] = ()) -> list[CardSide]:
    """The sides of a card by language; a cloze card asks what it shows and answers what it hides."""
    sources, fields = made.spec.sources, tuple(made.card.fields.values())
    if made.card.card_type == "Cloze" or "Text" in made.card.fields:
        shown, hidden = split_shown_and_hidden(fields[0])
        return [
            CardSide(text_features(shown), text_features(hidden), made.card.language, sources[0], quotes, hides=True)
        ]
    front, back = (*fields[:2], "", "")[:2]
    fronts, backs = (text.split(RULE) if len(sources) > 1 else [text] for text in (front, back))
    if len(fronts) != len(sources) or len(backs) != len(sources):
        return [CardSide(text_features(front), text_features(back), "", sources[0], quotes)]
    languages = made.card.language.split("+") if len(sources) > 1 else [made.card.language]
    return [
        CardSide(
            text_features(fronts[n].strip()),
            text_features(backs[n].strip()),
            languages[n] if n < len(languages) else "",
            source,
            tuple(
                quote for quote in quotes if not any(quote in other.back for other in sources if other is not source)
            ),
        )
        for n, source in enumerate(sources)
    ]


def leak(side: CardSide) -> Iterator[QAIssue]:
    """The front gives the answer away."""
    front, back = side.front.markdown, side.back
    if side.hides:
        given = {word for word in back.content if len(word) > SHORT_WORD} & side.front.content
        if given and coverage(back.content, side.front.content) >= HALF:
            yield _issue("front_leaks_answer", "high", "What the cloze hides is visible beside it.")
    elif back.content and back.everything <= side.front.content and not _EITHER.search(front):
        if not _YES_NO.match(back.markdown) and back.markdown != front:
            yield _issue("front_leaks_answer", "high", "Every word of the answer is in the question.")
    else:
        leaked = [term for term in _bold(back.markdown) if len(term.content) > 1 and _gives_away(side, term)]
        if leaked:
            yield _issue("front_leaks_answer", "medium", f"The front already says “{leaked[0].markdown}”.")


def emptiness(side: CardSide) -> Iterator[QAIssue]:
    """There is no real answer."""
    back = side.back.markdown.strip()
    if back and back == side.front.markdown.strip():
        yield _issue("answer_mismatch", "high", "The answer repeats the question.")
    elif _PLACEHOLDER.match(back):
        yield _issue("answer_mismatch", "high", f"The answer is only “{back}”.")
    elif _LINK_ONLY.match(back):
        yield _issue("answer_mismatch", "high", "The answer is only a link.")
    elif side.is_english and refers_elsewhere(back):
        yield _issue("answer_mismatch", "high", "The answer only refers to another place.")


def completeness(side: CardSide) -> Iterator[QAIssue]:
    """The answer breaks off, or lacks what the note emphasises."""
    back = side.back.markdown.rstrip()
    if back.endswith((":", ",", ";")) or back.count("```") % 2:
        yield _issue("answer_mismatch", "medium", "The answer breaks off.")
    if side.is_whole or side.hides:
        return
    first = next((part for part in side.source.back.strip().split("\n\n") if not is_title(part)), "")
    first = "\n".join(line for line in first.splitlines() if not is_title(line))
    lead = text_features(leading_sentences(first, LEAD_CHARS, markdown=True) or first_sentence(first, markdown=True))
    missing = [term.markdown for term in _bold(lead.markdown) if not term.content <= side.back.everything]
    missing += sorted(lead.numbers - side.back.numbers)
    if missing:
        yield _issue("answer_mismatch", "medium", f"The answer lacks what the note emphasises: {missing[0]}.")
    if cut := _cut_list(side):
        yield _issue("answer_mismatch", "medium", cut)


def bare_titles(side: CardSide) -> Iterator[QAIssue]:
    """A shortened English answer names headings of the note, or ends with one, and does not say what is under it."""
    if side.is_whole or side.hides or not side.is_english:
        return
    headings = {fold(title.rstrip(" #")) for title in _HEADING.findall(side.answer.uncoded)}
    lines = [line.strip() for line in side.back.markdown.splitlines() if line.strip()]
    bare = [line for line in lines if _ITEM.match(line) and fold(_ITEM.sub("", line)) in headings]
    bare = [line for line in bare if line not in side.answer.markdown] + [line for line in lines[-1:] if is_title(line)]
    if bare:
        title = markdown_to_text(bare[0])
        yield _issue(
            "answer_mismatch", "medium", f"The answer names “{title}” and does not say what the note says there."
        )


def faithfulness(side: CardSide) -> Iterator[QAIssue]:
    """A reworded answer differs from the note in its words, numbers or negations."""
    back, said = side.back, side.answer
    if side.is_whole or side.hides or back.markdown in said.markdown:
        return
    known = (
        said.everything | text_features(side.source.front).everything | text_features(side.source.heading).everything
    )
    invented = sorted(back.numbers - said.numbers - text_features(side.source.front).numbers)
    if invented and not all(number in said.markdown for number in invented):
        yield _issue("answer_mismatch", "high", f"The answer says {invented[0]}, which the note does not say.")
    elif coverage(back.content, known) < MIN_SUPPORT:
        yield _issue("answer_mismatch", "high", "The answer says something that the note does not say.")
    quoted = text_features("\n".join(quote for quote in side.quotes if quote in said.markdown))
    if quoted.markdown and quoted.numbers - back.numbers:
        number = min(quoted.numbers - back.numbers)
        yield _issue("answer_mismatch", "medium", f"The answer leaves out {number}, which its quotes contain.")
    if quoted.markdown and bool(quoted.negations) != bool(back.negations):
        yield _issue("answer_mismatch", "high", "Either the answer or its quotes have a negation, but not both.")


def language(side: CardSide) -> Iterator[QAIssue]:
    """A side is not in the language that the note declares."""
    for name, text in (("question", side.front), ("answer", side.back)):
        if other := _other_language(text, side.language):
            message = f"The {name} should be in {side.language} but is in {other}."
            yield _issue("language_mismatch", "medium", message)


def standalone(side: CardSide) -> Iterator[QAIssue]:
    """The question cannot be understood without the note."""
    if not side.hides:
        yield from (_issue("style_issue", "medium", fault) for fault in find_dangling_references(side.front.markdown))


def style(side: CardSide) -> Iterator[QAIssue]:
    """The front does not read as one question or task."""
    front = side.front.markdown
    if front.count("?") >= MANY_QUESTIONS and not side.hides:
        yield _issue("style_issue", "low", "The front asks several things at once.")
    if len(side.front.words) > LONG_FRONT and not side.hides and "?" not in front and not _ASKS.search(front):
        yield _issue("style_issue", "low", "The front does not read as a question or a task.")


CHECKS: tuple[Callable[[CardSide], Iterator[QAIssue]], ...] = (
    emptiness,
    leak,
    completeness,
    bare_titles,
    faithfulness,
    language,
    standalone,
    style,
)


def check_card(made: MadeCard, quotes: tuple[str, ...] = ()) -> list[QAIssue]:
    """The issues that all checks find, each once."""
    found = [issue for side in sides_of(made, quotes) for check in CHECKS for issue in check(side)]
    return list(dict.fromkeys(found))


def _issue(kind: IssueType, severity: Literal["low", "medium", "high"], message: str) -> QAIssue:
    return QAIssue(type=kind, severity=severity, message=message)


def _bold(markdown: str) -> list[TextFeatures]:
    if "**" not in markdown and "__" not in markdown:
        return []
    return [
        text_features(one or other)
        for one, other in _BOLD.findall(text_features(markdown).uncoded.partition("\n\n")[0])
    ]


def _gives_away(side: CardSide, term: TextFeatures) -> bool:
    """Whether the front contains an emphasised term of the answer that is not its subject."""
    about = side.back.markdown.lstrip("*_ ").casefold().startswith(term.markdown.casefold())
    return (
        not about
        and term.markdown.casefold() in side.front.markdown.casefold()
        and not _EITHER.search(side.front.markdown)
    )


def _cut_list(side: CardSide) -> str | None:
    """A message about a list of the note of which Back has only some items."""
    given = [words for items in _lists(side.back) for words in items]
    lists = _lists(side.answer) if given else []
    # An item of a list that is there whole may be like one of another list.
    whole = [words for items in lists if all(_is_among(words, given) for words in items) for words in items]
    given = [words for words in given if not _is_among(words, whole)]
    for items in lists:
        there = [words for words in items if _is_among(words, given)]
        if 0 < len(there) < len(items):
            return f"The note lists {len(items)} things, the answer {len(there)} of them."
    return None


def _lists(text: TextFeatures) -> list[list[set[str]]]:
    """The lists of a text, each as the content words of its items."""
    heads = (
        [text_features(head).content for head in list_heads(found[0].rstrip())]
        for found in _LIST.finditer(text.uncoded)
    )
    return [[words for words in items if words] for items in heads]


def _is_among(words: set[str], others: list[set[str]]) -> bool:
    return any(_is_same_item(words, other) for other in others)


def _is_same_item(one: set[str], other: set[str]) -> bool:
    return len(one & other) > HALF * max(len(one), len(other))


def _other_language(text: TextFeatures, declared: str) -> str | None:
    """The language of a text, if it is clearly not the declared one; names and code are ignored."""
    words = text.words
    if declared in ("", "und") or len(words) < MIN_WORDS:
        return None
    if declared in CYRILLIC_LANGUAGES:
        return "en" if text.cyrillic < HARDLY and text.english_words >= MIN_WORDS else None
    if text.is_cyrillic:
        return "ru"
    if declared == "en" and (text.english_words or len(words) < MIN_WORDS_LATIN):
        return None
    if declared != "en" and text.english_words < max(MIN_WORDS, len(words) // 4):
        return None
    found = detect_language(text.prose)
    return found.code if found.code not in ("und", declared) and found.confidence >= SURE else None
