"""Home: what a learner sees first."""

import asyncio
import re
import shutil
import time

import pytest
from playwright.async_api import expect
from tests.real.studium_server import serving
from tests.vocabulary.dictionary.conftest import dictionary_cache
from tests.web.site import go

from studium.app.samples import read_manifest
from studium.vocabulary.dictionary.jmdict import JMdict

pytestmark = pytest.mark.part("chromium")


async def test_home_says_what_was_made_what_waits_and_what_ran(visit, shot, axe):
    page = await visit("/")
    cards = page.locator(".s-feature", has=page.get_by_role("heading", name="Cards"))
    await expect(cards).to_contain_text(re.compile(r"[1-9]\d*\s*cards made"))
    await expect(page.locator(".s-waits")).to_contain_text("open reviews")
    await expect(page.locator(".s-list li", has_text="done").first).to_be_visible()
    await shot(page, "home")
    await axe(page)


def wait_for(file):
    while not file.exists():
        time.sleep(0.1)


@pytest.fixture
def welcoming_site(tmp_path, request):
    """Studium on its first start, when it adds the samples by itself; only the dictionary is prepared."""
    (home := tmp_path / "new-home").mkdir()
    JMdict.open(dictionary := dictionary_cache(request.config)).close()
    (home / "dictionary").symlink_to(dictionary)
    with serving(home, STUDIUM_SERVE__SAMPLES="true", STUDIUM_EMBEDDER="none") as site:
        yield site


async def test_every_feature_is_one_click_away(visit):
    page = await visit("/")
    for feature in ("cards", "vocabulary", "questions", "concepts", "tutor"):
        await expect(page.locator(f".s-feature a[href='/{feature}']")).to_have_count(1)


async def test_the_first_start_offers_samples_and_shows_them_come_in(new_site, new_page, shot, axe):
    page = await go(await new_page(new_site.url), "/")
    await expect(page.get_by_text("Nothing here yet")).to_be_visible()
    await shot(page, "home-first-start")
    await page.get_by_role("button", name="Add sample content").click()
    filling = page.get_by_role("region", name="Adding sample content")
    await expect(filling.locator(".s-chip")).to_have_text("running")
    await axe(page)
    await go(page, "/")
    await asyncio.to_thread(wait_for, new_site.home / "demo" / "made.json")
    await filling.get_by_role("button", name="Cancel").click()
    await expect(filling.locator(".s-chip")).to_have_text("cancelled")
    samples = page.get_by_role("region", name="Samples", exact=True)
    await expect(samples).to_contain_text("Some sample content is missing.")
    await shot(page, "home-samples-missing")
    await go(page, "/")
    await axe(page)
    await samples.get_by_role("button", name="Add the rest").click()
    await filling.get_by_role("button", name="Cancel").click()
    await expect(filling.locator(".s-chip")).to_have_text("cancelled")
    await expect(samples.get_by_role("button", name="Remove samples")).to_be_visible()


async def test_home_says_why_samples_are_missing_and_lets_them_come(tmp_path, filled_home, serve, new_page):
    home = shutil.copytree(filled_home.original, tmp_path / "home", symlinks=True)
    folder = home / "demo"
    mark = read_manifest(folder)
    made = tuple(each for each in mark.made if each.feature != "cards")
    (folder / "made.json").write_text(mark.model_copy(update={"made": made}).model_dump_json())
    (folder / "cards.apkg").unlink()
    (folder / "cards.apkg").mkdir()
    site = serve(home, STUDIUM_EMBEDDER="none")
    page = await go(await new_page(site.url), "/")
    samples = page.get_by_role("region", name="Samples", exact=True)
    await samples.get_by_role("button", name="Add the rest").click()
    await expect(samples).to_contain_text("Cards: ")
    (folder / "cards.apkg").rmdir()
    await samples.get_by_role("button", name="Add the rest").click()
    await expect(samples).to_contain_text("This is sample content.")
    await expect(samples.get_by_role("button", name="Add the rest")).to_have_count(0)


@pytest.mark.endurance
async def test_the_first_start_fills_the_app_by_itself_and_the_samples_can_be_removed(
    welcoming_site, new_page, shot, axe
):
    page = await go(await new_page(welcoming_site.url), "/")
    filling = page.get_by_role("region", name="Adding sample content")
    samples = page.get_by_role("region", name="Samples", exact=True)
    await expect(filling.or_(samples)).to_be_visible()
    await shot(page, "home-filling")
    await expect(samples).to_contain_text("This is sample content.", timeout=120_000)
    await shot(page, "home-samples")
    await axe(page)
    for path, shown in {
        "/cards": "Sync: vault",
        "/vocabulary": "夜空の道",
        "/concepts": "Solitude",
        "/inbox": "leaky",
    }.items():
        await expect((await go(page, path)).get_by_text(shown).first).to_be_visible()

    await go(page, "/")
    await samples.get_by_role("button", name="Remove samples").click()
    await expect(page.get_by_text("Nothing here yet")).to_be_visible()
    await expect(page.get_by_text("Recent runs")).to_have_count(0)
    await expect(page.locator(".s-waits")).to_contain_text("No open reviews")
    assert not (welcoming_site.home / "demo").exists()
    for path, gone in {"/vocabulary": "夜空の道", "/concepts": "Solitude"}.items():
        await expect((await go(page, path)).get_by_text(gone)).to_have_count(0)
