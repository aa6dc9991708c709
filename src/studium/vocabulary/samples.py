"""The sample song, and the words that are learnt from it."""

from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.config import Settings
from studium.core.samples import RemovedSamples, SampleHome, SampleResult, Samples
from studium.vocabulary.song_repository import SongRepository
from studium.vocabulary.use_cases import analyse_song, song_request

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.database import Database
    from studium.core.domain.run import Run

TITLE, ARTIST = "夜空の道", "Studium"
LYRICS = Path(__file__).parent / "sample_files" / "songs" / "yozora.txt"


class SongSamples(Samples):
    """A song whose words go into a package."""

    feature = "vocabulary"
    position = 3
    run_argument = "song"
    results = ("words.apkg",)
    user_files = ("known-words-*",)

    async def make(self, settings: Settings, folder: Path) -> SampleResult:
        """Read the song."""
        package = folder / "words.apkg"
        # These lyrics may be kept, so that the song can be read again.
        own = settings.vocabulary.model_copy(update={"keep_lyrics": True})
        request = song_request(TITLE, ARTIST, folder / "samples" / "songs" / LYRICS.name, "all")
        learnt = await analyse_song(settings.model_copy(update={"vocabulary": own}), request, None, package)
        return SampleResult(self.feature, f"{len(learnt.song.vocabulary)} words", str(package))

    def has_user_content(self, _settings: Settings, database: "Database") -> bool:
        """Whether a song is saved."""
        return bool(SongRepository(database.transactions).all())

    def names_samples(self, run: "Run", _home: SampleHome) -> bool:
        """Whether a run read the sample song."""
        return (run.arguments.get("song"), run.arguments.get("artist")) == (TITLE, ARTIST)

    def remove(self, app: "App", home: SampleHome) -> RemovedSamples:
        """Delete the saved song."""
        SongRepository(app.database.transactions).delete(TITLE, ARTIST)
        return super().remove(app, home)


SAMPLES = SongSamples()
