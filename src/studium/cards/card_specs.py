"""Lists the cards to make from a note: one for each question, bilingual pair or section of a long answer."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Literal

from studium.cards.models import CardSource, NoteContext
from studium.core.documents.markdown import split_blocks
from studium.core.documents.plain_text import split_lines
from studium.core.domain.value import Value

BilingualMode = Literal["front_back", "separate_cards"]

MIN_SECTIONS, MIN_SECTION_CHARS = 2, 80
_LANGUAGES = ("en", "ru")
_IGNORED_SECTIONS = re.compile(
    r"(?:references?|links?|sources?|see also|related\b.*|further reading|follow-?ups?|overview|introduction|summary"
    r"|conclusion|(?:обзор|введение|кратко|ссылки|источники|литература|смотрите также|итог|итоги|вывод|выводы)"
    r"|(?:связанные)\b.*)\W*$",
    re.IGNORECASE,
)


class CardSpec(Value):
    """A card to make: its id, and its sources, one for each language."""

    card_id: str
    sources: tuple[CardSource, ...]
    section: str = ""
    """The heading of the section of the answer that the card is about, if it is about one."""
    bilingual_mode: BilingualMode | None = None
    siblings: tuple[str, ...] = ()
    """The ids of the cards with the same question in another language."""

    @property
    def line(self) -> int:
        """The line where it begins in the note."""
        return min(source.line for source in self.sources)


def list_card_specs(
    note: NoteContext, known: Collection[str], mode: BilingualMode, *, per_section: bool = False
) -> list[CardSpec]:
    """The cards to make from a note, in order; a bilingual card keeps the id that is known already."""
    specs: list[CardSpec] = []
    for sources in _questions(note.qa_pairs):
        if len(sources) == 1:
            specs.append(CardSpec(card_id=_id(note, sources[0]), sources=sources))
        elif mode == "front_back":
            ids = [_id(note, source) for source in sources]
            chosen = next((each for each in ids if each in known), ids[0])
            specs.append(CardSpec(card_id=chosen, sources=sources, bilingual_mode=mode))
        else:
            specs += _siblings(note, sources)
    return [each for spec in specs for each in (spec, *(_by_section(spec) if per_section else ()))]


def section_card_id(card_id: str, section: str) -> str:
    """The id of the card about one section; it stays the same as long as the heading does."""
    return f"{card_id}-{sha256(' '.join(section.casefold().split()).encode()).hexdigest()[:6]}"


def _questions(sources: Sequence[CardSource]) -> Iterator[tuple[CardSource, ...]]:
    """Each question with its translations, English before Russian."""
    pairs: dict[str, list[CardSource]] = {}
    for number, source in enumerate(sources):
        pairs.setdefault(source.pair or f"\0{number}", []).append(source)
    for together in pairs.values():
        distinct = len({source.language for source in together}) == len(together)
        joinable = distinct and all(source.kind == together[0].kind != "cloze" for source in together)
        yield from [tuple(sorted(together, key=_language_rank))] if joinable else [(each,) for each in together]


def _language_rank(source: CardSource) -> int:
    return _LANGUAGES.index(source.language) if source.language in _LANGUAGES else len(_LANGUAGES)


def _siblings(note: NoteContext, sources: Sequence[CardSource]) -> list[CardSpec]:
    ids = [_id(note, source) for source in sources]
    return [
        CardSpec(
            card_id=own,
            sources=(source,),
            bilingual_mode="separate_cards",
            siblings=tuple(other for other in ids if other != own),
        )
        for own, source in zip(ids, sources, strict=True)
    ]


def _id(note: NoteContext, source: CardSource) -> str:
    return source.card_id or f"{note.slug}:{source.line}"


def _by_section(card: CardSpec) -> Iterator[CardSpec]:
    """A card for each section worth asking about, if there are several and each language has as many."""
    if any(source.kind == "cloze" or "\n#" not in f"\n{source.back}" for source in card.sources):
        return
    languages = [_sections(source) for source in card.sources]
    if len(languages[0]) < MIN_SECTIONS or any(len(each) != len(languages[0]) for each in languages):
        return
    seen: Counter[str] = Counter()
    for sources in zip(*languages, strict=True):
        title = sources[0].heading
        seen[title] += 1
        own = section_card_id(card.card_id, title if seen[title] == 1 else f"{title} {seen[title]}")
        yield CardSpec(card_id=own, sources=sources, section=title, bilingual_mode=card.bilingual_mode)


def _sections(source: CardSource) -> list[CardSource]:
    """The sections of an answer worth asking about, each as a source of its own."""
    blocks = [block for block in split_blocks(split_lines(source.back)) if block.heading]
    found = []
    for trail, group in groupby(blocks, key=lambda block: block.heading):
        spans = [block.span for block in group]
        title, text = trail.rpartition(" > ")[2], source.back[spans[0].start : spans[-1].end].strip()
        if len(text) >= MIN_SECTION_CHARS and not _IGNORED_SECTIONS.match(title):
            update = {"front": f"{source.front.strip()} — {title}", "back": text, "heading": title}
            found.append(source.model_copy(update=update | {"extra": "", "hint": "", "kind": "basic"}))
    return found
