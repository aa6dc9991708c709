"""The tutor's graph: a question is either about a concept or about something that does not work.

intent_router_node ─┬─(teaching, ambiguous)→ teaching_retrieval_node → teaching_feedback_node → END
                    └─(troubleshooting)→ retrieval_node → feedback_node → paraphrasing_node → END
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from langgraph.graph import END, START, StateGraph

from studium.core.domain.document import Passage
from studium.tutor.configuration.parser import parse_configuration
from studium.tutor.configuration.silent_mistakes import silent_mistakes
from studium.tutor.dependencies import LiveLab, TutorDependencies
from studium.tutor.domain import Diagnosis, TypedCommand
from studium.tutor.rules.intent import classify_intent
from studium.tutor.rules.paraphrase import paraphrase
from studium.tutor.skills import (
    FEEDBACK,
    LOOK,
    PARAPHRASE,
    TEACH,
    ChatMessage,
    FeedbackInput,
    LookInput,
    NumberedPassage,
    ParaphraseInput,
    TeachInput,
)
from studium.tutor.state import Citation, Proof, TutoringState
from studium.tutor.strategy import commands_to_mode, most_serious, plan_help
from studium.tutor.tools import lab_tools

_CITED = re.compile(r"\s?\[(\d{1,2})\]")


def number_passages(citations: Sequence[Citation], texts: Sequence[str]) -> tuple[NumberedPassage, ...]:
    """The passages with the numbers that a model cites."""
    return tuple(
        NumberedPassage(number=each.number, source=": ".join(filter(None, (each.source, each.heading))), text=text)
        for each, text in zip(citations, texts, strict=True)
    )


def keep_known_citations(text: str, citations: Sequence[Citation]) -> tuple[str, list[Citation]]:
    """Remove citations of unknown passages; return the text and the cited passages."""
    known = {each.number: each for each in citations}
    text = _CITED.sub(lambda found: found[0] if int(found[1]) in known else "", text)
    named = dict.fromkeys(int(number) for number in _CITED.findall(text))
    return text, [known[number] for number in named]


RECENT = 5
_THINKING = "detailed thinking on\n\n"
_NO_ANSWER = "I cannot answer this now: {}"


@dataclass(frozen=True)
class TutorNodes:
    """The graph nodes; each returns what changes in the state."""

    dependencies: TutorDependencies

    async def intent_router_node(self, state: TutoringState) -> TutoringState:
        """Classify the question and choose how to help this student."""
        typed = recent_commands(state)
        # A caller that follows the console has already diagnosed the commands, and knows which mistakes were fixed.
        known = state.get("cli_diagnoses")
        diagnoses = [each for each in self.dependencies.detector.detect_all(typed) if each] if known is None else known
        unfinished = bool(self.dependencies.live() and state.get("open_checks"))
        intent = classify_intent(state["student_question"], typed, diagnoses, unfinished=unfinished)
        lab = self.dependencies.lab(state["current_lab"]) if state.get("current_lab") else None
        return {"cli_diagnoses": diagnoses, "intent": intent, **plan_help(state, intent, diagnoses, lab)}

    async def teaching_retrieval_node(self, state: TutoringState) -> TutoringState:
        """Retrieve passages that explain the concept."""
        knowledge = self.dependencies.knowledge(state.get("current_lab", ""))
        found = await asyncio.to_thread(knowledge.teaching, state["student_question"], state.get("current_lab", ""))
        return _retrieved(found)

    async def teaching_feedback_node(self, state: TutoringState) -> TutoringState:
        """Explain the concept at the student's level."""
        answer = await self.dependencies.model.answer(TEACH, TeachInput(**_asked(state)))
        if answer.output is None:
            return _no_answer([finding.message for finding in answer.findings])
        return _answered(paraphrase(answer.output.text), state)

    async def retrieval_node(self, state: TutoringState) -> TutoringState:
        """Retrieve passages about the error: patterns first, then commands, then the lab's pages."""
        knowledge = self.dependencies.knowledge(state.get("current_lab", ""))
        diagnoses = state.get("cli_diagnoses", [])
        found = await asyncio.to_thread(
            knowledge.troubleshooting,
            state["student_question"],
            recent_commands(state),
            state.get("current_lab", ""),
            diagnoses[-1] if diagnoses else None,
        )
        return _retrieved(found)

    async def feedback_node(self, state: TutoringState) -> TutoringState:
        """Explain what is wrong; inspect the devices only if no typed command shows an error."""
        live = self.dependencies.live()
        diagnoses, facts = list(state.get("cli_diagnoses", [])), list(state.get("device_facts", []))
        if live and not diagnoses:
            diagnoses, looked_at = await asyncio.to_thread(_silent, live, state["student_question"])
            facts += looked_at
            facts += await self._look(state, live) if not diagnoses else []
            # Only now is it known what to look up.
            state = cast("TutoringState", {**state, "cli_diagnoses": diagnoses})
            state = cast("TutoringState", {**state, **await self.retrieval_node(state)})
        proofs = await asyncio.to_thread(_prove, live, diagnoses, recent_commands(state)) if live else []
        given = FeedbackInput(
            **_asked(state),
            history=tuple(recent_commands(state)),
            diagnoses=tuple(diagnoses),
            facts=tuple(facts),
            proofs=tuple(proof.told for proof in proofs),
        )
        answer = await self.dependencies.model.answer(FEEDBACK, given)
        change: TutoringState = {
            "cli_diagnoses": diagnoses,
            "device_facts": facts,
            "proofs": proofs,
            "citations": state.get("citations", []),
            "retrieved_docs": state.get("retrieved_docs", []),
        }
        if answer.output is None:
            return change | _no_answer([finding.message for finding in answer.findings])
        return change | {"feedback_message": answer.output.text}

    async def paraphrasing_node(self, state: TutoringState) -> TutoringState:
        """Remove preambles, internal codes and tool names from the answer."""
        cleaned = paraphrase(state["feedback_message"])
        answer = await self.dependencies.model.answer(PARAPHRASE, ParaphraseInput(text=cleaned))
        told = paraphrase(answer.output.text) if answer.output else cleaned
        return _answered(told if _kept_commands(cleaned, told) else cleaned, state)

    async def _look(self, state: TutoringState, live: LiveLab) -> list[str]:
        given = LookInput(
            question=state["student_question"],
            lab=state.get("lab_title", ""),
            goal=state.get("lab_goal", ""),
            devices=tuple(device.name for device in live.lab.devices),
            history=tuple(recent_commands(state)),
        )
        answer = await self.dependencies.model.answer(LOOK, given, tools=lab_tools(live))
        return [answer.output.found] if answer.output and answer.output.found else []


