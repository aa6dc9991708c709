"""The steps of the tutor that need judgement."""

from studium.core.domain.skill import FinalTool, Skill, text_skill
from studium.core.domain.value import Value
from studium.domain.lab import Diagnosis, Typed
from studium.workflows.tutor.levels import HintLevel

MAX_TOOL_ROUNDS = 3


class PassageShown(Value):
    """A passage that an answer may rest on, by the number it is cited with."""

    number: int
    source: str
    text: str


class Spoken(Value):
    """What was said before."""

    role: str
    text: str


class TeachGiven(Value):
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
    passages: tuple[PassageShown, ...] = ()
    conversation: tuple[Spoken, ...] = ()
    open_checks: tuple[str, ...] = ()
    hint_level: HintLevel = 1
    hint: str = ""


class FeedbackGiven(TeachGiven):
    """A question about something that does not work: what was typed, what is wrong with it, what the devices say.

    `proofs` says which fixes were tried on a copy of the lab, and what came of it.
    """

    history: tuple[Typed, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    facts: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()


class LookGiven(Value):
    """A question for which it may help to look at the devices of the lab."""

    question: str
    lab: str
    goal: str
    devices: tuple[str, ...]
    history: tuple[Typed, ...] = ()


class Enough(Value):
    """What was found out, in a few words; empty if nothing had to be looked at."""

    found: str = ""


class ParaphraseGiven(Value):
    """An answer that is to be said to the student in plain words."""

    text: str


TEACH = text_skill("tutor.teach", "tutor.teacher", TeachGiven)
FEEDBACK = text_skill("tutor.feedback", "tutor.troubleshooter", FeedbackGiven)
PARAPHRASE = text_skill("tutor.paraphrase", "tutor.editor", ParaphraseGiven)
LOOK: Skill[Enough] = Skill(
    name="tutor.look",
    role="tutor.troubleshooter",
    given=LookGiven,
    endings=(FinalTool("enough", "Say what was found out, and end.", Enough),),
    max_turns=MAX_TOOL_ROUNDS + 1,
)
SKILLS = (TEACH, LOOK, FEEDBACK, PARAPHRASE)
