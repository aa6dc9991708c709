"""The frame of every page: the way around, the theme, the help, the notice when the server is away."""

import re

import pytest
from playwright.async_api import expect
from tests.real.process import free_port
from tests.real.studium_server import serving
from tests.web.site import PHONE, go

pytestmark = pytest.mark.part("chromium")


async def test_the_navigation_marks_where_one_is_and_counts_what_waits(visit):
    page = await visit("/")
    pages = page.get_by_role("navigation", name="Pages")
    await expect(pages.get_by_role("link")).to_have_count(8)
    await expect(pages.get_by_role("link", name="Home")).to_have_attribute("aria-current", "page")
    await expect(pages.locator(".s-count")).to_have_text(re.compile(r"[1-9]\d*"))


async def test_the_theme_follows_the_system_until_the_reader_chooses(visit):
    page = await visit("/")
    await page.emulate_media(color_scheme="dark")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await page.get_by_role("button", name="Light or dark").click()
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-theme", "light")
    await expect(page.locator("body")).to_contain_class("body--light")


async def test_a_question_mark_opens_the_keys_and_escape_closes_them(visit, axe):
    page = await visit("/")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_contain_text("This help")
    await axe(page)
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_the_first_tab_skips_to_the_page(visit):
    page = await visit("/")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#page")).to_be_focused()


async def test_a_phone_shows_every_page_and_nothing_beyond_its_edge(visit):
    page = await visit("/")
    await page.set_viewport_size(PHONE)
    for link in await page.get_by_role("navigation", name="Pages").get_by_role("link").all():
        await expect(link).to_be_in_viewport(ratio=1)
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


async def test_a_page_says_that_the_server_is_away_and_comes_back_by_itself(tmp_path, new_page, faults):
    port = free_port()
    with serving(tmp_path / "home", port=port) as site:
        page = await go(await new_page(site.url), "/")
    away = page.locator("#popup")
    await expect(away).to_have_attribute("aria-hidden", "false")
    await expect(away).to_contain_text("Connection lost")
    with serving(tmp_path / "home", port=port):
        await expect(away).to_have_attribute("aria-hidden", "true", timeout=20_000)
        await expect(page.get_by_role("heading", level=1)).to_have_text("Welcome")
    faults.clear()