def after_intent(state: TutoringState) -> Literal["teaching_retrieval_node", "retrieval_node"]:
    """Choose between teaching and troubleshooting."""
    return "retrieval_node" if state["intent"] == "troubleshooting" else "teaching_retrieval_node"


def tutoring_graph(dependencies: TutorDependencies) -> "StateGraph[TutoringState, None, TutoringState, TutoringState]":
    """Build the graph from its dependencies; the caller compiles it."""
    steps = TutorNodes(dependencies)
    graph = StateGraph(TutoringState)
    for node in (
        steps.intent_router_node,
        steps.teaching_retrieval_node,
        steps.teaching_feedback_node,
        steps.retrieval_node,
        steps.feedback_node,
        steps.paraphrasing_node,
    ):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "intent_router_node")
    graph.add_conditional_edges("intent_router_node", after_intent)
    graph.add_edge("teaching_retrieval_node", "teaching_feedback_node")
    graph.add_edge("teaching_feedback_node", END)
    graph.add_edge("retrieval_node", "feedback_node")
    graph.add_edge("feedback_node", "paraphrasing_node")
    graph.add_edge("paraphrasing_node", END)
    return graph


def recent_commands(state: TutoringState) -> list[TypedCommand]:
    """The last commands of the student."""
    return [TypedCommand.model_validate(each) for each in state.get("cli_history", [])[-RECENT:]]


def _asked(state: TutoringState) -> dict[str, Any]:
    said = state.get("conversation_history", [])[-2 * RECENT :]
    return {
        "thinking": _THINKING if state.get("reasoning_mode") else "",
        "question": state["student_question"],
        "lab": state.get("lab_title", ""),
        "goal": state.get("lab_goal", ""),
        "mastery_level": state.get("mastery_level", "novice"),
        "strategy": state.get("tutoring_strategy", "direct"),
        "passages": number_passages(state.get("citations", []), state.get("retrieved_docs", [])),
        "conversation": tuple(ChatMessage(role=each["role"], text=each["content"]) for each in said),
        "open_checks": tuple(state.get("open_goals", ())),
        "hint_level": state.get("hint_level", 1),
        "hint": state.get("hint", ""),
    }


def _retrieved(found: Sequence[Passage]) -> TutoringState:
    citations = [
        Citation(number=number, source=passage.where.path, heading=passage.heading, quote=passage.text[:200])
        for number, passage in enumerate(found, 1)
    ]
    return {"retrieved_docs": [passage.text for passage in found], "citations": citations}


def _silent(live: LiveLab, question: str) -> tuple[list[Diagnosis], list[str]]:
    """The silent mistakes in the lab; those that the question is about come last."""
    routers = [device.name for device in live.lab.devices if device.kind == "router"]
    texts = {name: live.running_config(name) for name in routers}
    found = silent_mistakes({name: parse_configuration(text) for name, text in texts.items()}, live.lab)
    asked = _words(question)
    # Of those equally relevant to the question, the most serious comes last.
    found.sort(key=lambda each: len(_concerned(each, routers) & asked), reverse=True)
    found.reverse()
    return found, [f"Running configuration of {name}:\n{text}" for name, text in texts.items()]


def _concerned(diagnosis: Diagnosis, devices: Sequence[str]) -> set[str]:
    """The devices that a mistake concerns."""
    told = _words(diagnosis.diagnosis)
    return {name for name in devices if name == diagnosis.metadata.get("device") or name in told}


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _prove(live: LiveLab, diagnoses: Sequence[Diagnosis], typed: Sequence[TypedCommand]) -> list[Proof]:
    """Try the fix that the answer will suggest, if possible."""
    spoken_to = typed[-1].device if typed else ""
    foremost = most_serious(diagnoses)
    device = str(foremost.metadata.get("device") or spoken_to) if foremost else ""
    if foremost is None or not foremost.commands or not device:
        return []
    return [live.prove(foremost, device, commands_to_mode(foremost, [each for each in typed if each.device == device]))]


def _answered(text: str, state: TutoringState) -> TutoringState:
    """The answer with the passages it cites, without unknown citation numbers."""
    told, citations = keep_known_citations(text, state.get("citations", []))
    said = [
        *state.get("conversation_history", []),
        {"role": "user", "content": state["student_question"]},
        {"role": "assistant", "content": told},
    ]
    return {"feedback_message": told, "citations": citations, "conversation_history": said}


def _no_answer(why: Sequence[str]) -> TutoringState:
    return {"feedback_message": _NO_ANSWER.format("; ".join(why)), "findings": list(why)}


def _kept_commands(before: str, after: str) -> bool:
    """Whether the cleaned text still has every line of code."""
    blocks = before.split("```")[1::2]
    return all(line.strip() in after for block in blocks for line in block.splitlines() if line.strip())
