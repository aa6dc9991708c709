"""`studium demo`: the main job of every faculty on shipped samples, and one table of what it made."""

import asyncio
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli.console import say, show_table
from studium.cli.flags import settings_for

if TYPE_CHECKING:
    from studium.domain.decision import Decision
    from studium.settings import Settings

Row = tuple[str, ...]


def demo(
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="Where the samples and the results go.")] = Path(".demo"),
) -> None:
    """Run every faculty on shipped samples and say what was made, where it is and what waits for review."""
    folder.mkdir(parents=True, exist_ok=True)
    # A demo begins anew each time: with what it remembers, it would find that nothing had changed.
    shutil.rmtree(folder / "home", ignore_errors=True)
    with as_file(files("studium") / "data" / "samples") as samples:
        shutil.copytree(samples, folder / "samples", dirs_exist_ok=True)
    settings = settings_for(context).model_copy(update={"home": (folder / "home").resolve(), "ledger": None})
    rows = asyncio.run(_work(settings, folder))
    show_table(
        ("faculty", "made", "where", "waits for you", "left out"), rows, title="What Studium made of the samples"
    )
    say(f"\nLook at what waits:  studium --home {folder / 'home'} review", "dim")


async def _work(settings: "Settings", folder: Path) -> list[Row]:
    return [
        await _cards(settings, folder),
        await _questions(settings, folder),
        await _vocabulary(settings, folder),
        await _concepts(settings, folder),
        await _tutor(settings, folder),
    ]


async def _cards(settings: "Settings", folder: Path) -> Row:
    from studium.cli.carding import Wish, sync
    from studium.domain.decision import Action

    package = folder / "cards.apkg"
    plan = (await sync(settings, Wish(folder / "samples" / "vault", str(package)))).plan
    waiting = [decision for decision in plan.decisions if decision.action is Action.MANUAL_REVIEW]
    skipped = [decision for decision in plan.decisions if decision.action is Action.SKIP]
    return "cards", f"{plan.counts['create']} cards", str(package), _named(waiting), _named(skipped)


async def _questions(settings: "Settings", folder: Path) -> Row:
    from studium.cli.questioning import Wish, ask, write_result

    out = folder / "questions.json"
    wish = Wish(folder / "samples" / "questions", settings.questions.target_count, scenario="rag_eval")
    asked = await ask(settings, wish)
    write_result(out, asked.corpus_result())
    refused = sum(len(document.rejected) for document in asked.documents)
    return "questions", f"{len(asked.pairs)} questions", str(out), "nothing", f"{refused} refused"


async def _vocabulary(settings: "Settings", folder: Path) -> Row:
    from studium.cli.vocabbing import learn, request_for
    from studium.domain.errors import MissingExtra

    package = folder / "words.apkg"
    request = request_for("夜空の道", "Studium", folder / "samples" / "songs" / "yozora.txt", "all")
    try:
        learnt = await learn(settings, request, None, package)
    except MissingExtra as missing:
        return "vocabulary", "nothing", missing.remedy, "nothing", "1 song"
    return "vocabulary", f"{len(learnt.song.vocabulary)} words", str(package), "nothing", "nothing"


async def _concepts(settings: "Settings", folder: Path) -> Row:
    from studium.cli.concepting import Wish, extract, parse, review

    notes = folder / "concepts-vault"
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir()
    own = settings.concepts.model_copy(update={"vault": notes.resolve(), "neo4j": type(settings.concepts.neo4j)()})
    settings = settings.model_copy(update={"concepts": own})
    files = sorted((folder / "samples" / "quotes").glob("*.md"))
    kept, waiting = [book for file in files for book in (await parse(settings, file, title="", author="")).books]
    for book in (waiting, kept):
        await extract(settings, book.book, again=False)
    outcome = await review(settings, kept.book, Wish(approve=True), feedback="", changes=None, edit=False)
    return "concepts", f"{outcome.kept['create']} concepts", str(notes), waiting.title, "nothing"


async def _tutor(settings: "Settings", folder: Path) -> Row:
    from studium.bootstrap.tutor import error_detector
    from studium.cli.tutoring import ask
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
    return "tutor", f"{len(mistakes)} diagnoses", str(page), "nothing", "nothing"


def _named(decisions: "list[Decision]") -> str:
    return ", ".join(decision.item.partition("#")[0] for decision in decisions) or "nothing"
