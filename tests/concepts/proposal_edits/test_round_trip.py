"""Whatever a person makes of the document, the proposal afterwards is what it says."""

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.concepts.proposal_edits.book import CHANGES, QUOTES, SOME_QUOTES, TITLES, TYPES, proposals, uuid_of

from studium.concepts.domain import RelationType
from studium.concepts.proposal_edits.apply import apply_changes
from studium.concepts.proposal_edits.document import document_changes, proposal_document

READ = dict.fromkeys(QUOTES, "A quote.")
TEXTS = st.sampled_from(["", "Mine.", "Dos líneas:\n- una\n- otra", "no", "# not a comment"])
REASONS = st.sampled_from(["Because.", "Porque sí: así es"])
NEW = st.fixed_dictionaries({"title": TITLES, "concept": TEXTS, "analysis": TEXTS, "quotes": SOME_QUOTES})
REWRITTEN = st.fixed_dictionaries(
    {}, optional={"title": TITLES, "concept": TEXTS, "analysis": TEXTS, "quotes": SOME_QUOTES}
)


def changed(proposal, changes):
    return apply_changes(proposal, changes, quotes=QUOTES, new_uuid=uuid_of)


def through_yaml(document):
    return yaml.safe_load(yaml.safe_dump(document, allow_unicode=True))


def shown(proposal):
    return through_yaml(proposal_document(proposal, READ, {}))


def reasons(relations):
    """What the relations of a document say, from whichever side each is told: the reasoning of each."""
    found = {}
    for each in relations:
        [(name, reasoning)] = each.items() if isinstance(each, dict) else [(each, "")]
        source, kind, target = name.split()
        found.setdefault(min((source, kind, target), (target, RelationType(kind).inverse.value, source)), reasoning)
    return found


@st.composite
def edited(draw, document):
    """The document after a person removed, rewrote and added concepts and relations."""
    concepts = [each | draw(REWRITTEN) for each in document["concepts"] if draw(st.integers(0, 5))]
    stay = [each["key"] for each in concepts]
    concepts = [each | {"quotes": list(each["quotes"])} for each in concepts + draw(st.lists(NEW, max_size=2))]
    relations = []
    for each in document["relations"]:
        match draw(st.sampled_from(["keep", "remove", "explain"])):
            case "keep":
                relations.append(each)
            case "explain":
                relations.append({next(iter(each)) if isinstance(each, dict) else each: draw(REASONS)})
    if len(stay) > 1:
        source, target = draw(st.permutations(stay))[:2]
        relations.append({f"{source} {draw(TYPES).value} {target}": draw(REASONS)})
    return document | {"concepts": concepts, "relations": relations}


@settings(max_examples=60)
@given(proposals(), st.lists(CHANGES, max_size=6))
def test_an_unchanged_document_says_nothing(proposal, before):
    start, _ = changed(proposal, before)
    assert document_changes(start, shown(start)) == ()


@settings(max_examples=60)
@given(proposals(), st.lists(CHANGES, max_size=6), st.data())
def test_the_proposal_becomes_what_the_document_says(proposal, before, data):
    start, _ = changed(proposal, before)
    document = through_yaml(data.draw(edited(shown(start))))
    changes = document_changes(start, document)
    after, findings = changed(start, changes)
    assert findings == ()
    result = shown(after)
    unnamed = [
        {name: value for name, value in each.items() if name != "key" or start.concept(value)}
        for each in result["concepts"]
    ]
    assert unnamed == document["concepts"]
    stay = {each["key"] for each in result["concepts"]} | {"k1"}
    wanted = reasons(document["relations"])
    assert reasons(result["relations"]) == {name: why for name, why in wanted.items() if {name[0], name[2]} <= stay}
    assert document_changes(after, result) == ()
