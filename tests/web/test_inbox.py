"""The inbox: every review with its evidence, answered from the keyboard, and undone as easily."""

import asyncio
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect
from tests.real.studium_server import Site, serving
from tests.web.site import PHONE, go

from studium.cards.models import ProposedCard
from studium.core.database import Database
from studium.core.domain.decision import Action, Decision, PublishedVersion
from studium.core.domain.finding import Evidence, Finding, Locator, Severity

pytestmark = pytest.mark.part("chromium")

SCRIPT = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
SINK = "anki"


def card(name: str, back: str = "A protocol.", **said: object) -> Decision:
    """A doubt about a card."""
    proposal = ProposedCard(deck_name="net", fields={"Front": f"What is {name}?", "Back": back}, tags=("routing",))
    return Decision(
        item=f"notes/{name}.md#c-{name}",
        action=Action.MANUAL_REVIEW,
        proposal=proposal.model_dump(mode="json"),
        proposal_schema=ProposedCard.model_json_schema(),
        **{"reasons": (f"The answer about {name} stands in the question.",)} | said,
    )


def edited_on_both_sides() -> Decision:
    """A card that was edited in Anki and in its note."""
    order = {
        "card_id": "both", "kind": "update", "note": "notes/both.md", "anki_id": 1,
        "fields": {"Back": "The cat sat on the red mat."},
        "expected": {"Back": "The cat sat quietly on the mat."},
    }  # fmt: skip
    return card("both", "The cat sat on the red mat.", change=order)


def concepts() -> Decision:
    """A book that waits."""
    quotes = {"q1": "Hay que estar derecho, no ser enderezado."}
    found = [{"key": f"c{n}", "title": f"Concept {n}", "concept": "To stand.", "quotes": ["q1"]} for n in (1, 2)]
    proposal = {"book": "Meditaciones", "concepts": found, "relations": [{"c1 SUPPORTS c2": "Both."}], "quotes": quotes}
    return Decision(item="Meditaciones", action=Action.MANUAL_REVIEW, reasons=("2 concepts wait.",), proposal=proposal)


def evidence(vault, name: str) -> tuple[Evidence, ...]:
    """The line of a note that a card was made from."""
    where = Locator(path=str(vault / "notes" / f"{name}.md"), line=3, end_line=3)
    return (Evidence(passage="p", quote=f"{name} is a protocol.", where=where),)


@pytest.fixture(scope="module")
def app(tmp_path_factory) -> Iterator[tuple[Site, Database]]:
    """A home with a few reviews of every kind, and its database."""
    home, vault = tmp_path_factory.mktemp("inbox") / "home", tmp_path_factory.mktemp("inbox") / "vault"
    (vault / "notes").mkdir(parents=True)
    home.mkdir()
    (vault / "notes" / "ospf.md").write_text("# Protocols\n\nospf is a protocol. It floods.\n", "utf-8")
    found = Finding(code="leak", severity=Severity.WARNING, message=SCRIPT, where=Locator(path="notes/ospf.md", line=3))
    doubts = [
        card("ospf", evidence=evidence(vault, "ospf"), findings=(found,)),
        card("bgp", back=SCRIPT),
        edited_on_both_sides(),
        *(card(f"rule{number}") for number in range(5)),
    ]
    with Database.open(f"sqlite:///{home / 'database.sqlite'}") as database:
        run = database.runs.start("cards", {"vault": str(vault), "to": "anki", "sink": SINK}).id
        for doubt in doubts:
            database.items.save(run, doubt.item, [doubt])
        database.items.save(database.runs.start("concepts", {"extract": "x"}).id, "Meditaciones", [concepts()])
        database.published.save(SINK, {"both": PublishedVersion(fields={"Back": "The cat sat on the mat."})})
        with serving(home) as site:
            yield site, database


@pytest.fixture
def inbox(app) -> tuple[Site, Database]:
    """The home before any review was answered."""
    site, database = app
    for line in database.reviews.summaries():
        database.reviews.reopen(line.id)
    return site, database


def status_of(database: Database, name: str) -> str:
    """How the review of a card stands."""
    return next(line.status.value for line in database.reviews.summaries() if name in line.item)


async def opened(page, name: str) -> None:
    """The review of this name is the open one."""
    await expect(page.locator(".in-title")).to_contain_text(name)


