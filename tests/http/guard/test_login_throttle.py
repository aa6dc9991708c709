"""Someone who guesses tokens has to wait; nobody else notices."""

import tracemalloc
from time import time

import httpx
import pytest
from starlette.datastructures import Headers
from tests.http.guard.conftest import TOKEN, served
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from studium.http.login import MAX_ATTEMPTS, MAX_ATTEMPTS_OVERALL, LoginThrottle, TokenAuth, client_key
from studium.http.sessions import Sessions

BROWSER = {"Accept": "text/html"}
RIGHT = {"Authorization": f"Bearer {TOKEN}"}


def by_header(client, guess):
    return client.get("/api/v1/ping", headers={"Authorization": f"Bearer {guess}"})


def by_form(client, guess):
    return client.post("/login", data={"token": guess}, headers=BROWSER)


def by_link(client, guess):
    return client.get("/cards", params={"token": guess}, headers=BROWSER)


def by_session(client, session):
    return client.get("/api/v1/ping", headers={"Cookie": session})


def foreign_session(token: str = TOKEN) -> str:
    """A session for this token that another server started, or someone who guessed the token signed."""
    return f"studium_session={Sessions().start(token.encode())}"


WAYS = [by_header, by_form, by_link]


def refused(answer) -> bool:
    """Whether what was shown is not even looked at."""
    assert answer.status_code != 429 or 0 < int(answer.headers["retry-after"]) <= 60
    assert answer.status_code != 429 or "set-cookie" not in answer.headers
    return answer.status_code == 429


@pytest.mark.parametrize("way", WAYS)
def test_after_ten_guesses_no_token_is_looked_at_not_even_the_right_one(stranger, way):
    assert [way(stranger, f"guess {n}").status_code for n in range(MAX_ATTEMPTS)] == [401] * MAX_ATTEMPTS
    assert all(refused(each(stranger, TOKEN)) for each in WAYS)


def test_who_knows_the_token_cannot_sign_a_session_and_old_sessions_keep_nobody_out(stranger):
    for _ in range(2 * MAX_ATTEMPTS):
        assert by_session(stranger, foreign_session()).status_code == 401
    assert by_header(stranger, TOKEN).status_code == 200
    assert by_form(stranger, TOKEN).status_code == 303
    assert stranger.get("/cards", headers=BROWSER).status_code == 200, "with the session that was given for it"


@pytest.mark.parametrize("session", [f"{int(time()) + 3600}.0", "1.0"], ids=["of another token", "of last year"])
def test_a_browser_forgets_a_session_that_is_worth_nothing_when_it_is_asked_for_the_token(stranger, session):
    stranger.cookies.set("studium_session", session, domain="127.0.0.1")
    asked = stranger.get("/cards", headers=BROWSER)
    assert "requires a token" in asked.text
    assert not stranger.cookies
    assert "set-cookie" not in stranger.get("/cards", headers=BROWSER).headers


def test_programs_are_told_by_a_problem_and_people_by_a_page(stranger):
    for n in range(MAX_ATTEMPTS):
        by_header(stranger, f"guess {n}")
    problem = by_header(stranger, TOKEN)
    assert problem.headers["content-type"] == "application/problem+json"
    assert problem.json()["title"] == "Too many wrong tokens"
    page = by_form(stranger, TOKEN)
    assert 'role="alert">Too many wrong tokens from your address' in page.text
    assert "<form" in page.text
    assert stranger.get("/cards", headers=BROWSER).status_code == 401, "who shows no token is only asked for it"


def test_a_socket_is_no_way_around(closed_server, stranger):
    for n in range(MAX_ATTEMPTS):
        by_header(stranger, f"guess {n}")
    headers = {**RIGHT, "X-Forwarded-For": stranger.headers["X-Forwarded-For"]}
    address = f"ws://127.0.0.1:{closed_server.port}/ws"
    with pytest.raises(InvalidStatus) as refused, connect(address, additional_headers=headers, proxy=None):
        pass
    assert refused.value.response.status_code == 429


def test_open_sessions_at_that_address_and_other_addresses_are_not_affected(closed_server, stranger):
    by_form(stranger, TOKEN)
    with httpx.Client(base_url=closed_server.url, headers=stranger.headers) as neighbour:
        for n in range(MAX_ATTEMPTS):
            by_header(neighbour, f"guess {n}")
        assert by_header(neighbour, TOKEN).status_code == 429
    assert stranger.get("/cards", headers=BROWSER).status_code == 200
    elsewhere = {**RIGHT, "X-Forwarded-For": "203.0.113.9"}
    assert httpx.get(f"{closed_server.url}/api/v1/ping", headers=elsewhere).status_code == 200


def test_the_same_wrong_token_again_and_again_is_one_guess(stranger):
    for _ in range(3 * MAX_ATTEMPTS):
        assert by_header(stranger, "the one of last year").status_code == 401
    assert by_header(stranger, TOKEN).status_code == 200


