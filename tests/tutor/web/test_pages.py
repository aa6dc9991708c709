"""The tutor's page: a lab with real routers typed on in the browser, and what is left of it without them."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import httpx
import nicegui
import pytest
from playwright.async_api import expect
from sqlalchemy import insert
from tests.real.process import free_port
from tests.real.studium_server import Site, serving
from tests.web.site import PHONE, go

from studium.core.app import open_database
from studium.core.config import load_settings
from studium.core.database import tables
from studium.core.files import file_lock
from studium.tutor.domain import NetworkState
from studium.tutor.lab_use_cases import LabState
from studium.tutor.state import Citation, Proof
from studium.tutor.student_store import ChatExchange
from studium.tutor.tutor import shipped_lab
from studium.tutor.web.lab_session import ChatTurn, LabSession
from studium.tutor.web.terminal import LineEditor, Terminal, split_keys

SLOW = 30_000
"""Milliseconds that real routers may take."""
OSPF = "04-ospf-single-area"
HOSTILE = """
id: 99-hostile
title: A lab <img src=x onerror=alert(1)>
goal: Reach <script>alert(2)</script> it.
topics: [static_routing]
devices:
  - name: r1
    ports: [{name: GigabitEthernet0/0, address: 10.0.0.1/24}]
  - name: pc1
    kind: host
    ports: [{name: eth0, address: 10.0.0.2/24}]
cables: [{one: "r1:GigabitEthernet0/0", other: "pc1:eth0"}]
checks: [{id: ping, title: "<b onmouseover=alert(3)>PC1</b>", kind: ping, device: pc1, target: 10.0.0.1}]
hints: [{check: ping, level: 1, text: "[look](javascript:alert(4)) at `<i>this</i>`"}]
"""


@pytest.fixture
def lab_site(tmp_path) -> Iterator[Site]:
    """A new home; whatever lab is left up in it is taken down."""
    home = tmp_path / "home"
    with serving(home, STUDIUM_EMBEDDER="none") as site:
        yield site
    for lab in (home / "labs").glob("*/lab.json"):
        command = [sys.executable, "-m", "studium", "tutor", "lab", "down", lab.parent.name]
        subprocess.run(command, env={**os.environ, "STUDIUM_HOME": str(home)}, check=True, timeout=60)


@pytest.fixture(scope="module")
def site_without_routers(tmp_path_factory) -> Iterator[Site]:
    """A machine on which no router can be started, and a lab of a teacher who means harm."""
    tmp_path = tmp_path_factory.mktemp("without-routers")
    lab = tmp_path / "labs" / "99-hostile"
    lab.mkdir(parents=True)
    (lab / "lab.yaml").write_text(HOSTILE)
    (lab / "instructions.md").write_text("# Do <script>alert(5)</script>\n\n1. Type `enable`.\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    for needed in ("sh", "cat"):
        (programs / needed).symlink_to(shutil.which(needed))
    none = {"PATH": str(programs), "STUDIUM_EMBEDDER": "none", "STUDIUM_TUTOR__LABS": str(tmp_path / "labs")}
    with serving(tmp_path / "home", **none) as site:
        yield site


async def type_on(page, *lines):
    await page.locator(".t-panel:not(.t-hidden) .xterm-helper-textarea").focus()
    for line in lines:
        await page.keyboard.type(line)
        await page.keyboard.press("Enter")


async def paste(page, text):
    await page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
        }""",
        text,
    )


def screen(page):
    return page.locator(".t-panel:not(.t-hidden) .xterm-rows")


