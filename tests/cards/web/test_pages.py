"""Cards: a vault becomes a plan, which is checked, applied and undone, all in the browser."""

import re
import time
from pathlib import Path

import httpx
import pytest
from anki.collection import Collection
from playwright.async_api import expect

from studium.core.database import Database
from studium.core.database.items import ItemResult
from studium.core.domain.decision import Action, Decision

pytestmark = pytest.mark.part("chromium")

NOTE = """---
topic: Python
---
# Question
{question}

## Answer
{answer}
"""
GENERATOR = ("What does a function with a yield statement become?", "A generator function.")


@pytest.fixture
def vault(site, request) -> Path:
    """A vault of its own for a test, where the site may read it."""
    folder = site.home / "demo" / re.sub(r"\W+", "-", request.node.name)
    folder.mkdir()
    write(folder, "generator", *GENERATOR)
    return folder


@pytest.fixture
def collection(vault) -> Path:
    """A collection that Anki made, beside the vault."""
    path = vault.with_name(f"{vault.name}-profile") / "collection.anki2"
    path.parent.mkdir()
    Collection(str(path)).close()
    return path


def write(vault: Path, name: str, question: str, answer: str) -> None:
    (vault / f"{name}.md").write_text(NOTE.format(question=question, answer=answer), encoding="utf-8")


def placed(site, kind: str, **request) -> str:
    """The id of a job that was taken."""
    return httpx.post(f"{site.url}/api/v1/{kind.replace('.', '/')}", json=request).json()["id"]


def finished_job(site, kind: str, **request) -> str:
    """The id of a job that is done."""
    job = placed(site, kind, **request)
    for _ in range(200):
        found = httpx.get(f"{site.url}/api/v1/jobs/{job}").json()
        if found["status"] == "done":
            return job
        assert found["status"] in ("waiting", "running"), found
        time.sleep(0.1)
    raise AssertionError(found)


async def choose(page, label: str, option: str) -> None:
    await page.get_by_role("combobox", name=label).click()
    await page.get_by_role("option", name=option).click()


async def test_a_vault_is_planned_looked_at_applied_and_downloaded(visit, vault, shot, axe, tmp_path):
    write(vault, "leaky", "Is a tuple immutable, ordered and hashable?", "Immutable, ordered, hashable.")
    page = await visit("/cards")
    await expect(page.get_by_role("heading", name="Past runs")).to_be_visible()
    await shot(page, "cards")
    await axe(page)
    await choose(page, "Vault", "Another folder")
    await page.get_by_label("Folder of the vault").fill(str(vault))
    await page.get_by_role("button", name="Plan").click()

    await expect(page.get_by_role("heading", name="The plan")).to_be_visible()
    await expect(page.locator(".s-plan-table tbody tr.cursor-pointer")).to_have_count(2)
    await choose(page, "Action", "create")
    await expect(page.get_by_text("1 of 2", exact=True)).to_be_visible()
    await page.get_by_role("button", name=GENERATOR[0]).click()
    card = page.frame_locator(".s-sandbox")
    await expect(card.locator(".question")).to_have_text(GENERATOR[0])
    await expect(card.get_by_text(GENERATOR[1])).to_have_count(0)
    await page.get_by_role("heading", name="The plan").click()
    await page.keyboard.press("f")
    await expect(card.get_by_text(GENERATOR[1])).to_be_visible()
    await expect(page.locator(".s-source mark", has_text=GENERATOR[1])).to_be_visible()
    await shot(page, "cards-plan")
    await axe(page)

    await page.reload()
    await expect(page.locator(".s-plan-detail h2")).to_have_text("generator")
    await expect(page.get_by_text("1 of 2", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_role("heading", name="Done")).to_be_visible()
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Download the package").click()
    package = tmp_path / "cards.apkg"
    await (await downloading.value).save_as(package)
    assert package.read_bytes().startswith(b"PK")


async def test_an_update_shows_changed_words_and_can_be_undone(visit, site, vault, collection, shot, axe):
    finished_job(site, "cards.sync", vault=str(vault), to=str(collection))
    write(vault, "generator", GENERATOR[0], "A generator function, whose calls give generators.")
    plan = finished_job(site, "cards.plan", vault=str(vault), to=str(collection))
    page = await visit(f"/cards?job={plan}")
    difference = page.locator(".s-difference")
    await expect(difference.locator("ins")).to_contain_text(["whose calls give generators"])
    await expect(difference).to_contain_text("A generator function")
    await shot(page, "cards-update")
    await axe(page)
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_text(re.compile(r"^1\s*card written$"))).to_be_visible()

    await page.get_by_role("button", name="Undo").click()
    await page.get_by_role("button", name="Undo the run").click()
    await expect(page.get_by_role("heading", name="Undone")).to_be_visible()
    await expect(page.locator(".s-stat", has_text="restored")).to_contain_text("1")
    anki = Collection(str(collection))
    assert [anki.get_note(note)["Back"] for note in anki.find_notes("")] == [GENERATOR[1]]
    anki.close()


