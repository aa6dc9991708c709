"""Reader processes: what passes a limit or crashes is named, the next call is answered, none outlives its server."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.core import hostile_calls as calls

from studium.core.domain.errors import LimitPassed
from studium.core.process_limits import ReadLimits, limited_memory
from studium.core.reader_process import serving_readers
from studium.core.yaml_files import UnreadableYaml


@pytest.fixture
def pool():
    limits = ReadLimits(cpu_seconds=1, memory=100_000_000, output=1_000_000)
    with serving_readers(limits, 2, forked=False) as opened:
        yield opened


def test_a_call_is_answered_by_another_process_that_is_kept(pool):
    first, second = (pool.run(calls.process_id, what="a.pdf") for _ in range(2))
    assert first == second != os.getpid()
    assert pool.run(calls.double, 21, what="a.pdf") == 42


@pytest.mark.parametrize(
    ("function", "limit", "told"),
    [
        (calls.spin, "cpu", "a.pdf needs more than 1 s of CPU to be read."),
        (calls.fill_memory, "memory", "a.pdf needs more than 100 MB of memory to be read."),
        (calls.no_room_for_thread, "memory", "a.pdf needs more than 100 MB of memory to be read."),
        (calls.crash, "crash", "a.pdf crashes its reader."),
        (calls.long_answer, "output", "a.pdf contains more than 1 MB."),
        (calls.deep_answer, "depth", "a.pdf is nested too deeply to be read."),
    ],
)
def test_what_passes_a_limit_is_named_and_the_next_file_is_read(pool, function, limit, told):
    with pytest.raises(LimitPassed) as passed:
        pool.run(function, what="a.pdf")
    assert (passed.value.limit, passed.value.what) == (limit, told)
    assert passed.value.remedy
    assert pool.run(calls.double, 4, what="b.pdf") == 8


def test_an_error_comes_back_as_it_was_raised(pool):
    with pytest.raises(UnreadableYaml) as refused:
        pool.run(calls.refuse, what="note.md")
    assert (refused.value.line, refused.value.remedy) == (7, "Write it again.")
    with pytest.raises(KeyError) as failed:
        pool.run(calls.fail, what="note.md")
    assert "hostile_calls.py" in failed.value.__notes__[0]


def test_only_a_server_has_a_function_run_elsewhere(pool):
    assert calls.where() != os.getpid()
    pool.close()


def test_a_command_runs_it_in_its_own_process():
    assert calls.where() == os.getpid()


def test_a_process_that_died_while_it_was_idle_is_not_used(pool):
    os.kill(pool.run(calls.process_id, what="a.pdf"), signal.SIGKILL)
    time.sleep(0.2)
    assert pool.run(calls.double, 2, what="b.pdf") == 4


def test_a_process_of_a_job_gets_no_more_memory_than_it_may_have():
    with limited_memory(50), pytest.raises(MemoryError):
        bytearray(100_000_000)
    assert len(bytearray(100_000_000)) == 100_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a timer ends it, after a minute")
def test_a_forked_process_dies_with_its_server_even_in_a_c_call():
    with subprocess.Popen(
        [sys.executable, "-m", "tests.core.hostile_calls"], stdout=subprocess.PIPE, text=True
    ) as server:
        worker = int(server.stdout.readline())
        time.sleep(0.5)
        assert _is_running(worker)
        server.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 5
    while _is_running(worker):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
