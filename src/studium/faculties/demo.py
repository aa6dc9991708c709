"""What can be asked for to look around: the main job of every faculty on shipped samples."""

import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from studium.faculties.progress import OnProgress, counting, ignore

if TYPE_CHECKING:
    from studium.domain.decision import Decision
    from studium.settings import Settings


Step = Callable[["Settings", Path], Awaitable["Made"]]


@dataclass(frozen=True)
class Made:
    """What a faculty made of the samples."""

    faculty: str
    made: str
    where: str
    waits: str = "nothing"
    left_out: str = "nothing"


async def fill(settings: "Settings", folder: Path, *, on_progress: OnProgress = ignore) -> list[Made]:
    """Put the samples into a folder, and let every faculty do its work on them."""
    with as_file(files("studium") / "data" / "samples") as samples:
        shutil.copytree(samples, folder / "samples", dirs_exist_ok=True)
    steps: tuple[Callable[[Settings, Path], Awaitable[Made]], ...] = (
        _cards,
        _questions,
        _vocabulary,
        _concepts,
        _tutor,
    )
    tell = counting("the samples", on_progress)
    made = []
    for number, step in enumerate(steps):
        tell(number, len(steps))
        made.append(await step(settings, folder))
    tell(len(steps), len(steps))
    return made


async def _cards(settings: "Settings", folder: Path) -> Made:
    from studium.domain.decision import Action
    from studium.faculties.cards import Wish, sync

    package = folder / "cards.apkg"
    plan = (await sync(settings, Wish(folder / "samples" / "vault", str(package)))).plan
    waiting = [decision for decision in plan.decisions if decision.action is Action.MANUAL_REVIEW]
    skipped = [decision for decision in plan.decisions if decision.action is Action.SKIP]
    return Made("cards", f"{plan.counts['create']} cards", str(package), _named(waiting), _named(skipped))


async def _questions(settings: "Settings", folder: Path) -> Made:
    from studium.faculties.questions import Wish, ask, write_result

    out = folder / "questions.json"
    wish = Wish(folder / "samples" / "questions", settings.questions.target_count, scenario="rag_eval")
    asked = await ask(settings, wish)
    write_result(out, asked.corpus_result())
    refused = sum(len(document.rejected) for document in asked.documents)
    return Made("questions", f"{len(asked.pairs)} questions", str(out), left_out=f"{refused} refused")


async def _vocabulary(settings: "Settings", folder: Path) -> Made:
    from studium.domain.errors import MissingExtra
    from studium.faculties.vocabulary import learn, request_for

    package = folder / "words.apkg"
    # The lyrics are ours, so that the song can be read again.
    kept = settings.vocabulary.model_copy(update={"keep_lyrics": True})
    settings = settings.model_copy(update={"vocabulary": kept})
    request = request_for("夜空の道", "Studium", folder / "samples" / "songs" / "yozora.txt", "all")
    try:
        learnt = await learn(settings, request, None, package)
    except MissingExtra as missing:
        return Made("vocabulary", "nothing", missing.remedy, left_out="1 song")
    return Made("vocabulary", f"{len(learnt.song.vocabulary)} words", str(package))


async def _concepts(settings: "Settings", folder: Path) -> Made:
    from studium.faculties.concepts import extract, parse, review
    from studium.workflows.concepts.changes import ReviewAnswer

    notes = folder / "concepts-vault"
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir()
    own = settings.concepts.model_copy(update={"vault": notes.resolve(), "neo4j": type(settings.concepts.neo4j)()})
    settings = settings.model_copy(update={"concepts": own})
    files = sorted((folder / "samples" / "quotes").glob("*.md"))
    kept, waiting = [book for file in files for book in (await parse(settings, file, title="", author="")).books]
    for book in (waiting, kept):
        await extract(settings, book.book, again=False)
    outcome = await review(settings, kept.book, lambda _: ReviewAnswer(approved=True))
    return Made("concepts", f"{outcome.kept['create']} concepts", str(notes), waiting.title)


async def _tutor(settings: "Settings", folder: Path) -> Made:
    from studium.bootstrap.tutor import error_detector
    from studium.faculties.tutor import ask
    from studium.readers.transcripts.reading import read_history

    page, transcript = folder / "tutor.md", folder / "samples" / "tutor" / "static-routes.txt"
    typed = read_history(transcript).typed
    diagnosed = zip(typed, error_detector(settings).detect_all(typed), strict=True)
    mistakes = [(each.command, found) for each, found in diagnosed if found]
    question = "Why is the next hop refused?"
    # Looking up by words alone: for a look-up by meaning, every page would be embedded first.
    answer = await ask(settings.model_copy(update={"embedder": "none"}), "02-static-routing", question, transcript)
    explained = [f"- `{command}`: {found.diagnosis} {found.fix}" for command, found in mistakes]
    sources = [f"[{each['number']}] {each['source']}: {each['heading']}" for each in answer["citations"]]
    lines = ("# Static routes", "", *explained, "", f"## {question}", "", answer["response"], "", *sources, "")
    page.write_text("\n".join(lines), "utf-8")
    return Made("tutor", f"{len(mistakes)} diagnoses", str(page))


def _named(decisions: "list[Decision]") -> str:
    return ", ".join(decision.item.partition("#")[0] for decision in decisions) or "nothing"
