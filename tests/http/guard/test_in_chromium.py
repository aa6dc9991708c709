"""The guard in a real browser: our pages work under its policy, what is hostile does not."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.http.guard.conftest import TOKEN, Server, served
from tests.real import chromium

pytestmark = pytest.mark.part("chromium")


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("pages"), "pages", token=TOKEN) as server:
        yield server
        assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def looking(browser: Browser, **options) -> Iterator[tuple[Page, list[str]]]:
    """A page, and what the browser complained about."""
    context = browser.new_context(**options)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page, complaints
    context.close()


def test_people_sign_in_once(pages, browser):
    with looking(browser, viewport={"width": 390, "height": 700}) as (page, _):
        page.goto(f"{pages.url}/card?x=1")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert Axe().run(page).response["violations"] == []
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("not the token")
        page.get_by_label("Token").fill(TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/card?x=1")
        page.goto(pages.url)
        page.get_by_role("button", name="Ask the server").click()
        expect(page.get_by_text("answered")).to_be_visible()


def test_all_that_our_pages_are_made_of_works_under_the_policy(pages, browser, tmp_path):
    with looking(browser) as (page, complaints):
        page.goto(f"{pages.url}/?token={TOKEN}")
        assert "token" not in page.url
        page.get_by_role("button", name="Ask the page").click()
        expect(page).to_have_title("evaluated")
        expect(page.get_by_text("grid cell")).to_be_visible()
        expect(page.locator("canvas").first).to_be_visible()
        expect(page.locator(".xterm-screen")).to_be_visible()
        brought = tmp_path / "large.bin"
        brought.write_bytes(os.urandom(6_000_000))
        page.locator("input[type=file]").set_input_files(brought)
        expect(page.get_by_text("large.bin: 6000000 bytes")).to_be_visible()
        assert complaints == []


def test_what_comes_from_elsewhere_is_not_loaded(pages, browser):
    with looking(browser) as (page, complaints):
        page.goto(f"{pages.url}/?token={TOKEN}")
        page.get_by_role("button", name="Ask the server").click()
        expect(page.get_by_text("answered")).to_be_visible()
        page.evaluate(
            """async () => {
                for (const tag of ["script", "img", "iframe"])
                    document.body.append(Object.assign(document.createElement(tag), {src: "http://127.0.0.2:9/x"}));
                await fetch("http://127.0.0.2:9/x").catch(() => null);
                try { new WebSocket("ws://127.0.0.2:9/x"); } catch { }
            }"""
        )
        refused = [text for text in complaints if "Content Security Policy" in text]
        assert {kind for kind in ("script-src", "img-src", "connect-src") if any(kind in text for text in refused)} == {
            "script-src",
            "img-src",
            "connect-src",
        }


def test_a_hostile_card_is_shown_and_nothing_in_it_runs(pages, browser):
    with looking(browser) as (page, _):
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.add_init_script("window.hits = 0; window.hit = () => { top.hits += 1 }")
        page.goto(f"{pages.url}/card?token={TOKEN}")
        frame = page.frame_locator("iframe")
        expect(frame.get_by_text("The card")).to_be_visible()
        dot = frame.get_by_alt_text("dot", exact=True)
        expect(dot).to_have_js_property("naturalWidth", 1)
        expect(frame.locator("body")).to_have_css("color", "rgb(1, 2, 3)")
        assert page.evaluate("window.hits") == 0
        assert [url for url in asked if not url.startswith((pages.url, "about:", "data:"))] == []


@pytest.fixture
def evil_site() -> Iterator[str]:
    """Another site on this machine, whose pages may try what they like."""

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Evil</title>")

        def log_message(self, *_said: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Empty) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


TRIES = """async address => {
    const status = (path, options) => fetch(address + path, options).then(reply => reply.type, () => "failed");
    const socket = new WebSocket(address.replace("http", "ws") + "/ws");
    const opened = await new Promise(done => {
        socket.onopen = () => done("open");
        socket.onerror = () => done("failed");
    });
    const frame = Object.assign(document.createElement("iframe"), {src: address + "/"});
    await new Promise(done => { frame.onload = done; document.body.append(frame); });
    return {
        socket: opened,
        read: await status("/open-to-all", {}),
        wrote: await status("/api/v1/uploads/raw/evil.md", {method: "POST", mode: "no-cors", body: "# Evil"}),
    };
}"""


def test_another_sites_page_can_do_nothing_here(open_server, evil_site, browser):
    with looking(browser) as (page, complaints):
        page.goto(evil_site)
        tried = page.evaluate(TRIES, open_server.url)
        assert tried["socket"] == tried["read"] == "failed"
        assert not list(open_server.uploads.glob("*/evil.md"))
        assert any("403" in text for text in complaints)
        assert any("frame" in text.lower() for text in complaints), "nor is it shown in a frame"
