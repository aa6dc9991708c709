"""Models that misbehave: what is wrong is dropped and reported, the rest stays, and a person decides."""

import json

import pytest
from tests.concepts.models.model import AFFAIRS, PRICE, WEALTH, Asked, Model, objecting

from studium.testing import Fault, Reply, WireServer


def codes(waiting: dict) -> str:
    return "\n".join(waiting["warnings"])


def titles(waiting: dict) -> list[str]:
    return [each["title"] for each in waiting["proposal"]["concepts"]]


def extracting(*concepts: dict) -> dict:
    return {"concepts": list(concepts), "unattributed_quotes": []}


def test_quotes_that_do_not_exist_are_dropped_and_reported(make_workspace):
    invented = PRICE | {"quotes": [{"quote": "q2"}, {"quote": "q77"}]}
    baseless = {"title": "Virtue", "concept": "Virtue is its own reward.", "quotes": [{"quote": "q99"}]}
    model = Model({"extract": extracting(invented, baseless)})
    with WireServer(model) as server:
        waiting = make_workspace(server).proposed()
    assert titles(waiting) == [PRICE["title"]]
    assert [backing["quote"] for backing in waiting["proposal"]["concepts"][0]["quotes"]] == ["q2"]
    dropped = "cites q77, which is not a quote of this book. The citation was dropped."
    assert f"“{PRICE['title']}” {dropped}" in codes(waiting)
    assert "“Virtue” has no quote of this book. It was dropped." in codes(waiting)


def test_a_concept_without_quotes_is_dropped_and_the_others_stand(make_workspace):
    model = Model({"extract": extracting(PRICE, AFFAIRS | {"quotes": []}, WEALTH)})
    with WireServer(model) as server:
        waiting = make_workspace(server).proposed()
    assert titles(waiting) == [PRICE["title"], WEALTH["title"]]
    assert f"“{AFFAIRS['title']}” has no quote of this book. It was dropped." in codes(waiting)


def test_two_concepts_with_one_title_are_named_and_can_be_made_one(make_workspace):
    model = Model({"extract": extracting(PRICE, WEALTH | {"title": PRICE["title"]})})
    with WireServer(model) as server:
        workspace = make_workspace(server)
        waiting = workspace.proposed()
        (point,) = [each for each in waiting["quality_assessment"]["points"] if not each["passes"]]
        assert point["name"] == "distinctness"
        assert point["remarks"][0]["concepts"] == ["c1", "c2"]
        workspace.review("--merge", "c1,c2", "--approve")
    assert workspace.kept() == [PRICE["title"]]
    with workspace.graph() as graph:
        assert len(graph.supports()) == 2


def test_concepts_that_nobody_proposed_are_not_related_merged_or_compared(make_workspace):
    unknown = {
        "duplicates": {"compared": [{"other": "c99", "verdict": "same"}]},
        "relate": {"relations": [{"other": "c99", "type": "OPPOSES"}]},
        "critique": objecting("c99 is bad.", "c99", "c1"),
        "refine": {"changes": [{"action": "merge", "concept": "c1", "others": ["c99"]}]},
    }
    with WireServer(Model(unknown)) as server:
        waiting = make_workspace(server).proposed()
    assert len(titles(waiting)) == 3
    assert waiting["proposal"]["relations"] == []
    assert waiting["proposal"]["detections"] == []
    remarks = [remark for point in waiting["quality_assessment"]["points"] for remark in point["remarks"]]
    assert [remark["concepts"] for remark in remarks] == [["c1"]]
    assert "A refinement wanted to merge c99, which the critic had not named. It was not applied." in codes(waiting)


