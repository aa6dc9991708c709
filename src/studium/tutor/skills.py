"""The steps of the tutor that need judgement."""

from studium.core.domain.skill import FinalTool, Skill, text_skill
from studium.core.domain.value import Value
from studium.tutor.domain import Diagnosis, HintLevel, TypedCommand

MAX_TOOL_ROUNDS = 3


class NumberedPassage(Value):
    """A passage that an answer may rest on, by the number it is cited with."""

    number: int
    source: str
    text: str


class ChatMessage(Value):
    """What was said before."""

    role: str
    text: str


class TeachInput(Value):
    """A question about how things are, with the passages that answer it.

    `thinking` is what some models want to read first when they are to think at length. `open_checks` are the goals of
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
    """A question about something that does not work: what was typed, what is wrong with it, what the devices say.

    `proofs` says which fixes were tried on a copy of the lab, and what came of it.
    """

    history: tuple[TypedCommand, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    facts: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()


class LookInput(Value):
    """A question for which it may help to look at the devices of the lab."""

    question: str
    lab: str
    goal: str
    devices: tuple[str, ...]
    history: tuple[TypedCommand, ...] = ()


class LookOutput(Value):
    """What was found out, in a few words; empty if nothing had to be looked at."""

    found: str = ""


class ParaphraseInput(Value):
    """An answer that is to be said to the student in plain words."""

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
