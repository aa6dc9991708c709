"""The values of cards: the same in JSON and back, the same for the same note."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cards.pipeline import NOTES, Pipeline, read

from studium import cards
from studium.cards.models import CardDecision, CardDiffResult, FieldChange, NoteContext
from studium.cards.state import CardPolicy

GOLDEN = Path(__file__).parent / "golden"


def test_a_missing_name_raises_as_usual():
    with pytest.raises(AttributeError, match="no attribute 'map_to_mars'"):
        _ = cards.map_to_mars


def test_importing_the_feature_loads_no_graph_library():
    code = "import sys, studium.cards; sys.exit('langgraph' in sys.modules or 'pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, env={**os.environ}).returncode == 0


def test_a_note_is_the_same_after_a_journey_through_json(tmp_path):
    note, _ = read(tmp_path, "---\ntopic: x\n---\n# Heading\n\nQ: Why?\nA: So.\n")
    assert NoteContext.model_validate_json(note.model_dump_json()) == note
    assert set(json.loads(note.model_dump_json())) == {
        "slug",
        "note_path",
        "frontmatter",
        "sections",
        "qa_pairs",
        "existing_anki_note",
        "config_profile",
    }


async def test_a_decision_is_the_same_after_a_journey_through_json(pipeline):
    decision = (await pipeline.card("Which port does SSH use? :: 22\n")).decision
    change = FieldChange(field="Back", old="21", new="22", severity="content")
    full = decision.model_copy(update={"diff": CardDiffResult(changes=(change,), should_update=True)})
    assert CardDecision.model_validate_json(full.model_dump_json()) == full


GOLDEN_NOTES = {
    "q-tcp-handshake": CardPolicy(),
    "q-coroutine-vs-thread": CardPolicy(bilingual="separate_cards"),
    "q-dns-resolution": CardPolicy(),
    "q-git-rebase-merge": CardPolicy(card_per_section=True),
    "python-decorators": CardPolicy(polish=True),
}


@pytest.mark.parametrize("name", GOLDEN_NOTES)
async def test_the_same_note_gives_the_same_decisions(tmp_path, name):
    """`GOLDEN=write` writes them anew, to be read by a person before they are kept."""
    decided = await Pipeline(tmp_path, GOLDEN_NOTES[name]).cards((NOTES / f"{name}.md").read_text())
    found = [{"card_id": card.card_id, **card.decision.model_dump(mode="json")} for card in decided]
    golden = GOLDEN / f"{name}.json"
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    assert found == json.loads(golden.read_text())
