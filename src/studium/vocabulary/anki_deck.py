"""Words as an Anki package: one note per word, whichever song it is from; importing again updates it."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

from studium.anki.escaping import escape_macros, escape_text
from studium.anki.note_types import WORD
from studium.anki.package import write_package
from studium.anki.store import ID_FIELD, MEDIA_PREFIX, MediaFile, NewNote
from studium.core.domain.document import content_id
from studium.core.domain.finding import Finding
from studium.vocabulary.domain import Lyrics, Part, VocabularyItem, WordToken

# A small kana belongs to the one before it; っ, ん and ー are morae of their own.
_MORA = re.compile(r".[ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ]?", re.DOTALL)


def pitch_html(reading: str, nucleus: int) -> str:
    """Draw the pitch of a reading as HTML; the voice falls after mora `nucleus`, or not at all if it is 0."""
    moras = _MORA.findall(reading)
    if nucleus > len(moras):
        return ""
    drawn = (
        f'<span class="{_height(place, nucleus)}">{escape(mora)}</span>' for place, mora in enumerate(moras, start=1)
    )
    return f'<span class="pitch">{"".join(drawn)}</span>'


def _height(place: int, nucleus: int) -> str:
    if place == nucleus:
        return "high fall"
    is_high = place > 1 and (nucleus == 0 or place < nucleus)
    return "high" if is_high else "low"


@dataclass(frozen=True)
class WordCard:
    """A word, its furigana and its line's in Anki's notation (` 学[がっ] 校[こう]`), and its sound (WAV)."""

    item: VocabularyItem
    furigana: str = ""
    line_furigana: str = ""
    audio: bytes = b""

    @property
    def id(self) -> str:
        """The id of the note, the same in every song."""
        return content_id(f"word\n{self.item.kanji}\n{self.item.reading}")

    @property
    def sound(self) -> str:
        """The file name of its sound; empty for a word without sound."""
        return f"{MEDIA_PREFIX}{sha256(self.audio).hexdigest()[:16]}.wav" if self.audio else ""


@dataclass(frozen=True)
class WordDeck:
    """The deck for words: its name, their song, and their language."""

    name: str
    song: str = ""
    language: str = "ja"


def write_word_package(
    target: Path, cards: Sequence[WordCard], deck: WordDeck, *, now: Callable[[], float] = time
) -> list[Finding]:
    """Write words as an `.apkg` file with their sounds."""
    notes = {card.id: word_note(card, deck) for card in cards}
    with _sounds(cards) as media:
        return write_package(target, notes, media, now=now)


def word_note(card: WordCard, deck: WordDeck) -> NewNote:
    """Build the note of a word, of type `Studium Word`."""
    item = card.item
    fields = {
        "Word": escape_text(item.kanji),
        "Reading": escape_text(_unless(item.reading, item.kanji)) if item.pitch is None else escape_text(item.reading),
        "Furigana": _furigana_html(card.furigana),
        "Romaji": escape_text(_unless(item.romaji, item.kanji)),
        "Meaning": escape_text(item.english),
        "Meanings": escape_text("; ".join(meaning for meaning in item.meanings if meaning != item.english)),
        "Parts": "".join(_part_html(part) for part in item.parts),
        "PitchAccent": "" if item.pitch is None else pitch_html(item.reading, item.pitch),
        "Audio": f"[sound:{card.sound}]" if card.sound else "",
        "Line": _line_html(item),
        "LineFurigana": _furigana_html(card.line_furigana),
        "Song": escape_text(deck.song),
        "JLPT": f"N{item.jlpt}" if item.jlpt else "",
        "PartOfSpeech": "" if item.part_of_speech == "other" else item.part_of_speech,
        "Language": escape_text(deck.language),
        ID_FIELD: card.id,
    }
    return NewNote(note_type=WORD, deck=deck.name, fields=fields)


@contextmanager
def _sounds(cards: Iterable[WordCard]) -> Iterator[list[MediaFile]]:
    with TemporaryDirectory(prefix="studium-words-") as folder:
        media = []
        for card in cards:
            if card.sound:
                path = Path(folder, card.sound)
                path.write_bytes(card.audio)
                media.append(MediaFile(name=card.sound, path=str(path)))
        yield media


def _furigana_html(furigana: str) -> str:
    """Escape everything but the brackets, which hold the readings."""
    return escape_macros(escape(furigana)).replace("[sound:", "&#91;sound:").replace("\n", "<br>")


def _unless(text: str, shown: str) -> str:
    """Return the text, or nothing if it only repeats what is shown."""
    return "" if text == shown else text


def _part_html(part: Part) -> str:
    return (
        f'<span class="part"><b>{escape_text(part.kanji)}</b><small>{escape_text(" ".join(part.romaji))}</small></span>'
    )


def _line_html(item: VocabularyItem) -> str:
    """Return the line with the word in bold."""
    before, sung, after = item.line.partition(item.sung or item.kanji)
    return escape_text(before) + (f"<b>{escape_text(sung)}</b>" if sung else "") + escape_text(after)


Annotate = Callable[[str, str], str]
"""Adds a reading to a word: `(学校, がっこう)` gives ` 学[がっ] 校[こう]`."""

# Anki would take brackets in the text for a reading, or for a command.
_BRACKETS = str.maketrans("[]", "［］")


def line_furigana(line: str, words: Iterable[WordToken], annotate: Annotate) -> str:
    """Add the reading of each word to a line."""
    written: list[str] = []
    at = 0
    for word in words:
        # Searched for, because its width or case in the line may differ from the normalised text.
        place = line.find(word.surface, at)
        if place < 0 or not word.surface:
            continue
        written += [_plain(line[at:place]), _with_reading(word, annotate)]
        at = place + len(word.surface)
    return "".join([*written, _plain(line[at:])]).strip()


def _with_reading(word: WordToken, annotate: Annotate) -> str:
    is_plain = not word.reading or word.reading == word.surface or word.part_of_speech == "symbol"
    return _plain(word.surface) if is_plain else annotate(word.surface, word.reading)


def _plain(text: str) -> str:
    return text.translate(_BRACKETS)


Speak = Callable[[VocabularyItem], bytes]
"""Speaks a word as a WAV file; empty if it cannot."""


def word_cards(
    items: Iterable[VocabularyItem],
    words: Sequence[WordToken],
    lyrics: Lyrics,
    annotate: Annotate,
    speak: Speak = lambda _: b"",
) -> list[WordCard]:
    """Build the cards of items; `words` are all the words of the lyrics, with line numbers that count sung lines."""
    sung = [line for line in lyrics.lines if line.is_sung]
    by_line: defaultdict[int, list[WordToken]] = defaultdict(list)
    for word in words:
        if word.line <= len(sung):
            by_line[sung[word.line - 1].number].append(word)
    return [
        WordCard(
            item=item,
            furigana=annotate(item.kanji, item.reading).strip(),
            line_furigana=line_furigana(item.line, by_line[item.line_number or 0], annotate),
            audio=speak(item),
        )
        for item in items
    ]
