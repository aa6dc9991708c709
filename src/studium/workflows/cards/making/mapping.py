"""Cards made by rules: Front is the question, Back the essential part of the answer, Extra the whole of it."""

import re

from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.skill import Answer
from studium.domain.card import CardSource
from studium.domain.clozes import deletions
from studium.workflows.cards.making.essence import GAP, essential
from studium.workflows.cards.making.fronts import short_front
from studium.workflows.cards.skills import MapGiven, MappedCard, MappedCards
from studium.workflows.cards.wanted import WantedCard

RULE = "\n\n---\n\n"
"""What parts the languages on a card that holds both."""


def map_to_anki_fields(given: MapGiven) -> Answer[MappedCards]:
    """Map every card that is wanted; one that cannot be mapped is a finding and keeps no other from being made."""
    cards, findings = [], []
    for wanted in given.wanted:
        try:
            cards.append(map_card(wanted, given))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one card, its siblings are made
            message = f"The card could not be made: {type(error).__name__}: {error}"
            where = Locator(path=given.note_path, line=wanted.line)
            findings.append(Finding(code="card.failed", severity=Severity.ERROR, message=message, where=where))
    return Answer(MappedCards(cards=tuple(cards)), tuple(findings))


def map_card(wanted: WantedCard, given: MapGiven) -> MappedCard:
    """Map one card; nothing is reworded."""
    if wanted.sources[0].kind == "cloze":
        return _cloze_card(wanted, given)
    sides = [_side(source, given, is_section=bool(wanted.section)) for source in wanted.sources]
    fields = {
        name: RULE.join(side[name] for side, _ in sides if side.get(name))
        for name in ("Front", "Back", "Extra", "Hint")
        if any(side.get(name) for side, _ in sides)
    }
    quotes = tuple(quote for _, found in sides for quote in found)
    return MappedCard(card_id=wanted.card_id, fields=fields, quotes=quotes)


def _side(source: CardSource, given: MapGiven, *, is_section: bool) -> tuple[dict[str, str], list[str]]:
    """One language of a card: its fields, and the passages of the note they were taken from."""
    question, answer = source.front.strip(), source.back.strip()
    front = short_front(question, given.max_front_chars) if given.enforce_short_front else question
    chosen = essential(answer, given.max_back_chars, question)
    more = [question] if front != question else []
    more += [answer] if chosen.text != answer else []
    extra = GAP.join(part for part in (*more, source.extra.strip()) if part)
    fields = {"Front": front, "Back": chosen.text, "Extra": extra, "Hint": source.hint.strip()}
    # The front of a section's card is put together from two places; its heading is the one that is its own.
    asked = source.heading if is_section else question
    return fields, [quote for quote in (asked, *chosen.quotes) if quote.strip()]


def _cloze_card(wanted: WantedCard, given: MapGiven) -> MappedCard:
    """The text with its deletions; of a long one the paragraphs that have any."""
    source = wanted.sources[0]
    text, extra = source.front.strip(), [source.extra.strip(), source.back.strip()]
    if len(text) > given.max_front_chars + given.max_back_chars:
        chosen = GAP.join(part for part in re.split(r"\n\s*\n", text) if "{{c" in part)
        text, extra = chosen, [text, *extra]
    fields = {"Text": text, "Extra": GAP.join(part for part in extra if part), "Hint": source.hint.strip()}
    return MappedCard(
        card_id=wanted.card_id, fields={name: value for name, value in fields.items() if value}, quotes=_words_of(text)
    )


def _words_of(text: str) -> tuple[str, ...]:
    """What a cloze text hides, without the marks, which the note may write in another way."""
    hidden = (cloze.hidden.strip() for cloze in deletions(text))
    return tuple(words for words in hidden if words and "{{" not in words) or (text,)
