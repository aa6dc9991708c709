"""Maps cards by rules: Front is the question, Back a summary of the answer, Extra the whole answer."""

import re
from collections.abc import Iterator

from studium.anki.clozes import find_clozes
from studium.cards.card_specs import CardSpec
from studium.cards.models import CardSource
from studium.cards.rules.answer_blocks import GAP
from studium.cards.rules.summarise import summarise_answer
from studium.cards.rules.text_features import STEM_LENGTH, TextFeatures, text_features
from studium.cards.skills import MapInput, MappedCard, MappedCards
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.skill import Answer
from studium.core.text.sentences import split_sentences

_CODE = re.compile(r"^[ \t]*(`{3,}+|~{3,}+).*?^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
_SHOWS = re.compile(r"```|~~~|!\[|\||\$\$|`[^`\n]{12,}`|\n[^\S\n]*(?:[-*+]|\d+[.)])\s")
_PRONOUN = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|он|она|оно|они|\u0435\u0433\u043e|\u0435[\u0435\u0451]|их|это|этот|эта|эти|этого|этому)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:this|these|those|the following|the above|этот|эта|эти|этом|данн\w+|следующ\w+|приведённ\w+|приведенн\w+)\s+"
    r"(?:code|snippet|example|program|class|function|output|diagram|picture|table|command|configuration|approach|method"
    r"|pattern|case|(?:код|пример|класс|функци|программ|рисун|таблиц|команд|подход|метод|случа)\w*)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:see (?:above|below)|as (?:mentioned|shown|described) (?:above|below|earlier)"
    r"|previous (?:question|card|example)"
    r"|см\.? (?:выше|ниже)|(?:сказано|описано|показано|упомянуто) выше|предыдущ\w+ (?:вопрос|пример|карточк)\w*)",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    word[:STEM_LENGTH]
    for word in re.findall(
        r"\w+",
        """work works do does done mean means matter important happen happens need used useful better called example
        examples difference why how what работает делает нужен нужна нужно значит означает важно лучше называется пример
        примеры разница происходит используется""",
    )
)
MIN_CONTENT_WORDS = 2


def find_dangling_references(front: str) -> Iterator[str]:
    """Why a question cannot be understood without the text around it in the note."""
    text = text_features(front)
    content = text.content - _GENERIC
    shows = _SHOWS.search(front)
    if _ELSEWHERE.search(front):
        yield "The front refers to another place in the note."
    elif _POINTING.search(front) and not shows:
        yield f"The front refers to “{_found(_POINTING, front)}” and does not show it."
    elif (
        _PRONOUN.search(text.uncoded) and len(content) < MIN_CONTENT_WORDS and not shows and not _names_something(text)
    ):
        yield f"The front says “{_found(_PRONOUN, text.uncoded)}” and does not say what that is."
    elif not content and not text.everything - _GENERIC and not shows and front.strip():
        yield "The front does not say what it asks about."
    elif front.rstrip().endswith(":") and len(front) < len("What are the advantages of X:"):
        yield "The front breaks off at a colon."


def front_length(front: str) -> int:
    """The length of a front without its code."""
    return len(_CODE.sub("", front).strip())


def short_front(front: str, limit: int) -> str:
    """The question alone if the whole front is too long and the question is understandable; else the front."""
    if front_length(front) <= limit:
        return front
    code = [found[0].strip("\r\n") for found in _CODE.finditer(front)]
    prose = _CODE.sub("\n\n", front).strip()
    sentences = [" ".join(sentence.split()) for sentence in split_sentences(prose, markdown=True)]
    asked = [sentence for sentence in sentences if sentence.endswith(("?", "\uff1f"))] or sentences[-1:]
    chosen = "\n\n".join([" ".join(asked), *code])
    if front_length(chosen) > limit or _PRONOUN.match(chosen) or any(find_dangling_references(chosen)):
        return front
    return chosen


def _names_something(text: TextFeatures) -> bool:
    """Whether a name, an identifier or code says what a pronoun refers to."""
    return bool(re.search(r"`[^`]+`|\b\w*[A-Z]{2}\w*\b|\b\w+[a-z][A-Z]\w*", text.uncoded))


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[0] if found else ""


RULE = "\n\n---\n\n"
"""Separates the languages on a bilingual card."""


def map_to_anki_fields(given: MapInput) -> Answer[MappedCards]:
    """Map every card of the input; a card that cannot be mapped becomes a finding."""
    cards, findings = [], []
    for spec in given.specs:
        try:
            cards.append(map_card(spec, given))
        except Exception as error:  # noqa: BLE001 - one card must not stop the others
            message = f"The card could not be made: {type(error).__name__}: {error}"
            where = Locator(path=given.note_path, line=spec.line)
            findings.append(Finding(code="card.failed", severity=Severity.ERROR, message=message, where=where))
    return Answer(MappedCards(cards=tuple(cards)), tuple(findings))


def map_card(spec: CardSpec, given: MapInput) -> MappedCard:
    """Map one card without rewording anything."""
    if spec.sources[0].kind == "cloze":
        return _cloze_card(spec, given)
    sides = [_side(source, given, is_section=bool(spec.section)) for source in spec.sources]
    fields = {
        name: RULE.join(side[name] for side, _ in sides if side.get(name))
        for name in ("Front", "Back", "Extra", "Hint")
        if any(side.get(name) for side, _ in sides)
    }
    quotes = tuple(quote for _, found in sides for quote in found)
    return MappedCard(card_id=spec.card_id, fields=fields, quotes=quotes)


def _side(source: CardSource, given: MapInput, *, is_section: bool) -> tuple[dict[str, str], list[str]]:
    """One language of a card: its fields, and the passages of the note they are taken from."""
    question, answer = source.front.strip(), source.back.strip()
    front = short_front(question, given.max_front_chars) if given.enforce_short_front else question
    chosen = summarise_answer(answer, given.max_back_chars, question, source.language or "")
    more = [question] if front != question else []
    more += [answer] if chosen.text != answer else []
    extra = GAP.join(part for part in (*more, source.extra.strip()) if part)
    fields = {"Front": front, "Back": chosen.text, "Extra": extra, "Hint": source.hint.strip()}
    # The front of a section's card is joined from two places, so only its heading can be quoted.
    asked = source.heading if is_section else question
    return fields, [quote for quote in (asked, *chosen.quotes) if quote.strip()]


def _cloze_card(spec: CardSpec, given: MapInput) -> MappedCard:
    """The text with its clozes; of a long text, the paragraphs that have clozes."""
    source = spec.sources[0]
    text, extra = source.front.strip(), [source.extra.strip(), source.back.strip()]
    if len(text) > given.max_front_chars + given.max_back_chars:
        chosen = GAP.join(part for part in re.split(r"\n\s*\n", text) if "{{c" in part)
        text, extra = chosen, [text, *extra]
    fields = {"Text": text, "Extra": GAP.join(part for part in extra if part), "Hint": source.hint.strip()}
    return MappedCard(
        card_id=spec.card_id,
        fields={name: value for name, value in fields.items() if value},
        quotes=_hidden_texts(text),
    )


def _hidden_texts(text: str) -> tuple[str, ...]:
    """What a cloze text hides, without the cloze marks, which the note may write differently."""
    hidden = (cloze.hidden.strip() for cloze in find_clozes(text))
    return tuple(words for words in hidden if words and "{{" not in words) or (text,)
