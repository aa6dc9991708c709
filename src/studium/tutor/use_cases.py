"""Use cases of the tutor: questions, diagnosis, quiz, documents and patterns."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import BadInput, NotFound
from studium.core.reader_process import outside_server
from studium.tutor.lab_use_cases import read_history_file

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision
    from studium.tutor.domain import Diagnosis
    from studium.tutor.knowledge import DocumentsRead
    from studium.tutor.quiz import QuizQuestion
    from studium.tutor.state import TutorAnswer
    from studium.tutor.student_store import ChatExchange
    from studium.tutor.tools import Permission
    from studium.tutor.tutor import NetworkingLabTutor


def prepare_search(settings: "Settings") -> None:
    """Embed the passages, once."""
    from studium.core.domain.run import emit_progress
    from studium.tutor.setup import embed_passages

    embed_passages(settings, partial(emit_progress, item="preparing the search (once)"))


def is_search_ready(app: "App") -> bool:
    """Whether all passages are embedded."""
    from studium.core.app import load_embedder
    from studium.core.domain.document import content_id
    from studium.core.retrieval import texts_to_index
    from studium.tutor.setup import all_passages

    embedder = load_embedder(app.settings, app.database)
    keys = {content_id(text) for text in texts_to_index(all_passages(app.settings))}
    return embedder is None or len(app.database.vectors.recall(embedder.name, list(keys))) == len(keys)


async def ask(settings: "Settings", name: str, question: str, history: Path | None = None) -> "TutorAnswer":
    """Answer one question."""
    from studium.core.app import open_app
    from studium.tutor.setup import load_lab

    load_lab(settings, name)  # a wrong name is reported before anything slow starts
    prepare_search(settings)
    async with open_app(settings) as app:
        tutor = tutor_for_lab(app, name, history)
        answer = await tutor.ask(question)
        save_learning(settings, tutor)
        return answer


def tutor_for_lab(
    app: "App", name: str, history: Path | None = None, allowed: "Permission | None" = None
) -> "NetworkingLabTutor":
    """The tutor of a lab with its history and, if it runs, its routers."""
    from studium.tutor.setup import build_tutor, live_lab, load_lab, student_store

    settings = app.settings
    lab = load_lab(settings, name)
    live = live_lab(settings, lab, allowed) if allowed else live_lab(settings, lab)
    made = build_tutor(app, lambda: live if live.is_up else None)
    made.start_lab(lab.id)
    # What was typed in the console was learnt from there and then, and a file may be given with every question.
    made.recall(read_history_file(history) if history else student_store(settings).history(lab.id))
    if live.is_up:
        results = live.check()
        with student_store(settings).update_learner(made):
            made.checked(results)
    return made


def ready_tutor(app: "App", name: str, allowed: "Permission | None" = None) -> "NetworkingLabTutor":
    """The tutor of a lab without waiting; searches by words only until the passages are embedded."""
    by_words = app.settings.model_copy(update={"embedder": "none"})
    made = tutor_for_lab(app if is_search_ready(app) else replace(app, settings=by_words), name, allowed=allowed)
    made.dependencies.knowledge(name)
    return made


def refresh_tutor(settings: "Settings", tutor: "NetworkingLabTutor") -> "list[dict[str, Any]]":
    """Update the tutor's learner; return the lab's history for a question."""
    from studium.tutor.setup import student_store

    who = student_store(settings)
    tutor.learner = who.learner()
    typed = who.history(tutor.lab.id) if tutor.lab else []
    known = set(tutor.history)
    tutor.recall([each for each in typed if each not in known])  # the console learnt from it already
    return [each.model_dump() for each in typed]


def save_learning(settings: "Settings", tutor: "NetworkingLabTutor") -> None:
    """Save what the tutor learnt about the student, merged with concurrent changes."""
    from studium.tutor.setup import student_store

    with student_store(settings).update_learner(tutor):
        for each in tutor.learnt:
            tutor.learner = tutor.learner.after(each.topic, each.outcome, each.at, each.error_type)
    tutor.learnt.clear()


def saved_conversation(settings: "Settings", lab: str) -> "Sequence[ChatExchange]":
    """The saved chat of a lab."""
    from studium.tutor.setup import student_store

    return student_store(settings).conversation(lab)


def save_conversation(settings: "Settings", lab: str, said: "Sequence[ChatExchange]") -> None:
    """Save the chat of a lab."""
    from studium.tutor.setup import student_store

    student_store(settings).save_conversation(lab, said)


def diagnose(
    settings: "Settings", command: str, output: str, prompt: str | None = None
) -> "tuple[Diagnosis | None, str | None]":
    """Diagnose one command; also returns the device's message if no pattern explains it."""
    from studium.tutor.setup import error_detector

    found = error_detector(settings).detect(command, output, prompt)
    return found, None if found else _complaint(command, output)


@outside_server(lambda command, _output: f"The output of `{command[:80]}`")
def _complaint(command: str, output: str) -> str | None:
    from studium.tutor.pattern_learning import find_complaint

    return find_complaint(command, output)


def quiz_questions(settings: "Settings", name: str) -> "Sequence[QuizQuestion]":
    """All quiz questions of a lab."""
    from studium.tutor.labs.reader import find_lab
    from studium.tutor.quiz import load_questions
    from studium.tutor.setup import lab_folders, load_lab

    return load_questions(find_lab(load_lab(settings, name).id, lab_folders(settings)))


def next_question(settings: "Settings", name: str, asked: Collection[str] = ()) -> "QuizQuestion | None":
    """The next unasked quiz question of a lab."""
    from studium.tutor.quiz import next_question as chosen
    from studium.tutor.setup import student_store

    return chosen(quiz_questions(settings, name), student_store(settings).learner(), datetime.now(UTC), asked)


def grade(settings: "Settings", question: "QuizQuestion", answer: str) -> str:
    """Grade an answer and update the student's mastery."""
    from studium.tutor.quiz import grade_and_learn
    from studium.tutor.setup import student_store

    with student_store(settings).update_learner() as known:
        told, known.learner = grade_and_learn(question, answer, known.learner, datetime.now(UTC))
    return told


def add_documents(settings: "Settings", folder: Path) -> "DocumentsRead":
    """Add a folder of documents for the tutor to search."""
    from studium.tutor.knowledge import read_documents
    from studium.tutor.setup import add_documents as keep

    if not folder.is_dir():
        raise NotFound(f"{folder} is not a folder.")
    read = read_documents(folder)
    if not read.passages:
        raise BadInput(f"{folder} has no readable documents.")
    keep(settings, folder)
    return read


async def learn_patterns(settings: "Settings", transcript: Path) -> "Sequence[Decision]":
    """Propose patterns for review, and save those approved since the last time."""
    from studium.core.app import open_app
    from studium.tutor.pattern_learning import pattern_run, save_approved_patterns
    from studium.tutor.setup import error_detector, learned_patterns_folder

    async with open_app(settings) as app:
        job = pattern_run(error_detector(settings), read_history_file(transcript), str(transcript))
        report = await app.runner().run(job)
    save_approved_patterns(report.plan.decisions, learned_patterns_folder(settings))
    return report.plan.decisions