@pytest.mark.part("chromium")
@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
async def test_a_student_brings_a_lab_up_types_is_corrected_asks_and_reaches_its_goals(lab_site, new_page, shot, axe):
    page = await new_page(lab_site.url)
    await go(page, "/tutor")
    await page.get_by_role("link", name=re.compile("Static routing between two sites")).click()
    await expect(page.get_by_text("The routers are off")).to_be_visible()
    await page.get_by_role("button", name="Start").click()
    await expect(screen(page)).to_contain_text("R1>", timeout=SLOW)
    await expect(page.get_by_role("img", name=re.compile("r1 up, r2 up, pc1 up"))).to_be_visible()

    await type_on(page, "en", "conf t", "ip rout 192.168.2.0 255.255.255.0 10.0.12.2")
    told = page.locator(".t-told")
    await expect(told).to_contain_text("rout is too short")
    await expect(screen(page)).to_contain_text("% Ambiguous command")
    await page.keyboard.press("ArrowUp")
    for _ in range(36):
        await page.keyboard.press("ArrowLeft")
    await page.keyboard.type("e")
    await page.keyboard.press("Enter")
    await expect(told).to_contain_text("No mistake")
    reached = page.locator(".t-reached")
    await expect(reached.get_by_text("R1 has the static route in its configuration")).to_be_visible(timeout=SLOW)

    await page.get_by_role("tab", name="r2").click()
    await expect(screen(page)).to_contain_text("R2>", timeout=SLOW)
    await type_on(page, "en", "conf t")
    await page.keyboard.type("ip rou?")
    await expect(screen(page)).to_contain_text(re.compile(r"route\s+routing"))
    await page.keyboard.press("Control+c")
    await expect(screen(page)).to_contain_text("^C")
    await paste(page, "ip route 192.168.1.0 255.255.255.0 10.0.12.1\nend\n")
    await expect(page.get_by_text("5 of 5 reached")).to_be_visible(timeout=SLOW)
    await type_on(page, "show ip route static")
    await expect(screen(page)).to_contain_text("[1/0] via 10.0.12.1")

    await page.get_by_label("Ask the tutor").fill("What is a static route?")
    await page.keyboard.press("Enter")
    answer = page.locator(".t-answer")
    await expect(answer).to_contain_text("a route that an administrator types.", timeout=SLOW)
    await answer.get_by_text(re.compile(r"Sources: \d passage")).click()
    await expect(answer.locator("blockquote").first).to_be_visible()
    await shot(page, "tutor")
    await axe(page)

    await page.reload()
    await expect(page.locator(".t-answer")).to_contain_text("a route that an administrator types.")
    await expect(screen(page)).to_contain_text("R1", timeout=SLOW)
    await page.get_by_role("button", name="Stop").click()
    await expect(page.get_by_text("The routers are off")).to_be_visible(timeout=SLOW)


async def type_over_http(url, device, *commands):
    """Configure a router of the OSPF lab from elsewhere, while somebody looks at it in the browser."""
    path = f"{url}/api/v1/labs/{OSPF}/devices/{device}/commands"
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.post(path, json={"commands": ["enable", "configure terminal", *commands, "end"]})
    assert [each["diagnosis"] for each in answer.json()["said"] if each["diagnosis"]] == []


@pytest.mark.part("chromium")
@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
@pytest.mark.endurance
async def test_the_topology_shows_how_ports_and_neighbours_stand_now(lab_site, new_page, shot, axe):
    page = await new_page(lab_site.url)
    await go(page, f"/tutor?lab={OSPF}")
    await page.get_by_role("button", name="Start").click()
    await expect(page.get_by_role("img", name=re.compile("r1 to r2 up;"))).to_be_visible(timeout=SLOW)
    for device, lines in shipped_lab(OSPF).solution.items():
        await type_over_http(lab_site.url, device, *lines.splitlines())
    for one, other in (("r1", "r2"), ("r1", "r3"), ("r2", "r3")):
        adjacent = page.get_by_role("img", name=re.compile(f"{one} to {other} up, OSPF Full"))
        await expect(adjacent).to_be_visible(timeout=SLOW)
    await page.get_by_text("Devices and addresses").click()
    uplink = page.get_by_role("row", name=re.compile("^r1 GigabitEthernet0.1"))
    await expect(uplink).to_contain_text(re.compile(r"upOSPF 2\.2\.2\.2 Full/"))

    await type_over_http(lab_site.url, "r1", "interface GigabitEthernet0/1", "shutdown")
    drawing = page.locator(".t-topology")
    await expect(drawing.get_by_text("shut down at r1", exact=True)).to_be_visible(timeout=15_000)
    await expect(uplink).to_contain_text("shut down")
    await expect(page.get_by_role("row", name=re.compile("^r2 GigabitEthernet0.1"))).to_contain_text("no signal")
    await expect(drawing.get_by_text("OSPF Full", exact=True)).to_have_count(2)

    wrong = ("interface GigabitEthernet0/2", "ip ospf cost 50", "ip address 10.0.99.2 255.255.255.0")
    await type_over_http(
        lab_site.url, "r3", "router ospf 1", "passive-interface GigabitEthernet0/1", "exit", *wrong[:2]
    )
    await expect(drawing.get_by_text("OSPF no neighbour", exact=True)).to_be_visible(timeout=15_000)
    await expect(drawing.get_by_text("cost 50")).to_be_visible()
    await type_over_http(lab_site.url, "r3", wrong[0], wrong[2])
    await expect(drawing.get_by_text("10.0.99.2/24")).to_be_visible(timeout=15_000)
    await expect(page.get_by_text("10.0.99.2/24, planned: 10.0.23.2/30")).to_be_visible()
    await expect(page.locator(".t-goal", has_text="R1 and R2 are fully adjacent")).to_contain_text("not yet")
    await shot(page, "tutor-live")
    await axe(page)


