"""The names that are promised to users: whatever moves inside, what they import, send, set and type stays."""

import json
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import get_type_hints, is_typeddict

import typer
from pydantic import TypeAdapter

from studium.app.graphs import graphs_to_draw
from studium.cards.obsidian_anki_sync import app as obsidian_anki_sync
from studium.cli.app import app as studium
from studium.concepts import should_continue_phase1, should_continue_phase2
from studium.concepts.dependencies import ConceptPolicy
from studium.concepts.graph_store import cypher
from studium.core.config import Settings, load_settings
from studium.core.features import all_features
from studium.http.app import create_app
from studium.questions.document_tools import document_tools
from studium.tutor import get_default_detector, graph, knowledge, skills
from studium.tutor.tools import lab_tools
from studium.vocabulary.graph import MAX_LYRICS_WORDS, MAX_WORDS, MIN_WORDS, AgentTools

ROOT = Path(__file__).parents[1]

# What can be imported from a feature; after the colon the fields or methods of a class.
PYTHON = {
    "cards": """
        NoteContext: slug note_path frontmatter sections existing_anki_note config_profile from_parsed_note
        ProposedCard: card_type model_name deck_name fields tags language bilingual_mode confidence notes
        QAReport: qa_score issues auto_fixed
        SchemaValidationResult: valid errors warnings
        CardDiffResult: changes should_update risk_level
        CardDecision: action proposed_card qa_report schema_validation diff messages
        map_to_anki_fields
        validate_anki_schema
        polish_card_style
        qa_check_card
        compare_cards
        create_card_graph
    """,
    "questions": """
        CorpusConfig: name corpus_context scenarios
        Scenario: name description
        QAPair: question answer source_document category content_refs evidence generation_metadata
        RejectedQA: question answer rejection_reason rejection_detail duplicate_of
        RejectionReason
        GenerationStats: document_path mode target_count accepted_count rejected_count total_attempts exhausted
        GenerationStats: validation_pass_rate dedup_rejection_rate rejection_reasons
        GenerationResult: accepted rejected stats
        CorpusGenerationResult: corpus_name corpus_path scenario mode questions timestamp
        DocumentExhaustedError
    """,
    "vocabulary": """
        Part: kanji romaji
        VocabularyItem: kanji romaji english parts
        VocabularyResponse: vocabulary
        SongRequest: song artist lyrics count
    """,
    "concepts": """
        State: file_path author title file_content book parsed_author quotes sections summary summary_short
        ConceptExtractionState: content_uuid content quotes phase iteration_count phase_1_iteration phase_2_iteration
        ConceptExtractionState: candidate_concepts duplicate_detections novel_concepts existing_concepts_with_quotes
        ConceptExtractionState: relations quality_assessment critique_log human_feedback human_approved errors warnings
        Content: uuid name title author summary summary_short category status processed_date
        Quote: uuid text section page_reference created_at
        Concept: uuid name title concept analysis summary summary_short source
        Person: uuid name occupation summary summary_short
        RelationType
        should_continue_phase1
        should_continue_phase2
    """,
    "tutor": """
        NetworkingLabTutor: start_lab ask ask_stream
        TutoringState: student_question cli_history cli_diagnoses conversation_history current_lab lab_instructions
        TutoringState: intent tutoring_strategy mastery_level retrieved_docs feedback_message
        create_tutoring_graph
        get_default_detector
        ErrorDetector: detect
        PatternRegistry
        BaseErrorPattern
        FuzzyErrorPattern
    """,
}
VALUES = {
    "cards:ProposedCard": "Basic Cloze Custom",
    "cards:QAReport": "answer_mismatch front_leaks_answer language_mismatch style_issue",
    "cards:CardDiffResult": "cosmetic content structural",
    "cards:CardDecision": "create update skip manual_review",
    "questions:QAPair": "textual visual generator_model validator_model attempt_number",
    "questions:RejectionReason": "validation_failed duplicate unanswerable wrong_answer ambiguous trivial",
    "concepts:RelationType": """GENERALIZES SPECIFIC_OF PART_OF HAS_PART OPPOSES SIMILAR_TO RELATES_TO
        SUPPORTS SUPPORTED_BY""",
    "concepts:ConceptExtractionState": "extraction human_review commit end",
    "tutor:TutoringState": "teaching troubleshooting ambiguous socratic direct hint challenge",
}
NODES = """
    cards: map_to_anki_fields validate_anki_schema polish_card_style qa_check_card compare_cards
    questions: generate_node dedupe_node validate_node accept_node reject_node check_exit_node
    vocabulary: run_agent
    quote_parse: read_file make_summary parse_quotes get_or_create_author write_to_db
    concept_extract: check_content_processed load_content_quotes extract_candidate_concepts detect_duplicates_all
    concept_extract: generate_relation_queries search_relation_candidates create_relations_all
    concept_extract: self_critique refine_extraction present_for_review incorporate_feedback
    concept_extract: create_concepts_db create_relations_db create_supports_relations create_obsidian_files
    concept_extract: update_processed_date
    tutor: intent_router_node teaching_retrieval_node teaching_feedback_node
    tutor: retrieval_node feedback_node paraphrasing_node
"""
# What the state of a graph holds, besides what the states above do.
STATES = """
    questions: document_path corpus_config scenario_name mode target_count accepted_questions rejected_questions
    questions: current_candidate consecutive_failures previous_viewed_pages messages
    vocabulary: lyrics vocabulary errors
"""
# What a model may call, and what it says then.
TOOLS = {
    "read_lines": "start_line end_line",
    "search": "pattern context_lines",
    "view_page": "page_number",
    "list_visual_content": "",
    "submit_qa": "question answer",
    "report_exhausted": "reason",
    "get_lyrics": "song artist",
    "extract_vocabulary": "lyrics",
    "return_vocabulary": "vocabulary",
    "get_device_running_config": "device_name",
}
# Under /api/v1; after the colon what follows the path.
HTTP = """
    POST /vocab-generator
    GET /cache
    DELETE /cache
    GET /vocabulary: sound
    POST /vocabulary: song package prepare
    GET /cards: status curriculum report
    POST /cards: plan sync apply watch undo adopt rebuild recheck tidy
    GET /questions: estimate runs/{run} runs/{run}/pages/{page} runs/{run}/pages/{page}/marks
    POST /questions: generate export
    GET /concepts
    GET /concepts: {concept} books search quotes stats audit map waiting/{book}
    POST /concepts: parse extract answer publish undo export import
    POST /tutor: ask chat diagnose break check documents patterns prepare up down reset restart
    GET /labs
    GET /labs: {lab} {lab}/state {lab}/quiz
    POST /labs: {lab}/quiz {lab}/devices/{device}/commands
    GET /jobs
    GET /jobs: {job} {job}/events {job}/files/{name}
    POST /jobs: {job}/cancel {job}/resume
    GET /reviews
    GET /reviews: counts {review} {review}/changes
    POST /reviews: answers {review}/answer {review}/reopen
    GET /runs
    GET /runs: {run} {run}/decisions {run}/metrics
    GET /uploads
    GET /uploads: {upload}
    POST /uploads
    DELETE /uploads: {upload}
    GET /: health doctor graphs kinds metrics
    POST /demo: fill forget
"""
HTTP_FIELDS = {
    "SongRequest": "song artist lyrics count",
    "VocabularyResponse": "vocabulary",
    "VocabularyItem": "kanji romaji english parts",
    "Part": "kanji romaji",
    "Problem": "error",
}
# These load, and are what holds where nothing is set (but for the model's name).
SETTINGS = """
agents:
  enabled: true
  provider: "langchain"
  max_mapping_retries: 2
  min_qa_score: 0.8
  allow_auto_fix: true
  allow_content_updates: true
  max_llm_calls_per_card: 8
  model:
    name: "qwen-14b-instruct"
    temperature: 0.2
    max_tokens: 1024
  bilingual:
    mode: "front_back"
  style:
    enforce_short_front: true
    max_front_chars: 200
    max_back_chars: 1200
"""
COMMANDS = """
    cards: plan sync apply watch undo status adopt rebuild-state tidy-media curriculum recheck report
    questions: generate corpus show export
    vocab: song text cache
    concepts: parse extract review search show stats audit vault undo graph
    concepts graph: export import map
    tutor: ask chat console diagnose quiz fault docs patterns lab
    tutor docs: add
    tutor patterns: learn
    tutor lab: list up down reset restart check
    review: list show approve edit reject respond reopen
    runs: list show
    serve
    mcp
    demo
    doctor
    graphs
"""
ERROR_TYPES = ("TYPO_IN_COMMAND", "WRONG_MODE", "CIDR_NOT_SUPPORTED")
NEO4J = "quote_embeddings_index concept_embeddings_index QUOTED_IN AUTHORED_BY SUPPORTS partition LEXICAL DOMAIN"


