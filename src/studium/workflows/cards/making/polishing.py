"""Cards polished by rules: stray spaces and doubled marks go, and a hint is taken from the note where one helps."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from studium.domain.card import ProposedCard, SchemaValidationResult
from studium.workflows.cards.skills import MadeCard, PolishedCard, PolishedCards, PolishGiven
from studium.workflows.cards.state import Draft
from studium.workflows.cards.words import covered, text_of

_SPACE_BEFORE_MARK = re.compile(r"[ \t]+(?=[?!.,;:](?:\s|$))")
_DOUBLED_MARK = re.compile(r"([?!])\1+(?=\s|$)")
_SPACES = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_SAYS_NOTHING = re.compile(
    r"(?:questions?|answers?|вопрос\w*|ответ\w*|vopros\w*|otvet\w*|follow-?ups?|notes?|cards?|q ?& ?a|faq)\b",
    re.IGNORECASE,
)
_SHORT_FRONT = 4
_LONGEST_HINT = 60
LEAST_KEPT = 0.8


def polish_card_style(given: PolishGiven) -> PolishedCards:
    """Polish every card that gains by it."""
    polished = [(made.card_id, _changes(made)) for made in given.cards]
    return PolishedCards(cards=tuple(PolishedCard(card_id=own, fields=fields) for own, fields in polished if fields))


def apply_polish(
    draft: Draft, fields: Mapping[str, str], fits: Callable[[ProposedCard], SchemaValidationResult]
) -> Draft:
    """The polished card, if it still fits and still says the same; otherwise the card as it was."""
    if draft.card is None:
        return draft
    filled = {**draft.card.fields, **{name: text.strip() for name, text in fields.items()}}
    polished = draft.card.model_copy(update={"fields": {name: text for name, text in filled.items() if text}})
    schema = fits(polished)
    kept = all(_says_the_same(draft.card.fields.get(name, ""), text) for name, text in fields.items() if name != "Hint")
    return replace(draft, card=polished, schema=schema) if schema.valid and kept else draft


def _says_the_same(before: str, after: str) -> bool:
    """Whether a polished text keeps every number and denial, and adds nothing."""
    old, new = text_of(before), text_of(after)
    same = old.numbers == new.numbers and bool(old.negations) == bool(new.negations)
    return same and covered(new.content, old.everything) >= LEAST_KEPT


def _changes(made: MadeCard) -> dict[str, str]:
    card = made.card
    changed = {"Front": tidy(card.fields["Front"])} if "Front" in card.fields else {}
    if not card.fields.get("Hint") and (hint := _hint(card, made.wanted.sources[0].heading)):
        changed["Hint"] = hint
    return {name: text for name, text in changed.items() if text != card.fields.get(name)}


def tidy(front: str) -> str:
    """A question without stray spaces and doubled marks; code stays as it is."""
    if "`" in front or "$" in front or "|" in front:
        return front.strip()
    return _SPACES.sub(" ", _SPACE_BEFORE_MARK.sub("", _DOUBLED_MARK.sub(r"\1", front))).strip()


def _hint(card: ProposedCard, heading: str) -> str:
    """The heading over the card, where the question is short and the heading adds to it without telling the answer."""
    front, back, over = (
        text_of(card.fields.get("Front", "")),
        text_of(card.fields.get("Back", "")),
        text_of(heading.strip()),
    )
    if not over.content or len(front.content) >= _SHORT_FRONT or len(heading) > _LONGEST_HINT:
        return ""
    says = not _SAYS_NOTHING.match(over.markdown) and not over.content <= front.content
    return over.markdown if says and not over.content & back.content else ""
