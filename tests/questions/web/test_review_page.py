"""A question set is reviewed in the browser: from the keyboard, and in two tabs at once."""

import json
import re
from itertools import count

import httpx
import pytest
from playwright.async_api import expect
from tests.questions.test_review import BOATS
from tests.real.studium_server import serving
from tests.run_cli import studium
from tests.web.site import PHONE, go

pytestmark = pytest.mark.part("chromium")
_numbers = count()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server for all these tests, and the folder that it may read."""
    folder = tmp_path_factory.mktemp("reviewing")
    with serving(folder / "home", STUDIUM_SERVE__ROOTS=json.dumps([str(folder)])) as site:
        yield site, folder


@pytest.fixture
def generated(server, monkeypatch):
    """Makes a run from a document, in the home of that server."""
    site, folder = server
    monkeypatch.setenv("STUDIUM_HOME", str(site.home))

    def generate(text: str, *options: object) -> str:
        document = folder / f"{next(_numbers)}.md"
        document.write_text(text)
        return studium("questions", "generate", document, *options, "--json").json["run"]

    return generate


@pytest.fixture
def reviewing(server, generated):
    """A server, and a run of its home with four questions."""
    return server[0], generated(BOATS, "--count", 4)


@pytest.fixture
def empty_run(generated):
    return generated("Hm.\n")


def stored(site, run: str) -> list[dict]:
    return httpx.get(f"{site.url}/api/v1/questions/runs/{run}/review").json()["questions"]


async def opened(page, number: int) -> None:
    await expect(page.locator(".qa-under-review")).to_contain_text(f"Question {number}")


async def test_a_set_is_reviewed_from_the_keyboard(reviewing, new_page, shot, axe):
    site, run = reviewing
    page = await go(await new_page(site.url), f"/questions?run={run}")
    await page.get_by_role("button", name="Review").click()
    await page.wait_for_url(re.compile("/questions/review"))
    await page.wait_for_function("window.did_handshake === true")
    progress = page.get_by_label("Progress")
    await expect(progress).to_contain_text("0 of 4 reviewed")
    await expect(page.locator(".qa-proof mark")).to_contain_text(re.compile("boat|ship"))
    await shot(page, "questions-review")
    await axe(page)

    await page.keyboard.press("a")
    await opened(page, 2)
    await expect(progress).to_contain_text("1 of 4 reviewed")
    await page.keyboard.press("d")
    await opened(page, 3)
    await page.keyboard.press("k")
    await opened(page, 2)
    await expect(page.locator(".qa-under-review .s-chip")).to_have_text("dropped")
    await page.keyboard.press("ArrowDown")
    await opened(page, 3)
    before = stored(site, run)[2]["pair"]["question"]
    await page.keyboard.press("r")
    await expect(page.locator(".qa-open-question")).not_to_have_text(before)
    assert stored(site, run)[2]["pair"]["question"] not in [before, stored(site, run)[1]["pair"]["question"]]
    await page.keyboard.press("A")
    await expect(progress).to_contain_text("4 of 4 reviewed")
    await page.keyboard.press("u")
    await expect(progress).to_contain_text("2 of 4 reviewed")
    assert [each["status"] for each in stored(site, run)] == ["kept", "dropped", "pending", "pending"]

    await page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    await expect(keys).to_contain_text("Another question about the same place")
    await page.get_by_role("button", name="Close").click()
    await page.reload()
    await expect(progress).to_contain_text("2 of 4 reviewed")
    await go(page, "/questions")
    await expect(page.locator(".qa-runs")).to_contain_text("2 of 4 reviewed")


async def test_an_edit_is_checked_and_a_refused_draft_stays(reviewing, new_page, shot, axe):
    site, run = reviewing
    page = await go(await new_page(site.url), f"/questions/review?run={run}")
    await opened(page, 1)
    answer = stored(site, run)[0]["pair"]["answer"]
    await page.keyboard.press("e")
    field = page.get_by_label("Answer")
    await field.fill("a submarine with 40 torpedoes")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("The quotes do not say")
    await expect(field).to_have_value("a submarine with 40 torpedoes")
    await shot(page, "questions-review-refused")
    await axe(page)
    shorter = " ".join(answer.split()[:3])
    await field.fill(shorter)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_label("Progress")).to_contain_text("1 of 4 reviewed")
    await opened(page, 2)
    assert (stored(site, run)[0]["status"], stored(site, run)[0]["pair"]["answer"]) == ("edited", shorter)
    await go(page, f"/questions?run={run}")
    await expect(page.locator(".qa-pair").first).to_contain_text(shorter)


async def test_two_tabs_do_not_overwrite_each_other(reviewing, new_page):
    site, run = reviewing
    one = await go(await new_page(site.url), f"/questions/review?run={run}")
    other = await go(await new_page(site.url), f"/questions/review?run={run}")
    await opened(one, 1)
    await opened(other, 1)
    answer = " ".join(stored(site, run)[0]["pair"]["answer"].split()[:3])
    await other.keyboard.press("e")
    await other.get_by_label("Answer").fill(answer)
    await one.keyboard.press("d")
    await opened(one, 2)
    await expect(other.get_by_text("Your draft is kept")).to_be_visible()
    await other.get_by_role("button", name="Save").click()
    await expect(other.get_by_role("alert")).to_contain_text("changed elsewhere")
    assert stored(site, run)[0]["status"] == "dropped"
    await expect(other.get_by_text("Save again to replace it")).to_be_visible()
    await other.get_by_role("button", name="Save").click()
    await opened(other, 2)
    assert stored(site, run)[0]["status"] == "edited"
    await expect(one.locator(".qa-row").first).to_contain_text("edited")


async def test_a_set_is_reviewed_on_a_phone(reviewing, new_page, shot, axe):
    site, run = reviewing
    page = await go(await new_page(site.url, viewport=PHONE), f"/questions/review?run={run}&number=2")
    await opened(page, 2)
    await page.get_by_role("button", name="Keep (a)").click()
    await opened(page, 3)
    await page.get_by_role("button", name="Undo (u)").click()
    await opened(page, 2)
    await shot(page, "questions-review-phone")
    await axe(page)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_run_without_questions_says_so(server, empty_run, new_page):
    site, _ = server
    page = await go(await new_page(site.url), f"/questions/review?run={empty_run}")
    await expect(page.get_by_role("heading", name="No questions to review")).to_be_visible()
    await go(page, "/questions/review?run=nowhere")
    await expect(page.get_by_role("alert")).to_contain_text("nowhere")
