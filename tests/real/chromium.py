"""A throw-away browser: Debian's Chromium, headless, with an empty profile and no talk with the outside.

The headless shell is the same engine without the desktop around it; it needs half the time for a page.
"""

import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Browser

_FLAGS = (
    "--headless",
    "--no-sandbox",  # the tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def available() -> str | None:
    """Why there is no browser, or nothing."""
    return None if program() else "Chromium is not installed"


def program() -> str | None:
    """The browser that is installed."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def rendered(url: str) -> str:
    """The page as it stands after its scripts ran."""
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        command = [program() or "chromium", *_FLAGS, f"--user-data-dir={profile}", "--dump-dom", url]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


@asynccontextmanager
async def driven() -> "AsyncIterator[Browser]":
    """The browser under Playwright's hand, for as long as the block lasts."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program(), args=list(_FLAGS))
        yield browser
        await browser.close()