def lines(table):
    """The lines of a table, each as what stands before the colon and the words after it."""
    parts = (line.partition(":") for line in table.split("\n") if line.strip())
    return [(name.strip(), words.split()) for name, _, words in parts]


def find(feature, name):
    return getattr(import_module(f"studium.{feature}"), name, None)


def names_of(found):
    """The fields and methods of a class."""
    return {*dir(found), *getattr(found, "__annotations__", ()), *getattr(found, "model_fields", ())}


def test_every_python_name_is_in_its_feature():
    missing = []
    for feature, table in PYTHON.items():
        for name, inner in lines(table):
            found = find(feature, name)
            lacking = [each for each in inner if each not in names_of(found)] if found else ["itself"]
            missing += [f"studium.{feature}.{name}: {each}" for each in lacking]
    assert missing == []


def test_every_value_is_allowed():
    missing = []
    for place, values in VALUES.items():
        found = find(*place.split(":"))
        told = repr(get_type_hints(found)) if is_typeddict(found) else repr(TypeAdapter(found).json_schema())
        missing += [f"{place}: {value}" for value in values.split() if f"'{value}'" not in told]
    assert missing == []


def test_every_graph_has_its_nodes_and_its_state():
    graphs = graphs_to_draw()
    missing = [(name, node) for name, nodes in lines(NODES) for node in nodes if node not in graphs[name].nodes]
    missing += [(name, key) for name, keys in lines(STATES) for key in keys if key not in graphs[name].channels]
    assert missing == []
    assert json.loads((ROOT / "langgraph.json").read_text())["graphs"].keys() == {name for name, _ in lines(NODES)}


