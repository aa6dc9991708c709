"""Songs: asked for, answered from what is kept, or worked on and then kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from studium.core.domain.decision import Action, Decision
from studium.core.domain.document import content_id
from studium.core.domain.errors import NotFound
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.domain.ports import Model
from studium.core.runs.run_spec import RunItem, RunSpec
from studium.core.runs.runner import Runner
from studium.vocabulary.domain import FindLyrics, Lyrics, SavedSong, SongRequest, VocabularyItem
from studium.vocabulary.graph import MAX_WORDS, create_vocabulary_graph
from studium.vocabulary.lexicon import Lexicon
from studium.vocabulary.lyrics.text import parse_lyrics
from studium.vocabulary.song_repository import SongRepository


def vocabulary_run(request: SongRequest, model: Model, lexicon: Lexicon, find_lyrics: FindLyrics) -> RunSpec:
    """The job for one song."""
    count = MAX_WORDS if request.count == "all" else request.count
    state = {"song": request.song, "artist": request.artist, "count": count}
    about = {"song": request.song, "artist": request.artist, "count": request.count}
    return RunSpec(
        feature="vocabulary",
        arguments=about | {"lyrics": content_id(request.lyrics) if request.lyrics else None},
        note=" · ".join(part for part in (request.song, request.artist) if part),
        graph=create_vocabulary_graph(model, lexicon, find_lyrics),
        items=[RunItem(request.song, partial(dict, state))],
        decide=_decide,
    )


def words_in(decisions: Sequence[Decision]) -> list[VocabularyItem]:
    """The words that a run came to."""
    return [VocabularyItem.model_validate(each.proposal) for each in decisions if each.action is Action.CREATE]


def errors_in(decisions: Sequence[Decision]) -> list[Finding]:
    """What went wrong in a run."""
    return [finding for each in decisions for finding in each.findings if finding.severity is Severity.ERROR]


def _decide(item: RunItem, state: dict[str, Any]) -> list[Decision]:
    """A decision for each word, and one for the song with what was found out about the words that were claimed."""
    source = state.get("source", "")
    words = [_word(item.id, word, source) for word in state.get("vocabulary", [])]
    errors = [] if words else state.get("errors", [])
    failures = [Finding(code="song.failed", severity=Severity.ERROR, message=error) for error in errors]
    song = Decision(
        item=item.id,
        action=Action.SKIP,
        reasons=tuple(errors),
        findings=(*failures, *state.get("findings", ())),
        change={"source": source},
    )
    return [*words, song]


def _word(song: str, word: VocabularyItem, source: str) -> Decision:
    where = Locator(path=source or song, line=word.line_number)
    evidence = (Evidence(passage=content_id(word.line), quote=word.line, where=where),) if word.line else ()
    proposal = word.model_dump(mode="json")
    return Decision(item=f"{song}#{word.kanji}", action=Action.CREATE, evidence=evidence, proposal=proposal)


@dataclass(frozen=True)
class VocabularyGenerator:
    """Answers requests for the words of songs; `stamp` names the language and who works on it."""

    kept: SongRepository
    runner: Runner
    model: Model
    lexicon: Lexicon
    find_lyrics: FindLyrics
    stamp: str
    keep_lyrics: bool = False

    async def words_of(self, request: SongRequest) -> SavedSong:
        """The song's words, from what is kept if they were made before."""
        key = self._key(request)
        if known := self.kept.get(key):
            return known
        found: list[Lyrics] = []

        async def find(song: str, artist: str) -> Lyrics:
            given = request.lyrics
            found.append(parse_lyrics(given) if given else await self.find_lyrics(song, artist))
            return found[-1]

        report = await self.runner.run(vocabulary_run(request, self.model, self.lexicon, find))
        words = words_in(report.plan.decisions)
        if not words:
            raise _no_words(request, [finding.message for finding in errors_in(report.plan.decisions)])
        lyrics = found[-1] if found else None
        song = SavedSong(
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
