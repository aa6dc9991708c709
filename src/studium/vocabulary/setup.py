"""Builds the parts of the vocabulary feature from the settings, and generates the words of a song."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium import __version__
from studium.core.config import Settings
from studium.core.config.settings import VocabularySettings
from studium.core.domain.decision import Action, Decision
from studium.core.domain.document import content_id
from studium.core.domain.errors import NotFound
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.domain.ports import Model
from studium.core.domain.run import RunItem, RunSpec
from studium.core.features import FeatureGraph
from studium.core.reader_process import is_server, outside_server
from studium.core.runs.runner import Runner
from studium.vocabulary import skills as vocabulary_skills
from studium.vocabulary.domain import FindLyrics, Lyrics, SavedSong, SongRequest, VocabularyItem, WordToken
from studium.vocabulary.graph import MAX_WORDS, VocabularyState, create_vocabulary_graph
from studium.vocabulary.lexicon import Lexicon, SongLexicon
from studium.vocabulary.lyrics.parser import parse_lyrics
from studium.vocabulary.song_repository import SongRepository

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.llm.models import Rule
    from studium.vocabulary.song_report import Pronunciation


def lexicon(app: "App") -> SongLexicon:
    """Return the lexicon of the language being learned, built once per app."""
    return app.once(_app_lexicon)


def _app_lexicon(app: "App") -> SongLexicon:
    return BoundedLexicon(app.settings.vocabulary, app.settings.home) if is_server() else build_lexicon(app.settings)


class BoundedLexicon(SongLexicon):
    """The lexicon of a server: lyrics are split into words in a reader process."""

    def __init__(self, settings: VocabularySettings, home: Path) -> None:
        self._key = (settings.language, settings.freedict, home)

    def items_in(self, lyrics: Lyrics) -> Sequence[VocabularyItem]:
        """Return every word worth learning, most useful first."""
        return _items_in(self._key, lyrics)

    def words_in(self, lyrics: Lyrics) -> Sequence[WordToken]:
        """Return every word of the lyrics, in order."""
        return _words_in(self._key, lyrics)


_LexiconKey = tuple[str, Path, Path]
"""The language, the folder of its dictionaries, and `home`."""


@outside_server(lambda _key, _lyrics: "The song")
def _items_in(key: _LexiconKey, lyrics: Lyrics) -> Sequence[VocabularyItem]:
    return _kept_lexicon(key).items_in(lyrics)


@outside_server(lambda _key, _lyrics: "The song")
def _words_in(key: _LexiconKey, lyrics: Lyrics) -> Sequence[WordToken]:
    return _kept_lexicon(key).words_in(lyrics)


@outside_server(lambda _text: "The song")
def _parse(text: str) -> Lyrics:
    return parse_lyrics(text)


def build_lexicon(settings: Settings) -> SongLexicon:
    """Build the lexicon of the language being learned; its dictionary is prepared if necessary."""
    return _kept_lexicon((settings.vocabulary.language, settings.vocabulary.freedict, settings.home))


@lru_cache(maxsize=1)
def _kept_lexicon(key: _LexiconKey) -> SongLexicon:
    from studium.vocabulary.languages import german_lexicon, japanese_lexicon

    language, freedict, home = key
    return german_lexicon(freedict) if language == "de" else japanese_lexicon(home / "dictionary")


def is_dictionary_ready(settings: Settings) -> bool:
    """Tell whether the dictionary is prepared."""
    from studium.vocabulary.dictionary.jmdict_build import dictionary_path

    return settings.vocabulary.language != "ja" or dictionary_path(settings.home / "dictionary").exists()


def prepare_dictionary(settings: Settings, on_progress: Callable[[int, int], None]) -> None:
    """Prepare the Japanese dictionary if necessary; `on_progress` gets the words done and the total."""
    if settings.vocabulary.language == "ja":
        from studium.vocabulary.dictionary.jmdict_build import build_dictionary

        build_dictionary(settings.home / "dictionary", on_progress)


def lyrics_finder(settings: Settings) -> "FindLyrics":
    """Build the search for lyrics, or one that says it is disabled."""
    from studium.vocabulary.lyrics.online import lookup_disabled, online_finder

    return online_finder(settings.vocabulary.timeout) if settings.vocabulary.online else lookup_disabled


def build_pronunciation(settings: Settings) -> "Pronunciation":
    """Build the pronunciation of the language being learned: furigana and speech."""
    from studium.vocabulary.languages import japanese_pronunciation
    from studium.vocabulary.song_report import Pronunciation

    if settings.vocabulary.language == "de":
        return Pronunciation("de")
    return japanese_pronunciation(settings.home / "dictionary")


def vocabulary_generator(app: "App") -> "VocabularyGenerator":
    """Build the generator that turns songs into words."""
    from studium.vocabulary.song_repository import SongRepository

    vocabulary = app.settings.vocabulary
    roles = [app.settings.role(skill.role) for skill in vocabulary_skills.SKILLS]
    return VocabularyGenerator(
        songs=SongRepository(app.database.transactions),
        runner=app.runner(),
        model=app.model,
        lexicon=lexicon(app),
        find_lyrics=lyrics_finder(app.settings),
        stamp=f"{__version__} {vocabulary.language} {roles}",
        keep_lyrics=vocabulary.keep_lyrics,
    )


def load_known_words(settings: Settings, known: str) -> set[str]:
    """Load the words that a learner knows: from a list, a collection file, or the running Anki (`anki`)."""
    from studium.anki.destination import COLLECTION_SUFFIXES, anki_openers
    from studium.vocabulary.known_words import read_anki_words, read_word_list

    path = Path(known)
    if known != "anki" and path.suffix not in COLLECTION_SUFFIXES:
        return read_word_list(path)
    openers = anki_openers(settings)
    store = openers.connect() if known == "anki" else openers.collection(path)
    try:
        return read_anki_words(store)
    finally:
        store.close()


def count_songs(app: "App") -> int:
    """Count the saved songs."""
    from studium.vocabulary.song_repository import SongRepository

    return len(SongRepository(app.database.transactions).all())


def vocabulary_rules(app: "App") -> "Mapping[str, Rule]":
    """Return the rules that answer the skills of vocabulary."""
    from studium.vocabulary.rules import rules

    return rules(lambda: lexicon(app))


class _NoWords:
    """An empty lexicon, for a graph that is only drawn."""

    def items_in(self, _lyrics: "Lyrics") -> Sequence[VocabularyItem]:
        return ()


def _draw_graph() -> Any:
    from studium.core.llm.models import RulesModel
    from studium.vocabulary.graph import create_vocabulary_graph
    from studium.vocabulary.lyrics.online import lookup_disabled

    return create_vocabulary_graph(RulesModel({}), _NoWords(), lookup_disabled)


@asynccontextmanager
async def _open_graph(app: "App") -> AsyncIterator[Any]:
    from studium.vocabulary.graph import create_vocabulary_graph

    words = await asyncio.to_thread(lexicon, app)
    yield create_vocabulary_graph(app.model, words, lyrics_finder(app.settings))


GRAPHS = (FeatureGraph("vocabulary", _draw_graph, _open_graph),)


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


def _decide(item: RunItem, state: VocabularyState) -> list[Decision]:
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
            parsed = await asyncio.to_thread(_parse, given) if given else await self.find_lyrics(song, artist)
            found.append(parsed)
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
