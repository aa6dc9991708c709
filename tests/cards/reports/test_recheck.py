"""`studium cards recheck`: cards that stand in Anki and should be looked at."""

import json
from pathlib import Path
from shutil import copytree

import pytest
import yaml
from tests.cards.reports.collection import note_saying
from tests.real.ankiconnect import AnkiConnectServer
from tests.run_cli import studium

from studium.cards.card_faults import html_to_markdown
from studium.testing import Reply, WireServer

OSPF = """\
    # OSPF

    ## Flooding

    Q: What does an OSPF router flood to its neighbours?
    A: Link-state advertisements, which describe its links and their costs.

    Q: How many areas does a small OSPF network need?
    A: One, the backbone area 0.
    """
BGP = "Q: Which port does BGP use?\nA: TCP port 179, as [[ospf#Flooding]] uses none.\n"


@pytest.fixture
def synced(write, sync):
    """Three cards of two notes, in Anki."""
    write("ospf.md", OSPF)
    write("bgp.md", BGP)
    assert sync().json["counts"]["create"] == 3


def faults(ended) -> set[tuple[str, str, int | None]]:
    return {
        (finding["code"].removeprefix("card."), finding["where"]["path"], finding["where"]["line"])
        for card in ended.json["faults"]
        for finding in card["findings"]
    }


@pytest.mark.usefixtures("synced")
def test_sound_cards_have_no_faults_and_are_not_touched(recheck, anki):
    with anki() as opened:
        before = opened.db.all("select id, mod, flds, tags from notes")
    ended = recheck("--to-review")
    assert (ended.json["cards"], ended.json["faults"], ended.json["counts"]) == (3, [], {})
    with anki() as opened:
        assert opened.db.all("select id, mod, flds, tags from notes") == before


def test_real_notes_just_written_have_no_faults(vault, sync, recheck):
    copytree(Path(__file__).parents[1] / "sample_notes", vault, dirs_exist_ok=True)
    made = sync()
    ended = recheck()
    assert ended.json["cards"] == made.json["counts"]["create"] > 10
    assert ended.json["faults"] == []


@pytest.mark.usefixtures("synced")
def test_a_note_that_changed_or_went_leaves_stale_cards(write, vault, recheck):
    write("ospf.md", OSPF.replace("One, the backbone", "At least one, the backbone"))
    (vault / "bgp.md").unlink()
    assert faults(recheck()) == {("source_changed", "ospf.md", 8), ("source_gone", "bgp.md", None)}


@pytest.mark.usefixtures("synced")
def test_a_note_that_cannot_be_read_or_is_ignored_is_not_taken_for_gone(vault, collection, recheck):
    (vault / "bgp.md").write_bytes(b"Q: Caf\xe9?")
    [card] = recheck().json["faults"]
    assert card["findings"][0]["code"] == "file.encoding"
    ended = studium("--set", "cards.ignore=[bgp.md]", "cards", "recheck", vault, "--to", collection, "--json")
    assert (ended.code, ended.json["faults"]) == (0, [])


@pytest.mark.usefixtures("synced")
def test_a_card_that_was_suspended_because_its_note_is_gone_is_not_reported_again(vault, sync, recheck):
    (vault / "bgp.md").unlink()
    sync()
    assert faults(recheck()) == set()


@pytest.mark.usefixtures("synced")
def test_a_card_deleted_in_anki_is_reported(anki, recheck):
    with anki() as opened:
        opened.remove_notes([note_saying(opened, "Which port").id])
    assert faults(recheck()) == {("gone_from_anki", "bgp.md", 1)}


@pytest.mark.usefixtures("synced")
def test_links_whose_heading_or_note_is_gone_are_dead(write, vault, recheck):
    write("ospf.md", OSPF.replace("## Flooding", "## Spreading"))
    assert faults(recheck()) == {("dead_link", "bgp.md", 1), ("dead_link", "ospf.md", 5), ("dead_link", "ospf.md", 8)}
    (vault / "ospf.md").rename(vault / "routing.md")
    found = [finding for card in recheck().json["faults"] for finding in card["findings"]]
    assert "Its link to “ospf” is broken: the note was moved, renamed or removed." in {f["message"] for f in found}