async def test_a_morning_at_the_inbox_from_the_keyboard(inbox, new_page, shot, axe):
    site, database = inbox
    page = await go(await new_page(site.url), "/inbox?words=notes")
    await expect(page.locator(".in-line")).to_have_count(8)

    await page.get_by_label("Search").fill("ospf")
    await expect(page.locator(".in-line")).to_have_count(1)
    await opened(page, "ospf.md")
    await expect(page.locator(".s-evidence mark")).to_have_text("ospf is a protocol.")
    await expect(page.locator(".s-evidence")).to_contain_text("It floods.")
    await expect(page.frame_locator("iframe[title='Front of the card']").locator("body")).to_contain_text(
        "What is ospf?"
    )
    await shot(page, "inbox")
    await axe(page)

    await page.get_by_label("Search").fill("notes")
    await page.locator("h1").click()
    await expect(page.locator(".in-line")).to_have_count(8)
    await page.keyboard.press("x")
    await expect(page.get_by_text("1 selected")).to_be_visible()
    await page.keyboard.press("a")
    await expect(page.get_by_role("status")).to_contain_text("Approved: ospf.md")
    await expect(page.get_by_text("1 selected")).not_to_be_visible()
    await expect(page.locator(".in-line")).to_have_count(7)
    await expect(page.locator(".in-title")).not_to_contain_text("ospf")
    assert status_of(database, "ospf") == "approved"

    await page.keyboard.press("u")
    await opened(page, "ospf.md")
    assert status_of(database, "ospf") == "open"

    await page.keyboard.press("c")
    await page.get_by_label("What should the next attempt do differently?").fill("Say what it floods. Not a, r, or u.")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_role("status")).to_contain_text("Responded")
    assert status_of(database, "ospf") == "responded"


async def test_many_are_answered_at_once_and_those_answered_meanwhile_are_named(inbox, new_page):
    site, database = inbox
    page = await go(await new_page(site.url), "/inbox?words=rule")
    await page.get_by_role("button", name="Select all 5").click()
    taken = next(line for line in database.reviews.summaries() if "rule3" in line.item)
    database.reviews.answer(taken.id, "rejected", None, "Too easy.")
    await page.keyboard.press("Shift+A")
    await expect(page.get_by_role("status")).to_contain_text("Approved: 4 reviews")
    await expect(page.get_by_role("alert").first).to_contain_text("Too easy.")
    await page.keyboard.press("u")
    await expect(page.locator(".in-line")).to_have_count(4)
    assert [status_of(database, f"rule{number}") for number in (0, 3)] == ["open", "rejected"]


async def test_two_tabs_and_one_review_the_second_is_told_and_shown_the_answer(inbox, new_page):
    site, database = inbox
    bgp = next(line for line in database.reviews.summaries() if "bgp" in line.item)
    here, there = [await go(await new_page(site.url), f"/inbox?review={bgp.id}") for _ in range(2)]
    await asyncio.gather(here.keyboard.press("a"), there.keyboard.press("r"))
    await expect(here.get_by_text(re.compile("Approved: bgp.md|was already rejected"))).to_be_visible()
    first = here if status_of(database, "bgp") == "approved" else there
    second = there if first is here else here
    await expect(first.get_by_role("status")).to_contain_text("bgp.md")
    await expect(second.locator(".in-right")).to_contain_text("What happens next")
    await expect(second.get_by_role("alert")).to_contain_text(f"was already {status_of(database, 'bgp')}")


async def test_an_edit_that_does_not_fit_is_reported_and_nothing_typed_is_lost(inbox, new_page, axe):
    site, database = inbox
    bgp = next(line for line in database.reviews.summaries() if "bgp" in line.item)
    page = await go(await new_page(site.url), f"/inbox?review={bgp.id}")
    await page.keyboard.press("e")
    await page.get_by_label("Back").fill("The border gateway protocol.")
    await page.get_by_label("Confidence").fill("very")
    await axe(page)
    await page.get_by_role("button", name="Save and approve").click()
    await expect(page.get_by_role("alert")).to_contain_text("'very' is not of type 'number'")
    await expect(page.get_by_label("Back")).to_have_value("The border gateway protocol.")

    await go(page, f"/inbox?review={bgp.id}")
    await page.keyboard.press("e")
    await expect(page.get_by_label("Back")).to_have_value("The border gateway protocol.")
    await page.get_by_label("Confidence").fill("0.9")
    await page.get_by_role("button", name="Edit as text").click()
    await expect(page.get_by_label("The proposal, as YAML or JSON")).to_have_value(re.compile("confidence: 0.9"))
    await page.get_by_role("button", name="Save and approve").click()
    await expect(page.get_by_role("status")).to_contain_text("Edited: bgp.md")
    await expect(page.locator(".in-title")).to_be_focused()
    assert database.reviews.get(bgp.id).answer["fields"]["Back"] == "The border gateway protocol."


