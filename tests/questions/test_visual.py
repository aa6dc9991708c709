"""Visual mode over the wire: a model that sees looks at pages and asks about what they show."""

from pathlib import Path

import pytest
import yaml
from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas
from tests.run_cli import studium

from studium.testing import Reply, WireRequest, WireServer

PAIR = {"question": "Which colour has the bar of the river Ister?", "answer": "red", "visuals": [1]}
SEEN = {"answerable": True, "answer": "Red."}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "rivers.pdf"
    canvas = Canvas(str(path))
    canvas.drawString(72, 720, "The rivers of the plain carry different amounts of water in spring.")
    canvas.showPage()
    canvas.setFillColor(colors.red)
    canvas.rect(100, 400, 60, 200, fill=1)
    canvas.setFillColor(colors.black)
    canvas.drawString(100, 380, "Figure 1. Water of the rivers in spring.")
    canvas.showPage()
    canvas.save()
    return path


def configured(folder: Path, address: str) -> Path:
    roles = {"questions": {"generator": "openai:asker", "validator": "openai:checker"}}
    models = {name: {"base_url": f"{address}/v1"} for name in roles["questions"].values()}
    path = folder / "studium.yaml"
    path.write_text(yaml.safe_dump({"roles": roles, "models": models}))
    return path


def steps(request: WireRequest, *calls: tuple[str, dict]) -> Reply:
    """The next of these calls: one a turn."""
    done = sum(message.role == "assistant" for message in request.messages)
    return Reply(tool_calls=(calls[min(done, len(calls) - 1)],))


def look(request: WireRequest, pair: dict = PAIR, page: int = 2) -> Reply:
    if request.model == "checker":
        return steps(request, ("view_page", {"page_number": 2}), ("final_answer", SEEN))
    return steps(request, ("list_visual_content", {}), ("view_page", {"page_number": page}), ("submit_qa", pair))


def generate(report: Path, folder: Path, server: WireServer, **flags: object) -> dict:
    options = [part for name, value in ({"count": 1} | flags).items() for part in (f"--{name}", value)]
    config = configured(folder, server.address)
    ended = studium("--config", config, "questions", "generate", report, "--mode", "visual", *options, "--json")
    assert ended.code == 0, ended.err
    return ended.json


def test_a_question_about_a_figure_refers_to_it_and_to_its_page(report, tmp_path):
    with WireServer(look) as server:
        made = generate(report, tmp_path, server)
    pair = made["accepted"][0]
    assert (pair["category"], pair["answer"]) == ("visual", "red")
    assert pair["evidence"][0]["where"]["page"] == 2
    assert pair["evidence"][0]["quote"].startswith("Figure 1")
    assert made["stats"]["mode"] == "visual"


def test_the_picture_follows_all_tool_replies_as_a_user_message(report, tmp_path):
    """OpenAI takes images in user messages only, and wants every tool's reply first."""
    both = (("view_page", {"page_number": 1}), ("view_page", {"page_number": 2}))

    def model(request: WireRequest) -> Reply:
        if request.model == "asker" and not any(message.role == "tool" for message in request.messages):
            return Reply(tool_calls=both)
        return look(request) if request.model == "checker" else Reply(tool_calls=(("submit_qa", PAIR),))

    with WireServer(model) as server:
        generate(report, tmp_path, server)
        second = next(request for request in server.requests if request.messages[-1].images)
    assert [message.role for message in second.messages[-4:]] == ["assistant", "tool", "tool", "user"]
    assert second.messages[-1].images == 2


def test_the_next_attempt_gets_the_viewed_pages(report, tmp_path):
    refused = PAIR | {"question": "Which colour is the stamp of the library?", "visuals": [9]}

    def model(request: WireRequest) -> Reply:
        told = request.messages[0].text
        return look(request) if "prefer others: [1]" in told else look(request, refused, page=1)

    with WireServer(model) as server:
        made = generate(report, tmp_path, server)
    assert made["rejected"][0]["rejection_reason"] == "validation_failed"
    assert len(made["accepted"]) == 1


def test_pages_that_were_not_viewed_are_not_asked_about(report, tmp_path):
    with WireServer(lambda request: look(request, page=1)) as server:
        made = generate(report, tmp_path, server)
    assert made["accepted"] == []
    assert "not viewed" in made["rejected"][0]["rejection_detail"]


def test_a_question_that_does_not_matter_for_the_corpus_is_trivial(report, tmp_path):
    def model(request: WireRequest) -> Reply:
        if request.model == "checker":
            return Reply(tool_calls=(("final_answer", SEEN | {"relevant": False}),))
        return look(request)

    with WireServer(model) as server:
        made = generate(report, tmp_path, server)
    assert made["rejected"][0]["rejection_reason"] == "trivial"


def test_a_document_without_visual_content_ends_normally(tmp_path):
    (tmp_path / "plain.txt").write_text("Only words stand here.\n")
    with WireServer([]) as server:
        made = generate(tmp_path / "plain.txt", tmp_path, server)
        assert server.requests == []
    assert (made["accepted"], made["stats"]["exhausted"]) == ([], True)


def test_the_rules_say_that_they_cannot_see(report):
    ended = studium("questions", "generate", report, "--mode", "visual", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["accepted"] == []
    assert "cannot see pictures" in studium("questions", "show", ended.json["run"]).out
