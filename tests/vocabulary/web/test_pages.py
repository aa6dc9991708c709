"""The vocabulary pages: add a song, read it, look up words, make cards."""

import shutil
import sqlite3
import zipfile
from contextlib import closing

import pytest
from playwright.async_api import expect
from tests.vocabulary.lyrics.conftest import mp3
from tests.web.site import go

from studium.core.files import file_lock
from studium.vocabulary.dictionary.jmdict_build import dictionary_path

pytestmark = pytest.mark.part("chromium")

LRC = """[00:12.00]夜空の道を一人で歩く
[00:18.50]遠い町の灯りが揺れている
[01:05.00]夜空の星が光る"""


async def paste(page, lyrics, *, title="", keep=False):
    """Paste lyrics and read them."""
    await page.get_by_label("Title").fill(title)
    await page.get_by_label("Lyrics", exact=True).fill(lyrics)
    await page.get_by_label("Save the lyrics").set_checked(keep)
    await page.get_by_role("button", name="Read the song").click()
    await page.wait_for_selector(".v-song, [role=alert]")


def word(page, written):
    """A word of the song, where it stands first."""
    return page.locator(".v-song .v-word", has_text=written).first


async def test_a_song_is_read_looked_up_and_put_on_cards(visit, shot, axe, tmp_path):
    page = await visit("/vocabulary")
    await axe(page)
    await paste(page, LRC, title="夜の散歩", keep=True)
    await expect(page.get_by_role("heading", name="夜の散歩")).to_be_visible()
    await expect(page.locator("#line-1 rt")).to_have_text(["よ", "ぞら", "みち", "ひとり", "ある"])
    await expect(page.locator("#line-3 .v-time")).to_have_text("1:05")

    await word(page, "歩").press("Enter")
    details = page.get_by_role("complementary", name="The word")
    for said in ("to walk", "aruku", "JLPT N5", "The voice falls after beat 2.", "夜空の道を一人で歩く"):
        await expect(details.get_by_text(said, exact=True)).to_be_visible()
    async with page.expect_response("**/api/v1/vocabulary/sound?**") as heard:
        await details.get_by_role("button", name="Hear the word").click()
    sound = await page.request.get((await heard.value).url)
    assert (await sound.body()).startswith(b"RIFF")
    await shot(page, "vocabulary")
    await axe(page)

    await details.get_by_role("button", name="I know this word").click()
    await expect(page.locator(".v-figures")).to_contain_text("1 of 10 words")
    await page.get_by_role("button", name="By what I know").click()
    await expect(word(page, "歩")).to_have_class("v-word v-known v-n5")

    await page.get_by_role("button", name="None").click()
    for chosen in ("夜空", "星"):
        await page.get_by_label(f"Choose {chosen}", exact=True).check()
    await go(page, page.url)
    await expect(page.locator(".v-choices")).to_contain_text("2 of 10 chosen")
    await expect(page.locator(".v-is-known")).to_have_count(1)
    await page.get_by_role("button", name="Make Anki cards").click()
    link = page.get_by_role("link", name="Download the cards of 2 words")
    async with page.expect_download() as download:
        await link.click(timeout=20_000)
    await (await download.value).save_as(tmp_path / "words.apkg")
    assert words_on_cards(tmp_path / "words.apkg") == {"夜空", "星"}


def words_on_cards(package):
    """The first field of every note in a package."""
    with zipfile.ZipFile(package) as archive:
        archive.extract("collection.anki2", package.parent)
    with closing(sqlite3.connect(package.parent / "collection.anki2")) as collection:
        return {fields.split("\x1f")[0] for (fields,) in collection.execute("SELECT flds FROM notes")}


async def test_a_kept_song_is_opened_again_with_what_is_kept_of_it(visit):
    page = await visit("/vocabulary")
    await paste(page, "静かな海\nラララ\n静かな海", title="海の歌")
    await expect(page.locator(".v-line")).to_have_count(3)
    await go(page, "/vocabulary")
    await page.get_by_role("link", name="海の歌").click()
    await expect(page.get_by_role("note")).to_contain_text("The lyrics were not saved")
    await expect(page.locator(".v-line")).to_have_text(["静(しず)かな海(うみ)"])


