"""No input brings a reader down: each gives a result, a Finding or a StudiumError, in 5 s of processor time and 500 MB.

Both the short form and the long one, in `make endurance`, always try the same cases. `make fuzz` tries others every
time; it prints the seed, and `FUZZ_SEED=… make fuzz` repeats them.
"""

import os

import pytest
from tests.fuzz.formats import FORMATS
from tests.fuzz.readers import READERS
from tests.fuzz.runner import CaseRunner, fuzz

SEED = int(os.environ.get("FUZZ_SEED") or 150)


def test_every_reader_is_tried():
    assert [form.name for form in FORMATS] == list(READERS)
    assert sum(form.many for form in FORMATS) >= 20_000


def test_no_input_brings_a_reader_down(tmp_path, subtests):
    tried = [form for form in FORMATS if form.few]
    with CaseRunner([form.name for form in tried], tmp_path / "fuzz") as runner:
        for form in tried:
            with subtests.test(form.name):
                assert fuzz(runner, form, cases=form.few, start=15) >= form.few


@pytest.mark.endurance
@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_no_input_of_many_brings_a_reader_down(form, tmp_path, capsys):
    with capsys.disabled():
        print(f"\n{form.name}: {form.many} cases, seed {SEED}")  # noqa: T201 - by which a failure is repeated
    with CaseRunner([form.name], tmp_path / "fuzz") as runner:
        assert fuzz(runner, form, cases=form.many, start=SEED) >= form.many
