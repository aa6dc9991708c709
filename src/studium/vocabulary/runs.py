"""Runs of the vocabulary graph: the words of a song, from the saved songs or by a new run."""

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
from studium.vocabulary.lyrics.parser import parse_lyrics
from studium.vocabulary.song_repository import SongRepository


def vocabulary_run(request: SongRequest, model: Model, lexicon: Lexicon, find_lyrics: FindLyrics) -> RunSpec:
    """Describe the run for one song."""
    count = MAX_WORDS if request.count == "all" else request.count
    state = {"song": request.song, "artist": request.artist, "count": count}
    arguments = {"song": request.song, "artist": request.artist, "count": request.count}
    return RunSpec(
        feature="vocabulary",
        arguments=arguments | {"lyrics": content_id(request.lyrics) if request.lyrics else None},
        note=" · ".join(part for part in (request.song, request.artist) if part),
        graph=create_vocabulary_graph(model, lexicon, find_lyrics),
        items=[RunItem(request.song, partial(dict, state))],
        decide=_decide,
    )


def words_in(decisions: Sequence[Decision]) -> list[VocabularyItem]:
    """Return the words among a run's decisions."""
    return [VocabularyItem.model_validate(each.proposal) for each in decisions if each.action is Action.CREATE]


def errors_in(decisions: Sequence[Decision]) -> list[Finding]:
    """Return the errors of a run."""
    return [finding for each in decisions for finding in each.findings if finding.severity is Severity.ERROR]


def _decide(item: RunItem, state: dict[str, Any]) -> list[Decision]:
    """Make one decision a word, and one for the song with the findings about claimed words."""
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
    """Finds the words of songs; `stamp` names the version, language and models, so that saved words match them."""

    songs: SongRepository
    runner: Runner
    model: Model
    lexicon: Lexicon
    find_lyrics: FindLyrics
    stamp: str
    keep_lyrics: bool = False

    async def words_of(self, request: SongRequest) -> SavedSong:
        """Return a song's words, from the saved songs if possible."""
        key = self._key(request)
        if saved := self.songs.get(key):
            return saved
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
        self.songs.save(key, song)
        return song

    def _key(self, request: SongRequest) -> str:
        parts = (request.song.casefold(), request.artist.casefold(), str(request.count), request.lyrics or "")
        return content_id("\n".join((self.stamp, *parts)))


def _no_words(request: SongRequest, errors: list[str]) -> NotFound:
    if errors:
        return NotFound("; ".join(errors), remedy="Paste the lyrics, or correct the title and the artist.")
    what = f"No words to learn were found in “{request.song}”."
    return NotFound(what, remedy="Use lyrics in the language you are learning, or in English.")
