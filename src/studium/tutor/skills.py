"""Inputs and outputs of the tutor's model skills."""

from studium.core.domain.skill import FinalTool, Skill, text_skill
from studium.core.domain.value import Value
from studium.tutor.domain import Diagnosis, HintLevel, TypedCommand

MAX_TOOL_ROUNDS = 3


class NumberedPassage(Value):
    """A passage with its citation number."""

    number: int
    source: str
    text: str


class ChatMessage(Value):
    """An earlier chat message."""

    role: str
    text: str


class TeachInput(Value):
    """A question about a concept, with passages that answer it.

    `thinking` is a prefix that makes some models think at length. `open_checks` are the goals of
    the lab that are not reached yet, and `hint` what the lab itself says about the first of them at this `hint_level`.
    """

    thinking: str = ""
    question: str
    lab: str = ""
    goal: str = ""
    mastery_level: str = "novice"
    strategy: str = "direct"
    passages: tuple[NumberedPassage, ...] = ()
    conversation: tuple[ChatMessage, ...] = ()
    open_checks: tuple[str, ...] = ()
    hint_level: HintLevel = 1
    hint: str = ""


class FeedbackInput(TeachInput):
    """A question about a problem, with typed commands, diagnoses and device output.

    `proofs` are the fixes that were tried on a copy of the lab, with results.
    """

    history: tuple[TypedCommand, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    facts: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()


class LookInput(Value):
    """A question that may need a look at the lab's devices."""

    question: str
    lab: str
    goal: str
    devices: tuple[str, ...]
    history: tuple[TypedCommand, ...] = ()


class LookOutput(Value):
    """A short summary of what was found; empty if no look was needed."""

    found: str = ""


class ParaphraseInput(Value):
    """An answer to rewrite in plain words."""

    text: str


TEACH = text_skill("tutor.teach", "tutor.teacher", TeachInput)
FEEDBACK = text_skill("tutor.feedback", "tutor.troubleshooter", FeedbackInput)
PARAPHRASE = text_skill("tutor.paraphrase", "tutor.editor", ParaphraseInput)
LOOK: Skill[LookOutput] = Skill(
    name="tutor.look",
    role="tutor.troubleshooter",
    given=LookInput,
    final_tools=(FinalTool("enough", "Say what was found out, and end.", LookOutput),),
    max_turns=MAX_TOOL_ROUNDS + 1,
)
SKILLS = (TEACH, LOOK, FEEDBACK, PARAPHRASE)
