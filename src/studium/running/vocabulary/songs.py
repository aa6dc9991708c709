"""Songs: asked for, answered from what is kept, or worked on and then kept."""

from dataclasses import dataclass

from studium.core.domain.document import content_id
from studium.core.domain.errors import NotFound
from studium.core.domain.ports import Model
from studium.core.runs.runner import Runner
from studium.domain.word import KeptSong, Lyrics, SongRequest
from studium.readers.lyrics.text import lyrics_of
from studium.running.vocabulary.job import errors_in, vocabulary_job, words_in
from studium.vocabulary.song_repository import SongRepository
from studium.workflows.vocabulary.lexicon import Lexicon
from studium.workflows.vocabulary.tools import FindLyrics


@dataclass(frozen=True)
class Songs:
    """Answers requests for the words of songs; `stamp` names the language and who works on it."""

    kept: SongRepository
    runner: Runner
    mind: Model
    lexicon: Lexicon
    find_lyrics: FindLyrics
    stamp: str
    keep_lyrics: bool = False

    async def words_of(self, request: SongRequest) -> KeptSong:
        """The song's words, from what is kept if they were made before."""
        key = self._key(request)
        if known := self.kept.get(key):
            return known
        found: list[Lyrics] = []

        async def find(song: str, artist: str) -> Lyrics:
            given = request.lyrics
            found.append(lyrics_of(given) if given else await self.find_lyrics(song, artist))
            return found[-1]

        report = await self.runner.run(vocabulary_job(request, self.mind, self.lexicon, find))
        words = words_in(report.plan.decisions)
        if not words:
            raise _no_words(request, [finding.message for finding in errors_in(report.plan.decisions)])
        lyrics = found[-1] if found else None
        song = KeptSong(
            song=request.song,
            artist=request.artist,
            source=(lyrics.source if lyrics else "") or "pasted",
            vocabulary=tuple(words),
            lyrics=lyrics.text if lyrics and self.keep_lyrics else None,
        )
        self.kept.save(key, song)
        return song

    def _key(self, request: SongRequest) -> str:
        parts = (request.song.casefold(), request.artist.casefold(), str(request.count), request.lyrics or "")
        return content_id("\n".join((self.stamp, *parts)))


def _no_words(request: SongRequest, errors: list[str]) -> NotFound:
    if errors:
        return NotFound("; ".join(errors), remedy="Paste the lyrics, or correct the title and the artist.")
    what = f"No word to learn was found in “{request.song}”."
    return NotFound(what, remedy="Give lyrics with words in Japanese or English.")
