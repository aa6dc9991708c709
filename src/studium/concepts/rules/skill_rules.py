"""The rule for each skill: critique, refine, feedback, queries, relations and the drafts."""

import asyncio
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from pydantic import BaseModel

from studium.concepts.dependencies import Embed
from studium.concepts.domain import RelationType
from studium.concepts.proposal import ProposalChange
from studium.concepts.rules.compound_titles import mentions
from studium.concepts.rules.content_words import content_words, in_quote_marks, join_with_and, language_of
from studium.concepts.rules.duplicate_detection import duplicates_rule
from studium.concepts.rules.extract import extract_rule
from studium.concepts.rules.feedback_actions import ACTIONS, Instruction, WorkingProposal
from studium.concepts.rules.feedback_instructions import (
    MarkedText,
    instruction_patterns,
    normalize_instruction,
    split_instructions,
)
from studium.concepts.rules.summaries import author_rule, summarize_rule
from studium.concepts.skills import (
    AUTHOR,
    CRITIQUE,
    DUPLICATES,
    EXTRACT,
    FEEDBACK,
    POINTS,
    QUERIES,
    REFINE,
    RELATE,
    SUMMARIZE,
    ChangesOutput,
    ChecklistPoint,
    ConceptView,
    Critique,
    CritiqueInput,
    DraftRelation,
    FeedbackInput,
    Queries,
    QueriesInput,
    RefineInput,
    RelateInput,
    RelateOutput,
    RelationQuery,
    Remark,
)
from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule

MAX_RELATIONS = 5
MAX_SHARED_WORDS = 4
SIMILAR = 0.65  # cosine; with words in common
RELATED = 0.4
VERY_SIMILAR = 0.8  # cosine; words need not be shared, as between two languages
MUCH_SHARED = 0.3

_TITLE_WEIGHT = 2


class _Similarity(NamedTuple):
    other: ConceptView
    similarity: float
    words: tuple[str, ...]
    overlap: float

    @property
    def score(self) -> float:
        return (self.similarity + self.overlap) / 2


def queries_rule(given: QueriesInput, _tools: Sequence[Tool]) -> Queries:
    """The concept's own text: similar concepts may be related."""
    idea = given.idea
    title, text = idea.title.strip(), idea.concept.strip()
    whole = text if title in text else ". ".join(filter(None, (title.rstrip("."), text)))
    asked = ((RelationType.SIMILAR_TO, whole), (RelationType.RELATES_TO, title or whole))
    return Queries(queries=tuple(RelationQuery(type=kind, text=told) for kind, told in asked if told))


def relate_rule(given: RelateInput, _tools: Sequence[Tool]) -> RelateOutput:
    """The most similar of the others, as drafts: similar, or related by what both are about."""
    pairs = zip_longest(given.others, given.similarities[: len(given.others)], fillvalue=0.0)
    found = [_similarity(given.idea, other, like) for other, like in pairs if isinstance(other, ConceptView)]
    drafts = [(each, kind) for each in found if each.other.key != given.idea.key and (kind := _kind(each))]
    drafts.sort(key=lambda draft: (-draft[0].score, draft[0].other.key))
    return RelateOutput(relations=tuple(_draft(each, kind) for each, kind in drafts[:MAX_RELATIONS]))


def _similarity(one: ConceptView, other: ConceptView, similarity: float) -> _Similarity:
    here, there = _weighed(one), _weighed(other)
    shared = here.keys() & there.keys()
    lesser = min(sum(here.values()), sum(there.values())) or 1
    overlap = sum(min(here[each], there[each]) for each in shared) / lesser
    forms = content_words(f"{one.title} {one.concept}", language_of(one.title, one.concept))
    named = tuple(forms[each] for each in sorted(shared, key=lambda each: (-here[each] - there[each], each)))
    return _Similarity(other, min(1.0, max(0.0, similarity)), named, min(1.0, overlap))


def _weighed(idea: ConceptView) -> dict[str, int]:
    language = language_of(idea.title, idea.concept)
    weights = dict.fromkeys(content_words(idea.concept, language), 1)
    return weights | dict.fromkeys(content_words(idea.title, language), _TITLE_WEIGHT)


def _kind(similarity: _Similarity) -> RelationType | None:
    # A single shared word may be a coincidence; it counts only if the texts are similar anyway.
    shares = len(similarity.words) > 1 or similarity.overlap >= MUCH_SHARED
    if similarity.similarity >= VERY_SIMILAR or (similarity.similarity >= SIMILAR and shares):
        return RelationType.SIMILAR_TO
    if shares and (similarity.similarity >= RELATED or similarity.overlap >= MUCH_SHARED):
        return RelationType.RELATES_TO
    return RelationType.RELATES_TO if similarity.similarity >= SIMILAR and similarity.words else None


def _draft(similarity: _Similarity, kind: RelationType) -> DraftRelation:
    measured = f"similarity {similarity.similarity:.2f}" if similarity.similarity else ""
    spoken = (
        join_with_and(in_quote_marks(word) for word in similarity.words[:MAX_SHARED_WORDS]) if similarity.words else ""
    )
    why = "; ".join(part for part in (f"both speak of {spoken}" if spoken else "", measured) if part)
    return DraftRelation(
        other=similarity.other.key,
        type=kind,
        reasoning=f"{why[:1].upper()}{why[1:]}.",
        confidence=round(similarity.score, 2),
    )