def test_a_refinement_that_touches_more_than_was_named_is_held_back(make_workspace):
    changes = [
        {"action": "edit", "concept": "c1", "title": "Things cost life"},
        {"action": "edit", "concept": "c2", "title": "Something else"},
        {"action": "merge", "concept": "c1", "others": ["c3"]},
    ]
    model = Model({"critique": objecting("The title of c1 is long.", "c1"), "refine": {"changes": changes}})
    with WireServer(model) as server:
        waiting = make_workspace(server).proposed()
    assert titles(waiting) == ["Things cost life", AFFAIRS["title"], WEALTH["title"]]
    assert "A refinement wanted to edit c2, which the critic had not named." in codes(waiting)
    assert "A refinement wanted to merge c3, which the critic had not named." in codes(waiting)


def test_a_critic_that_is_never_content_hands_over_after_ten_refinements(make_workspace):
    def refine(asked: Asked) -> dict:
        text = asked.given("concepts")[0]["concept"]
        return {"changes": [{"action": "edit", "concept": "c1", "text": f"{text} It does."}]}

    model = Model({"critique": objecting("c1 could be better.", "c1"), "refine": refine})
    with WireServer(model) as server:
        waiting = make_workspace(server).proposed()
    assert (len(model.of("refine")), len(model.of("critique"))) == (10, 11)
    assert waiting["round"] == 1
    assert waiting["quality_assessment"]["overall_passes"] is False
    assert waiting["proposal"]["concepts"][0]["concept"].count("It does.") == 10


def test_a_refinement_that_changes_nothing_is_not_tried_again(make_workspace):
    model = Model({"critique": objecting("c1 could be better.", "c1")})
    with WireServer(model) as server:
        waiting = make_workspace(server).proposed()
    # The critic is asked about the same proposal again, and what it said of that is remembered.
    assert (len(model.of("refine")), len(model.of("critique"))) == (1, 1)
    assert waiting["quality_assessment"]["overall_passes"] is False


