"""What happens after answers in the inbox: the vault is synced, the extraction continues."""

import json
import subprocess

import pytest
from playwright.async_api import expect
from tests.real.studium_server import serving
from tests.web.site import go

pytestmark = pytest.mark.part("chromium")


async def asked(page, path):
    """What the site answers to a program."""
    return await (await page.request.get(f"/api/v1/{path}")).json()


async def looked_at(page, path):
    """What it answers again and again, for a minute."""
    for _ in range(300):
        yield await asked(page, path)
        await page.wait_for_timeout(200)


@pytest.fixture(scope="module")
def own_site(filled_home, tmp_path_factory):
    """A home with sample content that these tests may change, each in a feature of its own."""
    home = tmp_path_factory.mktemp("next-steps") / "own"
    subprocess.run(["cp", "-a", filled_home.original, home], check=True)
    with serving(home, STUDIUM_SERVE__ROOTS=json.dumps([str(filled_home.original)])) as site:
        yield site


async def test_words_that_were_not_sent_survive_a_reload_and_an_approved_card_is_written_by_the_offered_sync(
    own_site, new_page
):
    page = await go(await new_page(own_site.url), "/inbox?feature=cards")
    words = page.get_by_label("What should the next attempt do differently?")
    await page.get_by_text("leaky.md").first.click()
    await page.get_by_role("button", name="Respond").click()
    await words.fill("Ask for one thing only.")
    await page.wait_for_timeout(300)
    await page.reload()
    await page.get_by_text("leaky.md").first.click()
    await page.get_by_role("button", name="Respond").click()
    await expect(words).to_have_value("Ask for one thing only.")

    await go(page, "/inbox?feature=cards")
    await page.get_by_text("leaky.md").first.click()
    await page.get_by_role("button", name="Approve").click()
    await go(page, "/inbox?feature=cards&status=approved")
    await page.get_by_text("leaky.md").first.click()
    await page.get_by_role("button", name="Sync the vault now").click()
    await expect(page.get_by_role("region", name="Syncing the vault").locator(".s-chip")).to_have_text(
        "done", timeout=60_000
    )
    jobs = await asked(page, "jobs?kind=cards")
    assert jobs["items"][0]["result"]["counts"]["create"] == 1


async def test_unsent_words_survive_and_extraction_continues_after_a_book_is_approved(own_site, new_page):
    page = await go(await new_page(own_site.url), "/concepts/review?book=Meditaciones")
    words = page.get_by_label("Or describe what should change")
    await words.fill("Fewer, and shorter.")
    await page.wait_for_timeout(500)
    await page.reload()
    await expect(words).to_have_value("Fewer, and shorter.")

    await go(page, "/inbox?feature=concepts")
    before = (await asked(page, "concepts/stats"))["counts"]["Concept"]
    await page.get_by_text("Meditaciones").first.click()
    await page.get_by_role("button", name="Approve").click()
    async for jobs in looked_at(page, "jobs?kind=concepts"):
        if [job["status"] for job in jobs["items"]] == ["done"]:
            break
    assert [job["status"] for job in jobs["items"]] == ["done"], jobs
    after = (await asked(page, "concepts/stats"))["counts"]["Concept"]
    assert after > before
    await go(page, "/concepts")
    await expect(page.get_by_text(f"{after} concepts")).to_be_visible()
