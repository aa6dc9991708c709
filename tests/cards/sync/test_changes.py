"""Changes to Anki as plans and the database store them."""

from studium.cards.sync.changes import AnkiChange, as_versions
from studium.core.domain.decision import Decision

STORED = {
    "item": "net/ospf.md#c1",
    "action": "create",
    "order": {
        "card_id": "c1",
        "kind": "create",
        "note": "net/ospf.md",
        "line": 3,
        "base": {
            "fields": {"Front": "What does OSPF flood?"},
            "about": {
                "note_type": "Studium Basic",
                "deck": "Net",
                "tags": ["routing"],
                "path": "net/ospf.md",
                "order": 2,
                "wanted_key": "k1",
                "media": [{"name": "studium-1.png", "path": "/vault/1.png"}],
                "anki_id": None,
                "derived": True,
                "of_a_later_version": 1,
            },
        },
    },
}


def test_a_plan_that_was_stored_under_the_earlier_names_still_loads():
    decision = Decision.model_validate(STORED)
    change = AnkiChange.of(decision)
    assert change is not None
    assert change.base is not None
    assert (change.card_id, change.line, change.all_fields) == ("c1", 3, {"Front": "What does OSPF flood?"})
    about = change.base.about
    assert (about.spec_key, about.deck, about.tags, about.order, about.derived) == ("k1", "Net", ("routing",), 2, True)
    assert [file.name for file in about.media] == ["studium-1.png"]


def test_a_change_survives_being_stored():
    change = AnkiChange.of(Decision.model_validate(STORED))
    assert change is not None
    again = AnkiChange.of(
        Decision.model_validate_json(Decision(item="n#c1", action="create", change=change.to_json()).model_dump_json())
    )
    assert again == change


def test_what_is_remembered_of_a_card_holds_no_defaults():
    change = AnkiChange.of(Decision.model_validate(STORED))
    assert change is not None
    version = as_versions(change.published_version(17))["c1"]
    assert version.about["anki_id"] == 17
    assert version.about["spec_key"] == "k1"
    assert "retired" not in version.about
