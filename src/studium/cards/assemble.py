"""Assembles a card from its fields (note type, deck, tags, language), and checks it against its note type."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Literal

from studium.anki.clozes import check_clozes, find_clozes
from studium.anki.note_types import BASIC, CLOZE, NOTE_TYPES, REVERSED
from studium.cards.card_specs import CardSpec
from studium.cards.models import CardSource, NoteContext, ProposedCard, SchemaValidationResult
from studium.cards.rules.mapping import front_length
from studium.cards.rules.text_features import CYRILLIC_LANGUAGES, text_features
from studium.cards.skills import MappedCard
from studium.cards.state import CardPolicy

NoteTypes = Mapping[str, Sequence[str]]

_HINTS = ("card_type_hint", "anki_note_type")
_KINDS = {"basic": BASIC, "reversed": REVERSED, "cloze": CLOZE}
_TYPES: dict[str, Literal["Basic", "Cloze"]] = {BASIC: "Basic", REVERSED: "Basic", CLOZE: "Cloze"}
OUR_NOTE_TYPES: NoteTypes = {each.name: each.fields for each in NOTE_TYPES}
"""The fields of Studium's own note types."""


class CardAssembler:
    """Assembles the cards of one note; the language of its texts is detected once."""

    def __init__(self, note: NoteContext, policy: CardPolicy, note_types: NoteTypes) -> None:
        self._note, self._policy, self._note_types = note, policy, note_types
        self._languages: dict[bool, str] = {}

    def card(self, mapped: MappedCard, spec: CardSpec) -> ProposedCard:
        """The card with these fields."""
        model = self._model(spec, mapped.fields)
        siblings = f"In another language: {', '.join(spec.siblings)}." if spec.siblings else ""
        return ProposedCard(
            card_type=_TYPES.get(model, "Custom"),
            model_name=model,
            deck_name=self._deck(spec.sources[0]),
            fields=_rename_fields(mapped.fields, self._note_types.get(model, ()) if model not in _TYPES else ()),
            tags=self._tags(spec),
            language="+".join(self._language(source) for source in spec.sources),
            bilingual_mode=spec.bilingual_mode,
            confidence=mapped.confidence,
            notes=" ".join(part for part in (mapped.notes, siblings) if part),
        )

    def _model(self, spec: CardSpec, fields: Mapping[str, str]) -> str:
        """The note type: that of the source, unless the note names another one that Anki has."""
        if spec.sources[0].kind == "cloze" or "Text" in fields:
            return CLOZE
        hints = (str(self._note.frontmatter[key]).strip() for key in _HINTS if self._note.frontmatter.get(key))
        for hint in hints:
            if hint in self._note_types:
                return hint
            if "reverse" in hint.casefold():
                return REVERSED
        return _KINDS[spec.sources[0].kind]

    def _deck(self, source: CardSource) -> str:
        frontmatter, policy = self._note.frontmatter, self._policy
        deck = source.deck or frontmatter.get("deck_hint") or (self._folder() if policy.deck_from_folder else "")
        deck = str(deck or frontmatter.get("topic") or policy.default_deck).strip()
        prefix = policy.deck_prefix
        return deck if not prefix or deck == prefix or deck.startswith(f"{prefix}::") else f"{prefix}::{deck}"

    def _folder(self) -> str:
        """The note's folder in the vault, as a deck."""
        path = PurePosixPath(self._note.slug)
        return "" if path.is_absolute() else "::".join(path.parent.parts)

    def _tags(self, spec: CardSpec) -> tuple[str, ...]:
        own = [tag for source in spec.sources for tag in source.tags]
        return tuple(
            dict.fromkeys(tag for tag in map(_tag, [*_as_list(self._note.frontmatter.get("tags")), *own]) if tag)
        )

    def _language(self, source: CardSource) -> str:
        """The declared language, or the detected one, which is detected once for each script."""
        if source.language:
            return source.language
        text = text_features(max(source.front, source.back, key=len).strip())
        cyrillic = text.is_cyrillic
        if cyrillic not in self._languages:
            declared = [str(code)[:2].casefold() for code in _as_list(self._note.frontmatter.get("language_tags"))]
            fitting = [code for code in declared if (code in CYRILLIC_LANGUAGES) == cyrillic]
            self._languages[cyrillic] = fitting[0] if len(fitting) == 1 else text.language
        return self._languages[cyrillic]


def _rename_fields(fields: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """The fields under the names of a foreign note type: the question first, the answer second, others by name."""
    filled = {name: text for name, text in fields.items() if text.strip()}
    if not names or "Front" in names:
        return filled
    places = dict(zip(("Front", "Back"), names, strict=False))
    return {places.get(name, name): text for name, text in filled.items() if name in places or name in names}


def _tag(tag: Any) -> str:
    return re.sub(r"\s+", "_", str(tag).strip().lstrip("#")).replace("/", "::")


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, str):
        return re.split(r"[,\s]+", value.strip()) if value.strip() else []
    return list(value) if isinstance(value, list | tuple) else [value] if value else []


def validate_anki_schema(
    card: ProposedCard, policy: CardPolicy, note_types: Mapping[str, Sequence[str]] = OUR_NOTE_TYPES
) -> SchemaValidationResult:
    """Check the card against its note type: known and filled fields of the right length, and valid clozes."""
    names = note_types.get(card.model_name)
    if names is None:
        known = ", ".join(f"`{name}`" for name in note_types)
        return SchemaValidationResult(valid=False, errors=(f"There is no note type `{card.model_name}`; use {known}.",))
    errors = [f"Field `{name}` is required and empty." for name in _required(card, names) if not _filled(card, name)]
    errors += [f"`{card.model_name}` has no field `{name}`." for name in card.fields if name not in names]
    errors += _length_errors(card, policy, names)
    warnings = []
    if _is_cloze(card):
        cloze_errors, cloze_warnings = check_clozes(card.fields.get(names[0], ""))
        errors += cloze_errors
        warnings += cloze_warnings
    elif any(find_clozes(text) for text in card.fields.values() if "{{c" in text):
        warnings.append(f"`{card.model_name}` shows cloze marks as plain text.")
    return SchemaValidationResult(valid=not errors, errors=tuple(errors), warnings=tuple(warnings))


def _is_cloze(card: ProposedCard) -> bool:
    return card.card_type == "Cloze" or "cloze" in card.model_name.casefold()


def _required(card: ProposedCard, names: Sequence[str]) -> list[str]:
    """The first field, which Anki requires; and the second, unless the card is a cloze."""
    return list(names[:1] if _is_cloze(card) else names[:2])


def _length_errors(card: ProposedCard, policy: CardPolicy, names: Sequence[str]) -> Iterator[str]:
    """Errors about fields that are too long; a card in two languages may be twice as long."""
    languages = card.language.count("+") + 1
    max_front, max_back = policy.max_front_chars * languages, policy.max_back_chars * languages
    if _is_cloze(card):
        lengths = [(names[0], len(card.fields.get(names[0], "")), max_front + max_back)]
    else:
        front, back = (card.fields.get(name, "") for name in (*names[:2], "", "")[:2])
        lengths = [(names[1] if len(names) > 1 else "Back", len(back), max_back)]
        if policy.enforce_short_front:
            lengths.append((names[0], front_length(front), max_front))
    for name, length, limit in lengths:
        if length > limit:
            yield f"Field `{name}` has {length} characters; at most {limit} are allowed."


def _filled(card: ProposedCard, field: str) -> bool:
    return bool(card.fields.get(field, "").strip())
