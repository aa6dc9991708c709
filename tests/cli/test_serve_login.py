"""`studium serve` asks for a token where others reach it: the real server, its output, and its home."""

import re
from pathlib import Path

import httpx
import pytest
from tests.real.process import free_port
from tests.real.studium_server import serving
from tests.run_cli import studium

EVERYWHERE = "0.0.0.0"  # noqa: S104 - this is what is tested
TOKEN = "tr0ub4dor-and-three-more"
BROWSER = {"Accept": "text/html"}


def ping(url: str, **named) -> int:
    return httpx.get(f"{url}/api/v1/runs", timeout=30, **named).status_code


def bearer(token: str) -> dict[str, dict[str, str]]:
    return {"headers": {"Authorization": f"Bearer {token}"}}


def log_in(url: str, token: str) -> dict[str, str]:
    reply = httpx.post(f"{url}/login", data={"token": token}, timeout=30)
    assert reply.status_code == 303
    return {"Cookie": reply.headers["set-cookie"].partition(";")[0]}


def open_to_others(home: Path) -> list[str]:
    return [str(each) for each in (home, *home.rglob("*")) if each.lstat().st_mode & 0o077]


def test_where_others_reach_it_a_token_is_generated_and_shown_once_with_a_link_that_logs_in_once(home):
    with serving(home, "--host", EVERYWHERE) as server:
        [token] = re.findall(r"^Token: (\S+)", server.printed, re.MULTILINE)
        assert len(token) * 6 >= 128
        assert server.printed.count(token) == 1
        assert ping(server.url) == 401
        assert ping(server.url, **bearer(token)) == 200
        [link] = re.findall(r"http://127\.0\.0\.1:\d+/login\?code=\S+", server.printed)
        assert token not in link
        assert httpx.head(link, headers=BROWSER).status_code == 401, "a preview does not use it up"
        first = httpx.get(link, headers=BROWSER)
        assert (first.status_code, first.headers["location"]) == (303, "/")
        cookie = {"Cookie": first.headers["set-cookie"].partition(";")[0]}
        assert ping(server.url, headers=cookie) == 200
        again = httpx.get(link, headers=BROWSER)
        assert (again.status_code, "used already" in again.text) == (401, True)
        assert httpx.get(link, headers=BROWSER | cookie).headers["location"] == "/", "for who is in already"
        assert token not in "".join(path.read_text(errors="ignore") for path in home.rglob("*") if path.is_file())
        assert open_to_others(home) == []
    with serving(home, "--host", EVERYWHERE) as server:
        assert token not in server.printed
        assert ping(server.url, **bearer(token)) == 401
        assert ping(server.url, headers=cookie) == 401


@pytest.mark.parametrize("token", ["x", "a" * 40, "1234567890123456", "secretsecretsecret"])
def test_a_weak_token_is_refused_where_others_reach_it(monkeypatch, token):
    monkeypatch.setenv("STUDIUM_SERVE__TOKEN", token)
    ended = studium("serve", "--host", EVERYWHERE, "--port", free_port())
    assert ended.code == 2
    assert "easy to guess" in ended.err
    assert "secrets.token_urlsafe" in ended.err
    assert "Traceback" not in ended.err


def test_on_this_machine_a_weak_token_is_warned_of_and_none_asks_for_nothing(home):
    with serving(home, token="open-sesame") as server:
        assert "easy to guess" in " ".join(server.printed.split())
        assert (ping(server.url), ping(server.url, **bearer("open-sesame"))) == (401, 200)
    with serving(home) as server:
        assert (ping(server.url), "Token" in server.printed, "WARNING" in server.printed) == (200, False, False)


def test_sessions_outlive_a_restart_and_end_with_revoke_and_with_another_token(home):
    with serving(home, token=TOKEN) as server:
        cookie = log_in(server.url, TOKEN)
        assert (home / "sessions.json").stat().st_mode & 0o777 == 0o600
    with serving(home, token=TOKEN) as server:
        assert ping(server.url, headers=cookie) == 200
        ended = studium("serve", "--revoke")
        assert (ended.code, "All sessions have ended" in ended.out) == (0, True)
        assert ping(server.url, headers=cookie) == 401
        cookie = log_in(server.url, TOKEN)
        assert ping(server.url, headers=cookie) == 200
    with serving(home, token=f"{TOKEN}-of-tomorrow") as server:
        assert ping(server.url, headers=cookie) == 401


def test_revoke_says_so_if_it_cannot(home):
    home.mkdir()
    (home / "sessions.json").mkdir()
    ended = studium("serve", "--revoke")
    assert ended.code == 1
    assert "sessions.json cannot be written" in ended.err
