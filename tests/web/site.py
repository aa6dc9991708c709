"""A real server with sample content, and a real browser to look at it.

    async def test_the_inbox_shows_what_waits(visit):
        page = await visit("/inbox")
        await expect(page.get_by_role("heading", name="Inbox")).to_be_visible()

Playwright's asynchronous interface is used throughout: its synchronous one wants an event loop of its own, and the
tests of a session share one. A page that fails in the console, throws, or asks any other host fails its test.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.real import chromium
from tests.real.studium_server import Site, serving
from tests.vocabulary.dictionary.conftest import dictionary_cache

from studium.vocabulary.dictionary.jmdict import JMdict

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request

SCREENS = Path(__file__).parents[2] / ".artifacts" / "screens"
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}

_FILL = """
import asyncio, sys
from pathlib import Path
from studium.app.samples import add_samples
from studium.core.config import load_settings
settings = load_settings()
asyncio.run(add_samples(settings, settings.home / "demo"))
"""


@dataclass(frozen=True)
class FilledHome:
    """A home to work in, and the one it was copied from, whose files the runs name."""

    original: Path
    copy: Path


@pytest.fixture(scope="session")
def filled_home(tmp_path_factory, request) -> FilledHome:
    """A home that every feature worked in: made once for all workers, each of which has a copy of it."""
    shared = tmp_path_factory.getbasetemp().parent / "filled-home"
    with shared.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "whole").exists():
            for old in (shared, shared.with_suffix(".untouched")):
                shutil.rmtree(old, ignore_errors=True)
            shared.mkdir()
            JMdict.open(dictionary := dictionary_cache(request.config)).close()
            (shared / "dictionary").symlink_to(dictionary)
            environment = {**os.environ, "STUDIUM_HOME": str(shared)}
            subprocess.run([sys.executable, "-c", _FILL], env=environment, check=True, timeout=240)
            # What others work with in the first home must not show in a copy of it.
            shutil.copytree(shared, shared.with_suffix(".untouched"), symlinks=True)
            (shared / "whole").touch()
    copy = tmp_path_factory.mktemp("site") / "home"
    return FilledHome(shared, shutil.copytree(shared.with_suffix(".untouched"), copy, symlinks=True))


@pytest.fixture(scope="session")
def site(filled_home) -> Iterator[Site]:
    """Studium with sample content, shared by all tests of a session."""
    with serving(filled_home.copy, STUDIUM_SERVE__ROOTS=json.dumps([str(filled_home.original)])) as site:
        yield site


@pytest.fixture
def new_site(tmp_path) -> Iterator[Site]:
    """Studium as it is on its very first start."""
    with serving(tmp_path / "new-home") as site:
        yield site


@pytest.fixture
def serve() -> Iterator[Callable[..., Site]]:
    """Starts servers that run until the pages of the test are closed."""
    with ExitStack() as servers:
        yield lambda *given, **settings: servers.enter_context(serving(*given, **settings))


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator["Browser"]:
    """One Chromium for all tests of a session; what it is to show may take its time on a busy machine."""
    from playwright.async_api import expect

    expect.set_options(timeout=30_000)
    async with chromium.driven() as browser:
        yield browser


@pytest.fixture
def faults() -> list[str]:
    """What went wrong in the browser; a test that provokes something takes it out."""
    return []


@pytest.fixture(scope="session")
def warm_profiles() -> dict[str, "BrowserContext"]:
    """A browser profile for each site, which has its scripts at hand; what a test leaves there is removed."""
    return {}


@pytest.fixture
async def new_page(browser, faults, warm_profiles, serve) -> AsyncIterator[Callable[..., "Awaitable[Page]"]]:  # noqa: ARG001 - whose servers end after the pages
    """Opens empty pages of a site, each in a browser profile of its own; afterwards none may have had a fault."""
    pages = []

    async def open_(url: str, **options: object) -> "Page":
        wanted = {"base_url": url, "viewport": DESK, "reduced_motion": "reduce", **options}
        if pages or options:
            context = await browser.new_context(**wanted)
        else:
            context = warm_profiles.get(url) or warm_profiles.setdefault(url, await browser.new_context(**wanted))
        page = await context.new_page()
        pages.append(page)
        page.set_default_timeout(30_000)
        _listen(page, url, faults)
        return page

    yield open_
    warm = {context: url for url, context in warm_profiles.items()}
    for page in pages:
        if url := warm.get(page.context):
            await _forget(page, url)
        else:
            await page.context.close()
    assert faults == []


async def _forget(page: "Page", url: str) -> None:
    """Remove what a test left in a profile that others use, too."""
    context = page.context
    devtools = await context.new_cdp_session(page)
    left = {"origin": url, "storageTypes": "cookies,local_storage,indexeddb"}
    await devtools.send("Storage.clearDataForOrigin", left)
    await context.clear_cookies()
    for each in context.pages:  # also those that a click opened
        await each.close()


@pytest.fixture
async def page(new_page, site) -> "Page":
    """An empty page of the site."""
    return await new_page(site.url)


@pytest.fixture
def visit(page) -> Callable[[str], "Awaitable[Page]"]:
    """Goes to a path of the site and waits until the page is alive."""
    return partial(go, page)


async def go(page: "Page", path: str) -> "Page":
    """Open a path and wait until the page is alive."""
    await page.goto(path)
    await page.wait_for_selector("h1")
    await page.wait_for_function("window.did_handshake === true")
    return page


@pytest.fixture
def shot() -> Callable[["Page", str], "Awaitable[None]"]:
    """Keeps how a page looks by day, by night and on a phone, for people who ask for it with `SCREENS=1`."""
    return _shot


async def _shot(page: "Page", name: str) -> None:
    if not os.environ.get("SCREENS"):
        return
    SCREENS.mkdir(parents=True, exist_ok=True)
    looks = (("light", "light", DESK), ("dark", "dark", DESK), ("phone", "light", PHONE))
    for look, scheme, size in looks:
        await page.emulate_media(color_scheme=scheme)
        await page.set_viewport_size(size)
        await page.screenshot(path=SCREENS / f"{name}-{look}.png", animations="disabled")
    await page.set_viewport_size(DESK)


@pytest.fixture
def axe() -> Callable[["Page"], "Awaitable[None]"]:
    """Fails where axe finds something serious, by day or by night."""
    return _axe


# A busy machine may take its time between two frames, and a colour on its way from day to night is neither.
_AT_REST = """scheme => document.documentElement.dataset.theme === scheme
    && document.getAnimations().every(each => each.effect.getComputedTiming().endTime === Infinity)"""


_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


# Only what is grave comes back: all that axe has looked at would be megabytes.
_GRAVE = """async options => (await axe.run(options)).violations
    .filter(each => ["serious", "critical"].includes(each.impact))
    .flatMap(each => each.nodes.map(node =>
        `${each.help}: ${node.html.slice(0, 160)}: ${(node.failureSummary ?? "").slice(0, 300)}`))"""


async def _axe(page: "Page") -> None:
    from axe_playwright_python.base import AXE_SCRIPT

    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    # At night only the colours differ.
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        await page.evaluate(_TWO_FRAMES)  # what is to fade in has begun to
        await page.wait_for_function(_AT_REST, arg=scheme)
        grave = await page.evaluate(_GRAVE, {"resultTypes": ["violations"], **options})
        assert grave == [], scheme


def _listen(page: "Page", url: str, faults: list[str]) -> None:
    def said(message: "ConsoleMessage") -> None:
        if message.type == "error":
            faults.append(f"console: {message.text}")

    def asked(request: "Request") -> None:
        inside = (url, url.replace("http", "ws", 1), "data:", "blob:", "about:")
        if not request.url.startswith(inside):
            faults.append(f"left the host: {request.url}")

    page.on("console", said)
    page.on("pageerror", lambda error: faults.append(f"threw: {error}"))
    page.on("request", asked)
