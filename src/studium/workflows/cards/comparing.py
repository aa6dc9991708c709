"""What an update would do to a card that Anki has: the note's changes and the person's, merged."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from studium.cards.field_diff import compare_fields
from studium.core.domain.ports import Similarity
from studium.domain.anki import ID_FIELD, AnkiNote, RenderedCard
from studium.domain.card import ProposedCard
from studium.domain.clozes import renumber_clozes
from studium.domain.merging import merge_card, merge_deck, merge_tags
from studium.workflows.cards.identity.matching import content_key
from studium.workflows.cards.state import Comparison, ExistingCard
from studium.workflows.cards.wanted import WantedCard

KEY_JOINT = "+"


_WRITTEN_NUMBER = re.compile(r"\{\{c(\d+)::|(?<!\{)\{c?(\d{1,3})[:|]")


def compare_cards(
    existing: ExistingCard,
    proposed: ProposedCard,
    rendered: RenderedCard,
    written: str = "",
    similarity: Similarity | None = None,
) -> Comparison:
    """Merge what the note says now with what Anki holds; a card of another note type is only compared.

    `written` is the place in the note as the learner wrote it: cloze numbers that stand there are the learner's own.
    `similarity` tells a field that was reworded from one that says something else now.
    """
    anki = existing.anki
    if anki.note_type != rendered.note_type and not _is_adopted(anki, rendered):
        diff = compare_fields(anki.fields, rendered.fields, same_model=False)
        return Comparison(diff, rendered, other_type=True)
    rendered = _numbered(existing, rendered, written) if proposed.card_type == "Cloze" else rendered
    ours = [name for name in rendered.fields if name != ID_FIELD]
    merge = merge_card(existing.base, anki.fields, rendered.fields, ours=ours)
    tags = merge_tags(existing.base_tags, anki.tags, proposed.tags)
    decks = Counter(card.deck for card in anki.cards)
    disputed = {name: conflict.note for name, conflict in merge.conflicts.items()}
    return Comparison(
        compare_fields(anki.fields, merge.writes | disputed, similarity=similarity),
        rendered,
        writes=merge.writes,
        conflicts=merge.conflicts,
        bases=merge.bases,
        kept=merge.kept,
        add_tags=tags.add,
        remove_tags=tags.remove,
        move_to=merge_deck(existing.base_deck, decks.most_common(1)[0][0], proposed.deck_name) if decks else None,
    )


def _is_adopted(anki: AnkiNote, rendered: RenderedCard) -> bool:
    """Whether another tool made the note, in a type of its own whose first field is also ours: it keeps that type."""
    first = next(iter(anki.fields), "")
    return ID_FIELD not in anki.fields and first == next(iter(rendered.fields), "")


def wanted_key(wanted: WantedCard) -> str:
    """What a card's source says, a key for each language, to be known again when it changes."""
    return KEY_JOINT.join(content_key(source) for source in wanted.sources)


def stale_texts(wanted: Sequence[WantedCard], existing: Mapping[str, ExistingCard]) -> dict[str, str]:
    """What to say of cards whose text did not change while the same question changed in another language."""
    changed = {each.card_id: _changed(each, existing[each.card_id]) for each in wanted if each.card_id in existing}
    stale = {}
    for each in wanted:
        here = changed.get(each.card_id, {})
        there = [code for other in each.siblings for code, is_new in changed.get(other, {}).items() if is_new]
        new = [code for code, is_new in here.items() if is_new] + there
        old = [code for code, is_new in here.items() if not is_new]
        if new and old:
            message = f"The text in {_named(new)} changed, the text in {_named(old)} did not: is it still right?"
            stale[each.card_id] = message
    return stale


def _named(codes: Sequence[str]) -> str:
    return ", ".join(code.upper() or "another language" for code in codes)


def _changed(wanted: WantedCard, existing: ExistingCard) -> dict[str, bool]:
    """By language, whether the source says something else than when we last wrote; nothing if that is not known."""
    before, now = (existing.content_key or "").split(KEY_JOINT), wanted_key(wanted).split(KEY_JOINT)
    if not existing.content_key or len(before) != len(now):
        return {}
    return {
        source.language or "": was != is_now for source, was, is_now in zip(wanted.sources, before, now, strict=True)
    }


def _numbered(existing: ExistingCard, rendered: RenderedCard, written: str) -> RenderedCard:
    """The card with its clozes numbered as before, but for numbers that the learner wrote."""
    name, text = next(iter(rendered.fields.items()))
    before = (existing.base or {}).get(name) or existing.anki.fields.get(name, "")
    explicit = {int(one or other) for one, other in _WRITTEN_NUMBER.findall(written)}
    fields = {**rendered.fields, name: renumber_clozes(before, text, explicit=explicit)}
    return rendered.model_copy(update={"fields": fields})