def test_an_old_session_or_none_is_no_guess(stranger):
    for n in range(2 * MAX_ATTEMPTS):
        assert stranger.get("/", headers={"Cookie": f"studium_session={n}.0"}).status_code == 401
        assert stranger.get(f"/{n}", headers=BROWSER).status_code == 401
    assert by_header(stranger, TOKEN).status_code == 200


def test_a_machine_that_makes_addresses_up_is_slowed_down_all_the_same(tmp_path):
    with served(tmp_path, "server", token=TOKEN) as server, httpx.Client(base_url=server.url) as client:
        for n in range(MAX_ATTEMPTS_OVERALL):
            address = {"X-Forwarded-For": f"10.0.{n // 250}.{n % 250}", "Authorization": f"Bearer {n}"}
            assert client.get("/api/v1/ping", headers=address).status_code == 401
        made_up = {**RIGHT, "X-Forwarded-For": "10.9.9.9"}
        told = client.get("/api/v1/ping", headers=made_up)
        assert refused(told)
        assert "from many addresses" in told.json()["detail"]
        assert by_header(client, TOKEN).status_code == 200, "whoever sits at the machine itself"


def test_from_where_the_right_token_came_before_nobody_waits_for_what_others_try():
    clock = Clock()
    throttle = LoginThrottle(clock)
    auth = TokenAuth(TOKEN, throttle)
    assert auth.refusal_of_token(TOKEN, "at home") is None
    assert auth.refusal(Headers({"Cookie": auth.cookie("http").partition(";")[0]}), "at work") is None
    for n in range(MAX_ATTEMPTS_OVERALL):
        throttle.add(str(n), str(n).encode())
    waits = [auth.refusal_of_token(TOKEN, where) for where in ("at home", "at work", "this machine", "elsewhere")]
    assert [told and told.status for told in waits] == [None, None, None, 429]
    for n in range(MAX_ATTEMPTS):
        auth.refusal_of_token(f"guess {n}", "at home")
    told = auth.refusal_of_token(TOKEN, "at home")
    assert "from your address" in told.detail, "throttle from there count as they do anywhere"


def test_after_the_token_was_changed_old_programs_and_browsers_keep_nobody_out_for_good():
    clock = Clock()
    auth = TokenAuth("the new one", LoginThrottle(clock))
    old = [Headers({"Authorization": f"Bearer of {n} years ago"}) for n in range(3 * MAX_ATTEMPTS)]
    old += [Headers({"Cookie": foreign_session(f"of {n} years ago")}) for n in range(3 * MAX_ATTEMPTS)]
    right = Headers({"Authorization": "Bearer the new one"})
    answers = []
    for _ in range(60):
        for each in old:
            auth.refusal(each, "the office")
        answers.append(auth.refusal(right, "the office"))
        clock.now += 60
    assert answers[10:] == [None] * 50


def test_a_token_beyond_ascii_can_be_sent_by_a_header(tmp_path):
    with served(tmp_path, "server", token="schöne Nacht") as server:
        headers = {"Authorization": "Bearer schöne Nacht".encode()}
        assert httpx.get(f"{server.url}/api/v1/ping", headers=headers).status_code == 200


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def guess(throttle: LoginThrottle, clock: Clock, at: str = "a") -> int:
    """As many throttle as may be, and how long one must wait then."""
    for n in range(MAX_ATTEMPTS):
        throttle.add(at, f"{clock.now} {n}".encode())
    return throttle.wait(at)


def test_one_waits_longer_each_time_and_is_forgiven_after_a_while():
    clock = Clock()
    throttle = LoginThrottle(clock)
    waited = []
    for _ in range(6):
        waited.append(guess(throttle, clock))
        clock.now += waited[-1]
        assert throttle.wait("a") == 0
    assert waited == [60, 120, 240, 480, 900, 900]
    clock.now += 901
    assert guess(throttle, clock) == 60


def test_the_wait_stays_long_for_someone_who_guesses_for_weeks():
    clock = Clock()
    throttle = LoginThrottle(clock)
    for _ in range(2_000):
        clock.now += (waits := guess(throttle, clock))
    assert waits == 900


def test_guesses_of_more_than_a_minute_ago_do_not_count():
    clock = Clock()
    throttle = LoginThrottle(clock)
    for n in range(5 * MAX_ATTEMPTS):
        throttle.add("a", str(n).encode())
        clock.now += 7
    assert throttle.wait("a") == 0


def test_twenty_thousand_addresses_cost_little_memory():
    clock = Clock()
    throttle = LoginThrottle(clock)
    tracemalloc.start()
    for n in range(20_000):
        throttle.add(str(n), b"x" * 1_000)
        clock.now += 1
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 2_000_000


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("127.0.0.1", "127.8.9.1", True),
        ("127.0.0.1", "::1", True),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("testclient", "", True),
    ],
)
def test_who_asks_is_told_by_machine_or_network(one, other, same):
    assert (client_key({"client": (one, 1)}) == client_key({"client": (other, 2)})) is same
    assert client_key({}) == client_key({"client": None})
