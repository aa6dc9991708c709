"""From a book's quotes to concepts in the graph, in three phases.

Phase 1  check_content_processed → load_content_quotes → extract_candidate_concepts → detect_duplicates_all
         → generate_relation_queries → search_relation_candidates → create_relations_all
         → self_critique ⇄ refine_extraction
Phase 2  → present_for_review (a person answers) ⇄ incorporate_feedback
Phase 3  → create_concepts_db → create_relations_db → create_supports_relations → create_obsidian_files
         → update_processed_date → END
"""

from itertools import pairwise
from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.concepts.dependencies import ConceptPolicy, Dependencies
from studium.concepts.nodes.critique import CritiqueNodes
from studium.concepts.nodes.extract import ExtractionNodes, RelationNodes
from studium.concepts.nodes.review_and_commit import CommitNodes, ReviewNodes
from studium.concepts.rules.checklist import SameIdea
from studium.concepts.state import ConceptExtractionState

_POLICY = ConceptPolicy()


def start_node(state: ConceptExtractionState) -> Literal["check_content_processed", "present_for_review"]:
    """Start with the quotes, or with the commit if the rounds of review had run out."""
    return "present_for_review" if state.get("phase") == "human_review" else "check_content_processed"


def should_continue_phase1(
    state: ConceptExtractionState, policy: ConceptPolicy = _POLICY
) -> Literal["refine", "human_review", "end"]:
    """Refine until the critic is satisfied, nothing more changes, or the limit of rounds is reached."""
    if state.get("errors"):
        return "end"
    assessment = state.get("quality_assessment")
    content = assessment is not None and assessment.overall_passes
    tried = state.get("phase_1_iteration", 0) >= policy.max_refinements
    return "human_review" if content or tried or state.get("stalled") else "refine"


def should_continue_phase2(
    state: ConceptExtractionState, policy: ConceptPolicy = _POLICY
) -> Literal["incorporate", "commit", "end"]:
    """Commit what was approved; stop after the maximum number of rounds and keep the work."""
    if state.get("errors"):
        return "end"
    if state.get("human_approved"):
        return "commit"
    return "end" if state.get("phase_2_iteration", 0) >= policy.max_reviews else "incorporate"


def create_concept_extract_graph(
    deps: Dependencies, same: SameIdea, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> CompiledStateGraph[ConceptExtractionState, None, ConceptExtractionState, ConceptExtractionState]:
    """The compiled graph for one book; without a checkpointer it can be drawn, but cannot stop for review."""
    extraction, relating = ExtractionNodes(deps), RelationNodes(deps)
    criticism, review, commit = CritiqueNodes(deps, same), ReviewNodes(deps, same), CommitNodes(deps)
    beginning = (
        extraction.check_content_processed,
        extraction.load_content_quotes,
        extraction.extract_candidate_concepts,
        extraction.detect_duplicates_all,
    )
    middle = (
        relating.generate_relation_queries,
        relating.search_relation_candidates,
        relating.create_relations_all,
        criticism.self_critique,
    )
    loops = (criticism.refine_extraction, review.present_for_review, review.incorporate_feedback)
    ending = (
        commit.create_concepts_db,
        commit.create_relations_db,
        commit.create_supports_relations,
        commit.create_obsidian_files,
        commit.update_processed_date,
    )
    graph = StateGraph(ConceptExtractionState)
    for node in (*beginning, *middle, *loops, *ending):
        graph.add_node(node.__name__, node)
    graph.add_conditional_edges(START, start_node)
    for before, after in pairwise(beginning):
        graph.add_conditional_edges(before.__name__, _next_unless_ended(after.__name__), [after.__name__, END])
    for before, after in (*pairwise((beginning[-1], *middle)), *pairwise(ending)):
        graph.add_edge(before.__name__, after.__name__)
    graph.add_conditional_edges(
        "self_critique",
        lambda state: should_continue_phase1(state, deps.policy),
        {"refine": "refine_extraction", "human_review": "present_for_review", "end": END},
    )
    graph.add_edge("refine_extraction", "self_critique")
    graph.add_conditional_edges(
        "present_for_review",
        lambda state: should_continue_phase2(state, deps.policy),
        {"incorporate": "incorporate_feedback", "commit": "create_concepts_db", "end": END},
    )
    graph.add_edge("incorporate_feedback", "present_for_review")
    graph.add_edge("update_processed_date", END)
    return graph.compile(checkpointer=checkpointer, name="concept_extract")


def _next_unless_ended(following: str) -> Any:
    return lambda state: END if state.get("phase") == "end" else following