@pytest.mark.part("chromium")
async def test_the_chat_survives_a_restart_until_a_new_one_starts(tmp_path, new_page):
    home, port = tmp_path / "home", free_port()
    path = "/tutor?lab=02-static-routing"
    with serving(home, port=port, STUDIUM_EMBEDDER="none") as site:
        page = await new_page(site.url)
        await go(page, path)
        await page.get_by_label("Ask the tutor").fill("What is a static route?")
        await page.keyboard.press("Enter")
        await expect(page.locator(".t-answer")).to_contain_text(re.compile("Sources"), timeout=SLOW)
        await page.goto("about:blank")
    talks = home / "student" / "talks"
    broken = talks / "03-default-route.json"
    broken.write_text('[{"question": "Why')
    with serving(home, port=port, STUDIUM_EMBEDDER="none"):
        await go(page, path)
        await expect(page.locator(".t-question")).to_have_text("What is a static route?")
        answer = page.locator(".t-answer")
        await expect(answer).to_contain_text("a route that an administrator types.")
        await answer.get_by_text(re.compile(r"Sources: \d passage")).click()
        await expect(answer.locator("blockquote").first).to_be_visible()
        anew = page.get_by_role("button", name="New chat")
        await anew.click()
        nothing = page.get_by_text("Ask anything about the lab.")
        await expect(nothing).to_be_visible()
        await expect(anew).to_be_disabled()
        await go(page, "/tutor?lab=03-default-route")
        await expect(nothing).to_be_visible()
        assert [each.name for each in talks.iterdir()] == [broken.name]


@pytest.mark.part("chromium")
async def test_a_new_chat_can_be_undone_by_everyone_who_has_it_open(site_without_routers, new_page, shot, axe):
    page, other = [await new_page(site_without_routers.url) for _ in range(2)]
    for each in (page, other):
        await go(each, "/tutor?lab=06-rip")
    await page.get_by_label("Ask the tutor").fill("What is RIP?")
    await page.keyboard.press("Enter")
    await expect(other.locator(".t-answer")).to_contain_text(re.compile("Sources"), timeout=SLOW)
    await page.get_by_role("button", name="New chat").click()
    await expect(other.locator(".t-answer")).to_have_count(0)
    await page.get_by_role("button", name="What is this lab about?").click()
    await expect(page.locator(".t-answer p").first).not_to_be_empty()
    await expect(page.get_by_text("Earlier conversation archived.")).to_be_visible()
    await page.locator(".t-chat").scroll_into_view_if_needed()
    await shot(page, "tutor-put-aside")
    await axe(page)
    await other.get_by_role("button", name="Undo").click()
    for each in (page, other):
        await expect(each.locator(".t-question")).to_have_text(["What is RIP?", "What is this lab about?"])
        await expect(each.get_by_role("button", name="Undo")).to_have_count(0)
    kept = site_without_routers.home / "student" / "talks" / "06-rip.json"
    assert [each["question"] for each in json.loads(kept.read_text())] == ["What is RIP?", "What is this lab about?"]


