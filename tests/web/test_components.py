"""The parts that pages are made of, on a page that shows each of them."""

import os
import sys
import time
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.real.process import answers, free_port, running
from tests.web.site import go

pytestmark = pytest.mark.part("chromium")


@pytest.fixture(scope="module")
def gallery(tmp_path_factory):
    """A site that shows every part."""
    folder, port = tmp_path_factory.mktemp("gallery"), free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, str(Path(__file__).with_name("gallery.py")), str(port)]
    environment = {**os.environ, "STUDIUM_HOME": str(folder / "home")}
    with running(command, lambda: answers(f"{url}/_studium/studium.css"), log=folder / "log", env=environment):
        yield url


@pytest.fixture
async def show(new_page, gallery):
    page = await new_page(gallery)
    return lambda path: go(page, path)


async def test_parts_can_be_used_by_everybody(show, shot, axe):
    page = await show("/parts")
    await shot(page, "parts")
    await axe(page)


async def test_nothing_that_comes_from_outside_runs(show):
    page = await show("/parts")
    await expect(page.frame_locator("iframe.s-sandbox").get_by_text("A card")).to_be_visible()
    await page.wait_for_timeout(300)
    assert await page.title() == "Parts · Studium"


async def test_a_quote_is_marked_however_its_lines_are_broken(show):
    page = await show("/parts")
    assert (await page.locator("mark").text_content()).split() == ["a", "dark", "night."]


async def test_what_a_handler_cannot_do_is_reported_with_what_to_do(show):
    page = await show("/parts")
    await page.get_by_role("button", name="Fail plainly").click()
    said = page.locator(".q-notification", has_text="There is no such deck.")
    await expect(said).to_contain_text("Choose another deck.")
    await page.get_by_role("button", name="Fail badly").click()
    await expect(page.locator(".q-notification", has_text="That did not work.")).to_be_visible()


async def test_a_key_does_what_the_help_says(show):
    page = await show("/parts")
    await page.keyboard.press("j")
    await expect(page.get_by_text("Next one.")).to_be_visible()


async def test_a_file_is_uploaded_or_refused_with_the_reason(show, faults):
    page = await show("/parts")
    drop = page.locator("input[type=file]")
    await drop.set_input_files({"name": "a.md", "mimeType": "text/markdown", "buffer": b"# A"})
    await expect(page.locator(".brought")).to_contain_text("a.md, 3 bytes")
    await drop.set_input_files({"name": "a.exe", "mimeType": "text/plain", "buffer": b"MZ"})
    await expect(page.locator(".s-drop [role=alert]")).to_contain_text("wanted: .md, .txt")
    await drop.set_input_files({"name": "full.md", "mimeType": "text/markdown", "buffer": b"# A"})
    await expect(page.locator(".s-drop [role=alert]")).to_contain_text("The disk is full. Make room.")
    assert ["507" in fault for fault in faults] == [True]
    faults.clear()


async def test_uploads_can_be_removed_when_the_storage_is_full(show, shot, axe, faults):
    page = await show("/parts")
    drop, kept = page.locator("input[type=file]"), page.locator(".s-kept")
    for name, content in (("walden.md", b"# W" * 3_000), ("a-name-that-is-much-too-long-" * 4 + ".md", b"# B" * 1_000)):
        await drop.set_input_files({"name": name, "mimeType": "text/markdown", "buffer": content})
        await expect(page.locator(".brought")).to_contain_text(name)
    await expect(kept.get_by_text("Uploaded files")).to_be_visible()
    await expect(kept.locator("li")).to_have_count(0)
    await drop.set_input_files({"name": "full.md", "mimeType": "text/markdown", "buffer": b"# A"})
    largest = kept.locator("li").first
    await expect(largest).to_contain_text("walden.md")
    await expect(largest).to_contain_text("9 kB · just now")
    await expect(kept).to_contain_text("of 5,000 MB")
    await kept.scroll_into_view_if_needed()
    await shot(page, "parts-kept")
    await axe(page)
    await kept.get_by_role("button", name="Remove walden.md").click()
    asked = page.get_by_role("dialog")
    await shot(page, "parts-kept-asked")
    await asked.get_by_role("button", name="Keep it").click()
    await expect(asked).to_have_count(0)
    await kept.get_by_role("button", name="Remove walden.md").click()
    await asked.get_by_role("button", name="Remove").click()
    await expect(kept.get_by_text("walden.md")).to_have_count(0)
    await expect(kept.get_by_text("a-name-that-is")).to_be_visible()
    await expect(kept.locator("summary")).to_be_focused()
    assert ["507" in fault for fault in faults] == [True]
    faults.clear()


