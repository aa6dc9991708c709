"""Questions: a document is uploaded, decisions appear as they are made, and every pair has its evidence."""

import json
import re
import shutil
import time
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from PIL import Image
from playwright.async_api import expect
from reportlab.pdfgen.canvas import Canvas
from tests.real.studium_server import serving
from tests.web.site import go

from studium.core.app import open_database
from studium.core.config import load_settings
from studium.core.database import ItemResult
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Evidence, Locator
from studium.questions.domain import GenerationMetadata, QAPair

pytestmark = pytest.mark.part("chromium")

LANTERN = (
    "The Lantern Survey was founded by Odile Marrack in 1823 to chart the",
    "northern reefs. Its first vessel carried twelve sailors and a dog.",
    "Nobody knows when it was closed.",
)

LARCH = """# Larch

The dead interval of a router is 40 seconds. On battery-powered routers the dead interval is 60 seconds.

The Larch Routing Protocol was designed by Ida Brandt in 1823. The fixed cost of wired links is 10.
"""


def write_pdf(path: Path, *lines: str, pages: int = 2) -> Path:
    canvas = Canvas(str(path), pagesize=(612, 792))
    for _ in range(pages):
        for number, line in enumerate(lines):
            canvas.setFont("Times-Roman", 12)
            canvas.drawString(72, 700 - 16 * number, line)
        canvas.showPage()
    canvas.save()
    return path


def write_scan(path: Path) -> None:
    """A page, as small as a card, that is only a picture without a word on it."""
    canvas = Canvas(str(path), pagesize=(153, 198))
    canvas.drawInlineImage(Image.new("L", (60, 40), 128), 18, 150, 75, 25)
    canvas.showPage()
    canvas.save()


@pytest.fixture
def folder(filled_home):
    """A folder that may be chosen on the page."""
    made = filled_home.original / f"folder-{uuid4().hex[:8]}"
    made.mkdir()
    yield made
    shutil.rmtree(made)


def fill_with_long_work(folder: Path, copies: int = 120) -> None:
    """Many short documents, each with a few things to ask for and one that it says in two ways."""
    for number in range(copies):
        (folder / f"larch-{number:03}.md").write_text(LARCH)


async def choose(page, folder: Path) -> None:
    folders = page.get_by_role("button", name="Choose from my folders")
    await folders.click()
    await page.get_by_role("button", name="Cancel").click()
    await expect(folders).to_be_focused()
    await folders.click()
    await page.get_by_role("button", name=str(folder.parent), exact=True).click()
    await page.get_by_role("button", name=folder.name, exact=True).click()
    await expect(page.get_by_role("heading", name=folder.name)).to_be_visible()
    await page.get_by_role("button", name="Use the whole folder").click()
    await expect(page.get_by_role("button", name="Generate questions")).to_be_focused()


async def see_outcome(page) -> None:
    await page.wait_for_url(re.compile(r"\?run="), timeout=60_000)
    await page.wait_for_function("window.did_handshake === true")


async def test_a_dropped_pdf_becomes_pairs_whose_quotes_are_marked_on_the_page(visit, shot, axe, tmp_path):
    page = await visit("/questions")
    await expect(page.get_by_role("button", name="Generate questions")).to_be_disabled()
    await page.locator("input[type=file]").set_input_files(write_pdf(tmp_path / "lantern.pdf", *LANTERN))
    await expect(page.get_by_text("Free: no model")).to_be_visible()
    await shot(page, "questions-asking")
    await axe(page)
    await page.get_by_role("button", name="Generate questions").click()
    await see_outcome(page)

    pair = page.locator(".qa-pair", has_text="Odile Marrack").first
    await expect(pair).to_be_visible()
    image = pair.get_by_role("img", name=re.compile("^Page 1 of 2. Marked on it: The Lantern Survey"))
    await expect(image).to_be_visible()
    assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 1000
    mark, paper = await pair.locator(".qa-mark").first.bounding_box(), await image.bounding_box()
    assert 0.10 < (mark["y"] - paper["y"]) / paper["height"] < 0.12  # 700 points up a page of 792
    await shot(page, "questions-page")
    await axe(page)

    await pair.get_by_role("button", name="Larger").click()
    await expect(pair.get_by_text("150 %")).to_be_visible()
    await pair.get_by_role("button", name="In the text").click()
    await expect(pair.locator("mark")).to_contain_text("founded by Odile Marrack in 1823")
    await shot(page, "questions-text")