async def test_a_reading_that_the_dictionary_does_not_have_is_doubted(visit):
    page = await visit("/vocabulary")
    await paste(page, "小鳥遊さんと海を見る")
    await expect(page.locator("#line-1 rt", has_text="?").first).to_be_visible()
    await expect(page.locator("#line-1 ruby", has_text="海").locator("rt")).to_have_text("うみ")


async def test_markup_in_a_song_is_text(visit):
    page = await visit("/vocabulary")
    hurt = "<img src=x onerror='window.hurt=1'>"
    await paste(page, f"{hurt}夜空\n<script>window.hurt=1</script>の星", title=f"{hurt}星", keep=True)
    await expect(page.locator("#line-1")).to_contain_text(hurt)
    await word(page, "星").click()
    await expect(page.locator(".v-where")).to_contain_text("<script>window.hurt=1</script>")
    await go(page, "/vocabulary")
    await expect(page.get_by_role("link", name=f"{hurt}星")).to_be_visible()
    assert await page.evaluate("window.hurt") is None


async def test_what_cannot_be_read_says_why(visit):
    page = await visit("/vocabulary")
    await paste(page, "  \n ")
    await expect(page.get_by_role("alert")).to_have_text("Paste some lyrics first.")
    await paste(page, "사랑해요 오늘 밤")
    await expect(page.get_by_role("alert")).to_contain_text("No words to learn were found")
    await go(page, "/vocabulary")
    silent = {"name": "silent.mp3", "mimeType": "audio/mpeg", "buffer": mp3()}
    await page.locator(".s-drop input").set_input_files(silent)
    await expect(page.get_by_role("alert")).to_contain_text("have no lyrics")
    for gone in ("song=nothing", "text=nothing"):
        await go(page, f"/vocabulary?{gone}")
        await expect(page.get_by_role("alert")).to_contain_text("again")


async def test_a_long_text_is_cut_and_a_foreign_one_is_said_to_be(visit):
    page = await visit("/vocabulary")
    await page.get_by_label("Lyrics", exact=True).evaluate(
        "field => { field.value = '夜空の星が光る\\n'.repeat(2_000); field.dispatchEvent(new Event('input')); }"
    )
    await page.get_by_role("button", name="Read the song").click()
    await expect(page.get_by_role("note")).to_contain_text("first 12,000 characters", timeout=15_000)
    await go(page, "/vocabulary")
    await paste(page, "春眠不覺曉")
    await expect(page.get_by_role("note")).to_contain_text("no kana")
    await go(page, "/vocabulary")
    await paste(page, "I walk along the river at night", title="River")
    await expect(page.get_by_role("note")).to_contain_text("another language")
    await word(page, "river").click()
    await expect(page.get_by_role("complementary", name="The word")).to_contain_text("川")


async def test_two_tabs_mark_words_without_losing_any(visit, new_page, site):
    page = await visit("/vocabulary")
    await paste(page, "風の歌", keep=True)
    other = await go(await new_page(site.url), page.url)
    for tab, written in ((page, "風"), (other, "歌")):
        await word(tab, written).click()
        await tab.get_by_role("button", name="I know this word").click()
        await expect(tab.get_by_role("button", name="Not known after all")).to_be_visible()
    await go(page, page.url)
    await expect(page.locator(".v-figures")).to_contain_text("2 of 2 words")


async def test_the_dictionary_is_prepared_before_the_first_song(filled_home, tmp_path, serve, new_page):
    home = tmp_path / "home"
    target = dictionary_path(home / "dictionary")
    target.parent.mkdir(parents=True)
    site = serve(home)
    with file_lock(target.parent / "locks", "the Japanese dictionary"):
        page = await go(await new_page(site.url), "/vocabulary")
        await page.get_by_role("button", name="Read a sample song").click()
        preparing = page.get_by_role("region", name="Preparing the dictionary")
        await expect(preparing.locator(".s-chip")).to_have_text("running")
        shutil.copy(dictionary_path(filled_home.copy / "dictionary"), target)
    await expect(word(page, "夜")).to_be_visible(timeout=15_000)
