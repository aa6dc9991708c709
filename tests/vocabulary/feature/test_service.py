"""The service as a program uses it: a real server on loopback, the promised endpoints and formats."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from tests.real.process import free_port
from tests.vocabulary.feature.conftest import SONG

from studium.core.config import Settings, load_settings
from studium.http.app import create_app
from studium.testing import Fault, WireServer

URL = "/api/v1/vocab-generator"


@contextmanager
def serving(settings: Settings) -> Iterator[httpx.Client]:
    """The service with these settings, and a client of it."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.01)
            yield client
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, dictionary_folder: Path) -> Iterator[httpx.Client]:
    """One service for all tests, with the dictionary prepared."""
    home = tmp_path_factory.mktemp("service")
    (home / "dictionary").symlink_to(dictionary_folder)
    with serving(load_settings(overrides=(f"home={home}",))) as client:
        yield client


def test_a_song_gives_five_words_in_the_promised_form(service):
    reply = service.post(URL, json={"song": "夜空", "artist": "Studium", "lyrics": SONG})
    assert reply.status_code == 200
    words = reply.json()["vocabulary"]
    assert len(words) == 5
    assert {"kanji", "romaji", "english", "parts", "reading"} <= set(words[0])
    assert all(part["romaji"] for word in words for part in word["parts"])


@pytest.mark.timeout(120)
def test_lines_that_look_like_chords_do_not_stop_the_service(service):
    reply = service.post(URL, json={"song": "夜空", "lyrics": f"{'|' * 40}x\n{SONG}"})
    assert (reply.status_code, len(reply.json()["vocabulary"])) == (200, 5)


def test_all_words_can_be_had(service):
    words = service.post(URL, json={"song": "夜空", "lyrics": SONG, "count": "all"}).json()["vocabulary"]
    assert {"夜空", "星", "光る", "声", "聞く", "涙", "流す", "歩く", "道", "夢", "会う"} <= {
        word["kanji"] for word in words
    }


def test_the_cache_lists_the_song_but_not_its_lyrics(ready):
    with serving(load_settings()) as service:
        assert service.get("/api/v1/cache").json() == {"cache": [], "count": 0}
        service.post(URL, json={"song": "夜空", "artist": "Studium", "lyrics": SONG})
        kept = service.get("/api/v1/cache").json()
    assert kept["cache"] == [{"song": "夜空", "artist": "Studium", "source": "pasted", "words": 5}]
    assert "夜空に星が光る\\n君の声を".encode() not in (ready / "database.sqlite").read_bytes()


def test_a_song_without_lyrics_is_not_looked_for_unless_that_is_wanted(service):
    reply = service.post(URL, json={"song": "Lemon", "artist": "米津玄師"})
    assert reply.status_code == 404
    assert "--online" in reply.json()["error"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "song"),
        ({"song": ""}, "song"),
        ({"song": "x", "count": 0}, "count"),
        ({"song": "x", "count": 401}, "count"),
        ({"song": "x", "colour": 1}, "colour"),
        ({"song": "x", "lyrics": "夜" * 1_000_001}, "lyrics"),
    ],
)
def test_a_request_that_cannot_be_used_says_why(service, body, said):
    reply = service.post(URL, json=body)
    assert reply.status_code == 422
    assert said in reply.json()["error"]


@pytest.mark.parametrize("lyrics", ["...", "123 456", "🎵🎵🎵", "la la la la", "あああ ららら", "\u202e\u202d", "ｱｱｱ"])
def test_lyrics_without_a_word_are_an_error_and_not_a_crash(service, lyrics):
    reply = service.post(URL, json={"song": "x", "lyrics": lyrics})
    assert reply.status_code == 404
    assert reply.json()["error"]
    assert service.get("/api/v1/cache").status_code == 200, "the service keeps serving"


@pytest.mark.parametrize(
    ("lyrics", "word"),
    [
        ("ﾕﾒﾉﾅｶﾃﾞｷﾐﾆｱｲﾀｲ 夢", "夢"),
        ("I love you 君を愛してる forever", "愛する"),
        ("🌙夜空🌙に🌟星🌟", "星"),
        ("\u202b星が光る\u202c", "星"),
        ("The night is beautiful", "夜"),
    ],
)
def test_mixed_and_odd_texts_are_read(service, lyrics, word):
    reply = service.post(URL, json={"song": "x", "lyrics": lyrics, "count": "all"})
    assert reply.status_code == 200, reply.text
    assert word in [item["kanji"] for item in reply.json()["vocabulary"]]


def test_sixteen_songs_at_once(service):
    songs = [{"song": f"song {number}", "lyrics": f"{SONG}第{number}回の旅\n"} for number in range(16)]

    async def ask() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=service.base_url, timeout=60) as client:
            return await asyncio.gather(*(client.post(URL, json=song) for song in songs))

    assert [reply.status_code for reply in asyncio.run(ask())] == [200] * 16


def test_a_model_that_is_missing_says_how_to_get_it(configured: Callable[..., Path]):
    with (
        WireServer(lambda _request: Fault.missing_model()) as server,
        serving(load_settings(configured(server.address))) as client,
    ):
        reply = client.post(URL, json={"song": "夜空", "lyrics": SONG})
        assert reply.status_code == 503
        assert "ollama pull mistral" in reply.json()["error"]
        assert client.get("/api/v1/cache").status_code == 200


def test_the_pages_for_people_are_there(service):
    assert service.get("/docs").status_code == 200
    assert service.get("/redoc").status_code == 200
    assert URL in service.get("/openapi.json").json()["paths"]