@pytest.mark.part("chromium")
@pytest.mark.part("frr")
async def test_everyone_sees_that_a_lab_is_coming_up_and_only_that_lab(tmp_path, serve, new_page):
    own = tmp_path / "labs" / "ospf"
    own.mkdir(parents=True)
    (own / "lab.yaml").write_text(HOSTILE.replace("99-hostile", "ospf"))
    home = tmp_path / "home"
    site = serve(home, STUDIUM_EMBEDDER="none", STUDIUM_TUTOR__LABS=str(tmp_path / "labs"))
    with ExitStack() as busy:
        pages = [await new_page(site.url) for _ in range(2)]
        for page, lab in zip(pages, ("ospf", "07-bgp-basics"), strict=True):
            await go(page, f"/tutor?lab={lab}")
            await expect(page.get_by_role("button", name="Start")).to_be_enabled()
        database = busy.enter_context(open_database(load_settings(overrides=(f"home={home}",))))
        for named in ("ospf", "07"):
            bring_up_elsewhere(busy, database, home, named)
        for page in pages:
            await expect(page.get_by_role("region", name="Starting the lab")).to_be_visible()
            await expect(page.get_by_role("button", name="Start")).to_be_disabled()
        await go(pages[0], f"/tutor?lab={OSPF}")
        await expect(pages[0].get_by_role("region", name="Starting the lab")).to_have_count(0)
        await expect(pages[0].get_by_role("button", name="Start")).to_be_enabled()


def bring_up_elsewhere(busy, database, home, lab):
    """Let another process run a job that brings a lab up, as far as anybody can see."""
    job = f"up-{lab}"
    busy.enter_context(file_lock(home / "locks", f"job {job}"))
    begun = {
        "id": job,
        "type": "tutor.up",
        "request": {"lab": lab},
        "status": "running",
        "created_at": datetime.now(UTC),
    }
    with database.transactions.writing() as connection:
        connection.execute(insert(tables.jobs), begun | {"done": 0, "total": 0, "item": "", "files": []})
    busy.callback(database.jobs.finish, job, "cancelled")


async def test_a_terminal_is_closed_once_when_its_lab_goes_down_and_then_its_page(monkeypatch):
    monkeypatch.setattr(nicegui.core, "loop", asyncio.get_running_loop())
    with nicegui.Client(nicegui.ui.page("/")) as client:
        terminal = Terminal(LabSession(LabState(shipped_lab(OSPF), NetworkState(), is_up=True)), "r1", lambda *_: None)
    terminal.close()
    terminal.close()
    client.delete()
    await asyncio.sleep(0)


@pytest.mark.part("chromium")
async def test_without_routers_the_tutor_answers_asks_and_diagnoses(site_without_routers, new_page, shot, axe):
    page = await new_page(site_without_routers.url)
    await go(page, "/tutor?lab=02-static-routing")
    await expect(page.get_by_text("Labs cannot run on this machine")).to_be_visible()
    await expect(page.get_by_role("button", name="Start")).to_be_disabled()

    await page.get_by_role("button", name="What should I do next?").click()
    await expect(page.locator(".t-answer p").first).not_to_be_empty()
    await page.get_by_role("button", name=re.compile("Hint for: PC1 reaches PC2")).click()
    await expect(page.get_by_text("a way there and a way back")).to_be_visible()

    await page.get_by_role("button", name="Ask me").click()
    quiz = page.get_by_role("region", name="Quiz")
    await quiz.get_by_role("textbox").fill("no shutdown")
    await quiz.get_by_role("button", name="Answer").click()
    await expect(quiz).to_contain_text("Wrong.")
    await quiz.get_by_role("button", name="Next question").click()
    await expect(quiz.get_by_role("button", name="Answer")).to_be_visible()

    diagnose = page.get_by_role("region", name="Diagnose")
    await diagnose.get_by_label("Command").fill("shwo ip route")
    await diagnose.get_by_label("Output").fill("% Invalid input detected at '^' marker.")
    await diagnose.get_by_role("button", name="Explain").click()
    await expect(diagnose).to_contain_text("show ip route")
    await shot(page, "tutor-without-routers")
    await axe(page)


