"""What code alone finds out about a card, whoever made it and whoever judges it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from studium.anki.clozes import split_shown_and_hidden
from studium.cards.models import CardSource, QAIssue
from studium.cards.rules.mapping import RULE, find_dangling_references
from studium.cards.rules.summarise import first_sentence, leading_sentences, list_heads
from studium.cards.rules.text_features import CYRILLIC, TextFeatures, coverage, text_features
from studium.cards.skills import MadeCard
from studium.core.text.language_detection import detect_language

IssueType = Literal["answer_mismatch", "front_leaks_answer", "language_mismatch", "style_issue"]

MIN_SUPPORT = 0.6
"""Which share of a reworded answer's words must be the note's."""
HALF = 0.5
LEAD_CHARS = 300
"""So much of an answer's first paragraph is what it must not leave out."""
SHORT_WORD = 3
LONG_FRONT = 8
MANY_QUESTIONS = 3
SPOKEN, SPOKEN_AT_LENGTH = 3, 8
"""From so many words on, a text tells its language by its script, or by the words that join it together."""
HARDLY = 0.2
SURE = 0.9

_EITHER = re.compile(r"\b(?:or|vs|versus|или)\b|/", re.IGNORECASE)
_YES_NO = re.compile(r"\W*(?:yes|no|true|false|both|neither|да|нет|верно|неверно)\b", re.IGNORECASE)
_BOLD = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+", re.MULTILINE)
# Nothing here is ever given back: a list of one long item must not be read in every possible way.
_LIST = re.compile(
    r"(?:^[ \t]*+(?:[-*+]|\d{1,9}[.)])[ \t]++.*+\n?+(?:^(?![ \t]*+(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]++.*+\n?+)*+){2,}+",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(
    r"\W*(?:todo|tbd|fixme|wip|to be (?:done|written|added)|coming soon|n/?a|\?+|\.{2,}|…|-+|нет ответа|дописать"
    r"|добавить|позже|see (?:above|below|link|notes?)|см\.? (?:выше|ниже|ссылку|заметку))\W*$",
    re.IGNORECASE,
)
_LINK_ONLY = re.compile(r"\s*(?:see |см\.? )?(?:\[\[[^\]]+\]\]|\[[^\]]*\]\([^)]*\)|https?://\S+)[\s.]*$", re.IGNORECASE)
_ASKS = re.compile(r"[?？…!.:»”\"')`]\s*$|```\s*$|\$\s*$|\|\s*$")


@dataclass(frozen=True)
class CardSide:
    """One language of a card, beside what the note says: what is asked, what is answered, and the whole answer."""

    front: TextFeatures
    back: TextFeatures
    language: str
    source: CardSource
    quotes: tuple[str, ...] = ()
    hides: bool = False

    @cached_property
    def answer(self) -> TextFeatures:
        """The answer as the note has it."""
        return text_features(
            f"{self.source.back}\n\n{self.source.extra}".strip() if not self.hides else self.source.front
        )

    @property
    def is_whole(self) -> bool:
        """Whether Back is the note's answer as it stands."""
        return self.back.markdown == self.source.back.strip()


def sides_of(made: MadeCard, quotes: tuple[str, ...] = ()) -> list[CardSide]:
    """The card by language; a cloze card asks what it shows and answers what it hides."""
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
            quotes,
        )
        for n, source in enumerate(sources)
    ]


def leak(side: CardSide) -> Iterator[QAIssue]:
    """Whether the front gives the answer away."""
    front, back = side.front.markdown, side.back
    if side.hides:
        given = {word for word in back.content if len(word) > SHORT_WORD} & side.front.content
        if given and coverage(back.content, side.front.content) >= HALF:
            yield _issue("front_leaks_answer", "high", "What the cloze hides stands beside it in plain sight.")
    elif back.content and back.everything <= side.front.content and not _EITHER.search(front):
        if not _YES_NO.match(back.markdown) and back.markdown != front:
            yield _issue("front_leaks_answer", "high", "Every word of the answer is in the question.")
    else:
        told = [term for term in _bold(back.markdown) if len(term.content) > 1 and _gives_away(side, term)]
        if told:
            yield _issue("front_leaks_answer", "medium", f"The front already says “{told[0].markdown}”.")


def emptiness(side: CardSide) -> Iterator[QAIssue]:
    """Whether there is an answer at all."""
    back = side.back.markdown.strip()
    if back and back == side.front.markdown.strip():
        yield _issue("answer_mismatch", "high", "The answer repeats the question.")
    elif _PLACEHOLDER.match(back):
        yield _issue("answer_mismatch", "high", f"“{back}” stands where the answer should be.")
    elif _LINK_ONLY.match(back):
        yield _issue("answer_mismatch", "high", "The answer is only a link.")


