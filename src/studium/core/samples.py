"""What a feature says about its samples, and what a home records about them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import ConfigDict, Field

from studium.core.domain.value import Value

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.config import Settings
    from studium.core.database import Database
    from studium.core.domain.run import Run

NOTHING = "nothing"
_ALL = 1_000_000


@dataclass(frozen=True)
class SampleResult:
    """What a feature made of its samples."""

    feature: str
    made: str
    where: str
    waits: str = NOTHING
    left_out: str = NOTHING


class SampleManifest(Value):
    """What is recorded about samples: where and when they were added, and what was made so far."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    folder: Path
    started_at: datetime = Field(alias="begun")
    owned_before: frozenset[str] = Field(default=frozenset(), alias="hers")
    """The ids of what the samples contain too, but the user had before."""
    made: tuple[SampleResult, ...] = ()


@dataclass(frozen=True)
class SampleHome:
    """A home with samples, as a feature needs it to find what was made from its own."""

    settings: "Settings"
    """The settings that the samples were made with."""
    database: "Database"
    folder: Path
    manifest: SampleManifest

    @cached_property
    def runs(self) -> "list[Run]":
        """All runs, newest first."""
        return self.database.runs.newest(limit=_ALL)

    def is_sample(self, path: Path) -> bool:
        """Whether this is a file or folder of the samples, here or where the home was when they were added."""
        return any(path.is_relative_to(folder / "samples") for folder in (self.manifest.folder, self.folder.resolve()))

    def wrote_elsewhere(self, run: "Run", own_sink: str = "") -> bool:
        """Whether a run changed something outside Studium, such as Anki: it stays, so that it can be undone."""
        return any(sink != own_sink for sink, _ in self.database.changes.of_run(run.id))


@dataclass(frozen=True)
class RemovedSamples:
    """What a feature removed, and what `app` has to remove with it: its runs and unfinished work."""

    runs: "list[Run]"
    threads: set[str] = field(default_factory=set)
    """Checkpoint threads, besides those named after a run."""
    counts: Mapping[str, int] = field(default_factory=dict)


class Samples(ABC):
    """The samples of a feature: the files in its `sample_files`, what is made of them, and how that is removed."""

    feature: ClassVar[str]
    position: ClassVar[int]
    """Its place among the features in the demo."""
    run_argument: ClassVar[str]
    """The argument of a run that names the file or folder it worked on."""
    results: ClassVar[tuple[str, ...]] = ()
    """The files it writes beside the samples."""
    editable_results: ClassVar[tuple[str, ...]] = ()
    """The same, but a file that the user has edited since stays."""
    result_folders: ClassVar[tuple[str, ...]] = ()
    """The folders it writes beside the samples; `remove` removes what is in them."""
    user_files: ClassVar[tuple[str, ...]] = ()
    """Patterns of the files that a user's own work leaves in a home."""

    @contextmanager
    def shipped_files(self) -> Iterator[Path]:
        """The folder of the shipped samples."""
        with as_file(files(f"studium.{self.feature}") / "sample_files") as folder:
            yield folder

    @abstractmethod
    async def make(self, settings: "Settings", folder: Path) -> SampleResult:
        """Do the feature's main job on the samples in a folder, and write the results beside them."""

    def settings_to_show(self, settings: "Settings", _folder: Path) -> "Settings":
        """The settings with which an app shows the results in a folder."""
        return settings

    def has_user_content(self, _settings: "Settings", _database: "Database") -> bool:
        """Whether a home holds anything of this feature besides runs, jobs and `user_files`."""
        return False

    def owned_before(self, _settings: "Settings") -> set[str]:
        """The ids of what the samples contain and the user has already."""
        return set()

    def names_samples(self, run: "Run", home: SampleHome) -> bool:
        """Whether the arguments of a run name a sample."""
        named = run.arguments.get(self.run_argument)
        return run.feature == self.feature and bool(named) and home.is_sample(Path(str(named)))

    def remove(self, _app: "App", home: SampleHome) -> RemovedSamples:
        """Remove what this feature keeps of the samples besides runs and files; it can be repeated if interrupted."""
        runs = [run for run in home.runs if self.names_samples(run, home)]
        return RemovedSamples([run for run in runs if not home.wrote_elsewhere(run)])