def test_every_tool_has_its_name_and_its_arguments():
    bench = AgentTools(None, None, count=5)
    final = [tool for feature in all_features() for skill in feature.skills.load() for tool in skill.final_tools]
    tools = [*document_tools(None, "visual"), *bench.tools(), *lab_tools(None), *final]
    taken = {tool.name: names_of(getattr(tool, "arguments", None) or tool.output) for tool in tools}
    assert {name: words for name, words in TOOLS.items() if not set(words.split()) <= taken.get(name, set())} == {}


def test_every_address_is_described():
    app = create_app(Settings())
    described = app.openapi()
    there = {f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods}
    promised = {
        f"{method} " + "/".join(filter(None, ("/api/v1" + path.rstrip("/"), word)))
        for place, words in lines(HTTP)
        for method, path in [place.split()]
        for word in words or [""]
    }
    assert promised - there == set()
    schemas = {name: found.get("properties", {}) for name, found in described["components"]["schemas"].items()}
    assert [
        (name, word) for name, words in HTTP_FIELDS.items() for word in words.split() if word not in schemas[name]
    ] == []
    assert {"/docs", "/redoc"} <= {getattr(route, "path", "") for route in app.routes}


def test_the_settings_load_and_are_the_defaults(tmp_path):
    (config := tmp_path / "agents.yaml").write_text(SETTINGS)
    loaded, default = load_settings(config).agents.model_dump(), Settings().agents.model_dump()
    assert loaded["model"].pop("name") == "qwen-14b-instruct"
    assert default["model"].pop("name") is None
    assert loaded == default


def test_every_command_is_there():
    def command(path):
        found = typer.main.get_command(studium)
        for name in path.split():
            found = found.get_command(None, name) if found else None
        return found

    promised = [f"{group} {name}".strip() for group, names in lines(COMMANDS) for name in names or [""]]
    assert [path for path in promised if command(path) is None] == []


def test_the_earlier_command_has_its_flags():
    sync = typer.main.get_command(obsidian_anki_sync).get_command(None, "sync")
    flags = {flag for parameter in sync.params for flag in parameter.opts}
    assert {"--use-langchain-agents", "--agents-config", "--dry-run"} <= flags


def test_the_error_detector_says_what_it_found():
    found = get_default_detector().detect(
        "hostnane R1", "         ^\n% Invalid input detected at '^' marker.", "R0(config)#"
    )
    assert (found.error_type, bool(found.diagnosis), bool(found.fix)) == ("TYPO_IN_COMMAND", True, True)
    assert {"pattern_id", "fuzzy_match_info"} <= found.metadata.keys()
    patterns = files("studium.tutor.error_detection") / "patterns"
    assert (patterns / "generated").is_dir()
    assert all(f'"{name}"' in (patterns / "hardcoded.json").read_text() for name in ERROR_TYPES)


def test_the_names_in_a_graph_database():
    statements = json.dumps([str(value) for value in vars(cypher).values()])
    assert [name for name in NEO4J.split() if name not in statements] == []


def test_the_limits():
    policy = ConceptPolicy()
    assert (policy.max_refinements, policy.max_reviews, policy.most_similar) == (10, 20, 50)
    assert should_continue_phase1({"phase_1_iteration": 10}) == "human_review"
    assert should_continue_phase2({"phase_2_iteration": 20}) == "end"
    assert Settings().concepts.neo4j.dimensions == 1024
    assert (MIN_WORDS, MAX_WORDS, MAX_LYRICS_WORDS) == (5, 400, 400)
    assert (knowledge.TEACHING_K, knowledge.TROUBLESHOOTING_K) == (3, 12)
    assert (graph.RECENT, skills.MAX_TOOL_ROUNDS) == (5, 3)
