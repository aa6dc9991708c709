"""`studium cards curriculum`: in which order to learn a vault, and what it lacks."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.run_cli import studium

from studium.cards.curriculum import (
    NoteLink,
    StudyNote,
    body_links,
    build_curriculum,
    frontmatter_links,
    learning_order,
    page_rank,
)

CARD = "Q: What is it?\nA: It is what it is.\n\n"


def told(vault, *flags):
    ended = studium("cards", "curriculum", vault, "--json", *flags)
    assert ended.code == 0, ended.err
    return ended.json


def gaps(vault, code):
    return [gap for gap in told(vault)["gaps"] if gap["code"] == f"curriculum.{code}"]


def test_what_many_notes_link_to_comes_first_and_topics_alternate(vault, write):
    write("subnet.md", "---\ntopic: networking\n---\n" + CARD)
    write("ospf.md", "---\ntopic: networking\nrelated: [subnet]\n---\n" + CARD + "See [[bgp]].\n")
    write("bgp.md", "---\ntopic: networking\n---\n" + CARD + "Needs [the basics](subnet.md).\n")
    write("function.md", "---\ntopic: python\n---\n" + CARD)
    write("generator.md", "---\ntopic: python\n---\n" + CARD + "A [[function]] that yields.\n")
    write("decorator.md", "---\ntopic: python\n---\n" + CARD + "Wraps a [[function|callable]].\n")
    order = told(vault)["order"]
    assert [lesson["note"] for lesson in order] == [
        "function.md",
        "subnet.md",
        "bgp.md",
        "decorator.md",
        "generator.md",
        "ospf.md",
    ]
    assert [lesson["linked_from"] for lesson in order] == [2, 2, 1, 0, 0, 0]
    assert order[0]["centrality"] > 1 > order[-1]["centrality"]


def test_a_note_waits_for_the_more_central_notes_it_links_to_even_across_topics():
    links = {"a1": ["b2"], "a2": [], "b1": [], "b2": [], "x": ["b2"], "y": ["b2", "a2"]}
    order = list(learning_order(links, page_rank(links), dict.fromkeys(links, "t") | {"a1": "a", "a2": "a"}))
    assert order.index("b2") < order.index("a1")
    assert order.index("b2") < order.index("y")


NAMES = st.sampled_from([f"n{number}" for number in range(12)])


@given(st.dictionaries(NAMES, st.tuples(st.sets(NAMES), st.sampled_from("abc")), min_size=1))
def test_every_note_comes_once_and_after_what_it_rests_on(vault_of):
    links = {name: sorted((others & vault_of.keys()) - {name}) for name, (others, _) in vault_of.items()}
    ranks = page_rank(links)
    order = list(learning_order(links, ranks, {name: topic for name, (_, topic) in vault_of.items()}))
    assert sorted(order) == sorted(links)
    assert sum(ranks.values()) == pytest.approx(len(links), rel=1e-3)
    place = {name: at for at, name in enumerate(order)}
    for name, others in links.items():
        assert all(place[other] < place[name] for other in others if ranks[other] > ranks[name])


def test_links_in_code_comments_and_addresses_are_none():
    text = """\
