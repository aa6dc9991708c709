"""Concepts: quotes become concepts under a person's eyes, and the graph shows how they hang together."""

import re
import shutil
from collections.abc import Iterator
from itertools import combinations

import pytest
from playwright.async_api import expect
from tests.real.studium_server import Site, serving
from tests.web.site import go

pytestmark = pytest.mark.part("chromium")

PATIENCE = 60_000
"""Milliseconds that work in a process of its own may take on a busy machine."""
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
QUOTES = f"""---
title: On Tea
author: Nobody
---
# Quotes

## Water

Patience is the first leaf of every good cup of tea. {HOSTILE} (p. 3)

Solitude is warm when the kettle sings. (p. 4)

Haste spoils the water before it reaches the leaf. (p. 9)
"""


@pytest.fixture(scope="module")
def site(filled_home, tmp_path_factory) -> Iterator[Site]:
    """A home with content and a vault of its own: these tests save and undo."""
    home = shutil.copytree(filled_home.original, tmp_path_factory.mktemp("concepts") / "home", symlinks=True)
    with serving(home, STUDIUM_CONCEPTS__VAULT=str(home / "demo" / "concepts-vault")) as site:
        yield site


async def test_quotes_become_concepts_on_the_map_and_can_be_undone(visit, tmp_path, shot, axe):
    page = await visit("/concepts/books")
    file = tmp_path / "tea.md"
    file.write_text(QUOTES)
    await page.locator("input[type=file]").set_input_files(file)
    await page.get_by_role("button", name="Extract concepts from On Tea").first.click(timeout=PATIENCE)
    await page.wait_for_url("**/concepts/review?book=*", timeout=PATIENCE)

    cards = page.locator(".c-proposed")
    await expect(cards).to_have_count(3, timeout=PATIENCE)
    await expect(cards.first.locator("blockquote")).to_contain_text("onerror=")
    await cards.nth(1).get_by_role("button", name=re.compile("^Reject")).click()
    await expect(cards).to_have_count(2)
    await cards.first.get_by_role("button", name=re.compile("^Edit")).click()
    await page.get_by_label("Title").fill(f"Patience {HOSTILE}")
    await page.get_by_role("button", name="Save").click()
    await expect(cards.first.get_by_role("heading", level=2)).to_contain_text("Patience <img")
    await shot(page, "concepts-review")
    await axe(page)

    await go(page, page.url)  # nothing that was changed is lost
    await expect(cards).to_have_count(2, timeout=PATIENCE)
    await expect(page.get_by_text("2 changes of yours, not sent yet")).to_be_visible()
    await page.get_by_role("button", name="Keep these concepts").click()
    await page.wait_for_url("**/concepts?book=*", timeout=PATIENCE)
    await expect(page.locator(".c-item")).to_have_count(2)
    await page.locator(".c-item", has_text="Patience").click()
    await expect(page.locator(".c-panel h2")).to_contain_text("Patience <img")
    await expect(page.locator(".c-panel figcaption")).to_contain_text("On Tea · Water")
    assert await page.title() == "Concepts · Studium"

    await go(page, "/concepts/books")
    await page.get_by_role("button", name="Undo").first.click()
    await page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    await expect(page.get_by_text("On Tea").locator("..")).to_contain_text("0 concepts", timeout=PATIENCE)


async def test_the_graph_is_walked_by_links_search_and_neighbourhood(visit, shot, axe):
    page = await visit("/concepts")
    await expect(page.get_by_text("29 concepts")).to_be_visible()
    await shot(page, "concepts")
    await axe(page)

    await page.get_by_label("Find a concept").fill("nick of")
    await expect(page.locator(".c-item")).to_have_count(1)
    await page.locator(".c-item").press("Enter")
    panel = page.locator(".c-panel")
    await expect(panel.get_by_role("heading", level=2)).to_have_text("Nick of time")
    await page.get_by_label("Distance from the concept").select_option("1 link around it")
    await expect(page.locator("canvas")).to_have_attribute("aria-label", re.compile("Map of [12] concept"))
    await page.get_by_label("Find a concept").fill("")
    await expect(page.locator("canvas")).to_have_attribute("aria-label", re.compile("Map of 2 concepts"))
    await panel.locator(".c-relation a").click()
    await expect(panel.get_by_role("heading", level=2)).not_to_have_text("Nick of time")
    await axe(page)
    await page.go_back()
    await expect(panel.get_by_role("heading", level=2)).to_have_text("Nick of time")

    await go(page, page.url)
    await expect(panel.get_by_role("heading", level=2)).to_have_text("Nick of time")
    await page.get_by_label("Find a concept").fill("being by oneself")
    await page.get_by_label("Find a concept").press("Enter")
    await expect(panel.locator(".c-found a").first).to_be_visible()


ROOM = """async () => {
    const { GraphCanvas } = await import("studium-graph-canvas");
    const map = await (await fetch("/api/v1/concepts/map")).json();
    const canvas = new GraphCanvas(document.querySelector("canvas"));
    canvas.show(map.nodes, []);
    return map.nodes.map(node => ({ title: node.title, ...canvas.place(node), box: canvas.box(node) }));
}"""


