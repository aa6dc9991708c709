"""What can be asked of the tutor: questions answered, commands diagnosed, quizzes, documents, patterns."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import BadInput, NotFound
from studium.faculties.labs import history_in

if TYPE_CHECKING:
    from studium.bootstrap.house import House
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision
    from studium.domain.lab import Diagnosis
    from studium.running.tutor.students import Exchange
    from studium.workflows.tutor.knowledge.documents import DocumentsRead
    from studium.workflows.tutor.looking import Permission
    from studium.workflows.tutor.quiz.question import QuizQuestion
    from studium.workflows.tutor.tutor import NetworkingLabTutor


def prepare(settings: "Settings") -> None:
    """Make ready what can be looked up; that is done once."""
    from studium.bootstrap.tutor import prepare_knowledge
    from studium.core.domain.run import emit_progress

    prepare_knowledge(settings, partial(emit_progress, item="preparing what can be looked up, once"))


def is_prepared(house: "House") -> bool:
    """Whether what can be looked up is ready to be found by its meaning."""
    from studium.bootstrap.minds import load_embedder
    from studium.bootstrap.tutor import known_passages
    from studium.core.domain.document import content_id
    from studium.core.retrieval.index import texts_to_index

    embedder = load_embedder(house.settings, house.ledger)
    keys = {content_id(text) for text in texts_to_index(known_passages(house.settings))}
    return embedder is None or len(house.ledger.vectors.recall(embedder.name, list(keys))) == len(keys)


async def ask(settings: "Settings", name: str, question: str, history: Path | None = None) -> dict[str, Any]:
    """One question, answered."""
    from studium.bootstrap.house import open_house
    from studium.bootstrap.tutor import lab_named

    lab_named(settings, name)  # a wrong name is told before anything takes long
    prepare(settings)
    async with open_house(settings) as house:
        tutor = tutor_in(house, name, history)
        answer = await tutor.ask(question)
        remember(settings, tutor)
        return answer


def tutor_in(
    house: "House", name: str, history: Path | None = None, allowed: "Permission | None" = None
) -> "NetworkingLabTutor":
    """The tutor in a lab, who has seen what was typed; of a lab that is up, its routers too."""
    from studium.bootstrap.tutor import lab_named, live_lab, student, tutor

    settings = house.settings
    lab = lab_named(settings, name)
    live = live_lab(settings, lab, allowed) if allowed else live_lab(settings, lab)
    made = tutor(house, lambda: live if live.is_up else None)
    made.start_lab(lab.id)
    # What was typed in the console was learnt from there and then, and a file may be given with every question.
    made.recall(history_in(history) if history else student(settings).history(lab.id))
    if live.is_up:
        results = live.check()
        with student(settings).learning(made):
            made.checked(results)
    return made


def ready_tutor(house: "House", name: str, allowed: "Permission | None" = None) -> "NetworkingLabTutor":
    """The tutor in a lab, who answers at once; until everything is prepared, things are looked up by words alone."""
    by_words = house.settings.model_copy(update={"embedder": "none"})
    made = tutor_in(house if is_prepared(house) else replace(house, settings=by_words), name, allowed=allowed)
    made.desk.knowledge(name)
    return made


def catch_up(settings: "Settings", tutor: "NetworkingLabTutor") -> "list[dict[str, Any]]":
    """Tell the tutor what the student learnt elsewhere since; what she typed in the lab, to go with a question."""
    from studium.bootstrap.tutor import student

    who = student(settings)
    tutor.learner = who.learner()
    typed = who.history(tutor.lab.id) if tutor.lab else []
    known = set(tutor.history)
    tutor.recall([each for each in typed if each not in known])  # the console learnt from it already
    return [each.model_dump() for each in typed]


def remember(settings: "Settings", tutor: "NetworkingLabTutor") -> None:
    """Keep what the tutor learnt about the student; what she learnt elsewhere while he was thinking stays."""
    from studium.bootstrap.tutor import student

    with student(settings).learning(tutor):
        for each in tutor.learnt:
            tutor.learner = tutor.learner.after(each.topic, each.outcome, each.at, each.error_type)
    tutor.learnt.clear()


def talk(settings: "Settings", lab: str) -> "Sequence[Exchange]":
    """What the student and the tutor said about a lab."""
    from studium.bootstrap.tutor import student

    return student(settings).talk(lab)


def keep_talk(settings: "Settings", lab: str, said: "Sequence[Exchange]") -> None:
    """Keep what they said, for when the lab is opened again."""
    from studium.bootstrap.tutor import student

    student(settings).keep_talk(lab, said)


def diagnose(
    settings: "Settings", command: str, output: str, prompt: str | None = None
) -> "tuple[Diagnosis | None, str | None]":
    """What is wrong with one command; and what the device complained of, if that is known to nobody."""
    from studium.bootstrap.tutor import error_detector
    from studium.workflows.tutor.pattern_learning.complaints import complaint_in

    found = error_detector(settings).detect(command, output, prompt)
    return found, None if found else complaint_in(command, output)


def quiz_questions(settings: "Settings", name: str) -> "Sequence[QuizQuestion]":
    """All the questions on a lab."""
    from studium.bootstrap.tutor import lab_folders, lab_named
    from studium.readers.labs.reading import find_lab
    from studium.running.tutor.quizzing import questions_of

    return questions_of(find_lab(lab_named(settings, name).id, lab_folders(settings)))


def next_question(settings: "Settings", name: str, asked: Collection[str] = ()) -> "QuizQuestion | None":
    """The question on a lab that the student should be asked next, of those that were not asked yet."""
    from studium.bootstrap.tutor import student
    from studium.workflows.tutor.quiz.choosing import next_question as chosen

    return chosen(quiz_questions(settings, name), student(settings).learner(), datetime.now(UTC), asked)


def grade(settings: "Settings", question: "QuizQuestion", answer: str) -> str:
    """What to say to an answer; the student is the wiser for it."""
    from studium.bootstrap.tutor import student
    from studium.running.tutor.quizzing import graded

    with student(settings).learning() as known:
        told, known.learner = graded(question, answer, known.learner, datetime.now(UTC))
    return told


def add_documents(settings: "Settings", folder: Path) -> "DocumentsRead":
    """Let the tutor look things up in a folder, too."""
    from studium.bootstrap.tutor import add_documents as keep
    from studium.workflows.tutor.knowledge.documents import read_documents

    if not folder.is_dir():
        raise NotFound(f"{folder} is no folder.")
    read = read_documents(folder)
    if not read.passages:
        raise BadInput(f"There is no document in {folder} that can be read.")
    keep(settings, folder)
    return read


async def learn_patterns(settings: "Settings", transcript: Path) -> "Sequence[Decision]":
    """Propose patterns; each waits for a person, and those that were approved since are kept."""
    from studium.bootstrap.house import open_house
    from studium.bootstrap.tutor import error_detector, learnt_patterns
    from studium.running.tutor.learning import keep_patterns, pattern_job

    async with open_house(settings) as house:
        job = pattern_job(error_detector(settings), history_in(transcript), str(transcript))
        report = await house.runner().run(job)
    keep_patterns(report.plan.decisions, learnt_patterns(settings))
    return report.plan.decisions
