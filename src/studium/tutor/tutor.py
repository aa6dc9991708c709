"""The tutor's main class: start a lab, report commands, ask questions."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from langgraph.graph import StateGraph

from studium.core.domain.errors import BadInput
from studium.core.domain.run import current_context, use_context
from studium.core.llm.models import RulesModel
from studium.tutor.dependencies import TutorDependencies
from studium.tutor.domain import CheckResult, Diagnosis, Lab, TypedCommand
from studium.tutor.error_detection.detector import get_default_detector
from studium.tutor.graph import RECENT, tutoring_graph
from studium.tutor.knowledge import Knowledge, shipped_passages
from studium.tutor.labs.reader import find_lab, read_lab
from studium.tutor.mastery import Learner, LearningEvent, Outcome, topic_of_error
from studium.tutor.rules.answers import RULES
from studium.tutor.rules.paraphrase import StreamCleaner
from studium.tutor.state import TutorAnswer, TutoringState


def create_tutoring_graph(
    dependencies: TutorDependencies | None = None,
) -> "StateGraph[TutoringState, None, TutoringState, TutoringState]":
    """Build the tutor's graph, uncompiled; without dependencies it answers by rules."""
    return tutoring_graph(dependencies or default_dependencies())


class NetworkingLabTutor:
    """Follows one student through a lab and diagnoses every command.

    `learner` is the student's mastery; `learnt` are the outcomes seen here, without goals.
    """

    def __init__(
        self,
        dependencies: TutorDependencies | None = None,
        *,
        learner: Learner | None = None,
        reasoning: bool = False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.dependencies = dependencies or default_dependencies()
        self.learner = learner or Learner()
        self.learnt: list[LearningEvent] = []
        self.lab: Lab | None = None
        self.history: list[TypedCommand] = []
        self.diagnoses: list[Diagnosis] = []
        self.answered: TutorAnswer | None = None
        self._said: list[dict[str, str]] = []
        self._open: list[CheckResult] = []
        self._reasoning = reasoning
        self._now = now
        self._graph = tutoring_graph(self.dependencies).compile(name="tutor")

    def start_lab(self, lab_id: str) -> Lab:
        """Start a lab and forget the history of the previous one."""
        self.lab = self.dependencies.lab(lab_id)
        self.history, self.diagnoses, self._said, self._open = [], [], [], []
        return self.lab

    def typed(self, command: str, output: str, *, prompt: str = "", device: str = "") -> Diagnosis | None:
        """Record a command with its output and diagnose it."""
        earlier = [each.command for each in self.history if each.device == device]
        found = self.dependencies.detector.detect(command, output, prompt or None, before=earlier)
        self.history.append(TypedCommand(command=command, output=output, prompt=prompt, device=device))
        if found:
            about = found.metadata | {"command": command} | ({"device": device} if device else {})
            found = found.model_copy(update={"metadata": about})
            self.diagnoses.append(found)
            self._learn(topic_of_error(found.error_type), Outcome.ERROR, found.error_type)
        elif command.strip():
            self._record_fix(command)
        return found

    def recall(self, typed: Sequence[TypedCommand]) -> None:
        """Record earlier commands: they are diagnosed but do not change the mastery."""
        learner, learnt = self.learner, self.learnt.copy()
        for each in typed:
            self.typed(each.command, each.output, prompt=each.prompt, device=each.device)
        self.learner, self.learnt = learner, learnt

    def resume(self, said: Iterable[tuple[str, str]]) -> None:
        """Record earlier chat messages for context."""
        self._said = [
            {"role": role, "content": text}
            for question, answer in said
            for role, text in (("user", question), ("assistant", answer))
        ]

    def checked(self, results: Sequence[CheckResult]) -> None:
        """Record which goals are reached."""
        for each in results:
            if each.holds and self.lab:
                goal, topic = f"{self.lab.id}/{each.check.id}", each.check.topic or self._topic
                self.learner = self.learner.with_goal_reached(goal, topic, self._now())
        self._open = [each for each in results if not each.holds]

    async def ask(self, question: str, cli_history: Sequence[dict[str, Any]] | None = None) -> TutorAnswer:
        """Answer a question, with sources."""
        if cli_history is not None:
            # A long history takes a while to diagnose, and others are being answered meanwhile.
            await asyncio.to_thread(self._take_in, cli_history)
        state = await self._graph.ainvoke(self._state(question))
        self._said = state.get("conversation_history", self._said)
        if state.get("tutoring_strategy") == "hint":
            self._learn(state["topic"], Outcome.HINT_USED)
        self.answered = {
            "response": state["feedback_message"],
            "intent": state["intent"],
            "strategy": state["tutoring_strategy"],
            "mastery_level": state["mastery_level"],
            "topic": state["topic"],
            "diagnoses": [each.model_dump(mode="json") for each in state.get("cli_diagnoses", [])],
            "citations": [each.model_dump(mode="json") for each in state.get("citations", [])],
            "proofs": [each.model_dump(mode="json") for each in state.get("proofs", [])],
        }
        return self.answered

    async def ask_stream(
        self, question: str, cli_history: Sequence[dict[str, Any]] | None = None
    ) -> AsyncIterator[str]:
        """Stream the cleaned answer; afterwards `answered` has its sources."""
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        spoken = StreamCleaner(pieces.put_nowait)

        async def answer() -> TutorAnswer:
            try:
                with use_context(replace(current_context(), on_text=spoken.hear)):
                    return await self.ask(question, cli_history)
            finally:
                spoken.end()
                pieces.put_nowait(None)

        task = asyncio.create_task(answer())
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            answered = await task
            if not spoken.heard:
                yield answered["response"]
        finally:
            task.cancel()

    @property
    def _topic(self) -> str:
        return self.lab.topics[0] if self.lab and self.lab.topics else ""

    def _take_in(self, cli_history: Sequence[dict[str, Any]]) -> None:
        """Replace the history by a complete one; known commands are only recalled."""
        known, self.history, self.diagnoses = self.history, [], []
        for one in map(TypedCommand.model_validate, cli_history):
            if one in known:
                self.recall([one])
            else:
                self.typed(one.command, one.output, prompt=one.prompt, device=one.device)

    def _state(self, question: str) -> TutoringState:
        if not question.strip():
            raise BadInput("The question is empty.", remedy="Ask something.")
        recent = self.history[-RECENT:]
        visible = {each.command for each in recent}
        state: TutoringState = {
            "student_question": question,
            "cli_history": [each.model_dump() for each in recent],
            "cli_diagnoses": [each for each in self.diagnoses if each.metadata.get("command") in visible],
            "conversation_history": self._said,
            "learner": self.learner,
            "reasoning_mode": self._reasoning,
            "open_checks": [each.check.id for each in self._open],
        }
        if self.lab:
            state |= {
                "current_lab": self.lab.id,
                "lab_title": self.lab.title,
                "lab_goal": self.lab.goal,
                "lab_instructions": self.lab.instructions[:5000],
            }
        return state

    def _record_fix(self, command: str) -> None:
        """Drop diagnoses that an accepted command has fixed."""
        mended = [each for each in self.diagnoses if command.strip() in each.commands]
        self.diagnoses = [each for each in self.diagnoses if each not in mended]
        for topic in dict.fromkeys(topic_of_error(each.error_type) for each in mended):
            if self.learner.has_open_error(topic):
                self._learn(topic, Outcome.FIXED)

    def _learn(self, topic: str, outcome: Outcome, error_type: str = "") -> None:
        if topic:
            self.learner = self.learner.after(topic, outcome, self._now(), error_type)
            self.learnt.append(self.learner.recent[-1])


@cache
def default_dependencies() -> TutorDependencies:
    """Dependencies without model, embedder or devices: rules and shipped passages."""
    knowledge = cache(lambda: Knowledge(shipped_passages()))
    return TutorDependencies(RulesModel(RULES), get_default_detector(), lambda _lab: knowledge(), shipped_lab)


def shipped_lab(lab_id: str, *more: Path) -> Lab:
    """Load a lab by id from the shipped labs or these folders."""
    reading = read_lab(find_lab(lab_id, (SHIPPED_LABS, *more)))
    if reading.lab is None:
        mistakes = "\n".join(str(finding) for finding in reading.findings)
        raise BadInput(mistakes, remedy="Fix these mistakes in the lab folder.")
    return reading.lab


SHIPPED_LABS = Path(str(files("studium"))) / "tutor" / "labs" / "shipped"
