"""What may be typed on a router."""

import pytest

from studium.tutor.devices.frr.router import load_policy

FORBIDDEN = (
    "start-shell bash", "start-shell", "start b", "sta", "shell", "bash", "sh -c ls", "ssh 10.0.0.1", "telnet 10.0.0.1",
    "do start-shell bash", "do  do ssh 10.0.0.1", "!ls", "! ls; reboot", "show version; rm -rf /", "; rm -rf /",
    "show version\nstart-shell", "show version\rstart-shell", "show \x03", "show\tversion", "show \x1b[A", "show\x00",
    "show running-config | tee /tmp/x", "show running-config |sh", "show version | redirect x", "show version |",
    "copy /etc/passwd running-config", "c /etc/passwd r", "copy running-config tftp:", "copy running-config | sh",
    "terminal monitor", "t m", "terminal length 0", "find .*", "configure terminal file-lock", "conf t f",
    "write file", "w f", "wr integrated", "debug ospf packet all", "deb bgp", "log file /etc/frr/x", "l f /tmp/x",
    "log syslog", "log stdout debugging", "enable password x", "en pass x", "e p x", "password x",
    "username a nopassword",
    "output file /tmp/x", "o f /tmp/x", "dump bgp all /tmp/x", "d b all /tmp/x", "banner motd file /etc/shadow",
    "b m f /etc/shadow", "nhrp event socket /tmp/x", "mtrace 10.0.0.1", "do debug ospf event", "DO START-SHELL",
    "Start-Shell bash", "show " + "x" * 2000,
)  # fmt: skip

HARMLESS = (
    "", "show ip route", "sh ip int brief", "s ip route", "sho run", "configure terminal", "conf t", "c t", "wr", "w",
    "write memory", "write terminal", "copy running-config startup-config", "copy run start", "exit", "end", "en",
    "disable",
    "interface eth0", "int eth0", "ip address 10.0.0.1/24", "no shutdown", "shutdown", "description Link to R2 -> LAN!",
    "router ospf", "network 10.0.0.0/8 area 0", "net 10.0.0.0/8 area 0", "neighbor 10.0.0.2 remote-as 65001",
    "neighbor 10.0.0.2 password secret", "passive-interface eth0", "pass eth0", "default-information originate",
    "ip route 0.0.0.0/0 10.0.0.1", "router bgp 65001", "router rip", "version 2", "timers basic 5 15 10",
    "ping 10.0.0.1",
    "traceroute 10.0.0.1", "show running-config | include ospf", "do show ip route", "clear ip bgp *", "hostname R1",
    "! a comment", "!", "shwo ip route", "log-adjacency-changes", "no debug ospf event", "aggregate-address 10.0.0.0/8",
    "banner motd line Welcome", "list", "show ip ?", "distance 90", "redistribute static", "bgp router-id 1.1.1.1",
    "area 1 stub", "access-list x permit any", "route-map x permit 10", "ipv6 address 2001:db8::1/64",
    "offset-list x in 2",
)  # fmt: skip


@pytest.mark.parametrize("command", FORBIDDEN)
def test_what_may_leave_the_lab_is_refused_with_a_reason(command):
    assert load_policy().refusal(command).startswith("% Not allowed here: ")


@pytest.mark.parametrize("command", HARMLESS)
def test_what_a_student_types_is_let_through(command):
    assert load_policy().refusal(command) is None


def test_the_reason_names_what_to_do_instead():
    assert load_policy().refusal("copy flash: tftp:") == (
        "% Not allowed here: only `copy running-config startup-config` copies anything here."
    )


def test_a_configuration_loses_the_lines_that_may_not_be_typed():
    written = "hostname r1\nlog file /etc/frr/x\ninterface eth0\n description a; b\nexit\n dump bgp all /tmp/x"
    assert load_policy().permitted(written) == "hostname r1\ninterface eth0\n description a; b\nexit\n"
