import os
import signal
import subprocess
import sys

import pytest

from studium.core.domain.errors import MissingExtra, StorageFailed
from studium.vocabulary.dictionary.jmdict import JMdict
from studium.vocabulary.dictionary.jmdict_build import build_dictionary, dictionary_path

_PREPARE = """
import sys, time
from pathlib import Path
from studium.vocabulary.dictionary.jmdict_build import build_dictionary
build_dictionary(Path(sys.argv[1]), {tell})
"""
_STOP_IN_THE_MIDDLE = "lambda done, total: (print('writing', flush=True), time.sleep(60))"


def _start(folder, source, tell="None"):
    return subprocess.Popen(
        [sys.executable, "-c", _PREPARE.format(tell=tell), folder],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), *filter(None, sys.path)])},
        stdout=subprocess.PIPE,
        text=True,
    )


def _left_in(folder):
    return {path.name for path in folder.iterdir()} - {"locks"}


def test_killed_in_the_middle_it_leaves_no_dictionary_and_the_next_cleans_up(tmp_path, small_source):
    with _start(tmp_path, small_source, _STOP_IN_THE_MIDDLE) as first:
        assert first.stdout.readline() == "writing\n"
        first.send_signal(signal.SIGKILL)
    assert not dictionary_path(tmp_path).exists()
    assert _left_in(tmp_path)
    with _start(tmp_path, small_source) as second:
        assert second.wait(60) == 0
    assert _left_in(tmp_path) == {dictionary_path(tmp_path).name}
    opened = JMdict.open(tmp_path)
    assert opened.look_up("あそこ")
    opened.close()


def test_two_processes_at_once_make_one_dictionary(tmp_path, small_source):
    with _start(tmp_path, small_source) as one, _start(tmp_path, small_source) as other:
        assert (one.wait(60), other.wait(60)) == (0, 0)
    assert _left_in(tmp_path) == {dictionary_path(tmp_path).name}


def test_prepared_once_it_is_not_touched_again(tmp_path, small_source):
    with _start(tmp_path, small_source) as first:
        assert first.wait(60) == 0
    before = dictionary_path(tmp_path).stat().st_mtime_ns
    told = []
    build_dictionary(tmp_path, lambda done, total: told.append((done, total)))
    assert (dictionary_path(tmp_path).stat().st_mtime_ns, told) == (before, [])


@pytest.mark.parametrize("package", ["jamdict_data", "kotobase", "wordfreq"])
def test_missing_package_names_the_extra(tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra) as missing:
        build_dictionary(tmp_path)
    assert missing.value.remedy == "pip install 'studium[japanese]'"
    assert _left_in(tmp_path) == set()


def test_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StorageFailed):
        build_dictionary(tmp_path / "file" / "dictionary")
