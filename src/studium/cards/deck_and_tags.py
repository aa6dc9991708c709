"""What a card is besides its text, which code alone decides: deck, tags, note type and language."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Literal

from studium.cards.card_specs import CardSpec
from studium.cards.models import CardSource, NoteContext, ProposedCard
from studium.cards.rules.text_features import text_features
from studium.cards.schema import BASIC, CLOZE, REVERSED
from studium.cards.skills import MappedCard
from studium.cards.state import CardPolicy

NoteTypes = Mapping[str, Sequence[str]]

CYRILLIC = frozenset({"ru", "uk", "bg", "be", "sr", "mk"})
_HINTS = ("card_type_hint", "anki_note_type")
_KINDS = {"basic": BASIC, "reversed": REVERSED, "cloze": CLOZE}
_TYPES: dict[str, Literal["Basic", "Cloze"]] = {BASIC: "Basic", REVERSED: "Basic", CLOZE: "Cloze"}


class CardAssembler:
    """Makes a card of fields; one for all cards of a note, whose languages are found out once."""

    def __init__(self, note: NoteContext, policy: CardPolicy, note_types: NoteTypes) -> None:
        self._note, self._policy, self._note_types = note, policy, note_types
        self._languages: dict[bool, str] = {}

    def card(self, mapped: MappedCard, wanted: CardSpec) -> ProposedCard:
        """The card that these fields make up."""
        model = self._model(wanted, mapped.fields)
        siblings = f"In another language: {', '.join(wanted.siblings)}." if wanted.siblings else ""
        return ProposedCard(
            card_type=_TYPES.get(model, "Custom"),
            model_name=model,
            deck_name=self._deck(wanted.sources[0]),
            fields=_rename_fields(mapped.fields, self._note_types.get(model, ()) if model not in _TYPES else ()),
            tags=self._tags(wanted),
            language="+".join(self._language(source) for source in wanted.sources),
            bilingual_mode=wanted.bilingual_mode,
            confidence=mapped.confidence,
            notes=" ".join(part for part in (mapped.notes, siblings) if part),
        )

    def _model(self, wanted: CardSpec, fields: Mapping[str, str]) -> str:
        """The note type: what the source is, unless the note asks for another that Anki has."""
        if wanted.sources[0].kind == "cloze" or "Text" in fields:
            return CLOZE
        hints = (str(self._note.frontmatter[key]).strip() for key in _HINTS if self._note.frontmatter.get(key))
        for hint in hints:
            if hint in self._note_types:
                return hint
            if "reverse" in hint.casefold():
                return REVERSED
        return _KINDS[wanted.sources[0].kind]

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

    def _tags(self, wanted: CardSpec) -> tuple[str, ...]:
        own = [tag for source in wanted.sources for tag in source.tags]
        return tuple(
            dict.fromkeys(tag for tag in map(_tag, [*_listed(self._note.frontmatter.get("tags")), *own]) if tag)
        )

    def _language(self, source: CardSource) -> str:
        """The declared language, or that of the text: found out once for each script a note is written in."""
        if source.language:
            return source.language
        text = text_features(max(source.front, source.back, key=len).strip())
        cyrillic = text.is_cyrillic
        if cyrillic not in self._languages:
            declared = [str(code)[:2].casefold() for code in _listed(self._note.frontmatter.get("language_tags"))]
            fitting = [code for code in declared if (code in CYRILLIC) == cyrillic]
            self._languages[cyrillic] = fitting[0] if len(fitting) == 1 else text.language
        return self._languages[cyrillic]


def _rename_fields(fields: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """The fields under a foreign note type's own names: the question first, the answer second, the rest by name."""
    filled = {name: text for name, text in fields.items() if text.strip()}
    if not names or "Front" in names:
        return filled
    places = dict(zip(("Front", "Back"), names, strict=False))
    return {places.get(name, name): text for name, text in filled.items() if name in places or name in names}


def _tag(tag: Any) -> str:
    return re.sub(r"\s+", "_", str(tag).strip().lstrip("#")).replace("/", "::")


def _listed(value: Any) -> list[Any]:
    if isinstance(value, str):
        return re.split(r"[,\s]+", value.strip()) if value.strip() else []
    return list(value) if isinstance(value, list | tuple) else [value] if value else []
