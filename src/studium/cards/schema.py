"""Whether a card fits its Anki note type, decided by looking at the note type itself."""

from collections.abc import Iterator, Mapping, Sequence

from studium.anki.clozes import check_clozes, find_clozes
from studium.anki.store import ID_FIELD
from studium.cards.models import ProposedCard, SchemaValidationResult
from studium.cards.rules.mapping import front_length
from studium.cards.state import CardPolicy

BASIC, REVERSED, CLOZE = "Studium Basic", "Studium Basic (reversed)", "Studium Cloze"
OUR_NOTE_TYPES: Mapping[str, tuple[str, ...]] = {
    BASIC: ("Front", "Back", "Extra", "Hint", "Source", ID_FIELD),
    REVERSED: ("Front", "Back", "Extra", "Hint", "Source", ID_FIELD),
    CLOZE: ("Text", "Extra", "Hint", "Source", ID_FIELD),
}
"""The fields of the note types that Studium brings along."""


def validate_anki_schema(
    card: ProposedCard, policy: CardPolicy, note_types: Mapping[str, Sequence[str]] = OUR_NOTE_TYPES
) -> SchemaValidationResult:
    """Check the card against its note type: it exists, the fields are known, filled, not too long, the clozes sound."""
    names = note_types.get(card.model_name)
    if names is None:
        known = ", ".join(f"`{name}`" for name in note_types)
        return SchemaValidationResult(valid=False, errors=(f"There is no note type `{card.model_name}`; use {known}.",))
    errors = [f"Field `{name}` is required and empty." for name in _required(card, names) if not _filled(card, name)]
    errors += [f"`{card.model_name}` has no field `{name}`." for name in card.fields if name not in names]
    errors += _lengths(card, policy, names)
    warnings = []
    if _is_cloze(card):
        wrong, odd = check_clozes(card.fields.get(names[0], ""))
        errors += wrong
        warnings += odd
    elif any(find_clozes(text) for text in card.fields.values() if "{{c" in text):
        warnings.append(f"`{card.model_name}` shows cloze marks as they are.")
    return SchemaValidationResult(valid=not errors, errors=tuple(errors), warnings=tuple(warnings))


def _is_cloze(card: ProposedCard) -> bool:
    return card.card_type == "Cloze" or "cloze" in card.model_name.casefold()


def _required(card: ProposedCard, names: Sequence[str]) -> list[str]:
    """The first field, by which Anki knows a note; and the second, unless the first holds the answer too."""
    return list(names[:1] if _is_cloze(card) else names[:2])


def _lengths(card: ProposedCard, policy: CardPolicy, names: Sequence[str]) -> Iterator[str]:
    """What is longer than it may be; a card in two languages has room for both."""
    languages = card.language.count("+") + 1
    most_front, most_back = policy.max_front_chars * languages, policy.max_back_chars * languages
    if _is_cloze(card):
        lengths = [(names[0], len(card.fields.get(names[0], "")), most_front + most_back)]
    else:
        front, back = (card.fields.get(name, "") for name in (*names[:2], "", "")[:2])
        lengths = [(names[1] if len(names) > 1 else "Back", len(back), most_back)]
        if policy.enforce_short_front:
            lengths.append((names[0], front_length(front), most_front))
    for name, length, most in lengths:
        if length > most:
            yield f"Field `{name}` has {length} characters; at most {most} are allowed."


def _filled(card: ProposedCard, field: str) -> bool:
    return bool(card.fields.get(field, "").strip())
