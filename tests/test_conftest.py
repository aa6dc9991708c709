import sys
from types import SimpleNamespace

import pytest
from tests.conftest import pytest_runtest_setup


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_a_missing_part_skips_its_tests_and_fails_them_where_all_must_be_there(monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)
    nowhere = SimpleNamespace(available=lambda: "nowhere is not installed")
    monkeypatch.setitem(sys.modules, "tests.real.nowhere", nowhere)
    needing_it = SimpleNamespace(iter_markers=lambda _: [pytest.mark.part("nowhere").mark])
    with pytest.raises(outcome, match=r"nowhere is not installed \(`make parts` installs it\)"):
        pytest_runtest_setup(needing_it)


def test_workers_get_the_tests_that_share_a_server_together(request):
    if hasattr(request.config, "workerinput"):
        assert request.node.nodeid.endswith("@tests/test_conftest")
