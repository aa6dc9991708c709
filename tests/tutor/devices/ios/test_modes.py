"""The mode that a student is in, and how to get to another."""

import pytest


@pytest.mark.parametrize(
    ("lines", "prompt"),
    [
        ([], "R1>"),
        (["en"], "R1#"),
        (["enable", "disable"], "R1>"),
        (["en", "conf t"], "R1(config)#"),
        (["en", "conf"], "R1(config)#"),
        (["en", "conf t", "int g0/0"], "R1(config-if)#"),
        (["en", "conf t", "interface GigabitEthernet 0/1"], "R1(config-if)#"),
        (["en", "conf t", "int gi0/0.10"], "R1(config-subif)#"),
        (["en", "conf t", "int lo 5"], "R1(config-if)#"),
        (["en", "conf t", "router ospf 1"], "R1(config-router)#"),
        (["en", "conf t", "router bgp 65001"], "R1(config-router)#"),
        (["en", "conf t", "line con 0"], "R1(config-line)#"),
        (["en", "conf t", "line vty 0 4"], "R1(config-line)#"),
        (["en", "conf t", "vlan 10"], "R1(config-vlan)#"),
        (["en", "conf t", "ip access-list standard INSIDE"], "R1(config-std-nacl)#"),
        (["en", "conf t", "ip access-list extended WEB"], "R1(config-ext-nacl)#"),
        (["en", "conf t", "ip dhcp pool LAN"], "R1(dhcp-config)#"),
        (["en", "conf t", "int g0/0", "exit"], "R1(config)#"),
        (["en", "conf t", "int g0/0", "end"], "R1#"),
        (["en", "conf t", "exit"], "R1#"),
        (["en", "conf t", "int g0/0", "router rip"], "R1(config-router)#"),
        (["en", "conf t", "int g0/0", "hostname Edge"], "Edge(config)#"),
        (["en", "conf t", "int g0/0", "do show history"], "R1(config-if)#"),
        (["en", "conf t", "hostname Edge", "no hostname"], "Router(config)#"),
        (["en", "exit"], "R1>"),
    ],
)
def test_the_prompt_shows_the_mode(r1, type_lines, lines, prompt):
    type_lines(*lines)
    assert r1.prompt == prompt


def test_between_commands_the_frr_router_is_in_exec_mode(beneath, configure):
    configure("interface g0/0", "ip address 10.0.0.1 255.255.255.0")
    assert beneath.prompt == "R1#"


def test_a_question_mark_lists_what_may_come_next(r1, type_lines):
    type_lines("enable")
    assert r1.run("sh ip o?") == "ospf"
    assert r1.run("copy ?") == "  running-config"
    assert r1.run("show ip route ?").splitlines()[:3] == ["  <cr>", "  A.B.C.D", "  bgp"]
    assert r1.run("configure terminal ?") == "  <cr>"
    assert r1.run("xyz ?") == "% Unrecognized command"


def test_a_question_mark_in_an_interface_knows_its_own_commands_and_the_global_ones(configure, r1):
    configure("int g0/0")
    assert r1.run("shut?") == "shutdown"
    assert r1.run("hostn?") == "hostname"
    assert r1.run("ip ospf network ?").split() == [
        "broadcast",
        "non-broadcast",
        "point-to-multipoint",
        "point-to-point",
    ]


def test_comments_and_empty_lines_say_nothing(r1):
    assert [r1.run(line) for line in ("", "   ", "!", "! a remark")] == ["", "", "", ""]


def test_an_enable_secret_is_asked_for_three_times(r1, configure, type_lines):
    configure("enable secret class", "end", "disable", "enable")
    assert r1.prompt == "Password: "
    assert type_lines("x", "y", "z") == "% Bad secrets"
    assert r1.prompt == "R1>"
    assert type_lines("enable", "class") == ""
    assert r1.prompt == "R1#"


def test_the_history_has_the_last_commands(type_lines):
    assert type_lines("enable", "sh clock", "show history") == "  enable\n  sh clock\n  show history"