SUPPORTED_INSTRUCTIONS = (
    "The rules understand: merge c1 and c2; reject, approve or restore c3; rename c3 to “…”; c3 should say “…”;"
    " split c3 into “…” and “…”; move q5 to c2; add q5 to c2; remove q5 from c2; c1 opposes c2 (or another relation);"
    " remove the relation between c1 and c2"
)


class ParsedInstruction(NamedTuple):
    """One instruction, word for word, with its changes, or why there are none."""

    words: str
    changes: tuple[ProposalChange, ...] = ()
    why_not: str = ""


def feedback_rule(given: FeedbackInput, _tools: Sequence[Tool]) -> ChangesOutput:
    """Follow the instructions that are understood; `not_done` quotes the others."""
    sheet = WorkingProposal(given.concepts, given.quotes, given.relations)
    read = parse_feedback(given.feedback, sheet)
    changes = tuple(dict.fromkeys(change for each in read for change in each.changes))
    not_done = "; ".join(
        f"“{each.words}” ({each.why_not})" if each.why_not else f"“{each.words}”" for each in read if not each.changes
    )
    return ChangesOutput(
        changes=changes, not_done=f"{SUPPORTED_INSTRUCTIONS}. Not understood: {not_done}" if not_done else ""
    )


def parse_feedback(text: str, sheet: WorkingProposal) -> tuple[ParsedInstruction, ...]:
    """The instructions of a text, each with its changes; polite phrases alone are not instructions."""
    marked = MarkedText(text)
    read = ((each, normalize_instruction(each)) for each in split_instructions(marked.text))
    return tuple(_follow(marked.whole(each), plain, Instruction({}, marked, sheet)) for each, plain in read if plain)


def _follow(words: str, plain: str, asked: Instruction) -> ParsedInstruction:
    why_not = ""
    for order in instruction_patterns():
        match = order.pattern.fullmatch(plain)
        if match is None:
            continue
        fault = asked.sheet.why_not(match, asked.marked)
        followed = fault or ACTIONS[order.name](asked._replace(slots=match.groupdict()))
        if not isinstance(followed, str):
            return ParsedInstruction(words, followed)
        why_not = why_not or followed
    return ParsedInstruction(words, (), why_not)


# Removals come last, so that the other changes still find the concept.
_ACTION_ORDER = ("unrelate", "relate", "edit", "split", "merge", "reject")


def refine_rule(given: RefineInput, _tools: Sequence[Tool]) -> ChangesOutput:
    """Follow the remarks that the rules understand; `not_done` lists the others."""
    sheet = WorkingProposal(given.concepts, given.quotes, given.relations)
    changes: dict[ProposalChange, None] = {}
    left: list[str] = []
    for remark in given.remarks:
        asked = _followed(remark, sheet)
        changes.update(dict.fromkeys(asked))
        if not asked and sheet.gone.isdisjoint(remark.concepts):
            left.append(remark.message)
    in_turn = tuple(sorted(changes, key=lambda change: _ACTION_ORDER.index(change.action)))
    return ChangesOutput(changes=in_turn, not_done=f"The rules cannot fix this: {' '.join(left)}" if left else "")


def _followed(remark: Remark, sheet: WorkingProposal) -> tuple[ProposalChange, ...]:
    """The changes that a remark asks for, unless one of them touches something else or is uncertain."""
    before = set(sheet.gone), {key: list(quotes) for key, quotes in sheet.carried.items()}
    changes = tuple(change for each in parse_feedback(remark.message, sheet) for change in each.changes)
    if changes and all(_allowed(change, remark, sheet) for change in changes):
        return changes
    sheet.gone, sheet.carried = before
    return ()


def _allowed(change: ProposalChange, remark: Remark, sheet: WorkingProposal) -> bool:
    touched = {change.concept, *change.others} | ({change.target} & sheet.ideas.keys())
    named = set(remark.concepts) or touched
    return change.action in _ACTION_ORDER and touched & sheet.ideas.keys() <= named and _certain(change, sheet)


def _certain(change: ProposalChange, sheet: WorkingProposal) -> bool:
    """Whether each part of a split has a quote about it; any other change is certain."""
    return all(any(mentions(sheet.texts[key], part.title) for key in part.quotes) for part in change.parts)


def judging_rules() -> dict[str, Rule]:
    """The rules that judge a proposal and act on judgements."""
    return {
        CRITIQUE.name: critique_rule,
        REFINE.name: refine_rule,
        FEEDBACK.name: feedback_rule,
        QUERIES.name: queries_rule,
        RELATE.name: relate_rule,
    }


def critique_rule(_given: CritiqueInput, _tools: Sequence[Tool]) -> Critique:
    """All six points pass: code checks them for every model, and the rules add nothing."""
    return Critique(points=tuple(ChecklistPoint(name=name, passes=True) for name in POINTS))


def rules(embed: Embed) -> dict[str, Rule]:
    """The rules of this feature; `embed` gives texts as vectors, where there is an embedder."""
    return {
        SUMMARIZE.name: summarize_rule,
        AUTHOR.name: author_rule,
        EXTRACT.name: _in_thread(extract_rule(embed)),
        DUPLICATES.name: _in_thread(duplicates_rule(embed)),
        **judging_rules(),
    }


def _in_thread(rule: Rule) -> Rule:
    """The rule in a thread of its own, since it embeds texts and looks them up in the database."""

    async def answer(given: BaseModel, tools: Sequence[Tool]) -> Any:
        return await asyncio.to_thread(rule, given, tools)

    return answer
