"""Questions over HTTP: the whole of a run, the pages that prove it, and what a run may take."""

import asyncio
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from tests.http.conftest import served

from studium.core.config import load_settings
from studium.http.app import create_app
from studium.questions.use_cases import GenerationRequest, generate_questions

SAYS = "The Lantern Survey was founded by Odile Marrack in 1823 to chart reefs."


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with a PDF and a text, and a file beside the folder that is nobody's business."""
    place = tmp_path_factory.mktemp("place")
    (place / "files").mkdir()
    canvas = Canvas(str(place / "files" / "lantern.pdf"), pagesize=(612, 792))
    for _ in range(2):
        canvas.drawString(72, 396, SAYS)
        canvas.showPage()
    canvas.save()
    (place / "files" / "keeper.md").write_text("# Keepers\n\nA lantern keeper is a person who records the tides.\n")
    (place / "files" / "leak.md").symlink_to(place / "secret.md")
    (place / "secret.md").write_text("# Secret\n")
    return place


@pytest.fixture(scope="module")
def server(place):
    """A server whose database has one run over the folder."""
    wanted = (f"home={place / 'home'}", f"serve.roots=[{place / 'files'}]", "embedder=none")
    settings = load_settings(overrides=wanted)
    asyncio.run(generate_questions(settings, GenerationRequest(place / "files", 2)))
    with (
        served(create_app(settings)) as address,
        httpx.Client(base_url=f"{address}/api/v1/questions", timeout=30) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def run(server) -> str:
    runs = server.get(str(server.base_url.join("/api/v1/runs")), params={"feature": "questions"})
    return runs.json()["items"][0]["id"]


def test_a_run_is_shown_completely(server, run):
    told = server.get(f"/runs/{run}").json()
    pairs = [pair for document in told["documents"] for pair in document["accepted"]]
    assert told["accepted"] == len(pairs) == 2
    assert {pair["answer"] for pair in pairs} == {"Odile Marrack", "a person who records the tides"}
    assert all(document["stats"]["accepted_count"] == 1 for document in told["documents"])


def test_a_page_is_rendered_and_a_quote_found_on_it(server, run, place):
    which = {"document": str(place / "files" / "lantern.pdf")}
    image = server.get(f"/runs/{run}/pages/2", params=which)
    assert image.headers["content-type"] == "image/jpeg"
    assert Image.open(BytesIO(image.content)).height > 1000
    marked = server.get(f"/runs/{run}/pages/2/marks", params=which | {"quote": SAYS}).json()
    (mark,) = marked["marks"]
    assert marked["of"] == 2
    assert mark["left"] == pytest.approx(72 / 612, abs=0.01)
    assert mark["top"] + mark["height"] == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("page", [3, 1000])
def test_a_page_that_the_document_does_not_have_is_a_problem(server, run, place, page):
    answer = server.get(f"/runs/{run}/pages/{page}", params={"document": str(place / "files" / "lantern.pdf")})
    assert (answer.status_code, answer.json()["title"]) == (404, "Not found")
    assert "the document has 2 pages" in answer.json()["detail"]


@pytest.mark.parametrize(
    "named", ["secret.md", "files/../secret.md", "files/leak.md", "home/database.sqlite", "files/" + 300 * "x" + ".pdf"]
)
def test_only_documents_of_the_run_are_revealed(server, run, place, named):
    answer = server.get(f"/runs/{run}/pages/1", params={"document": f"{place}/{named}"})
    assert answer.status_code == 404
    assert "no such document" in answer.json()["detail"]


@pytest.mark.parametrize("document", ["/etc/passwd", "\0", "x" * 4096])
def test_odd_names_are_problems(server, run, document):
    assert server.get(f"/runs/{run}/pages/1", params={"document": document}).status_code == 404
    assert server.get("/estimate", params={"document": document}).status_code == 422


def test_a_text_has_no_page_to_show(server, run, place):
    answer = server.get(f"/runs/{run}/pages/1", params={"document": str(place / "files" / "keeper.md")})
    assert answer.status_code == 422
    assert "read its text" in answer.json()["remedy"]


def test_the_cost_of_a_run_is_estimated(server, place):
    told = server.get("/estimate", params={"document": str(place / "files"), "count": 4}).json()
    assert (told["documents"], told["questions"], told["calls"], told["cost"]) == (2, 8, 0, 0)


@pytest.mark.parametrize(
    "wishes",
    [
        {"mix": {"essay": 1}},
        {"mix": {"open": -1}},
        {"mix": "essay=1"},
        {"mix": {"open": 0}},
        {"difficulty": "impossible"},
    ],
)
def test_kinds_that_do_not_exist_are_refused(wishes, server, place):
    asked = {"document": str(place / "files" / "keeper.md"), "count": 1} | wishes
    assert server.post("/generate", json=asked).status_code == 422