async def test_the_kinds_are_asked_for_by_numbers_and_shown_with_their_choices(visit, shot, axe, tmp_path):
    names = ("Ida Brandt", "Olaf Lund", "Marta Holm", "Erik Dahl")
    made = ("founded", "built", "opened", "closed")
    things = ("harbour", "lighthouse", "fish market", "shipyard")
    told = zip(names, made, things, strict=True)
    document = tmp_path / "skarn.md"
    document.write_text(
        "# Skarn\n\n" + "\n".join(f"The {thing} of Skarn was {did} by {who}." for who, did, thing in told)
    )
    page = await visit("/questions")
    await page.locator("input[type=file]").set_input_files(document)
    await expect(page.get_by_text("Free: no model")).to_be_visible()
    await page.get_by_label("Multiple choice").fill("1")
    await expect(page.get_by_label("Multi hop")).to_have_count(0)
    await axe(page)
    await page.get_by_role("button", name="Generate questions").click()
    await see_outcome(page)
    pair = page.locator(".qa-pair").first
    await expect(pair.get_by_text("multiple choice")).to_be_visible()
    await expect(pair.locator(".qa-choices li")).to_have_count(4)
    await expect(pair.locator(".qa-choices li").first).to_have_text(re.compile(r"^A\) "))
    await shot(page, "questions-choices")
    await axe(page)


async def test_accepted_pairs_can_be_exported(visit, site):
    page = await visit(f"/questions?run={sample_run(site)}")
    await expect(page.locator(".qa-pair mark").first).to_be_visible()
    await page.locator(".qa-pair").first.scroll_into_view_if_needed()
    await expect(page.locator(".qa-pair mark").first).to_be_in_viewport()
    await page.get_by_role("button", name="Export").click()
    async with page.expect_download() as coming:
        await page.get_by_text("CSV, for a spreadsheet").click()
    written = (await (await coming.value).path()).read_text("utf-8-sig")
    assert "Emberbox 5" in written
    assert len(written.splitlines()) > 40


async def test_a_corpus_is_filtered_by_document_words_and_verdict(visit, site, shot, axe):
    page = await visit(f"/questions?run={sample_run(site)}")
    figures = re.compile(r"40\s*accepted\s*\d+\s*rejected\s*8\s*documents")
    await expect(page.get_by_label("Numbers")).to_contain_text(figures)
    await expect(page.locator(".qa-pair mark").first).to_be_visible()
    await shot(page, "questions-corpus")
    await axe(page)
    await page.locator(".qa-documents td", has_text="goblins.md").click()
    await expect(page.locator(".qa-pair")).to_have_count(5)
    await page.get_by_label("Search questions and answers").fill("undermarket")
    await expect(page.locator(".qa-pair")).not_to_have_count(5)
    found = await page.locator(".qa-pair").count()
    assert found > 0
    await page.reload()
    await expect(page.locator(".qa-pair")).to_have_count(found)
    await page.get_by_role("button", name="All documents").click()
    await page.get_by_label("Search questions and answers").fill("")
    refused = page.get_by_role("button", name=re.compile(r"Rejected \(\d+\)"))
    number = int((await refused.inner_text()).partition("(")[2].rstrip(")"))
    await refused.click()
    await expect(page.locator(".qa-refused")).to_have_count(number)
    await expect(page.locator(".qa-refused").first).to_contain_text(re.compile("ambiguous|unanswerable"))


async def test_decisions_appear_as_they_are_made_and_accepted_pairs_survive_a_cancel(visit, folder, shot):
    fill_with_long_work(folder)
    page = await visit("/questions")
    await choose(page, folder)
    await page.get_by_label("Questions per document").fill("12")
    await page.get_by_role("button", name="Generate questions").click()
    await page.wait_for_url(re.compile(r"\?job="))
    await expect(page.locator(".qa-pair").first).to_be_visible(timeout=40_000)
    await expect(page.locator(".qa-refused .s-chip").first).to_be_visible()
    await shot(page, "questions-live")
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_role("button", name="Resume")).to_be_visible(timeout=30_000)
    kept = await accepted_on(page)
    await page.get_by_role("link", name="Show saved questions").click()
    await expect(page.get_by_text("The run is not finished")).to_be_visible()
    assert 0 < await accepted_on(page) <= kept
    await page.get_by_role("link", name="Resume").click()
    await page.get_by_role("button", name="Resume").click()
    await wait_for_more(page, kept)
    await page.get_by_role("button", name="Cancel").click()


async def test_after_a_restart_the_page_comes_back_with_what_was_accepted_before(new_page, tmp_path, faults):
    files = tmp_path / "files"
    files.mkdir()
    fill_with_long_work(files)
    roots = json.dumps([str(files)])
    with serving(tmp_path / "home", STUDIUM_SERVE__ROOTS=roots) as site:
        page = await new_page(site.url)
        asked = await page.request.post("/api/v1/questions/generate", data={"document": str(files), "count": 12})
        await go(page, f"/questions?job={(await asked.json())['id']}")
        await wait_for_more(page, 5)
        before = await accepted_on(page)
        await page.evaluate("window.isFromBefore = true")
    with serving(tmp_path / "home", port=int(site.url.rpartition(":")[2]), STUDIUM_SERVE__ROOTS=roots):
        await page.wait_for_function("() => !window.isFromBefore", timeout=40_000)  # it has reloaded itself
        await wait_for_more(page, before)
    faults.clear()  # the browser saw the server go


