"""The samples in a home: adding them, the manifest of what was made, and removing them without losing anything else."""

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.config import Settings
from studium.core.domain.errors import Interrupted, NotFound, StudiumError
from studium.core.domain.run import emit_progress, without_progress
from studium.core.features import all_features
from studium.core.files import file_lock, keep_folder_private, secure_home, write_text
from studium.core.jobs.job_types import JobContext, JobRequest, JobResult, JobType
from studium.core.samples import NOTHING, RemovedSamples, SampleHome, SampleManifest, SampleResult, Samples

if TYPE_CHECKING:
    from studium.core.database import Database
    from studium.core.jobs.service import Service

MANIFEST = "made.json"
_SHIPPED_EMBEDDERS = ("minilm", "none")
_SHARED_SETTINGS = ("home", "database", "running", "logs", "tracing", "serve")
"""The settings that hold for the samples too."""
_USER_FILES = ("uploads/*",)


def all_samples() -> tuple[Samples, ...]:
    """The samples of every feature, in the order of the demo."""
    found: list[Samples] = [feature.samples.load() for feature in all_features()]
    return tuple(sorted(found, key=lambda samples: samples.position))


def samples_folder(settings: Settings) -> Path:
    """The folder of the samples."""
    return settings.home / "demo"


def have_samples(folder: Path) -> bool:
    """Whether samples were added to this folder."""
    return (folder / MANIFEST).exists()


def is_new_home(settings: Settings, database: "Database") -> bool:
    """Whether the home was never used."""
    if database.runs.count() or database.jobs.count():
        return False
    patterns = [*_USER_FILES, *(pattern for samples in all_samples() for pattern in samples.user_files)]
    if any(any(settings.home.glob(pattern)) for pattern in patterns):
        return False
    return not any(samples.has_user_content(settings, database) for samples in all_samples())


def sample_settings(settings: Settings) -> Settings:
    """The settings for the samples: the defaults, so that no service is called, or paid, for them."""
    # Not another embedder than the user's: the first vector in a graph says how long every one must be.
    embedder = settings.embedder if settings.embedder in _SHIPPED_EMBEDDERS else "none"
    shared = {name: getattr(settings, name) for name in _SHARED_SETTINGS}
    return type(settings).model_validate({**shared, "embedder": embedder})


def settings_to_show(settings: Settings, folder: Path) -> Settings:
    """The settings with which an app shows the results in a folder."""
    for samples in all_samples():
        settings = samples.settings_to_show(settings, folder)
    return settings


@contextmanager
def samples_lock(settings: Settings) -> Iterator[None]:
    """Keep other processes from working on the samples at the same time."""
    with file_lock(settings.home / "locks", "the samples"):
        yield


async def add_samples(settings: Settings, folder: Path) -> list[SampleResult]:
    """Copy the samples to a folder and run every feature on them; finished ones are not repeated.

    If a feature fails, the others still run, its result says what would help, and it is tried again the next time.
    """
    secure_home(settings.home)  # before anything is written to it
    settings = sample_settings(settings)
    steps = {samples.feature: samples for samples in all_samples()}
    with samples_lock(settings):
        manifest = _start_manifest(settings, folder)
        for samples in steps.values():
            with samples.shipped_files() as shipped:
                shutil.copytree(shipped, folder / "samples", dirs_exist_ok=True, copy_function=_copy_missing)
        made = {each.feature: each for each in manifest.made}
        for number, (feature, samples) in enumerate(steps.items()):
            emit_progress(number, len(steps), feature)
            if feature in made:
                continue
            try:
                with without_progress():
                    made[feature] = await samples.make(settings, folder)
                manifest = _write(folder, manifest.model_copy(update={"made": (*manifest.made, made[feature])}))
            except Interrupted:
                raise
            except StudiumError as error:
                made[feature] = SampleResult(feature, NOTHING, error.remedy, left_out=error.what)
        keep_folder_private(folder)
    emit_progress(len(steps), len(steps), "all")
    return [made[feature] for feature in steps]


def _copy_missing(shipped_file: str, target: str) -> None:
    """Copy a sample unless it is there: the user may have changed it."""
    if not Path(target).exists():
        shutil.copy2(shipped_file, target)


def _start_manifest(settings: Settings, folder: Path) -> SampleManifest:
    """Record, once, what the user had before the samples were added: it is never removed with them."""
    from studium.core.app import open_database

    if have_samples(folder):
        with open_database(settings) as database:
            # Without a run there are no results, whatever the manifest says.
            return read_manifest(folder) if database.runs.count() else _clear_results(folder)
    owned = frozenset[str]().union(*(samples.owned_before(settings) for samples in all_samples()))
    return _write(folder, SampleManifest(folder=folder.resolve(), started_at=datetime.now(UTC), owned_before=owned))


