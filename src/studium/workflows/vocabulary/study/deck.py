"""A song's words as cards: each with its furigana, its line and its sound."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from studium.domain.word import Lyrics, SungWord, VocabularyItem
from studium.vocabulary.anki_deck import WordCard
from studium.workflows.vocabulary.study.furigana import Annotate, line_furigana

Speak = Callable[[VocabularyItem], bytes]
"""Says a word aloud, as a WAV file; nothing for a word that it cannot say."""


def word_cards(
    items: Iterable[VocabularyItem],
    words: Sequence[SungWord],
    lyrics: Lyrics,
    annotate: Annotate,
    speak: Speak = lambda _: b"",
) -> list[WordCard]:
    """The cards of these items; `words` are all the words of the lyrics, which count the lines that are sung."""
    sung = [line for line in lyrics.lines if line.is_sung]
    standing: defaultdict[int, list[SungWord]] = defaultdict(list)
    for word in words:
        if word.line <= len(sung):
            standing[sung[word.line - 1].number].append(word)
    return [
        WordCard(
            item=item,
            furigana=annotate(item.kanji, item.reading).strip(),
            line_furigana=line_furigana(item.line, standing[item.line_number or 0], annotate),
            audio=speak(item),
        )
        for item in items
    ]