async def test_undo_leaves_what_was_edited_since_and_says_so(visit, site, vault, collection):
    sync = finished_job(site, "cards.sync", vault=str(vault), to=str(collection))
    anki = Collection(str(collection))
    note = anki.get_note(anki.find_notes("")[0])
    note["Back"] = "My own words."
    anki.update_note(note)
    anki.close()
    page = await visit(f"/cards?job={sync}")
    await page.get_by_role("button", name="Undo").click()
    await page.get_by_role("button", name="Undo the run").click()
    await expect(page.get_by_text("Back was edited in Anki since this run")).to_be_visible()


async def test_a_note_that_changed_since_the_plan_is_reported_and_nothing_is_written(visit, site, vault):
    plan = finished_job(site, "cards.plan", vault=str(vault), to="package")
    write(vault, "generator", GENERATOR[0], "Something else by now.")
    page = await visit(f"/cards?job={plan}")
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_role("alert")).to_contain_text("generator.md changed since the plan was made")
    await page.get_by_role("button", name="Make a new plan").click()
    await expect(page.locator(".s-source mark", has_text="Something else by now.")).to_be_visible()


async def test_a_mass_change_asks_first(visit, site, vault, collection):
    asked = (f"Q: What is the name of thing number {each}?\nA: Thing {each} is called T{each}." for each in range(21))
    (vault / "many.md").write_text("\n\n".join(asked), encoding="utf-8")
    finished_job(site, "cards.sync", vault=str(vault), to=str(collection))
    (vault / "many.md").unlink()
    plan = finished_job(site, "cards.plan", vault=str(vault), to=str(collection))
    page = await visit(f"/cards?job={plan}")
    await page.get_by_role("button", name="Apply").click()
    await expect(page.get_by_role("alert")).to_contain_text("21 cards would be suspended")
    await expect(page.get_by_role("alert")).not_to_contain_text("--allow")
    await page.get_by_role("button", name="Apply anyway").click()
    await expect(page.get_by_text(re.compile(r"21\s*cards written"))).to_be_visible()


async def test_two_tabs_apply_a_plan_once(new_page, site, vault):
    plan = finished_job(site, "cards.plan", vault=str(vault), to="package")
    one, other = await new_page(site.url), await new_page(site.url)
    for page in (one, other):
        await page.goto(f"/cards?job={plan}")
        await page.wait_for_function("window.did_handshake === true")
    await one.get_by_role("button", name="Apply").click()
    await expect(one.get_by_role("heading", name="Done")).to_be_visible()
    await other.get_by_role("button", name="Apply").click()
    await expect(other.get_by_role("heading", name="Done")).to_be_visible()
    assert other.url == one.url


async def test_hostile_notes_are_shown_as_text(visit, site, vault):
    evil = "<script>window.owned = 1</script><img src=x onerror='parent.owned = 1'> [click](javascript:owned=1)"
    write(vault, "evil", f"What does {evil} do?", f"Nothing at all. {evil}")
    plan = finished_job(site, "cards.plan", vault=str(vault), to="package")
    page = await visit(f"/cards?job={plan}&card=")
    await page.locator(".s-plan-table tr", has_text="evil.md").click()
    await expect(page.locator(".s-source")).to_contain_text("<script>window.owned = 1</script>")
    frame = page.frame_locator(".s-sandbox")
    await expect(frame.locator("body")).to_contain_text("What does")
    assert await frame.locator("script, [onerror], a[href^=javascript]").count() == 0
    assert await page.evaluate("window.owned") is None