async def test_each_concept_of_a_small_graph_has_room_for_its_whole_title(visit):
    page = await visit("/concepts")
    await expect(page.get_by_text("29 concepts")).to_be_visible()
    whole = f"async () => (await ({ROOM})()).every(star => star.box.title.join(' ') === star.title)"
    await page.wait_for_function(whole, polling=300)  # once the canvas has its size
    stars = await page.evaluate(ROOM)
    for one, other in combinations(stars, 2):
        across = one["box"]["half"] + other["box"]["half"] - abs(one["x"] - other["x"])
        lower = min(one["y"] + one["box"]["down"], other["y"] + other["box"]["down"])
        along = lower - max(one["y"] - one["box"]["up"], other["y"] - other["box"]["up"])
        assert min(across, along) < 1, (one["title"], other["title"])


async def test_a_missing_concept_is_reported(visit):
    page = await visit("/concepts?concept=nowhere")
    await expect(page.get_by_role("alert")).to_contain_text("There is no concept “nowhere”.")


async def test_relations_can_be_hidden_and_the_map_moved_from_the_keyboard(visit):
    page = await visit("/concepts")
    await expect(page.get_by_text("29 concepts")).to_be_visible()
    await page.get_by_role("button", name="relates to").click()
    await expect(page.get_by_role("button", name="relates to")).to_have_attribute("aria-pressed", "false")
    before = await page.locator("canvas").screenshot()
    await page.locator("canvas").press("ArrowLeft")
    await page.locator("canvas").press("+")
    await page.wait_for_timeout(200)
    assert await page.locator("canvas").screenshot() != before


async def test_notes_are_written_and_opened_in_obsidian(visit):
    page = await visit("/concepts/books")
    await page.get_by_role("button", name="Write notes").click()
    await expect(page.get_by_text(re.compile("notes? written"))).to_be_visible(timeout=PATIENCE)
    await go(page, "/concepts?concept=Nick of time")
    link = page.get_by_role("link", name="Open in Obsidian")
    expected = "obsidian://open?vault=concepts-vault&file=Nick%20of%20time"
    await expect(link).to_have_attribute("href", expected)


async def test_concepts_are_merged_taken_apart_and_related_in_place(visit):
    page = await visit("/concepts/review?book=Meditaciones")
    first, dialog = page.locator(".c-proposed").first, page.get_by_role("dialog")
    await first.get_by_role("button", name=re.compile("^Merge")).click(timeout=PATIENCE)
    await dialog.get_by_role("button", name="Merge").click()
    await expect(page.get_by_text("Nothing was changed.")).to_be_visible()  # with nobody: refused, and asked on
    await page.get_by_label("Concepts with the same meaning").press("Enter")
    for key in ("ArrowDown", "Enter", "Tab"):
        await page.keyboard.press(key)
    await expect(page.get_by_role("option").first).to_be_hidden()
    await dialog.get_by_role("button", name="Merge").click()
    await expect(first).to_contain_text("made of 2")
    await first.get_by_role("button", name=re.compile("^Unmerge")).click()
    await expect(first).not_to_contain_text("made of 2")

    links = await first.locator(".c-links li").count()
    await first.get_by_role("button", name=re.compile("^Relate")).click()
    await dialog.get_by_role("button", name="Relate").click()
    await expect(first.locator(".c-links li")).to_have_count(links + 1)
    await expect(dialog).to_be_hidden()
    for _ in range(3):
        await page.get_by_role("button", name="Undo last change").click()
    await expect(page.get_by_text("0 changes of yours")).to_be_visible(timeout=PATIENCE)


async def test_whoever_answers_second_is_told_and_sees_how_it_stands(site, new_page):
    first, second = [await new_page(site.url) for _ in range(2)]
    for tab in (first, second):
        await go(tab, "/concepts/review?book=Meditaciones")
        await expect(tab.locator(".c-proposed").first).to_be_visible(timeout=PATIENCE)
    await first.get_by_label("Or describe what should change").fill("Rechaza c2.")
    await expect(first.get_by_role("button", name="Keep these concepts")).to_be_disabled()
    await first.get_by_role("button", name="Send back").click()
    await expect(first.get_by_text("Round 2.")).to_be_visible(timeout=PATIENCE)

    await second.get_by_role("button", name="Keep these concepts").click()
    await expect(second.get_by_role("alert")).to_contain_text("has changed since you saw it", timeout=PATIENCE)
    await second.get_by_role("button", name="Show the current version").click()
    await expect(second.get_by_text("Round 2.")).to_be_visible(timeout=PATIENCE)
    kept = await (await second.request.get("/api/v1/concepts?book=Meditaciones")).json()
    assert kept["total"] == 0


async def test_an_empty_app_says_what_to_do(new_site, new_page, axe):
    page = await go(await new_page(new_site.url), "/concepts")
    await page.get_by_role("link", name="Import highlights").click()
    await expect(page.get_by_text("No books yet")).to_be_visible()
    await axe(page)


async def test_the_graph_is_audited(visit, axe, shot):
    page = await visit("/concepts/audit")
    await expect(page.get_by_role("heading", name="Only one quote")).to_be_visible(timeout=PATIENCE)
    await shot(page, "concepts-audit")
    await axe(page)
