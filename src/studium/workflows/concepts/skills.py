"""The steps of the concepts faculty that need judgement. Concepts are named by key (`c3`), quotes too (`q12`)."""

from typing import Literal

from pydantic import Field

from studium.core.domain.skill import skill
from studium.core.domain.value import Value
from studium.domain.concept import RelationType
from studium.workflows.concepts.changes import Change

PointName = Literal["atomicity", "distinctness", "quote_coverage", "relation_accuracy", "language", "edge_cases"]
POINTS: tuple[PointName, ...] = (
    "atomicity",
    "distinctness",
    "quote_coverage",
    "relation_accuracy",
    "language",
    "edge_cases",
)


class QuoteShown(Value):
    """A quote as it is shown to whoever judges."""

    key: str
    text: str
    section: str = ""
    page: str = ""
    note: str = ""


class Idea(Value):
    """A concept as it is shown to whoever judges: a candidate by its key, a kept one by its id."""

    key: str
    title: str
    concept: str
    analysis: str = ""
    quotes: tuple[str, ...] = ()


class RelationShown(Value):
    """A relation as it is shown to whoever judges."""

    source: str
    target: str
    title: str = ""
    type: RelationType
    reasoning: str = ""


class SummaryGiven(Value):
    """A book (its text, no more than a model takes) to be summarised in its own language."""

    title: str
    author: str
    text: str
    language: str


class Summary(Value):
    """A book in about 100 words, and in about 30."""

    summary: str = Field(min_length=1, description="About 100 words.")
    summary_short: str = Field(min_length=1, description="About 30 words.")


class AuthorGiven(Value):
    """An author, and what an encyclopedia says about somebody of that name."""

    name: str
    title: str
    language: str
    pages: tuple[str, ...]


class AuthorTold(Value):
    """Who the author is, as far as the pages say; empty where they are about somebody else."""

    occupation: str = ""
    summary: str = ""
    summary_short: str = ""


class ExtractGiven(Value):
    """Quotes of a book, whose ideas are wanted in the quotes' language."""

    title: str
    author: str
    summary: str
    language: str
    quotes: tuple[QuoteShown, ...]


class BackingDrafted(Value):
    """A quote that carries the concept."""

    quote: str = Field(description="The quote's key, as in q12.")
    reasoning: str = Field(default="", description="Why it carries the concept.")
    confidence: float | None = Field(default=None, ge=0, le=1)


class ConceptDrafted(Value):
    """One atomic idea that the quotes carry."""

    title: str = Field(min_length=1, description="A short noun phrase or statement.")
    concept: str = Field(min_length=1, description="The idea itself, in one to three sentences of your own.")
    analysis: str = Field(default="", description="What follows from it, and why it matters.")
    summary: str = Field(default="", description="About 100 words.")
    summary_short: str = Field(default="", description="About 30 words.")
    # A model is asked for one at least; where it names none, this concept is dropped, and not all that it drafted.
    quotes: tuple[BackingDrafted, ...] = Field(json_schema_extra={"minItems": 1})


class Extracted(Value):
    """The ideas, and the quotes that carry none."""

    concepts: tuple[ConceptDrafted, ...]
    unattributed_quotes: tuple[str, ...] = Field(default=(), description="Keys of the quotes that carry no idea.")


class DuplicateGiven(Value):
    """A candidate, and the concepts nearest to it with how similar they are (cosine)."""

    candidate: Idea
    others: tuple[Idea, ...]
    similarities: tuple[float, ...]


class Compared(Value):
    """What one of the others is to the candidate."""

    other: str = Field(description="The other's key.")
    verdict: Literal["same", "related", "different"]
    reasoning: str = ""


class Duplicates(Value):
    """What each of the others is to the candidate; one that is left out is different."""

    compared: tuple[Compared, ...] = ()


class QueriesGiven(Value):
    """A concept whose relatives are to be searched for."""

    idea: Idea
    language: str


class RelationQuery(Value):
    """What a concept that stands in this relation to the given one would say."""

    type: RelationType
    text: str


class Queries(Value):
    """Texts to search by."""

    queries: tuple[RelationQuery, ...] = ()


class RelateGiven(Value):
    """A concept, and others that may relate to it, with how similar they are (cosine)."""

    idea: Idea
    others: tuple[Idea, ...]
    similarities: tuple[float, ...]


class RelationDrafted(Value):
    """How the concept relates to one of the others."""

    other: str = Field(description="The other's key.")
    type: RelationType
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)


class Related(Value):
    """The relations that hold; none where none does."""

    relations: tuple[RelationDrafted, ...] = ()


class CritiqueGiven(Value):
    """A proposal, whole: concepts, the quotes they rest on, relations, and quotes that carry nothing."""

    language: str
    concepts: tuple[Idea, ...]
    quotes: tuple[QuoteShown, ...]
    relations: tuple[RelationShown, ...]
    unattributed: tuple[str, ...]


class Remark(Value):
    """Something that is wrong: which concepts (keys) it concerns, which quotes (keys), and what to do."""

    message: str
    concepts: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


class Point(Value):
    """The answer to one point of the checklist."""

    name: PointName
    passes: bool
    remarks: tuple[Remark, ...] = ()


class Critique(Value):
    """The six points of the checklist, one by one."""

    points: tuple[Point, ...]


class RefineGiven(Value):
    """What the critic named, and only that: the concepts with their quotes and relations, and the remarks."""

    language: str
    concepts: tuple[Idea, ...]
    quotes: tuple[QuoteShown, ...]
    relations: tuple[RelationShown, ...]
    remarks: tuple[Remark, ...]


class FeedbackGiven(Value):
    """A proposal, and what a person wants done with it, in the person's own words."""

    language: str
    feedback: str
    concepts: tuple[Idea, ...]
    quotes: tuple[QuoteShown, ...]
    relations: tuple[RelationShown, ...]


class Changes(Value):
    """What is to be changed; `not_done` says what could not be made a change of, and why."""

    changes: tuple[Change, ...] = ()
    not_done: str = ""


SUMMARIZE = skill("concepts.summarize", "concepts.summarizer", SummaryGiven, Summary)
AUTHOR = skill("concepts.author", "concepts.summarizer", AuthorGiven, AuthorTold)
EXTRACT = skill("concepts.extract", "concepts.extractor", ExtractGiven, Extracted)
DUPLICATES = skill("concepts.duplicates", "concepts.judge", DuplicateGiven, Duplicates)
QUERIES = skill("concepts.queries", "concepts.searcher", QueriesGiven, Queries)
RELATE = skill("concepts.relate", "concepts.relator", RelateGiven, Related)
CRITIQUE = skill("concepts.critique", "concepts.critic", CritiqueGiven, Critique)
REFINE = skill("concepts.refine", "concepts.extractor", RefineGiven, Changes)
FEEDBACK = skill("concepts.feedback", "concepts.editor", FeedbackGiven, Changes)
SKILLS = (SUMMARIZE, AUTHOR, EXTRACT, DUPLICATES, QUERIES, RELATE, CRITIQUE, REFINE, FEEDBACK)