async def test_formulas_are_drawn_by_day_and_by_night(visit, site, vault, shot, axe):
    write(
        vault,
        "roots",
        "What solves $ax^2 + bx + c = 0$?",
        "The formula\n\n$$x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$\n\nfor $a \\ne 0$; "
        "in TeX `\\(a\\)`, and $\\ce{H2O}$.",
    )
    plan = finished_job(site, "cards.plan", vault=str(vault), to="package")
    page = await visit(f"/cards?job={plan}&card=")
    await page.locator(".s-plan-table tr", has_text="roots.md").click()
    card = page.frame_locator(".s-sandbox")
    await expect(card.locator("math")).to_have_count(1)
    await page.get_by_role("button", name="Show the answer").click()
    await expect(card.locator("math[display=block] mfrac > *")).to_have_count(2)
    await expect(card.locator("code")).to_have_text(r"\(a\)")
    await expect(card.locator("body")).to_contain_text(r"\(\ce{H2O}\)")
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        await expect(card.locator(".nightMode.card")).to_have_count(int(scheme == "dark"))
        formula, words = card.locator("math[display=block]"), card.locator("body")
        drawn = await formula.locator("mfrac").bounding_box()
        assert drawn["width"] > drawn["height"] > 20
        colours = [await each.evaluate("each => getComputedStyle(each).color") for each in (formula, words)]
        assert colours[0] == colours[1]
    await shot(page, "cards-formulas")
    await axe(page)


async def test_an_unreadable_folder_is_reported_at_its_field(visit):
    page = await visit("/cards")
    await choose(page, "Vault", "Another folder")
    for folder, said in {
        "/etc": "outside the folders that may be read",
        "": "is empty",
        "nowhere": "does not exist",
    }.items():
        await page.get_by_label("Folder of the vault").fill(folder)
        await page.get_by_role("button", name="Plan").click()
        await expect(page.get_by_role("alert")).to_contain_text(said)


async def test_anki_not_running_is_reported_with_a_remedy(visit, site, vault):
    job = placed(site, "cards.plan", vault=str(vault), to="anki")
    page = await visit(f"/cards?job={job}")
    await expect(page.get_by_role("alert")).to_contain_text("Anki")
    await expect(page.get_by_role("button", name="Try again")).to_be_visible()


@pytest.mark.parametrize("query", ["job=nothing", "run=nothing", "run=../../etc/passwd"])
async def test_a_missing_run_or_job_is_reported(visit, query):
    page = await visit(f"/cards?{query}")
    await expect(page.get_by_role("alert")).to_be_visible()


async def test_nothing_to_do_is_no_empty_page(visit, site, vault):
    finished_job(site, "cards.sync", vault=str(vault), to="package")
    plan = finished_job(site, "cards.plan", vault=str(vault), to="package")
    page = await visit(f"/cards?job={plan}")
    await expect(page.get_by_text("Everything is up to date")).to_be_visible()
    await page.get_by_role("button", name="Download the package").click()
    await expect(page.get_by_role("link", name="Download the package")).to_be_visible()


@pytest.mark.endurance
async def test_five_thousand_decisions_open_soon_and_scroll(page, site, axe):
    with Database.open(f"sqlite:///{site.home / 'database.sqlite'}") as database:
        run = database.runs.start("cards", {"vault": "big", "to": "big.apkg"})
        database.items.save_many(run.id, [ItemResult(f"n{each}.md", [_decision(each)]) for each in range(5_000)])
        database.runs.finish(run.id, "done")
    began = time.perf_counter()
    await page.goto(f"/cards?run={run.id}")
    await expect(page.get_by_role("button", name="Question number 0 ")).to_be_visible()
    assert time.perf_counter() - began < 8, "under 2 s in `make bench`; a busy machine may take longer"
    await expect(page.get_by_text("5000 of 5000")).to_be_visible()
    await page.locator(".s-plan-table .q-table__middle").evaluate("table => table.scrollTo(0, table.scrollHeight)")
    await expect(page.get_by_role("button", name="Question number 4999 ")).to_be_visible()
    await page.get_by_label("Search").fill("number 4321")
    await expect(page.get_by_text("1 of 5000")).to_be_visible()
    await page.get_by_role("button", name="Question number 4321 ").click()
    await expect(page.locator(".s-plan-detail h2")).to_have_text("n4321")
    await axe(page)


def _decision(number: int) -> Decision:
    fields = {"Front": f"Question number {number} of many, with some words to it?", "Back": f"Answer {number}."}
    return Decision(
        item=f"n{number}.md#{number:012x}",
        action=Action.CREATE,
        proposal={"deck_name": f"Deck {number % 7}", "model_name": "Studium Basic", "fields": fields},
        score=0.9,
    )