def completeness(side: CardSide) -> Iterator[QAIssue]:
    """Whether something breaks off, or what the note stresses is missing."""
    back = side.back.markdown.rstrip()
    if back.endswith((":", ",", ";")) or back.count("```") % 2:
        yield _issue("answer_mismatch", "medium", "The answer breaks off.")
    if side.is_whole or side.hides:
        return
    first = side.source.back.strip().partition("\n\n")[0]
    lead = text_features(leading_sentences(first, LEAD_CHARS) or first_sentence(first))
    missing = [term.markdown for term in _bold(lead.markdown) if not term.content <= side.back.everything]
    missing += sorted(lead.numbers - side.back.numbers)
    if missing:
        yield _issue("answer_mismatch", "medium", f"What the note stresses is missing in the answer: {missing[0]}.")
    if cut := _cut_list(side):
        yield _issue("answer_mismatch", "medium", cut)


def faithfulness(side: CardSide) -> Iterator[QAIssue]:
    """Whether a reworded answer still says what the note says: its words, its numbers, its negations."""
    back, said = side.back, side.answer
    if side.is_whole or side.hides or back.markdown in said.markdown:
        return
    known = (
        said.everything | text_features(side.source.front).everything | text_features(side.source.heading).everything
    )
    invented = sorted(back.numbers - said.numbers - text_features(side.source.front).numbers)
    if invented and not all(number in said.markdown for number in invented):
        yield _issue("answer_mismatch", "high", f"The answer says {invented[0]}, which the note does not.")
    elif coverage(back.content, known) < MIN_SUPPORT:
        yield _issue("answer_mismatch", "high", "The answer says what the note does not.")
    quoted = text_features("\n".join(quote for quote in side.quotes if quote in said.markdown))
    if quoted.markdown and quoted.numbers - back.numbers:
        number = min(quoted.numbers - back.numbers)
        yield _issue("answer_mismatch", "medium", f"The answer leaves out {number}, which its quotes say.")
    if quoted.markdown and bool(quoted.negations) != bool(back.negations):
        yield _issue("answer_mismatch", "high", "The answer and its quotes do not deny the same.")


def language(side: CardSide) -> Iterator[QAIssue]:
    """Whether each side is in the language that the note declares."""
    for name, text in (("question", side.front), ("answer", side.back)):
        if spoken := _other_language(text, side.language):
            message = f"The {name} should be in {side.language} and is in {spoken}."
            yield _issue("language_mismatch", "medium", message)


def standalone(side: CardSide) -> Iterator[QAIssue]:
    """Whether the question can be understood without the note."""
    if not side.hides:
        yield from (_issue("style_issue", "medium", fault) for fault in find_dangling_references(side.front.markdown))


def style(side: CardSide) -> Iterator[QAIssue]:
    """Whether the front reads as one question or task."""
    front = side.front.markdown
    if front.count("?") >= MANY_QUESTIONS and not side.hides:
        yield _issue("style_issue", "low", "The front asks several things at once.")
    if len(side.front.said) > LONG_FRONT and not side.hides and "?" not in front and not _ASKS.search(front):
        yield _issue("style_issue", "low", "The front does not read as a question or a task.")


CHECKS: tuple[Callable[[CardSide], Iterator[QAIssue]], ...] = (
    emptiness,
    leak,
    completeness,
    faithfulness,
    language,
    standalone,
    style,
)


def check_card(made: MadeCard, quotes: tuple[str, ...] = ()) -> list[QAIssue]:
    """All that the checks find about a card, each thing once."""
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
    """Whether the front contains a stressed term that is not simply what the question is about."""
    about = side.back.markdown.lstrip("*_ ").casefold().startswith(term.markdown.casefold())
    return (
        not about
        and term.markdown.casefold() in side.front.markdown.casefold()
        and not _EITHER.search(side.front.markdown)
    )


def _cut_list(side: CardSide) -> str | None:
    """What to say of a list of the note that Back holds only in part."""
    told = [words for items in _lists(side.back) for words in items]
    if not told:
        return None
    for items in _lists(side.answer):
        there = [words for words in items if any(_is_same_item(words, other) for other in told)]
        if 0 < len(there) < len(items):
            return f"The note lists {len(items)} things, the answer {len(there)} of them."
    return None


def _lists(text: TextFeatures) -> list[list[set[str]]]:
    """The lists of a text, each as the words of its items."""
    heads = (
        [text_features(head).content for head in list_heads(found[0].rstrip())]
        for found in _LIST.finditer(text.uncoded)
    )
    return [[words for words in items if words] for items in heads]


def _is_same_item(one: set[str], other: set[str]) -> bool:
    return len(one & other) > HALF * max(len(one), len(other))


def _other_language(text: TextFeatures, declared: str) -> str | None:
    """The language of a text, if it plainly is not the declared one; names and code say nothing."""
    words = text.said
    if declared in ("", "und") or len(words) < SPOKEN:
        return None
    if declared in CYRILLIC:
        return "en" if text.cyrillic < HARDLY and text.english_words >= SPOKEN else None
    if text.is_cyrillic:
        return "ru"
    if declared == "en" and (text.english_words or len(words) < SPOKEN_AT_LENGTH):
        return None
    if declared != "en" and text.english_words < max(SPOKEN, len(words) // 4):
        return None
    found = detect_language(text.prose)
    return found.code if found.code not in ("und", declared) and found.confidence >= SURE else None