def test_media_that_was_not_there_is_missing(write, sync, recheck):
    write("map.md", "Q: What does the map show of the backbone?\nA: The backbone ![[area 0.png]] and its routers.\n")
    sync()
    [card] = recheck().json["faults"]
    assert card["findings"][0]["code"] == "card.media_missing"
    assert card["findings"][0]["message"].startswith("area 0.png is missing.")


@pytest.mark.usefixtures("synced")
def test_leeches_are_found_by_their_tag_and_by_their_lapses(anki, recheck):
    with anki() as opened:
        tagged = note_saying(opened, "Which port")
        tagged.tags.append("leech")
        opened.update_note(tagged)
        card = note_saying(opened, "How many areas").cards()[0]
        card.lapses = 8
        opened.update_card(card)
    assert faults(recheck()) == {("leech", "bgp.md", 1), ("leech", "ospf.md", 8)}


@pytest.mark.usefixtures("synced")
def test_an_edit_in_anki_is_reported_and_judged(edit, recheck):
    edit("Which port", Back="TCP port 179, as <b>nothing</b> else uses.")
    edit("How many areas", Back="Seventeen hundred bananas, painted green on Tuesdays.")
    ended = recheck()
    assert ("edited_in_anki", "bgp.md", 1) in faults(ended)
    assert {("edited_in_anki", "ospf.md", 8), ("low_quality", "ospf.md", 8)} <= faults(ended)
    assert ended.json["faults"][0]["note"] == "ospf.md", "the worst comes first"


@pytest.mark.usefixtures("synced")
def test_what_only_ankis_editor_changes_is_no_edit(edit, recheck):
    edit("Which port", Front="<div>Which port does&nbsp;BGP use?</div>")
    assert faults(recheck()) == set()


def test_two_cards_that_ask_the_same_are_doubled(write, sync, recheck):
    write("a.md", "Q: Which port does BGP use?\nA: TCP port 179.\n")
    write("b.md", "# BGP\n\nQ: *Which* port does `BGP` use?\nA: It uses port 179 of TCP.\n")
    sync()
    [card] = recheck().json["faults"]
    assert card["findings"][0]["code"] == "card.duplicate"
    assert "(a.md:1). Keep one of them." in card["findings"][0]["message"]


@pytest.mark.usefixtures("synced")
def test_the_worst_wait_in_the_inbox_and_an_answer_is_not_asked_again(edit, recheck):
    edit("How many areas", Back="TODO")
    assert recheck().json["waiting"] == 0
    assert studium("review", "--json").json == []
    assert recheck("--to-review").json["waiting"] == 1
    [review] = studium("review", "--json").json
    assert review["decision"]["item"].startswith("ospf.md#")
    assert "The answer is only “TODO”." in review["decision"]["reasons"][1]
    assert studium("review", "reject", review["id"]).code == 0
    assert recheck("--to-review").json["waiting"] == 0
    assert studium("review", "--json").json == []


@pytest.mark.usefixtures("synced")
def test_a_remark_leaves_the_card_and_its_neighbours_alone(edit, recheck):
    edit("How many areas", Back="TODO")
    recheck("--to-review")
    [review] = studium("review", "--json").json
    assert studium("review", "respond", review["id"], "--text", "I will look it up.").code == 0
    ended = recheck("--to-review")
    assert (ended.json["written"], len(ended.json["faults"])) == ([], 1)


@pytest.mark.usefixtures("synced")
def test_what_a_person_writes_in_the_inbox_is_written_to_anki_stays_theirs_and_can_be_undone(
    edit, recheck, sync, anki, write
):
    edit("How many areas", Back="TODO")
    recheck("--to-review")
    [review] = studium("review", "--json").json
    better = review["decision"]["proposal"]
    better["fields"]["Back"] = "One: the backbone area 0."
    assert studium("review", "edit", review["id"], "--text", json.dumps(better)).code == 0
    ended = recheck("--to-review")
    assert len(ended.json["written"]) == 1
    with anki() as opened:
        assert note_saying(opened, "How many areas")["Back"] == "One: the backbone area 0."
    write("ospf.md", OSPF + "\nMore.\n")
    sync()
    with anki() as opened:
        assert note_saying(opened, "How many areas")["Back"] == "One: the backbone area 0."
    assert studium("cards", "undo", ended.json["run"]).code == 0
    with anki() as opened:
        assert note_saying(opened, "How many areas")["Back"] == "TODO"


