"""What IOS has and FRR has not."""

import pytest


def running(r1) -> list[str]:
    r1.run("end")
    return r1.run("show running-config").splitlines()


def test_login_wants_a_password_first(configure, type_lines):
    assert configure("line con 0", "login") == "% Login disabled on line 0, until 'password' is set"
    assert type_lines("line vty 0 1", "login").splitlines() == [
        "% Login disabled on line 2, until 'password' is set",
        "% Login disabled on line 3, until 'password' is set",
    ]
    assert type_lines("password cisco", "login") == ""
    assert type_lines("login local") == ""


def test_keys_want_a_name_and_a_domain(configure, type_lines):
    assert configure("no hostname", "crypto key generate rsa") == "% Please define a hostname other than Router."
    assert type_lines("hostname R1", "crypto key gen rsa mod 1024") == "% Please define a domain-name first."
    made = type_lines("ip domain-name lab.example", "crypto key generate rsa general-keys modulus 2048")
    assert made.startswith("The name for the keys will be: R1.lab.example\n")
    assert "% Generating 2048 bit RSA keys" in made


def test_a_subinterface_wants_its_tag_first(configure, type_lines):
    said = configure("interface g0/0.10", "ip address 10.0.10.1 255.255.255.0")
    assert said.startswith("% Configuring IP routing on a LAN subinterface is only allowed if that\n")
    assert type_lines("encapsulation dot1q 10", "ip address 10.0.10.1 255.255.255.0") == ""


def test_ports_of_a_switch(configure, type_lines):
    assert (
        configure("int g0/1", "switchport port-security") == "Command rejected: GigabitEthernet0/1 is a dynamic port."
    )
    assert type_lines("switchport mode trunk").startswith(
        'Command rejected: An interface whose trunk encapsulation is "Auto"'
    )
    assert type_lines("switchport access vlan 30") == "% Access VLAN does not exist. Creating vlan 30"
    assert type_lines("switchport access vlan 30") == ""
    assert type_lines("switchport mode access", "switchport port-security") == ""


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (["no ip domain-lookup"], "no ip domain-lookup"),
        (["no ip domain lookup"], "no ip domain-lookup"),
        (["ip domain-name a.example", "ip domain-name b.example"], "ip domain-name b.example"),
        (["service password-encryption"], "service password-encryption"),
        (["line con 0", "logging sync"], " logging synchronous"),
        (["line vty 0 4", "transport input ssh"], " transport input ssh"),
        (["banner motd #Keep out!#"], "banner motd ^CKeep out!^C"),
        (["access-list 10 permit 10.0.0.0 0.0.0.255"], "access-list 10 permit 10.0.0.0 0.0.0.255"),
        (["ip dhcp pool LAN", "default-router 10.0.0.1"], " default-router 10.0.0.1"),
        (["interface vlan 1", "ip address 10.0.0.1 255.0.0.0"], " ip address 10.0.0.1 255.0.0.0"),
        (["int g0/0", "description to R2; the | core"], " description to R2; the | core"),
        (["int g0/0", "clock rate 64000"], " clock rate 64000"),
        (["ipv6 unicast-routing"], "ipv6 unicast-routing"),
        (["router rip", "no auto-summary"], " no auto-summary"),
        (
            ["ip nat ins so list 1 int g0/1 overload"],
            "ip nat inside source list 1 interface GigabitEthernet0/1 overload",
        ),
        (
            ["ip access-l ext WEB", "10 deny tcp any host 10.0.0.1 eq www log"],
            " 10 deny tcp any host 10.0.0.1 eq www log",
        ),
        (["clock timezone EST -5"], "clock timezone EST -5"),
        (["logging buffered 8192 warn"], "logging buffered 8192 warnings"),
        (["service timestamps log datetime msec", "service timestamps debug up"], "service timestamps debug uptime"),
    ],
)
def test_it_is_kept_and_shown(r1, configure, typed, shown):
    configure(*typed)
    assert running(r1).count(shown) == 1


@pytest.mark.parametrize(
    ("typed", "gone"),
    [
        (["no ip domain-lookup", "ip domain-lookup"], "no ip domain-lookup"),
        (["ip domain-name a.example", "no ip domain-name"], "ip domain-name a.example"),
        (["banner motd #x#", "no banner motd"], "banner motd ^Cx^C"),
        (["vlan 10", "no vlan 10"], "vlan 10"),
        (["username ann secret x", "no username ann"], "username"),
        (["ip nat inside source list 1 int g0/1", "no ip nat inside source list 1 int gi 0/1"], "ip nat"),
        (["spanning-tree vlan 10 priority 4096", "no spanning-tree vlan 10"], "spanning-tree vlan"),
        (["logging host 10.0.0.9", "no logging host 10.0.0.9"], "logging"),
        (["line con 0", "password x", "no password"], " password x"),
        (["router rip", "no auto-summary", "auto-summary"], " no auto-summary"),
    ],
)
def test_a_no_takes_it_back(r1, configure, typed, gone):
    configure(*typed)
    assert not [line for line in running(r1) if line.startswith(gone)]


def test_a_banner_of_many_lines_is_read_to_its_end(r1, configure):
    assert configure("banner motd #") == "Enter TEXT message.  End with the character '#'."
    assert r1.prompt == ""
    r1.run("Keep out")
    r1.run("show version#")
    assert r1.prompt == "R1(config)#"
    assert "banner motd ^C\nKeep out\nshow version^C" in "\n".join(running(r1))


def test_secrets_are_not_shown(r1, configure):
    configure(
        "enable secret class",
        "username ann secret cisco",
        "service password-encryption",
        "line con 0",
        "password cisco",
    )
    shown = "\n".join(running(r1))
    assert "class" not in shown
    assert "cisco" not in shown
    assert " password 7 0822455D0A16\n" in shown


def test_vlans_are_listed(r1, configure):
    configure("vlan 20", "vlan 10", "name SALES", "end")
    assert [line.split()[:2] for line in r1.run("show vlan brief").splitlines()[2:]] == [
        ["1", "default"],
        ["10", "SALES"],
        ["20", "VLAN0020"],
    ]
