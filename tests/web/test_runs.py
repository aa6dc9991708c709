"""Runs: what was run, its figures as charts and tables, and the work in the background."""

import httpx
import pytest
from playwright.async_api import expect
from tests.web.site import go

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.usage import Call, CallOutcome

pytestmark = pytest.mark.part("chromium")

EVIL = "<img src=x onerror=window.owned=1>"


@pytest.fixture(scope="module")
def run(site) -> str:
    """A run that asked a model, with retries, costs and a hostile finding."""
    call = Call(skill="cards.map", role="map", model="some", outcome=CallOutcome.ANSWERED, seconds=0.4, cost=0.5)
    calls = [call, call.model_copy(update={"outcome": CallOutcome.INVALID, "seconds": 2.0})]
    found = Finding(code=EVIL, severity=Severity.WARNING, message="It is odd.")
    decisions = [
        Decision(item="a.md#1", action=Action.CREATE, score=0.95),
        Decision(item="a.md#2", action=Action.SKIP, score=0.31, findings=(found,)),
    ]
    with Database.open(f"sqlite:///{site.home / 'database.sqlite'}") as database:
        run = database.runs.start("cards", {"vault": f"notes {EVIL}", "to": "anki"})
        database.items.save(run.id, "a.md", decisions, calls)
        database.runs.finish(run.id, "done", note=f"A note {EVIL}")
    return run.id


async def table(page, title: str):
    """A chart's table, opened."""
    chart = page.locator("figure", has=page.get_by_role("heading", name=title, exact=True))
    await expect(chart.locator("svg")).to_be_visible()
    await chart.get_by_text("As a table").click()
    return chart.get_by_role("table")


async def test_the_list_leads_to_a_run_and_its_charts(visit, run, shot, axe):
    page = await visit("/runs")
    await expect(page.get_by_role("heading", name="All runs together")).to_be_visible()
    await shot(page, "runs")
    await axe(page)
    await page.get_by_role("navigation", name="Feature").get_by_role("link", name="Cards").click()
    await page.get_by_role("row").filter(has_text="A note <img").get_by_role("link").click()
    await expect(page.get_by_role("heading", name="A note <img")).to_be_visible()
    assert page.url.endswith(f"?run={run}")
    await expect((await table(page, "QA scores")).get_by_role("row", name="0.9–1.0")).to_contain_text("1")
    await expect((await table(page, "Decisions")).get_by_role("row", name="left out")).to_contain_text("1")
    await expect((await table(page, "Duration of calls")).get_by_role("row", name="cards.map")).to_contain_text("2.0 s")
    await expect((await table(page, "Retries")).get_by_role("row", name="cards.map")).to_contain_text("50%")
    await expect((await table(page, "Cost")).get_by_role("row", name="cards.map")).to_contain_text("1.00")
    await shot(page, "run")
    await axe(page)


async def test_what_a_run_says_is_shown_as_text(visit, run):
    page = await visit(f"/runs/{run}")
    await expect(await table(page, "Findings")).to_contain_text(EVIL)
    await page.get_by_text("Arguments").click()
    await expect(page.get_by_text(f"notes {EVIL}")).to_be_visible()
    assert await page.locator("img[src=x]").count() == 0
    assert await page.evaluate("window.owned") is None


async def test_background_work_is_cancelled_and_resumed(new_site, new_page):
    page = await go(await new_page(new_site.url), "/runs")
    await expect(page.get_by_text("No runs yet")).to_be_visible()
    _place(new_site.url, "demo/fill", {})
    work = page.get_by_role("region", name="Background jobs").get_by_role("listitem")
    await work.get_by_role("button", name="Cancel").click()
    await expect(work.locator(".s-chip")).to_have_text("cancelled")
    await work.get_by_role("button", name="Resume").click()
    await expect(work.get_by_role("button", name="Cancel")).to_be_visible()


async def test_a_failed_job_says_why(visit, site):
    _place(site.url, "cards/plan", {"vault": str(site.home / "demo" / "samples" / "vault"), "to": "anki"})
    page = await visit("/runs")
    first = page.get_by_role("region", name="Background jobs").get_by_role("listitem").first
    await expect(first).to_contain_text("failed")
    await expect(first).to_contain_text("Anki")


@pytest.mark.parametrize("path", ["/runs?run=nothing", "/runs/nothing"])
async def test_a_missing_run_is_reported(visit, path):
    page = await visit(path)
    await expect(page.get_by_role("alert")).to_be_visible()


async def test_the_list_takes_any_page_number(visit):
    page = await visit("/runs?number=99999&feature=%3Cscript%3E")
    await expect(page.get_by_role("heading", name="Runs", exact=True, level=1)).to_be_visible()


def _place(url: str, what: str, request: dict) -> None:
    httpx.post(f"{url}/api/v1/{what}", json=request).raise_for_status()
