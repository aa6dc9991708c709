"""The skills of the question loop, with their inputs and results."""

from typing import Literal

from pydantic import Field

from studium.core.domain.skill import FinalTool, Skill, skill
from studium.core.domain.value import Value
from studium.questions.kinds import Difficulty, Length, QuestionKind


class QuestionContext(Value):
    """The corpus that the questions are about, and the scenario that they are for."""

    corpus: str = "Documents of a learner."
    scenario: str = "Factual questions, each with one exact answer that stands in the document."


class GenerateInput(QuestionContext):
    """A document to ask about: `document` is its content id, `asked` are the questions already tried.

    A question about the lines from `focus_start` to `focus_end` is wanted most: look there first. A
    `true_false` question is to state what is true or what is false, as `truth` says.
    """

    document: str
    title: str
    line_count: int
    language: str
    asked: tuple[str, ...] = ()
    focus_start: int = 1
    focus_end: int = 1
    kind: QuestionKind = "open"
    truth: Literal["true", "false"] = "true"
    difficulty: Difficulty | Literal["any"] = "any"
    length: Length | Literal["any"] = "any"
    style: str = "plain"
    persona: str = "anyone who has read the document"


class GenerateVisualInput(GenerateInput):
    """A document whose figures and tables to ask about; `viewed` are the pages viewed before."""

    viewed: tuple[int, ...] = ()


class Candidate(Value):
    """A question with its answer and the exact quotes that prove it."""

    question: str = Field(min_length=8, description="One question with one clear answer in the document.")
    answer: str = Field(min_length=1, description="The answer, short and complete.")
    quotes: tuple[str, ...] = Field(min_length=1, description="Exact sentences of the document that prove the answer.")
    choices: tuple[str, ...] = Field((), description="For multiple_choice: four answers, of which one is right.")
    asks: str = Field("", description="For cloze, multiple_choice and true_false: the same as an open question.")
    expected: str = Field("", description="The right answer to `asks`, as the document says it.")


class VisualCandidate(Value):
    """A question about figures or tables, with its answer and the numbers of the visuals that show it."""

    question: str = Field(min_length=8, description="One question with one clear answer in what the pages show.")
    answer: str = Field(min_length=1, description="The answer, short and complete.")
    visuals: tuple[int, ...] = Field(
        min_length=1, description="Numbers, from `list_visual_content`, of the figures or tables that show the answer."
    )


class Exhausted(Value):
    """No further question can be made from the document."""

    reason: str


class DedupeInput(Value):
    """A new question and the accepted questions that are most similar to it."""

    question: str
    accepted: tuple[str, ...]


class DedupeResult(Value):
    """The accepted question that asks the same, if any."""

    duplicate_of: str | None


class ValidateInput(QuestionContext):
    """A question to answer from the document alone; the ground truth is not shown."""

    document: str
    title: str
    line_count: int
    question: str


class ValidationResult(Value):
    """The validator's own answer, and its judgement of the question."""

    answerable: bool
    answer: str = ""
    quotes: tuple[str, ...] = ()
    ambiguous: bool = False
    trivial: bool = False
    relevant: bool = True
    detail: str = ""


_EXHAUSTED = FinalTool("report_exhausted", "Report that no further different question can be made.", Exhausted)

GENERATE: Skill[Candidate | Exhausted] = Skill(
    name="questions.generate",
    role="questions.generator",
    given=GenerateInput,
    final_tools=(
        FinalTool("submit_qa", "Submit a new question with its answer and the quotes that prove it.", Candidate),
        _EXHAUSTED,
    ),
    version=3,
)
GENERATE_VISUAL: Skill[VisualCandidate | Exhausted] = Skill(
    name="questions.generate_visual",
    role="questions.generator",
    given=GenerateVisualInput,
    final_tools=(
        FinalTool("submit_qa", "Submit a new question with its answer and the visuals that show it.", VisualCandidate),
        _EXHAUSTED,
    ),
    version=2,
)
DEDUPE = skill("questions.dedupe", "questions.deduplicator", DedupeInput, DedupeResult)
VALIDATE = skill("questions.validate", "questions.validator", ValidateInput, ValidationResult, version=2)
VALIDATE_VISUAL = skill("questions.validate_visual", "questions.validator", ValidateInput, ValidationResult)
SKILLS = (GENERATE, GENERATE_VISUAL, DEDUPE, VALIDATE, VALIDATE_VISUAL)
