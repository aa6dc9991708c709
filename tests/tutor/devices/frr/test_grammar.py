"""FRR's grammar without any router."""

import pytest
from studium.devices.frr.grammar import Problem, check_grammar

from studium.core.domain.errors import MissingPart

pytestmark = [pytest.mark.part("frr"), pytest.mark.xdist_group("frr")]


def test_every_bad_line_is_named_with_its_number():
    lines = [
        "interface eth0",
        " ip adress 10.0.0.1/24",
        "exit",
        "router ospf",
        " network 10.0.0.0 0.0.0.255 area 0",
        "ho",
    ]
    assert check_grammar(lines) == [
        Problem(2, "ip adress 10.0.0.1/24", "% Unknown command"),
        Problem(5, "network 10.0.0.0 0.0.0.255 area 0", "% Unknown command"),
        Problem(6, "ho", "% Command incomplete"),
    ]


def test_a_good_configuration_has_no_problem():
    lines = ["hostname r1", "interface eth0", " ip address 10.0.0.1/24", "exit", "ip route 0.0.0.0/0 10.0.0.2", "!"]
    assert check_grammar(lines) == []


def test_a_line_break_in_a_line_does_not_move_the_numbers():
    assert [problem.line for problem in check_grammar(["hostname r1\nhostname r2 x", "nonsense"])] == [1, 2]


def test_nothing_has_no_problem():
    assert check_grammar([]) == []


def test_without_frr_the_command_that_installs_it_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart) as missing:
        check_grammar(["hostname r1"])
    assert "apt install frr" in missing.value.remedy
