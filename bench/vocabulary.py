"""The words of songs: characters per CPU second, the first answer of a fresh process, and the HTTP service."""

import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

Row = tuple[str, float, str, str]
_VERSE = (
    "夜空に星が光る\n君の声を聞きたい\n涙を流して歩いた道\n夢の中で君に会えた\n"
    "窓を開けて風を感じる\n遠い町の灯りが揺れている\n今日も明日も歌い続ける\n別れの言葉が辛くて泣いた\n"
)


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        prepared = _prepare(home)
        return [
            ("Japanese dictionary, prepared once", prepared, "CPU s", ""),
            ("words of a song, the whole pipeline, warm", _characters_a_second(home), "characters a CPU s", ">= 10000"),
            ("first answer of a fresh process", _fresh(home), "s", "<= 3"),
            *_service(home),
        ]


def _prepare(home: Path) -> float:
    from studium.vocabulary.dictionary.jmdict import JMdict

    started = time.process_time()
    JMdict.open(home / "dictionary").close()
    return time.process_time() - started


def _characters_a_second(home: Path) -> float:
    from studium.vocabulary.languages import japanese_lexicon
    from studium.vocabulary.lyrics.parser import parse_lyrics

    lexicon = japanese_lexicon(home / "dictionary")
    lexicon.items_in(parse_lyrics(_VERSE))
    songs = [
        parse_lyrics("".join(f"{line}{number}\n" for line in _VERSE.splitlines() for _ in range(5)))
        for number in range(40)
    ]
    started = time.process_time()
    for song in songs:
        lexicon.items_in(song)
    return sum(len(song.text) for song in songs) / (time.process_time() - started)


def _fresh(home: Path) -> float:
    lyrics = home / "song.txt"
    lyrics.write_text(_VERSE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "studium",
        "--home",
        str(home),
        "vocab",
        "song",
        "夜空",
        "--lyrics",
        str(lyrics),
        "--json",
    ]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([*command, "--count", "7"], check=True, capture_output=True, env=env)
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=env)
    return time.perf_counter() - started


def _service(home: Path) -> list[Row]:
    import httpx
    import uvicorn

    from studium.core.config import Settings
    from studium.http.app import create_app

    settings = Settings.model_validate({"home": home, "serve": {"samples": False}})
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"

    async def ask(bodies: list[dict[str, object]]) -> tuple[float, int]:
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            started = time.perf_counter()
            replies = await asyncio.gather(*(client.post("/api/v1/vocab-generator", json=body) for body in bodies))
            return time.perf_counter() - started, sum(reply.status_code != httpx.codes.OK for reply in replies)

    songs: list[dict[str, object]] = [{"song": f"song {n}", "lyrics": f"{_VERSE}第{n}回の旅\n"} for n in range(16)]
    _, failed = asyncio.run(ask(songs))
    seconds, failed_cached = asyncio.run(ask([songs[n % 16] for n in range(200)]))
    server.should_exit = True
    thread.join()
    return [
        ("16 songs at once: failures", failed, "", "0"),
        ("requests answered from the cache", 200 / seconds, "a second", ">= 50"),
        ("… failures", failed_cached, "", "0"),
    ]
