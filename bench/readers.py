"""What it costs to read in another process: one request, a PDF, and a whole vault (`BENCH_VAULT`)."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench import cards
from studium.cards import use_cases
from studium.core.config import Settings, load_settings
from studium.core.process_limits import ReadLimits
from studium.core.reader_process import ReaderPool, serving_readers
from studium.tutor.error_detection.detector import load_detector

Row = tuple[str, float, str, str]
_CALLS = 200
_NOTES = 500


def measure() -> list[Row]:
    settings = load_settings()
    with tempfile.TemporaryDirectory() as folder, serving_readers(ReadLimits(120), 1, forked=False) as pool:
        given = os.environ.get("BENCH_VAULT")
        vault = Path(given) if given else cards.write_vault(Path(folder) / "vault", _NOTES)
        return [*_request(pool), *_vault(pool, settings, vault)]


def _request(pool: ReaderPool) -> list[Row]:
    """A diagnosis, as `POST /tutor/diagnose` makes it, with the process and its patterns at hand."""
    detector = load_detector(())
    asked = ("ip rout 10.0.0.0 255.0.0.0", "% Invalid input detected at '^' marker.", "R1(config)#")
    here = [_seconds(lambda: detector.detect(*asked)) for _ in range(_CALLS)]
    apart = [_seconds(lambda: pool.run(_detect, *asked, what="bench")) for _ in range(_CALLS)]
    more = statistics.median(apart) - statistics.median(here)
    worst = statistics.quantiles(apart, n=100)[98]
    return [
        ("a request that reads in a reader process, on top of the same in the server", 1000 * more, "ms", "≤ 30 ms"),
        ("the slowest of 100 such requests, in all", 1000 * worst, "ms", ""),
        ("the first one after a reader was killed", 1000 * _replaced(pool, asked), "ms", ""),
    ]


def _replaced(pool: ReaderPool, asked: tuple[str, ...]) -> float:
    os.kill(pool.run(os.getpid, what="bench"), 9)
    time.sleep(0.1)
    return _seconds(lambda: pool.run(_detect, *asked, what="bench"))


def _vault(pool: ReaderPool, settings: Settings, vault: Path) -> list[Row]:
    """The curriculum of a vault; CPU time of both processes."""
    read = use_cases.curriculum.__wrapped__  # type: ignore[attr-defined] # the function itself
    here, apart = [], []
    for _ in range(4):  # the first time, both load what they need
        here.append(_cpu(lambda: read(settings, vault)))
        before = pool.run(time.process_time, what="bench")
        ours = _cpu(lambda: use_cases.curriculum(settings, vault))
        apart.append(ours + pool.run(time.process_time, what="bench") - before)
    ratio = statistics.mean(apart[1:]) / statistics.mean(here[1:])
    return [
        ("a whole vault read in a reader process, against the same here, CPU", ratio, "×", "≤ 1.05 ×"),
        ("the same read here, CPU", statistics.mean(here[1:]), "s", ""),
    ]


def _detect(command: str, output: str, prompt: str) -> object:
    from studium.tutor.error_detection.detector import _detector

    return _detector((), ()).detect(command, output, prompt)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