@pytest.mark.part("chromium")
async def test_what_a_lab_says_is_text_whatever_it_says(site_without_routers, new_page):
    page = await new_page(site_without_routers.url)
    alerts = []
    page.on("dialog", lambda dialog: alerts.append(dialog.message))
    await go(page, "/tutor?lab=99-hostile")
    await expect(page.get_by_role("heading", level=1)).to_have_text("A lab <img src=x onerror=alert(1)>")
    await expect(page.get_by_text("Reach <script>alert(2)</script> it.")).to_be_visible()
    await page.get_by_role("button", name=re.compile("Hint for")).click()
    await expect(page.get_by_text("[look](javascript:alert(4))")).to_be_visible()
    await page.get_by_text("Step by step").click()
    await expect(page.get_by_text("Do <script>alert(5)</script>")).to_be_visible()
    await page.get_by_label("Ask the tutor").fill("What is <img src=x onerror=alert(6)>?")
    await page.keyboard.press("Enter")
    await expect(page.locator(".t-question")).to_have_text("What is <img src=x onerror=alert(6)>?")
    await page.set_viewport_size(PHONE)
    await page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    assert alerts == []


@pytest.mark.part("chromium")
async def test_a_missing_lab_is_reported(site_without_routers, new_page):
    page = await new_page(site_without_routers.url)
    await go(page, "/tutor?lab=../../etc")
    await expect(page.get_by_role("alert")).to_contain_text("There is no lab")


def test_a_question_that_a_restart_cut_off_is_said_to_be_so_and_the_rest_is_as_it_was():
    cut_off = ChatTurn.of(ChatExchange(question="Why?"))
    assert cut_off.is_over
    assert "restarted before" in cut_off.problem.what
    cited = Citation(number=1, source="x.md", quote="A route.")
    proof = Proof(device="r1", commands=("no shutdown",), proved=True, told="Proved on r1.")
    for kept in (
        ChatExchange(question="Why?", response="Because. [1]", citations=(cited,), proofs=(proof,)),
        ChatExchange(question="Why?", problem="The tutor could not answer.", remedy="Ask again."),
    ):
        assert ChatTurn.of(kept).exchange == kept


def typed(data, columns=80):
    """The line after these keys."""
    line = LineEditor(lambda _drawn: None, columns)
    line.begin("R1#")
    for key in split_keys(data):
        line.press(key)
    return line


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("show", "show"),
        ("shoow\x1b[D\x7f", "show"),
        ("how\x01s", "show"),
        ("show ip rou\x17route", "show ip route"),
        ("abc\x1b[D\x1b[D\x0b", "a"),
        ("abc\x1b[D\x15", "c"),
        ("\x7f\x1b[3~\x1b[D\x1b[Cok", "ok"),
        ("a\x1b[5~\x00b", "ab"),
    ],
)
def test_a_line_is_edited_as_at_any_router(keys, text):
    assert typed(keys).take() == text


def test_what_was_typed_before_comes_back_but_no_password():
    line = typed("show version")
    line.take()
    line.begin("Password: ")
    line.press("secret")
    assert line.take() == "secret"
    line.begin("R1#")
    line.press("\x1b[A")
    assert line.text == "show version"
    line.press("\x1b[B")
    assert line.text == ""


def test_a_password_is_never_drawn():
    drawn = []
    line = LineEditor(drawn.append)
    line.begin("Password: ")
    line.press("secret")
    line.take()
    assert "secret" not in "".join(drawn)


def test_a_line_longer_than_the_window_is_drawn_over_its_own_rows():
    drawn = []
    line = LineEditor(drawn.append, columns=10)
    line.begin("R1#")
    line.press("show ip route static")
    line.press("\x1b[H")
    assert drawn[-1] == "\x1b[2A\r\x1b[3C"
    line.press("x")
    assert drawn[-1].endswith("R1#xshow ip route static\x1b[2A\r\x1b[4C")
