"""The steps of the question loop that need judgement."""

from pydantic import Field

from studium.domain.skill import Ending, Skill, skill
from studium.domain.value import Value


class GenerateGiven(Value):
    """A document to ask about. `document` is its content id; `asked` are the questions already tried."""

    document: str
    title: str
    line_count: int
    language: str
    asked: tuple[str, ...] = ()


class Candidate(Value):
    """A question with its answer and the exact quotes that prove it."""

    question: str = Field(min_length=8, description="One question with one clear answer in the document.")
    answer: str = Field(min_length=1, description="The answer, short and complete.")
    quotes: tuple[str, ...] = Field(min_length=1, description="Exact sentences of the document that prove the answer.")


class Exhausted(Value):
    """The document yields no further question."""

    reason: str


class DedupeGiven(Value):
    """A new question and those already accepted."""

    question: str
    accepted: tuple[str, ...]


class Deduped(Value):
    """The accepted question that asks the same, or nothing."""

    duplicate_of: str | None


class ValidateGiven(Value):
    """A question to answer from the document alone; the ground truth is not shown."""

    document: str
    title: str
    line_count: int
    question: str


class Validated(Value):
    """The validator's own answer and what it thinks of the question."""

    answerable: bool
    answer: str = ""
    quotes: tuple[str, ...] = ()
    ambiguous: bool = False
    trivial: bool = False
    detail: str = ""


GENERATE: Skill[Candidate | Exhausted] = Skill(
    name="questions.generate",
    role="questions.generator",
    given=GenerateGiven,
    endings=(
        Ending("submit_qa", "Submit a new question with its answer and the quotes that prove it.", Candidate),
        Ending("report_exhausted", "Report that no further different question can be made.", Exhausted),
    ),
)
DEDUPE = skill("questions.dedupe", "questions.deduplicator", DedupeGiven, Deduped)
VALIDATE = skill("questions.validate", "questions.validator", ValidateGiven, Validated)
SKILLS = (GENERATE, DEDUPE, VALIDATE)

# A model that checks its own questions confirms itself: these two roles must differ.
MUST_DIFFER = (GENERATE.role, VALIDATE.role)