See [[Sub net#Mask|masks]], [OSPF](../net/ospf%20areas.md#cost) and [BGP](<border gateway.md> "title").
`[[not this]]`, [web](https://example.org/a.md), [[#here]], <!-- [[nor this]] -->
```
[[nor that]]
```
![[drawing.png]] and [a](b.md)[c](d.md)
"""
    assert [(link.target, link.line) for link in body_links(text)] == [
        ("Sub net", 1),
        ("../net/ospf areas.md", 1),
        ("border gateway.md", 1),
        ("drawing.png", 6),
        ("b.md", 6),
        ("d.md", 6),
    ]


@pytest.mark.parametrize(
    "written", ["a, b", ["a", "b"], ["[[a]]", "[[b|the b]]"], [["a"], ["b"]], "[[a]]", None, 5, {"a": "b"}]
)
def test_the_frontmatter_names_notes_in_every_way_people_write_lists(written):
    found = [link.target for link in frontmatter_links({"related": written, "moc": "map"})]
    expected = {"[[a]]": ["a"], "None": [], "5": [], "{'a': 'b'}": []}.get(str(written), ["a", "b"])
    assert found == [*expected, "map"]


def test_a_note_that_others_link_to_but_nobody_wrote_is_a_gap_with_file_and_line(vault, write):
    for name in ("a", "b", "c"):
        write(f"{name}.md", CARD + "Rests on [[Dijkstra]].\n")
    write("d.md", CARD + "A picture: ![[missing.png]], the web, and [[once]], [[../../etc/passwd]].\n")
    hub, once = gaps(vault, "missing_note")
    assert hub["message"] == "3 notes link to “Dijkstra”, which does not exist."
    assert (hub["where"]["path"], hub["where"]["line"], hub["severity"]) == ("a.md", 4, "warning")
    assert (once["message"], once["severity"]) == ("This note links to “once”, which does not exist.", "info")


def test_linked_notes_without_cards_are_gaps_but_maps_of_content_are_not(vault, write):
    write("hub.md", "A concept.\n")
    write("moc-net.md", "- [[a]]\n- [[b]]\n")
    for name in ("a", "b", "c"):
        write(f"{name}.md", f"---\nmoc: moc-net\n---\n{CARD}See [[hub]].\n")
    write("side.md", "Only points to [[a]].\n")
    write("alone.md", "Nothing links here.\n")
    assert [gap["where"]["path"] for gap in gaps(vault, "hub_without_cards")] == ["hub.md"]
    assert [gap["where"]["path"] for gap in gaps(vault, "no_cards")] == ["side.md"]


def test_topics_with_few_or_no_cards_are_gaps(vault, write):
    write("a.md", "---\ntopic: Routing\nsubtopics: [ospf, areas]\ntags: [exam]\n---\n" + CARD)
    for name in ("b", "c"):
        write(f"{name}.md", "---\ntopic: routing\nsubtopics: [areas]\ntags: [exam]\n---\nNo card.\n")
        write(f"{name}2.md", "---\ntopic: switching\n---\nNo card.\n")
    found = {gap["message"]: gap["severity"] for gap in gaps(vault, "thin_topic")}
    assert found == {
        "The topic “switching” has no cards in 2 notes.": "warning",
        "The topic “Routing” has 1 card in 3 notes.": "info",
        "The topic “areas” has 1 card in 3 notes.": "info",
        "The topic “exam” has 1 card in 3 notes.": "info",
    }
    assert {topic["name"]: (topic["notes"], topic["cards"]) for topic in told(vault)["topics"]}["Routing"] == (3, 1)


def test_the_table_shows_as_many_notes_as_wanted(vault, write):
    for name in "abc":
        write(f"{name}.md", CARD + "[[nowhere]]\n")
    ended = studium("cards", "curriculum", vault, "--limit", "2")
    assert "… and 1 more; --json shows all." in ended.out
    assert "3 notes, 0 topics, 1 gaps." in ended.out
    assert len(told(vault, "--limit", "2")["order"]) == 2
    assert told(vault)["notes"] == 3


def test_a_vault_without_a_readable_note_has_an_empty_curriculum(vault, write):
    write("empty.md", "")
    assert told(vault)["order"] == []


def test_a_missing_vault_is_bad_input(tmp_path):
    ended = studium("cards", "curriculum", tmp_path / "nowhere")
    assert (ended.code, "nowhere is not a folder" in ended.err) == (2, True)


def test_five_thousand_notes_are_ordered_within_two_seconds():
    notes = []
    for number in range(5000):
        others = [f"n{(number * step) % 5000}.md" for step in (3, 7, 11, 17, 23, 31, 43, 59)]
        links = {other: NoteLink(other, 5) for other in others}
        frontmatter = {"topic": f"t{number % 40}", "subtopics": [f"s{number % 300}"]}
        notes.append(StudyNote(f"n{number}.md", frontmatter, ("exam",), links, [NoteLink(f"gap{number}")], number % 4))
    start = process_time()
    made = build_curriculum(notes)
    assert process_time() - start < 2
    assert len(made.order) == 5000