async def test_five_thousand_rows_open_at_once_and_scroll_to_the_last(show, axe):
    began = time.monotonic()
    page = await show("/table")
    await expect(page.get_by_text("notes/topic-0/note-0.md", exact=True)).to_be_visible()
    assert time.monotonic() - began < 5  # two seconds where nothing else runs; `make bench` holds it to that
    await expect(page.get_by_role("grid")).to_have_count(1)
    await page.locator(".s-table .q-table__middle").evaluate("table => setInterval(() => table.scrollTop = 1e9, 50)")
    last = page.get_by_text("note-4999.md")
    await expect(last).to_be_visible()
    await last.click()
    await expect(page.locator(".opened")).to_contain_text("opened notes/topic-29/note-4999.md")
    await axe(page)


async def test_rows_are_reached_by_tab_and_arrows_alone(show, shot, axe):
    page = await show("/table")
    table = page.get_by_role("grid", name="Decisions")
    await expect(table).to_have_attribute("aria-rowcount", "5001")
    await page.locator("h1").click()
    for _ in range(20):
        await page.keyboard.press("Tab")
        if await table.evaluate("table => table === document.activeElement"):
            break
    await expect(table).to_be_focused()
    at = page.locator("tr[data-here]")
    await expect(at).to_have_attribute("aria-rowindex", "2")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await expect(at).to_contain_text("note-1.md")
    assert await table.get_attribute("aria-activedescendant") == await at.get_attribute("id")
    await shot(page, "table-rows")
    await axe(page)
    await page.keyboard.press("Enter")
    await expect(page.locator(".opened")).to_contain_text("opened notes/topic-1/note-1.md")
    await page.keyboard.press("Tab")
    await expect(table).not_to_be_focused()
    assert not await table.evaluate("table => table.contains(document.activeElement)"), "one stop for all rows"


async def test_the_first_and_the_last_of_many_rows_are_one_key_away(show):
    page = await show("/table")
    table = page.get_by_role("grid", name="Decisions")
    await expect(table).to_have_attribute("aria-rowcount", "5001")
    at = page.locator("tr[data-here]")
    await table.focus()
    await page.keyboard.press("End")
    await expect(at).to_contain_text("note-4999.md")
    await expect(at).to_be_in_viewport()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("PageUp")
    await expect(at).to_contain_text("note-4989.md")
    await page.keyboard.press("Enter")
    await expect(page.locator(".opened")).to_contain_text("note-4989.md")
    await page.keyboard.press("Home")
    await expect(at).to_contain_text("note-0.md")
    await expect(at).to_be_in_viewport()
    heading = await table.locator("thead").bounding_box()
    row = await at.bounding_box()
    assert row["y"] >= heading["y"] + heading["height"] - 1, "not under the headings"
    await page.get_by_text("note-3.md").click()
    await page.keyboard.press("ArrowDown")
    await expect(at).to_contain_text("note-4.md")


async def test_a_job_is_followed_over_a_reload_and_cancelled(show, axe):
    page = await show("/order")
    await page.get_by_role("button", name="Start").click()
    order = page.get_by_role("region", name="Filling")
    await expect(order.locator(".s-chip")).to_have_text("running")
    await expect(order).to_contain_text("of 5")
    await go(page, "/order")
    await expect(order).to_contain_text("of 5")
    await axe(page)
    await order.get_by_role("button", name="Cancel").click()
    await expect(order.locator(".s-chip")).to_have_text("cancelled")


async def test_a_page_that_cannot_be_shown_says_why(show, faults):
    page = await show("/refused")
    await expect(page.get_by_role("alert")).to_contain_text("There is no book 'Walden II'.")
    page = await show("/broken")
    await expect(page.get_by_role("heading", name="This page could not be shown")).to_be_visible()
    page = await show("/nowhere")
    await expect(page.get_by_role("link", name="Go home")).to_be_visible()
    assert ["500" in faults[0], "404" in faults[1], len(faults)] == [True, True, 2]
    faults.clear()
