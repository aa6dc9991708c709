"""Words to learn, of any language with a dictionary: from lyrics in it as they are sung, from English in reverse."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from studium.domain.word import Dictionary, Entry, Lyrics, Part, SungWord, VocabularyItem
from studium.workflows.vocabulary.claims import checked
from studium.workflows.vocabulary.gathering import Gathered, gathered, numbered_text
from studium.workflows.vocabulary.lexicon import Checked
from studium.workflows.vocabulary.ranking import most_useful_first
from studium.workflows.vocabulary.skills import Claim

Words = Callable[[str], Sequence[SungWord]]
_REMEMBERED = 32


@dataclass(frozen=True)
class Tongue:
    """A language as its learners meet it: its words, whether a text is in it, and how a word is read and spoken."""

    words: Words
    is_written_in: Callable[[str], bool]
    romaji: Callable[[str, str], str]
    parts: Callable[[str, str], tuple[Part, ...]]
    accent: Callable[[str, str], int | None]


class SongLexicon:
    """Finds the words of songs, and says what they are by the dictionary."""

    def __init__(self, tongue: Tongue, dictionary: Dictionary, english: Words) -> None:
        self._tongue, self._dictionary, self._english = tongue, dictionary, english
        # The agent, the extraction and the verification ask for the same song one after the other.
        self._items = lru_cache(maxsize=_REMEMBERED)(self._found)

    def items_in(self, lyrics: Lyrics) -> Sequence[VocabularyItem]:
        """Every word worth learning, the most useful first."""
        return self._items(lyrics)

    def check(self, claim: Claim, items: Sequence[VocabularyItem]) -> Checked:
        """The word that a model claims, as the dictionary has it."""
        return checked(claim, items)

    def words_in(self, lyrics: Lyrics) -> Sequence[SungWord]:
        """Every word of the lyrics where it stands."""
        text = numbered_text(lyrics)
        return self._tongue.words(text) if self._tongue.is_written_in(text) else self._english(text)

    def _found(self, lyrics: Lyrics) -> tuple[VocabularyItem, ...]:
        foreign = not self._tongue.is_written_in(numbered_text(lyrics))
        make = self._translated if foreign else self._sung
        items: dict[tuple[str, str], VocabularyItem] = {}
        for each in gathered(self.words_in(lyrics), lyrics):
            item = make(each)
            if item:
                items.setdefault((item.kanji, item.reading), item)
        return tuple(most_useful_first(list(items.values())))

    def _sung(self, each: Gathered) -> VocabularyItem | None:
        word = each.word
        gloss = self._dictionary.gloss(word, each.line)
        if gloss is None:
            return None
        entries = self._dictionary.look_up(word.lemma, word.lemma_reading, word.part_of_speech)
        known = entries[0] if entries else Entry(gloss.entry, "", "", "other", ())
        entry = replace(
            known,
            written=word.lemma,
            reading=word.lemma_reading,
            part_of_speech=word.part_of_speech,
            glosses=gloss.meanings,
        )
        return self._item(each, entry, gloss.english)

    def _translated(self, each: Gathered) -> VocabularyItem | None:
        entries = self._dictionary.reverse(each.word.lemma, each.word.part_of_speech)
        return self._item(each, entries[0], each.word.lemma) if entries else None

    def _item(self, each: Gathered, entry: Entry, english: str) -> VocabularyItem:
        written, reading = entry.written, entry.reading
        return VocabularyItem(
            kanji=written,
            romaji=self._tongue.romaji(written, reading),
            english=english,
            parts=self._tongue.parts(written, reading),
            reading=reading,
            sung=each.word.surface,
            part_of_speech=entry.part_of_speech,
            meanings=entry.glosses,
            jlpt=entry.jlpt,
            frequency=entry.frequency,
            pitch=self._tongue.accent(written, reading),
            line=each.line,
            line_number=each.line_number,
            count=each.count,
        )