def read_manifest(folder: Path) -> SampleManifest:
    """The manifest; one that cannot be read counts as older than everything else, and without results."""
    try:
        return SampleManifest.model_validate_json((folder / MANIFEST).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return SampleManifest(folder=folder.resolve(), started_at=datetime.min.replace(tzinfo=UTC))


def _clear_results(folder: Path) -> SampleManifest:
    return _write(folder, read_manifest(folder).model_copy(update={"made": ()}))


def _write(folder: Path, manifest: SampleManifest) -> SampleManifest:
    write_text(folder / MANIFEST, manifest.model_dump_json())
    return manifest


async def remove_samples(settings: Settings, folder: Path) -> dict[str, int]:
    """Remove the samples and everything made from them, and nothing else; it can be repeated if interrupted.

    Returns how much was removed: runs, quotes, concepts.
    """
    from studium.core.app import open_app

    if not have_samples(folder):
        raise NotFound("There are no samples in this home.", remedy="There is nothing to remove.")
    tell = partial(emit_progress, item="removing the samples")
    with samples_lock(settings):
        _unlink(folder, _files(folder, read_manifest(folder)))
        # If this is interrupted, a later start must not believe that all results are there.
        manifest = _clear_results(folder)
        async with open_app(settings) as app:
            home = SampleHome(sample_settings(settings), app.database, folder, manifest)
            tell(0, 3)
            removed = [samples.remove(app, home) for samples in all_samples()]
            tell(1, 3)
            await _delete_threads(settings, removed)
            tell(2, 3)
            runs = _delete_runs(home, removed)
        _unlink(folder, [MANIFEST])
        tell(3, 3)
    return {"runs": runs} | {name: count for each in removed for name, count in each.counts.items()}


async def _delete_threads(settings: Settings, removed: Sequence[RemovedSamples]) -> None:
    from studium.core.runs.checkpoints import delete_threads, open_checkpoints

    threads = {thread for each in removed for thread in (*each.threads, *(run.id for run in each.runs))}
    async with open_checkpoints(settings.checkpoints_url, ()) as checkpoints:
        await delete_threads(checkpoints, threads)


def _delete_runs(home: SampleHome, removed: Sequence[RemovedSamples]) -> int:
    """Delete the runs, and what is known of the sinks that no other run wrote to."""
    runs = {run.id: run for each in removed for run in each.runs}
    used_by_others = {run.arguments.get("sink") for run in home.runs if run.id not in runs}
    sinks = {run.arguments["sink"] for run in runs.values() if "sink" in run.arguments}
    home.database.published.delete_sinks(sorted(sinks - used_by_others))
    home.database.runs.delete(list(runs))
    return len(runs)


def _files(folder: Path, manifest: SampleManifest) -> list[str]:
    """The files of the samples and of their results, except those that were changed since."""
    made = {each.feature for each in manifest.made}
    return [name for samples in all_samples() for name in _files_of(samples, folder, is_made=samples.feature in made)]


def _files_of(samples: Samples, folder: Path, *, is_made: bool) -> list[str]:
    with samples.shipped_files() as shipped:
        names = [file.relative_to(shipped) for file in shipped.rglob("*") if file.is_file()]
        same = [f"samples/{name}" for name in names if _is_same(folder / "samples" / name, shipped / name)]
    editable = samples.editable_results if is_made else ()
    return [*same, *samples.results, *(name for name in editable if _is_unchanged(folder, name))]


def _is_same(one: Path, other: Path) -> bool:
    return one.is_file() and one.read_bytes() == other.read_bytes()


def _is_unchanged(folder: Path, name: str) -> bool:
    file = folder / name
    return file.is_file() and file.stat().st_mtime <= (folder / MANIFEST).stat().st_mtime


def _unlink(folder: Path, names: Sequence[str]) -> None:
    """Remove files, and the folders that are then empty; other files stay."""
    for name in names:
        (folder / name).unlink(missing_ok=True)
    inside = sorted((each for each in folder.rglob("*") if each.is_dir()), reverse=True)
    for place in (*inside, folder):
        if not any(place.iterdir()):
            place.rmdir()


def reset_samples(folder: Path) -> None:
    """Forget what was made in a folder, so that everything is made again."""
    (folder / MANIFEST).unlink(missing_ok=True)
    for samples in all_samples():
        for name in samples.result_folders:
            shutil.rmtree(folder / name, ignore_errors=True)


class AddSamplesRequest(JobRequest):
    """Needs no arguments."""


class RemoveSamplesRequest(JobRequest):
    """Needs no arguments."""


async def _add(settings: Settings, _request: AddSamplesRequest, _context: JobContext) -> JobResult:
    made = await add_samples(settings, samples_folder(settings))
    return {"made": [asdict(each) for each in made]}


async def _remove(settings: Settings, _request: RemoveSamplesRequest, _context: JobContext) -> JobResult:
    return {"removed": await remove_samples(settings, samples_folder(settings))}


async def add_first_samples(service: "Service") -> None:
    """Add the samples to a home that was never used, if the settings say so."""
    settings = service.settings
    # Two servers of one home may start at once; and a home that cannot be read is not known to be new.
    with suppress(StudiumError), file_lock(settings.home / "locks", "the first start"):
        if settings.serve.samples and await asyncio.to_thread(is_new_home, settings, service.database):
            await service.start_job("demo.fill", AddSamplesRequest())


JOB_TYPES = (
    JobType("demo.fill", "Run every feature on the shipped samples.", AddSamplesRequest, _add),
    JobType(
        "demo.forget",
        "Remove the samples and everything made from them, and nothing else.",
        RemoveSamplesRequest,
        _remove,
        writes=True,
    ),
)
