"""IOS's own errors, for what it does not understand and for what FRR would silently take."""

import pytest

INVALID = "% Invalid input detected at '^' marker."


@pytest.mark.parametrize(
    ("lines", "under"),
    [
        (["en", "conf t", "hostnane S1"], "hostnane"),
        (["en", "conf t", "int g0/0", "ip adress 192.168.1.1 255.255.255.0"], "adress"),
        (["en", "conf t", "show running-config"], "show"),
        (["en", "hostname R1"], "hostname"),
        (["en", "conf t", "int g0/0", "ip address 192.168.1.1/24"], "/24"),
        (["en", "sh run | hostname"], "hostname"),
        (["show running-config"], "running-config"),
        (["configure terminal"], "configure"),
        (["en", "conf t", "do shw ip route"], "shw"),
        (["en", "conf t", "ip route 10.0.0.0 255.0.0.0 999.1.1.1"], "999.1.1.1"),
        (["en", "conf t", "int g0/0", "ip address 10.0.0.256 255.255.255.0"], "10.0.0.256"),
        (["en", "conf t", "router ospf abc"], "abc"),
        (["en", "conf t", "router ospf 1", "network 10.0.0.0 0.0.0.255 aera 0"], "aera"),
        (["en", "conf t", "line vty 0 99"], "99"),
        (["en", "sh int br"], "br"),
        (["en", "conf t", f"router ospf {'9' * 5000}"], "9" * 5000),
        (["en", "conf t", "int g0/0", "ipv6 address 2001:db8:::1/64"], "2001:db8:::1/64"),
        (["en", "conf t", "no shutdown"], "shutdown"),
        (["en", "start-shell bash"], "start-shell"),
        (["en", "ping 10.0.0.1 ; rm -rf /"], "; rm"),
        (["en", "show version | tee /etc/passwd"], "tee"),
        (["en", "conf t", "router bgp 1", "neighbor 1.2.3.4 description a|b"], "|b"),
        (["en", "conf t", "ip nat foo bar"], "foo"),
        (["en", "conf t", "ip http sever"], "sever"),
        (["en", "conf t", "logging foo"], "foo"),
        (["en", "conf t", "no logging foo"], "foo"),
        (["en", "conf t", "spanning-tree mode rstp"], "rstp"),
        (["en", "conf t", "username ann pasword x"], "pasword"),
        (["en", "conf t", "access-list 10 permit tcp any any"], "tcp"),
        (["en", "conf t", "access-list 110 permit tcp any any eq htpp"], "htpp"),
        (["en", "conf t", "ip access-list standard X", "permit ip any any"], "ip any"),
        (["en", "conf t", "ip access-list extended X", "permit any"], "any"),
        (["en", "conf t", "int g0/0", "speed 99"], "99"),
        (["en", "conf t", "int g0/0", "switchport trunk native vlan 5000"], "5000"),
        (["en", "conf t", "line vty 0 4", "privilege level 16"], "16"),
        (["en", "conf t", "ip dhcp pool X", "lease 9 25"], "25"),
    ],
)
def test_the_caret_points_at_the_invalid_word(r1, type_lines, lines, under):
    type_lines(*lines[:-1])
    typed = r1.prompt + lines[-1]
    column = typed.rindex(under)
    assert r1.run(lines[-1]) == f"{' ' * column}^\n{INVALID}"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["en", "show"], "% Incomplete command."),
        (["en", "show run |"], "% Incomplete command."),
        (["en", "show run | include"], "% Incomplete command."),
        (["en", "conf t", "int g0/0", "ip address 10.0.0.1"], "% Incomplete command."),
        (["en", "conf t", "router ospf"], "% Incomplete command."),
        (["en", "conf t", "ip route 10.0.0.0 255.0.0.0"], "% Incomplete command."),
        (["en", "conf t", "int g0/0", "ipv6 address 2001:db8::1"], "% Incomplete command."),
        (["en", "sh i"], '% Ambiguous command:  "sh i"'),
        (["en", "conf t", "do sh ip r"], '% Ambiguous command:  "do sh ip r"'),
        (["en", "conf t", "int g0/9"], "%Invalid interface type and number"),
        (
            ["en", "conf t", "int g0/0", "ip add 172.20.100.96 255.255.255.252"],
            "% Bad mask /30 for address 172.20.100.96",
        ),
        (["en", "conf t", "int g0/0", "ip add 10.1.1.255 255.255.255.0"], "% Bad mask /24 for address 10.1.1.255"),
        (
            ["en", "conf t", "int g0/0", "ip add 192.168.1.4 225.225.225.0"],
            "Bad mask 0xE1E1E100 for address 192.168.1.4",
        ),
        (["en", "conf t", "int g0/0", "ip add 192.168.1.4 0.0.0.255"], "Bad mask 0x000000FF for address 192.168.1.4"),
        (["en", "conf t", "int g0/0", "ip add 224.0.0.5 255.255.255.0"], "% Not a valid host address - 224.0.0.5"),
        (["en", "conf t", "ip route 10.1.1.5 255.255.255.0 10.0.0.2"], "% Inconsistent address and mask"),
        (["en", "conf t", "ip route 10.1.0.0 255.0.255.0 10.0.0.2"], "% Inconsistent address and mask"),
        (["en", "conf t", "no ip route 10.1.0.0 255.255.0.0 10.0.0.2"], "% No matching route to delete"),
        (["en", "conf t", "ipv6 router ospf 1"], "% IPv6 routing not enabled"),
        (
            ["en", "conf t", "router ospf 1", "network 10.0.0.0 0.255.0.255 area 0"],
            "% OSPF: Invalid address/mask combination (discontiguous mask)",
        ),
        (["en", "conf t", "router bgp 65001", "router bgp 65002"], "BGP is already running; AS is 65001"),
        (["en", "conf t", "router bgp 1", "network 10.1.1.0"], "% BGP: Incorrect network or mask configured"),
        (
            ["reload"],
            (
                'Translating "reload"...domain server (255.255.255.255)\n'
                "% Unknown command or computer name, or unable to find computer address"
            ),
        ),
        (
            ["en", "conf t", "no ip domain-lookup", "end", "pign"],
            'Translating "pign"\n% Unknown command or computer name, or unable to find computer address',
        ),
        (
            ["en", "conf t", "ip route 0.0.0.0 0.0.0.0 lo1"],
            "%Default route without gateway, if not a point-to-point interface, may impact performance",
        ),
        (
            ["en", "conf t", "router ospf 1"],
            "%OSPF-4-NORTRID: OSPF process 1 failed to allocate unique router-id and cannot start",
        ),
        (
            ["en", "conf t", "router ospf 1", "do show ip ospf 1"],
            "%OSPF: Router process 1 is not running, please configure a router-id",
        ),
    ],
)
def test_ios_says(type_lines, lines, said):
    assert type_lines(*lines) == said


def test_two_interfaces_of_a_router_share_no_subnet(configure):
    said = configure(
        "int g0/0", "ip address 192.168.10.1 255.255.255.0", "int g0/1", "ip address 192.168.10.129 255.255.255.128"
    )
    assert said == "% 192.168.10.128 overlaps with GigabitEthernet0/0"


def test_a_routers_own_address_is_no_next_hop(configure):
    said = configure(
        "int g0/0", "ip add 172.20.100.97 255.255.255.252", "ip route 10.8.1.0 255.255.255.0 172.20.100.97"
    )
    assert said == "% Invalid next hop address (it's this router)"


@pytest.mark.parametrize(
    "line",
    [
        "start-shell bash",
        "; rm -rf /",
        "log file /etc/passwd",
        "!ls",
        "output file x",
        "find x",
        "ip\x1baddress",
        "x\ny",
    ],
)
def test_what_is_refused_never_reaches_the_router_beneath(beneath, r1, configure, line):
    configure("interface g0/0")
    before = list(beneath.asked)
    r1.run(line)
    assert beneath.asked == before
