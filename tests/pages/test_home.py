"""Home: what a learner sees first."""

import re

import pytest
from playwright.async_api import expect
from tests.pages.conftest import go

pytestmark = pytest.mark.part("chromium")


async def test_home_says_what_was_made_what_waits_and_what_ran(visit, shot, axe):
    page = await visit("/")
    cards = page.locator(".s-faculty", has=page.get_by_role("heading", name="Cards"))
    await expect(cards).to_contain_text(re.compile(r"[1-9]\d*\s*cards made"))
    await expect(page.locator(".s-waits")).to_contain_text("your answer")
    await expect(page.locator(".s-list li").first).to_contain_text("done")
    await shot(page, "home")
    await axe(page)


async def test_every_faculty_is_one_click_away(visit):
    page = await visit("/")
    for faculty in ("cards", "vocabulary", "questions", "concepts", "tutor"):
        await expect(page.locator(f".s-faculty a[href='/{faculty}']")).to_have_count(1)


async def test_the_first_start_offers_samples_and_shows_them_come_in(new_site, new_page, shot, axe):
    page = await go(await new_page(new_site.url), "/")
    await expect(page.get_by_text("Nothing was made yet")).to_be_visible()
    await shot(page, "home-first-start")
    await page.get_by_role("button", name="Fill with samples").click()
    filling = page.get_by_role("region", name="Filling the house with samples")
    await expect(filling.locator(".s-chip")).to_have_text("running")
    await axe(page)
    await go(page, "/")
    await filling.get_by_role("button", name="Cancel").click()
    await expect(filling.locator(".s-chip")).to_have_text("cancelled")
