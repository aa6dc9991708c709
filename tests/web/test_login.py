"""Logging in and out in a real browser."""

import pytest
from playwright.async_api import expect
from tests.real.studium_server import serving
from tests.run_cli import studium
from tests.web.site import go

pytestmark = pytest.mark.part("chromium")
TOKEN = "tr0ub4dor-and-three-more"


@pytest.fixture(scope="module")
def closed_home(tmp_path_factory):
    return tmp_path_factory.mktemp("closed") / "home"


@pytest.fixture(scope="module")
def closed_site(closed_home):
    """Studium that asks for a token."""
    with serving(closed_home, token=TOKEN) as server:
        yield server
        assert "Traceback" not in server.printed


@pytest.fixture
async def log_in(new_page, closed_site, faults):
    """Logs somebody in, in a browser of their own."""

    async def logged_in(path: str = "/"):
        page = await new_page(closed_site.url)
        await page.goto(path)
        await page.get_by_label("Token").fill(TOKEN)
        await page.get_by_role("button", name="Sign in").click()
        await page.wait_for_function("window.did_handshake === true")
        return page

    yield logged_in
    # A form with status 401, and a socket that is refused, are errors in the console.
    faults[:] = [fault for fault in faults if "401" not in fault and "WebSocket" not in fault]


@pytest.mark.parametrize("path", ["/", "/inbox", "/runs", "/nowhere"])
async def test_every_page_has_a_button_that_logs_out(log_in, path, axe, shot, faults):
    page = await log_in(path)
    button = page.get_by_role("button", name="Log out")
    await expect(button).to_be_visible()
    if path == "/":
        await axe(page)
        await shot(page, "log-out-button")
    await button.click()
    await expect(page.get_by_text("You are logged out")).to_be_visible()
    if path == "/":
        await shot(page, "logged-out")
    await page.goto(path)
    await expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    await page.go_back()
    await page.go_back()
    await expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    faults[:] = [fault for fault in faults if "404" not in fault]


async def test_the_login_page_looks_well(new_page, closed_site, shot, faults):
    page = await new_page(closed_site.url)
    await page.goto("/")
    await shot(page, "login")
    faults.clear()


async def test_where_nobody_has_to_log_in_there_is_no_such_button(visit):
    page = await visit("/")
    await expect(page.get_by_role("button", name="Light or dark")).to_be_visible()
    await expect(page.get_by_role("button", name="Log out")).to_have_count(0)


async def test_another_tab_shows_the_form_as_soon_as_one_logs_out(log_in):
    page = await log_in("/inbox")
    other = await page.context.new_page()
    await go(other, "/runs")
    await page.get_by_role("button", name="Log out").click()
    await expect(other.get_by_role("button", name="Sign in")).to_be_visible(timeout=20_000)


async def test_revoking_all_sessions_logs_an_open_page_out(log_in, closed_home):
    page = await log_in()
    assert studium("--home", closed_home, "serve", "--revoke").code == 0
    await expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=20_000)
