"""The skills of concepts, answered by a model or by rules; concepts and quotes have keys (`c3`, `q12`)."""

from typing import Literal

from pydantic import Field

from studium.concepts.domain import RelationType
from studium.concepts.proposal import ProposalChange
from studium.core.domain.skill import skill
from studium.core.domain.value import Value

PointName = Literal["atomicity", "distinctness", "quote_coverage", "relation_accuracy", "language", "edge_cases"]
POINTS: tuple[PointName, ...] = (
    "atomicity",
    "distinctness",
    "quote_coverage",
    "relation_accuracy",
    "language",
    "edge_cases",
)


class QuoteView(Value):
    """A quote as shown to a model."""

    key: str
    text: str
    section: str = ""
    page: str = ""
    note: str = ""


class ConceptView(Value):
    """A concept as shown to a model: a candidate by its key, a stored one by its id."""

    key: str
    title: str
    concept: str
    analysis: str = ""
    quotes: tuple[str, ...] = ()


class RelationView(Value):
    """A relation as shown to a model."""

    source: str
    target: str
    title: str = ""
    type: RelationType
    reasoning: str = ""


class SummaryInput(Value):
    """A book (its text, no more than a model takes) to be summarised in its own language."""

    title: str
    author: str
    text: str
    language: str


class Summary(Value):
    """A book in about 100 words, and in about 30."""

    summary: str = Field(min_length=1, description="About 100 words.")
    summary_short: str = Field(min_length=1, description="About 30 words.")


class AuthorInput(Value):
    """An author, and what an encyclopedia says about somebody of that name."""

    name: str
    title: str
    language: str
    pages: tuple[str, ...]


class AuthorOutput(Value):
    """Who the author is, as far as the pages say; empty where they are about somebody else."""

    occupation: str = ""
    summary: str = ""
    summary_short: str = ""


class ExtractInput(Value):
    """Quotes of a book, whose ideas are wanted in the quotes' language."""

    title: str
    author: str
    summary: str
    language: str
    quotes: tuple[QuoteView, ...]


class DraftSupport(Value):
    """A quote that carries the concept."""

    quote: str = Field(description="The quote's key, as in q12.")
    reasoning: str = Field(default="", description="Why it carries the concept.")
    confidence: float | None = Field(default=None, ge=0, le=1)


class DraftConcept(Value):
    """One atomic idea that the quotes carry."""

    title: str = Field(min_length=1, description="A short noun phrase or statement.")
    concept: str = Field(min_length=1, description="The idea itself, in one to three sentences of your own.")
    analysis: str = Field(default="", description="What follows from it, and why it matters.")
    summary: str = Field(default="", description="About 100 words.")
    summary_short: str = Field(default="", description="About 30 words.")
    # A model is asked for one at least; where it names none, this concept is dropped, and not all that it drafted.
    quotes: tuple[DraftSupport, ...] = Field(json_schema_extra={"minItems": 1})


class ExtractOutput(Value):
    """The ideas, and the quotes that carry none."""

    concepts: tuple[DraftConcept, ...]
    unattributed_quotes: tuple[str, ...] = Field(default=(), description="Keys of the quotes that carry no idea.")


class DuplicatesInput(Value):
    """A candidate, and the concepts nearest to it with how similar they are (cosine)."""

    candidate: ConceptView
    others: tuple[ConceptView, ...]
    similarities: tuple[float, ...]


class Comparison(Value):
    """What one of the others is to the candidate."""

    other: str = Field(description="The other's key.")
    verdict: Literal["same", "related", "different"]
    reasoning: str = ""


class Duplicates(Value):
    """What each of the others is to the candidate; one that is left out is different."""

    compared: tuple[Comparison, ...] = ()


class QueriesInput(Value):
    """A concept whose relatives are to be searched for."""

    idea: ConceptView
    language: str


class RelationQuery(Value):
    """What a concept that stands in this relation to the given one would say."""

    type: RelationType
    text: str


class Queries(Value):
    """Texts to search by."""

    queries: tuple[RelationQuery, ...] = ()


class RelateInput(Value):
    """A concept, and others that may relate to it, with how similar they are (cosine)."""

    idea: ConceptView
    others: tuple[ConceptView, ...]
    similarities: tuple[float, ...]


class DraftRelation(Value):
    """How the concept relates to one of the others."""

    other: str = Field(description="The other's key.")
    type: RelationType
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)


class RelateOutput(Value):
    """The relations that hold; none where none does."""

    relations: tuple[DraftRelation, ...] = ()


class CritiqueInput(Value):
    """A proposal, whole: concepts, the quotes they rest on, relations, and quotes that carry nothing."""

    language: str
    concepts: tuple[ConceptView, ...]
    quotes: tuple[QuoteView, ...]
    relations: tuple[RelationView, ...]
    unattributed: tuple[str, ...]


class Remark(Value):
    """Something that is wrong: which concepts (keys) it concerns, which quotes (keys), and what to do."""

    message: str
    concepts: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


class ChecklistPoint(Value):
    """The answer to one point of the checklist."""

    name: PointName
    passes: bool
    remarks: tuple[Remark, ...] = ()


class Critique(Value):
    """The six points of the checklist, one by one."""

    points: tuple[ChecklistPoint, ...]


class RefineInput(Value):
    """What the critic named, and only that: the concepts with their quotes and relations, and the remarks."""

    language: str
    concepts: tuple[ConceptView, ...]
    quotes: tuple[QuoteView, ...]
    relations: tuple[RelationView, ...]
    remarks: tuple[Remark, ...]


class FeedbackInput(Value):
    """A proposal, and what a person wants done with it, in the person's own words."""

    language: str
    feedback: str
    concepts: tuple[ConceptView, ...]
    quotes: tuple[QuoteView, ...]
    relations: tuple[RelationView, ...]


class ChangesOutput(Value):
    """What is to be changed; `not_done` says what could not be made a change of, and why."""

    changes: tuple[ProposalChange, ...] = ()
    not_done: str = ""


SUMMARIZE = skill("concepts.summarize", "concepts.summarizer", SummaryInput, Summary)
AUTHOR = skill("concepts.author", "concepts.summarizer", AuthorInput, AuthorOutput)
EXTRACT = skill("concepts.extract", "concepts.extractor", ExtractInput, ExtractOutput)
DUPLICATES = skill("concepts.duplicates", "concepts.judge", DuplicatesInput, Duplicates)
QUERIES = skill("concepts.queries", "concepts.searcher", QueriesInput, Queries)
RELATE = skill("concepts.relate", "concepts.relator", RelateInput, RelateOutput)
CRITIQUE = skill("concepts.critique", "concepts.critic", CritiqueInput, Critique)
REFINE = skill("concepts.refine", "concepts.extractor", RefineInput, ChangesOutput)
FEEDBACK = skill("concepts.feedback", "concepts.editor", FeedbackInput, ChangesOutput)
SKILLS = (SUMMARIZE, AUTHOR, EXTRACT, DUPLICATES, QUERIES, RELATE, CRITIQUE, REFINE, FEEDBACK)