async def test_a_card_edited_on_both_sides_shows_three_sides_with_the_words_that_differ(inbox, new_page):
    site, database = inbox
    both = next(line for line in database.reviews.summaries() if "both" in line.item)
    page = await go(await new_page(site.url), f"/inbox?review={both.id}")
    await expect(page.locator(".in-old p")).to_have_text("The cat sat on the mat.")
    await expect(page.locator(".in-here mark")).to_have_text(re.compile(r"^\s*quietly\s*$"))
    await expect(page.locator(".in-new mark")).to_have_text(re.compile(r"^\s*red\s*$"))


async def test_what_a_document_or_a_model_says_stays_text(inbox, new_page):
    site, database = inbox
    page = await go(await new_page(site.url), "/inbox?words=bgp")
    back = page.frame_locator("iframe[title='Back of the card']").locator("body")
    await expect(back).to_contain_text("<script>")
    ospf = next(line for line in database.reviews.summaries() if "ospf" in line.item)
    await go(page, f"/inbox?review={ospf.id}")
    await expect(page.locator(".in-why")).to_contain_text(SCRIPT)
    await expect(page).to_have_title("Inbox · Studium")


async def test_a_book_is_shown_with_its_quotes_and_relations(inbox, new_page):
    site, _ = inbox
    page = await go(await new_page(site.url), "/inbox?feature=concepts")
    await expect(page.locator(".in-concepts li")).to_have_count(2)
    await expect(page.locator(".in-concepts blockquote").first).to_have_text(
        "Hay que estar derecho, no ser enderezado."
    )
    await page.get_by_role("button", name="1 relation").click()
    await expect(page.locator(".in-relations")).to_contain_text("Concept 1 supports Concept 2")


async def test_what_comes_in_appears_by_itself_and_a_phone_shows_one_side_at_a_time(inbox, new_page):
    site, database = inbox
    page = await go(await new_page(site.url), "/inbox?words=eigrp")
    await page.set_viewport_size(PHONE)
    await expect(page.locator(".s-empty")).to_contain_text("No matches")
    run = database.runs.start("cards", {}).id
    database.items.save(run, "eigrp", [card("eigrp").model_copy(update={"item": "late/eigrp.md#c-eigrp"})])
    await page.get_by_role("link", name="eigrp.md").click()
    await expect(page.get_by_role("button", name="Approve")).to_be_in_viewport()
    await expect(page.get_by_label("Search")).not_to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await page.go_back()
    await expect(page.get_by_label("Search")).to_have_value("eigrp")
    await page.go_forward()
    await expect(page.get_by_role("button", name="Approve")).to_be_in_viewport()
    await page.get_by_role("button", name="All reviews").click()
    await expect(page.get_by_label("Search")).to_be_visible()
    await page.wait_for_url("**/inbox?words=eigrp")


async def test_what_is_looked_for_stands_in_the_address_and_survives_a_reload(inbox, new_page):
    site, _ = inbox
    page = await go(await new_page(site.url), "/inbox")
    await opened(page, "ospf")
    await page.get_by_label("Search").fill("notes")
    await page.wait_for_url("**/inbox?words=notes")
    await page.reload()
    await expect(page.get_by_label("Search")).to_have_value("notes")


async def test_a_review_that_is_removed_meanwhile_leaves_the_inbox(inbox, new_page):
    site, database = inbox
    run = database.runs.start("cards", {}).id
    database.items.save(run, "gone", [card("gone").model_copy(update={"item": "gone/gone.md#c-gone"})])
    gone = next(line for line in database.reviews.summaries() if "gone" in line.item)
    page = await go(await new_page(site.url), f"/inbox?review={gone.id}")
    await opened(page, "gone")
    database.runs.delete([run])
    await expect(page.get_by_role("status")).to_contain_text("gone.md was removed elsewhere")
    await opened(page, "ospf")


async def test_a_link_to_a_place_on_the_page_closes_no_editor(inbox, new_page):
    site, _ = inbox
    page = await go(await new_page(site.url), "/inbox?words=ospf")
    await opened(page, "ospf")
    await page.keyboard.press("e")
    await page.get_by_label("Back").fill("It floods.")
    await page.evaluate("location.hash = 'main'")
    await page.wait_for_timeout(300)
    await expect(page.get_by_label("Back")).to_have_value("It floods.")


async def test_an_unknown_review_is_said_to_be_unknown(inbox, new_page):
    site, _ = inbox
    page = await go(await new_page(site.url), "/inbox?words=notes&review=nowhere")
    await expect(page.get_by_role("alert")).to_contain_text("There is no review nowhere")
    await expect(page.locator(".in-line").first).to_be_visible()