async def accepted_on(page) -> int:
    return int(await page.locator(".qa-stats .s-stat-value").first.inner_text())


async def wait_for_more(page, than: int) -> None:
    reached = "than => Number(document.querySelector('.qa-stats .s-stat-value')?.textContent) > than"
    await page.wait_for_function(reached, arg=than, timeout=60_000)


async def test_unusable_documents_are_reported_with_a_remedy(visit, folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\ncut off")
    (folder / "empty.md").write_text("")
    (folder / "nothing.md").write_text("Hm.\n")
    write_scan(folder / "scanned.pdf")
    page = await visit("/questions")
    await choose(page, folder)
    await page.get_by_role("button", name="Generate questions").click()
    await see_outcome(page)
    notes = page.get_by_label("Notes")
    await expect(notes).to_contain_text("Fetch or export it again")
    await expect(notes).to_contain_text("The file is empty")
    await expect(notes).to_contain_text("The PDF is scanned")
    await expect(page.get_by_role("heading", name="No questions accepted")).to_be_visible()


async def test_texts_of_documents_and_models_are_escaped(page, site, folder):
    ran = []
    page.on("dialog", lambda dialog: ran.append(dialog.message))
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    document = folder / f"evil {hostile.replace('/', '')}.md"
    document.write_text(f"# {hostile}\n\nThe {hostile} is fact 0.\n")
    pair = pair_of(
        str(document), f"What is {hostile}?", f"[{hostile}](javascript:alert(3))", f"The {hostile} is fact 0."
    )
    run = fill_with_pairs(site.home, str(folder), {str(document): [pair]})
    await go(page, f"/questions?run={run}")
    await expect(page.locator("mark")).to_have_text(f"The {hostile} is fact 0.")
    await expect(page.locator(".qa-pair h3")).to_have_text(f"What is {hostile}?")
    assert await page.locator(".s-page-body :is(img[src=x], a[href^=javascript])").count() == 0
    assert ran == []


async def test_an_unknown_run_is_reported_on_the_page(visit):
    page = await visit("/questions?run=nowhere")
    await expect(page.get_by_role("alert")).to_contain_text("nowhere")


@pytest.mark.endurance
async def test_five_thousand_pairs_open_at_once(page, site):
    paths = [f"/nowhere/corpus/{number:03}.md" for number in range(300)]
    pairs = {
        path: [pair_of(path, f"What is fact {each} of {path}?", "so", "It is so.") for each in range(17)]
        for path in paths
    }
    run = fill_with_pairs(site.home, "/nowhere/corpus", pairs)
    small = min([await seconds_to_open(page, sample_run(site)) for _ in range(2)])
    large = min([await seconds_to_open(page, run) for _ in range(2)])
    assert large < max(2, 3 * small)  # where many tests run at once, everything is slower
    await page.get_by_label("Search questions and answers").fill("16 corpus/299")
    await expect(page.locator(".qa-pair")).to_have_count(1)


async def seconds_to_open(page, run: str) -> float:
    begun = time.monotonic()
    await page.goto(f"/questions?run={run}")
    await page.locator(".qa-pair").first.wait_for()
    return time.monotonic() - begun


def sample_run(site) -> str:
    runs = httpx.get(f"{site.url}/api/v1/runs", params={"feature": "questions", "limit": 100}).json()["items"]
    return next(run["id"] for run in runs if run["arguments"]["root"].endswith("samples/questions"))


def pair_of(document: str, question: str, answer: str, quote: str) -> QAPair:
    return QAPair(
        question=question,
        answer=answer,
        source_document=document,
        evidence=(Evidence(passage="0" * 16, quote=quote, where=Locator(path=document, line=3)),),
        generation_metadata=GenerationMetadata(generator_model="rules", validator_model="rules", attempt_number=1),
    )


def fill_with_pairs(home: Path, root: str, documents: dict[str, list[QAPair]]) -> str:
    """A finished run as it is in the database."""
    arguments = {"root": root, "count": 17, "mode": "textual", "corpus": None, "scenario": None}
    with open_database(load_settings(overrides=(f"home={home}",))) as database:
        run = database.runs.start("questions", arguments).id
        database.items.save_many(
            run, [ItemResult(f"{path}@0", _decided(path, pairs)) for path, pairs in documents.items()]
        )
        database.runs.finish(run, "done")
    return run


def _decided(path: str, pairs: list[QAPair]) -> list[Decision]:
    proposals = [pair.model_dump(mode="json") for pair in pairs]
    return [
        Decision(item=f"{path}#{number}", action=Action.CREATE, proposal=proposal)
        for number, proposal in enumerate(proposals, 1)
    ]