@pytest.mark.usefixtures("synced")
def test_an_answer_given_for_another_state_of_the_card_is_not_written(edit, recheck, anki):
    edit("How many areas", Back="TODO")
    recheck("--to-review")
    [review] = studium("review", "--json").json
    edited = {"fields": review["decision"]["proposal"]["fields"] | {"Back": "One."}}
    assert studium("review", "edit", review["id"], "--text", json.dumps(edited)).code == 0
    edit("How many areas", Back="n/a")
    assert recheck("--to-review").json["waiting"] == 1
    with anki() as opened:
        assert note_saying(opened, "How many areas")["Back"] == "n/a"


def test_a_model_may_judge(vault, collection, tmp_path, write, sync):
    write("bgp.md", BGP.replace("[[ospf#Flooding]]", "nothing else"))
    [made] = sync().json["decisions"]
    issue = {"type": "answer_mismatch", "severity": "medium", "message": "It does not say of which speaker."}
    judged = {"card_id": made["id"], "report": {"qa_score": 0.4, "issues": [issue], "auto_fixed": []}}
    with WireServer(lambda _request: Reply(json.dumps({"cards": [judged]}))) as server:
        config = tmp_path / "studium.yaml"
        models = {"openai:judge": {"base_url": f"{server.address}/v1"}}
        config.write_text(yaml.safe_dump({"roles": {"cards": {"qa": "openai:judge"}}, "models": models}))
        ended = studium("--config", config, "cards", "recheck", vault, "--to", collection, "--json")
    assert ended.code == 0, ended.err
    [card] = ended.json["faults"]
    assert (card["score"], card["findings"][0]["code"]) == (0.4, "card.low_quality")
    assert card["findings"][0]["message"] == "It does not say of which speaker. Its score is 0.4."
    [skill] = studium("runs", "show", ended.json["run"], "--json").json["metrics"]["skills"]
    assert (skill["skill"], skill["spent"]["calls"]) == ("cards.qa", 1)


def test_anki_itself_is_rechecked_through_ankiconnect(vault, write, tmp_path):
    write("bgp.md", "Q: Which port does BGP use?\nA: TCP port 179.\n")
    with AnkiConnectServer(tmp_path / "anki") as anki:
        cards = ("--set", f"cards.anki_address={anki.address}", "cards")
        assert studium(*cards, "sync", vault).code == 0
        note = note_saying(anki.collection, "Which port")
        note["Back"] = "TODO"
        note.tags.append("leech")
        anki.collection.update_note(note)
        ended = studium(*cards, "recheck", vault)
    assert ended.code == 0, ended.err
    for words in ("low_quality", "leech", "edited_in_anki", "bgp.md:1", "1 cards: "):
        assert words in ended.out


def test_a_package_cannot_be_rechecked(vault, tmp_path, write):
    write("bgp.md", BGP)
    ended = studium("cards", "recheck", vault, "--to", tmp_path / "cards.apkg")
    assert (ended.code, "A package cannot be rechecked." in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("Plain", "Plain"),
        ("<p>One\n line</p><p>two</p>", "One line\n\ntwo"),
        ("<ul>\n<li>a</li>\n<li><b>b</b></li>\n</ul>", "- a\n- **b**"),
        ("a<br>b", "a\nb"),
        (
            '<pre><code class="language-py"><span class="k">def</span> f():\n    pass\n</code></pre>',
            "```\ndef f():\n    pass\n\n```",
        ),
        (r"\(a &lt; b\) and \[c\]", "$a < b$ and $$c$$"),
        ("one<hr>two", "one\n\n---\n\ntwo"),
        ("{{c1::<i>hidden</i>}} text", "{{c1::hidden}} text"),
        ("<code>x &amp; y</code>&nbsp;z", "`x & y` z"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "| a | b\n| 1 | 2"),
        ('<img src="a.png">[sound:b.mp3]text', "text"),
    ],
)
def test_a_field_reads_back_as_markdown(html, markdown):
    assert html_to_markdown(html) == markdown
