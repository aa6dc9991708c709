"""What a killed run left behind goes, and nothing else."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from studium.tutor.devices.frr.namespaces import NETNS, RUN, namespace_prefix

pytestmark = [pytest.mark.part("frr"), pytest.mark.xdist_group("frr")]

KILLED = """
import os, signal, sys
from pathlib import Path
from studium.tutor.devices.frr.testbed import FrrTestbed
from studium.tutor.domain import Lab
bench = FrrTestbed(Path(sys.argv[1]))
bench.up(Lab.model_validate_json(sys.stdin.read()))
console = bench.device("r1")
bench.copy()
os.kill(os.getpid(), signal.SIGKILL)
"""


def standing(folder):
    """The namespaces and run folders of the lab in a folder."""
    return [path for place in (NETNS, RUN) for path in place.glob(f"{namespace_prefix(folder)}*")]


def running(folder):
    """The processes that carry the prefix of the lab in a folder."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                line = (process / "cmdline").read_text()
            except OSError:
                continue
            if f"{namespace_prefix(folder)}-" in line:
                found.append(line)
    return found


@pytest.fixture
def killed(benches, static_lab):
    """The bench of a run that was killed with its lab up, a console open and a copy made."""
    bench = benches("killed")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, bench.folder], input=static_lab.model_dump_json(), text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert bench.is_alive("r1")
    return bench


def test_down_takes_everything_of_a_killed_run_away(killed):
    copies = list((killed.folder / "copies").iterdir())
    assert len(copies) == 1
    assert standing(copies[0])
    killed.down()
    assert (standing(killed.folder), running(killed.folder)) == ([], [])
    assert (standing(copies[0]), running(copies[0])) == ([], [])


def test_the_next_up_begins_afresh(killed, static_lab):
    killed.up(static_lab)
    assert killed.ping("h1", "10.2.0.10")
    assert len(running(killed.folder)) == 4  # zebra and staticd, twice


def test_a_half_made_lab_without_a_record_is_taken_away(killed):
    (killed.folder / "lab.json").unlink()
    killed.down()
    assert (standing(killed.folder), running(killed.folder)) == ([], [])


def test_a_lab_whose_folder_is_gone_is_taken_away_by_the_next_one(killed, benches, static_lab):
    shutil.rmtree(killed.folder)
    benches("next").up(static_lab)
    assert (standing(killed.folder), running(killed.folder)) == ([], [])


def test_namespaces_and_processes_of_others_are_left_alone(bench):
    foreign = f"x{namespace_prefix(bench.folder)}-r1"
    subprocess.run(["ip", "netns", "add", foreign], check=True)
    sleeper = subprocess.Popen(["ip", "netns", "exec", foreign, "sleep", "60"])
    try:
        bench.down()
        assert sleeper.poll() is None
        assert Path("/run/netns", foreign).exists()
    finally:
        sleeper.kill()
        sleeper.wait()
        subprocess.run(["ip", "netns", "delete", foreign], check=True)


def test_down_twice_is_down(bench):
    bench.down()
    bench.down()
    assert (standing(bench.folder), running(bench.folder)) == ([], [])
