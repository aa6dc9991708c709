"""The demo: every feature does its main job on the shipped samples."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.app import samples
from studium.app.sample_content import ARTIST, NOTHING, SONG, SampleResult, shipped_samples
from studium.app.samples import CONCEPT_NOTES, record_result, sample_settings, samples_lock, start_samples
from studium.core.config import Settings
from studium.core.domain.errors import Interrupted, StudiumError
from studium.core.files import file_lock
from studium.core.jobs.job_types import JobContext, JobRequest, JobType
from studium.core.jobs.service import Service

if TYPE_CHECKING:
    from studium.core.domain.decision import Decision


Step = Callable[["Settings", Path], Awaitable[SampleResult]]


async def add_samples(settings: "Settings", folder: Path) -> list[SampleResult]:
    """Copy the samples to a folder and run every feature on them; what is done already is kept.

    A feature that fails says what would help, does not stop the others, and is tried again the next time.
    """
    from studium.core.domain.run import emit_progress, without_progress

    steps: dict[str, Step] = {
        "cards": _cards,
        "questions": _questions,
        "vocabulary": _vocabulary,
        "concepts": _concepts,
        "tutor": _tutor,
    }
    settings = sample_settings(settings)
    with samples_lock(settings):
        mark = start_samples(settings, folder)
        with shipped_samples() as samples:
            shutil.copytree(samples, folder / "samples", dirs_exist_ok=True, copy_function=_copy_missing)
        made = {each.feature: each for each in mark.made}
        for number, (feature, step) in enumerate(steps.items()):
            emit_progress(number, len(steps), feature)
            if feature in made:
                continue
            try:
                with without_progress():
                    made[feature] = await step(settings, folder)
                mark = record_result(folder, mark, made[feature])
            except Interrupted:
                raise
            except StudiumError as error:
                made[feature] = SampleResult(feature, NOTHING, error.remedy, left_out=error.what)
    emit_progress(len(steps), len(steps), "all")
    return [made[feature] for feature in steps]


def _copy_missing(shipped_file: str, place: str) -> None:
    """Copy a sample unless it is there: a person may have changed it."""
    if not Path(place).exists():
        shutil.copy2(shipped_file, place)


async def _cards(settings: "Settings", folder: Path) -> SampleResult:
    from studium.cards.use_cases import SyncOptions, sync
    from studium.core.domain.decision import Action

    package = folder / "cards.apkg"
    plan = (await sync(settings, SyncOptions(folder / "samples" / "vault", str(package), resume=True))).plan
    waiting = [decision for decision in plan.decisions if decision.action is Action.MANUAL_REVIEW]
    skipped = [decision for decision in plan.decisions if decision.action is Action.SKIP]
    return SampleResult("cards", f"{plan.counts['create']} cards", str(package), _named(waiting), _named(skipped))


async def _questions(settings: "Settings", folder: Path) -> SampleResult:
    from studium.questions.use_cases import GenerationRequest, generate_questions, write_result

    out = folder / "questions.json"
    wish = GenerationRequest(folder / "samples" / "questions", settings.questions.target_count, scenario="rag_eval")
    asked = await generate_questions(settings, wish, resume=True)
    write_result(out, asked.corpus_result())
    refused = sum(len(document.rejected) for document in asked.documents)
    return SampleResult("questions", f"{len(asked.pairs)} questions", str(out), left_out=f"{refused} refused")


async def _vocabulary(settings: "Settings", folder: Path) -> SampleResult:
    from studium.vocabulary.use_cases import analyse_song, song_request

    package = folder / "words.apkg"
    # The lyrics are ours, so that the song can be read again.
    kept = settings.vocabulary.model_copy(update={"keep_lyrics": True})
    settings = settings.model_copy(update={"vocabulary": kept})
    request = song_request(SONG, ARTIST, folder / "samples" / "songs" / "yozora.txt", "all")
    learnt = await analyse_song(settings, request, None, package)
    return SampleResult("vocabulary", f"{len(learnt.song.vocabulary)} words", str(package))


async def _concepts(settings: "Settings", folder: Path) -> SampleResult:
    from studium.concepts.proposal import ReviewAnswer
    from studium.concepts.use_cases import extract, parse, review

    notes = folder / CONCEPT_NOTES
    notes.mkdir(exist_ok=True)
    own = settings.concepts.model_copy(update={"vault": notes.resolve()})
    settings = settings.model_copy(update={"concepts": own})
    files = [file.resolve() for file in sorted((folder / "samples" / "quotes").glob("*.md"))]
    kept, waiting = [book for file in files for book in (await parse(settings, file, title="", author="")).books]
    await extract(settings, waiting.book, again=False)
    outcome = await extract(settings, kept.book, again=False)
    if outcome.waiting:
        outcome = await review(settings, kept.book, lambda _: ReviewAnswer(approved=True))
    return SampleResult("concepts", f"{outcome.kept['create']} concepts", str(notes), waiting.title)


async def _tutor(settings: "Settings", folder: Path) -> SampleResult:
    from studium.core.app import open_app
    from studium.tutor.setup import error_detector
    from studium.tutor.transcripts import read_history
    from studium.tutor.use_cases import tutor_for_lab

    page, transcript = folder / "tutor.md", folder / "samples" / "tutor" / "static-routes.txt"
    typed = read_history(transcript).typed
    diagnosed = zip(typed, error_detector(settings).detect_all(typed), strict=True)
    mistakes = [(each.command, found) for each, found in diagnosed if found]
    question = "Why is the next hop refused?"
    # Search by words alone: to search by meaning, every page would have to be embedded first. What the tutor makes of
    # the transcript is not kept: it says nothing about the person who will learn here.
    async with open_app(settings.model_copy(update={"embedder": "none"})) as app:
        answer = await tutor_for_lab(app, "02-static-routing", transcript).ask(question)
    explained = [f"- `{command}`: {found.diagnosis} {found.fix}" for command, found in mistakes]
    sources = [f"[{each['number']}] {each['source']}: {each['heading']}" for each in answer["citations"]]
    lines = ("# Static routes", "", *explained, "", f"## {question}", "", answer["response"], "", *sources, "")
    page.write_text("\n".join(lines), "utf-8")
    return SampleResult("tutor", f"{len(mistakes)} diagnoses", str(page))


def _named(decisions: "list[Decision]") -> str:
    return ", ".join(decision.item.partition("#")[0] for decision in decisions) or "nothing"


class AddSamplesRequest(JobRequest):
    """Needs no arguments."""


class RemoveSamplesRequest(JobRequest):
    """Needs no arguments."""


async def _fill(settings: Settings, _request: AddSamplesRequest, _context: JobContext) -> dict[str, Any]:
    made = await add_samples(settings, samples.samples_folder(settings))
    return {"made": [asdict(each) for each in made]}


async def _forget(settings: Settings, _request: RemoveSamplesRequest, _context: JobContext) -> dict[str, Any]:
    removed = await samples.remove_samples(settings, samples.samples_folder(settings))
    return {"removed": asdict(removed)}


async def add_first_samples(service: Service) -> None:
    """Add the samples to a home that was never used, if the settings say so."""
    settings = service.settings
    # Two servers of one home may start at once; and a home that cannot be read is not known to be new.
    with suppress(StudiumError), file_lock(settings.home / "locks", "the first start"):
        if settings.serve.samples and await asyncio.to_thread(samples.is_new_home, settings, service.database):
            await service.start_job("demo.fill", AddSamplesRequest())


JOB_TYPES = (
    JobType("demo.fill", "Run every feature on the shipped samples.", AddSamplesRequest, _fill),
    JobType(
        "demo.forget",
        "Remove the samples and everything made from them, and nothing else.",
        RemoveSamplesRequest,
        _forget,
        writes=True,
    ),
)