MISTAKES = {
    "malformed": '{"concepts": [{"title": "The pri',
    "unknown keys": {"concepts": [PRICE | {"importance": "high"}]},
    "missing keys": {"concepts": [{"title": "Alone"}]},
    "prose": "Here are the concepts: life, wealth and time.",
    "nothing": Fault.empty(),
    "wrong shape": Fault.wrong_schema(),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_made_once_is_shown_to_the_model_and_fixed(make_workspace, mistake):
    def extract(asked: Asked):
        shown = "That answer cannot be used" in asked.request.messages[-1].text
        return extracting(PRICE) if shown else mistake

    model = Model({"extract": extract})
    with WireServer(model) as server:
        waiting = make_workspace(server).proposed()
    assert len(model.of("extract")) == 2
    assert titles(waiting) == [PRICE["title"]]
    assert waiting["warnings"] == []


def test_a_batch_whose_answers_are_never_usable_is_reported_and_the_others_survive(make_workspace):
    quotes = [f"Saying number {number} is about the weather of that day." for number in range(1, 152)]

    def extract(asked: Asked):
        keys = [quote["key"] for quote in asked.given("quotes")]
        return extracting(PRICE | {"quotes": [{"quote": keys[0]}]}) if len(keys) == 1 else "{"

    model = Model({"extract": extract})
    with WireServer(model) as server:
        waiting = make_workspace(server, quotes=quotes).proposed()
    assert sorted(len(each.given("quotes")) for each in model.of("extract")) == [1, 150, 150]
    assert [each["quotes"][0]["quote"] for each in waiting["proposal"]["concepts"]] == ["q151"]
    assert "ollama:mistral gave no usable answer in two tries" in codes(waiting)
    assert len(waiting["proposal"]["unattributed"]) == 150


NOTHING = {
    "refusal": ("I'm sorry, but I can't help with that.", "gave no usable answer in two tries", 0),
    "malformed for good": ("{", "gave no usable answer in two tries", 0),
    "empty list": (extracting(), "No idea was found", 1),
}


@pytest.mark.parametrize(("answer", "why", "code"), NOTHING.values(), ids=NOTHING.keys())
def test_a_book_without_concepts_is_reported_and_useless_calls_are_repeated(make_workspace, answer, why, code):
    model = Model({"extract": answer})
    with WireServer(model) as server:
        workspace = make_workspace(server)
        workspace.parse()
        ended = workspace.run("extract", "Walden")
        assert ended.code == 1
        assert "No concepts were found in “Walden”" in ended.out + ended.err
        assert why in " ".join((ended.out + ended.err).split())
        assert model.of("critique") == []
        assert workspace.kept() == []
        del model.told["extract"]
        assert workspace.run("extract", "Walden").code == code, "an answer that could be used is remembered"


SILENT = {
    "summarize": "",
    "duplicates": "I would rather not compare people's ideas.",
    "queries": "{",
    "relate": '{"relations": "none"}',
    "critique": "No comment.",
}


@pytest.mark.parametrize("skill", SILENT)
def test_any_other_skill_may_fail_and_the_concepts_still_reach_the_review(make_workspace, skill):
    with WireServer(Model({skill: SILENT[skill]})) as server:
        workspace = make_workspace(server)
        parsed = workspace.parse()
        waiting = workspace.ask("extract", "Walden")["waiting"]
    said = [finding["code"] for finding in parsed["findings"]]
    assert titles(waiting) == [PRICE["title"], AFFAIRS["title"], WEALTH["title"]]
    if skill == "summarize":
        assert said == ["mind.invalid_output"]
    else:
        assert "gave no usable answer in two tries" in codes(waiting)


def test_feedback_becomes_changes_and_what_could_not_be_done_is_reported(make_workspace):
    parts = [
        {"title": "Detail", "concept": "Detail eats a life.", "quotes": ["q3"]},
        {"title": "Simplicity", "concept": "Two or three affairs are enough.", "quotes": ["q4"]},
    ]
    changes = [
        {"action": "reject", "concept": "c3"},
        {"action": "split", "concept": "c2", "parts": parts},
        {"action": "edit", "concept": "c42", "title": "Nobody"},
    ]
    model = Model({"feedback": {"changes": changes, "not_done": "There is no quote about bees."}})
    with WireServer(model) as server:
        workspace = make_workspace(server)
        workspace.proposed()
        waiting = workspace.review("--feedback", "Wealth is out; part c2; add bees.", "--approve")["waiting"]
    assert waiting["round"] == 2, "words are put into practice and shown before anything is kept"
    living = [each for each in waiting["proposal"]["concepts"] if each["standing"] != "rejected"]
    assert [each["title"] for each in living] == [PRICE["title"], "Detail", "Simplicity"]
    assert "There is no quote about bees." in codes(waiting)
    assert "c42" in codes(waiting)
    assert workspace.kept() == []


@pytest.mark.parametrize("answer", ["I cannot do that.", {"changes": []}], ids=["refusal", "empty list"])
def test_feedback_that_the_model_does_nothing_with_leaves_the_proposal_as_it_was(make_workspace, answer):
    with WireServer(Model({"feedback": answer})) as server:
        workspace = make_workspace(server)
        before = workspace.proposed()
        after = workspace.review("--feedback", "Make it better.")["waiting"]
    assert after["round"] == 2
    assert after["proposal"] == before["proposal"]


def test_a_server_that_refuses_the_key_ends_the_work_and_the_same_command_finishes_it(make_workspace):
    model = Model({"critique": Fault.unauthorized()})
    with WireServer(model) as server:
        workspace = make_workspace(server)
        workspace.parse()
        ended = workspace.run("extract", "Walden")
        assert ended.code == 3, ended.out + ended.err
        asked = len(model.asked)
        del model.told["critique"]
        assert len(titles(workspace.ask("extract", "Walden")["waiting"])) == 3
        assert [each.skill for each in model.asked[asked:]] == ["critique"], "it goes on where it stood"


def test_an_answer_that_was_cut_off_by_the_token_limit_is_reported(make_workspace):
    text = json.dumps(extracting(PRICE))
    with WireServer(Model({"extract": Reply(text[: len(text) // 2], cut_short=True)})) as server:
        workspace = make_workspace(server)
        workspace.parse()
        ended = workspace.run("extract", "Walden")
    assert ended.code == 1
    assert "max_tokens" in ended.out + ended.err
