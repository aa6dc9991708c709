"""A lab.yaml with mistakes: all of them are listed at once, with lines."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from studium.core.domain.errors import NotFound
from studium.core.domain.finding import Severity
from studium.tutor.labs.reader import find_lab, list_lab_folders, read_lab


def told(reading):
    return [(finding.code, finding.where.line, finding.message) for finding in reading.findings]


def test_a_lab_without_mistakes_is_read_whole(reading_of, right):
    reading = reading_of(right)
    assert reading.findings == ()
    lab = reading.lab
    assert [device.name for device in lab.devices] == ["r1", "r2", "pc2"]
    assert lab.devices[1].ports[1].address == "192.168.2.1/24"
    assert lab.cables[1].other == "pc2:eth0"
    assert lab.start["r1"].splitlines()[1] == "interface GigabitEthernet0/0"
    assert [check.kind for check in lab.checks] == ["config", "route", "ping"]
    assert lab.instructions == "# Two routers\n"


MISTAKES = [
    ("title: Two routers", "tilte: Two routers", "lab.unknown_key", 2, "Did you mean `title`?"),
    ("goal: R1 reaches the LAN of R2.\n", "", "lab.missing", 1, "`goal` is missing."),
    ("goal: R1 reaches the LAN of R2.", "goal:", "lab.missing", 3, "`goal` has no value."),
    ("goal: R1 reaches the LAN of R2.", 'goal: " "', "lab.missing", 3, "`goal` is empty; say it in a sentence."),
    ("title: Two routers", "title: 2", "lab.value", 2, "`title` must be text; put it in quotes."),
    (
        "topics: [static_routing]",
        "topics: static_routing",
        "lab.value",
        4,
        "`topics` must be a list, one `- …` a line.",
    ),
    (
        "topics: [static_routing]",
        "instructions: read me",
        "lab.beside",
        4,
        "`instructions` is not a key: put it beside lab.yaml",
    ),
    ("    kind: host", "    kind: hots", "lab.value", 14, "`kind` is `hots`; it can be `router` or `host`."),
    (
        "    ports:\n      - {name: eth0",
        "    port:\n      - {name: eth0",
        "lab.unknown_key",
        16,
        "Did you mean `ports`?",
    ),
    ("10.0.12.1/30}", "10.0.12.1}", "lab.address", 8, "`10.0.12.1` is not an address with a prefix length"),
    ("10.0.12.1/30}", "10.0.12.300/30}", "lab.address", 8, "`10.0.12.300/30` is not an address"),
    ("10.0.12.1/30}", "10.0.12.0/30}", "lab.address", 8, "is the address of the subnet itself"),
    ("10.0.12.1/30}", "10.0.12.3/30}", "lab.address", 8, "is the broadcast address of 10.0.12.0/30"),
    ("10.0.12.1/30}", "10.0.12.2/30}", "lab.twice", 11, "The address 10.0.12.2 is given twice, first on line 8."),
    ("10.0.12.1/30}", "10.0.13.1/30}", "lab.subnet", 19, "10.0.13.1/30 and 10.0.12.2/30"),
    ("gateway: 192.168.2.1", "gateway: 192.168.3.1", "lab.gateway", 15, "not in a subnet of `pc2` (192.168.2.0/24)"),
    ("gateway: 192.168.2.1", "gateway: router", "lab.address", 15, "`router` is not an address."),
    ("  - name: r1\n", "  - name: r1\n    gateway: 10.0.12.2\n", "lab.gateway", 7, "only hosts have a gateway"),
    ("  - name: r2\n", "  - name: r1\n", "lab.twice", 9, "There is a device `r1` already, on line 6."),
    (
        "{name: GigabitEthernet0/1,",
        "{name: GigabitEthernet0/0,",
        "lab.twice",
        12,
        "There is a port `GigabitEthernet0/0`",
    ),
    ('other: "pc2:eth0"', 'other: "pc3:eth0"', "lab.unknown", 20, "There is no device `pc3`. Did you mean `pc2`?"),
    ('other: "pc2:eth0"', 'other: "pc2:eth1"', "lab.unknown", 20, "`pc2` has no port `eth1`. Did you mean `eth0`?"),
    ('other: "pc2:eth0"', 'other: "pc2"', "lab.cable", 20, "write the device and its port"),
    ('one: "r2:GigabitEthernet0/1"', 'one: "r2:GigabitEthernet0/0"', "lab.cable", 20, "has a cable already"),
    ('one: "r2:GigabitEthernet0/1"', 'one: "pc2:eth0"', "lab.cable", 20, "joins `pc2:eth0` to itself"),
    ("start:\n  r1:", "start:\n  r4:", "lab.unknown", 22, "There is no device `r4`."),
    ("start:\n  r1:", "start:\n  pc2:", "lab.host", 22, "`pc2` is a host"),
    ("    interface GigabitEthernet0/0", "    interface GigabitEthernet0/7", "lab.unknown", 24, "`r1` has no port"),
    (
        "    device: r1\n    expect",
        "    device: rl\n    expect",
        "lab.unknown",
        33,
        "There is no device `rl`. Known: pc2, r1, r2.",
    ),
    ("  - id: ping", "  - id: route", "lab.twice", 42, "There is a check `route` already, on line 35."),
    ("    target: 192.168.2.10\n", "", "lab.missing", 42, "A check of kind `ping` needs `target`."),
    ("target: 192.168.2.0/24", "target: 192.168.2.5/24", "lab.address", 39, "that is 192.168.2.0/24"),
    ("target: 192.168.2.10", "target: pc2", "lab.address", 46, "`pc2` is not an IPv4 address."),
    ("protocol: static", "protocol: statik", "lab.unknown", 40, "Did you mean `static`?"),
    ("    via: 10.0.12.2", "    via: r2", "lab.address", 41, "`r2` is not an IPv4 address."),
    (
        "    kind: ping\n    device: r1",
        "    kind: ping\n    via: 10.0.12.2\n    device: r1",
        "lab.value",
        45,
        "has no `via`",
    ),
    ("    kind: route\n    device: r1", "    kind: route\n    device: pc2", "lab.host", 38, "only be checked by ping"),
    (
        "check: route, level: 1",
        "check: rout, level: 1",
        "lab.unknown",
        48,
        "There is no check `rout`. Did you mean `route`?",
    ),
    ("level: 1", "level: 4", "lab.value", 48, "`level` is `4`; it can be 1, 2 or 3."),
    ("id: two-routers", "id: three-routers", "lab.id", 1, "differs from the name of its folder, `two-routers`"),
    ("topics: [static_routing]", "goal: Another one.", "lab.twice", 4, "`goal` is defined twice, first on line 3."),
]


def test_mistakes_are_reported_with_their_lines(reading_of, right):
    wrong = []
    for was, becomes, code, line, message in MISTAKES:
        assert was in right
        reading = reading_of(right.replace(was, becomes, 1))
        fitting = [said for said in told(reading) if said[:2] == (code, line) and message in said[2]]
        if reading.lab or len(fitting) != 1:
            wrong.append((becomes, told(reading)))
    assert wrong == []


def test_all_mistakes_are_reported_together_and_in_order(reading_of, right):
    spoilt = (
        right.replace("title: Two", "tilte: Two")
        .replace("10.0.12.1/30}", "10.0.12.999/30}")
        .replace('other: "pc2:eth0"', 'other: "pc2:eth9"')
        .replace("start:\n  r1", "start:\n  r9")
        .replace("protocol: static", "protocol: magic")
        .replace("check: route", "check: rout")
        .replace("level: 1", "level: 7")
    )
    reading = reading_of(spoilt)
    assert [(code, line) for code, line, _ in told(reading)] == [
        ("lab.missing", 1),
        ("lab.unknown_key", 2),
        ("lab.address", 8),
        ("lab.unknown", 20),
        ("lab.unknown", 22),
        ("lab.unknown", 40),
        ("lab.value", 48),
        ("lab.unknown", 48),
    ]
    assert all(finding.severity is Severity.ERROR for finding in reading.findings)
    assert str(reading.findings[1]).endswith("lab.yaml:2: Unknown key `tilte`. Did you mean `title`?")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("id: x\ntitle: [unclosed\ngoal: y\n", "lab.yaml", 3),
        ("id: x\n\tgoal: y\n", "lab.yaml", 2),
        ("- one\n- two\n", "lab.form", 1),
        ("just words\n", "lab.form", 1),
        ("a: &a [1]\nb: *a\n", "lab.alias", 2),
        ("# only a remark\n", "lab.form", 1),
        ("a: " + "[" * 5000 + "]" * 5000, "lab.yaml", 1),
        ("id: a\n---\nid: b\n", "lab.yaml", 2),
        ("title: 2026-99-99\n", "lab.yaml", 1),
    ],
)
def test_what_is_no_lab_at_all_is_refused(reading_of, text, code, line):
    reading = reading_of(text)
    assert reading.lab is None
    assert (code, line) in [said[:2] for said in told(reading)]


def test_a_folder_without_a_lab_says_so(tmp_path):
    reading = read_lab(tmp_path)
    assert reading.lab is None
    assert [finding.code for finding in reading.findings] == ["file.missing"]


def test_a_lab_without_instructions_is_still_a_lab(reading_of, right, tmp_path):
    reading_of(right)
    (tmp_path / "two-routers" / "instructions.md").unlink()
    reading = read_lab(tmp_path / "two-routers")
    assert reading.lab is not None
    assert [(finding.code, finding.severity) for finding in reading.findings] == [("file.missing", Severity.WARNING)]


def test_an_unknown_lab_is_answered_with_the_nearest(shipped_folder):
    with pytest.raises(NotFound, match=r"There is no lab `04-opsf-singel-area`. Did you mean `04-ospf-single-area`\?"):
        find_lab("04-opsf-singel-area", [shipped_folder])
    with pytest.raises(NotFound, match="Did you mean `02-static-routing`"):
        find_lab("static-rooting", [shipped_folder])
    with pytest.raises(NotFound, match="Known: 01-basic-routing, 02-static-routing"):
        find_lab("zzz", [shipped_folder])


def test_a_lab_is_found_by_as_much_as_names_only_one(shipped_folder):
    assert find_lab("05-ospf-faults", [shipped_folder]).name == "05-ospf-faults"
    assert find_lab("05", [shipped_folder]).name == "05-ospf-faults"
    assert find_lab("ospf-faults", [shipped_folder]).name == "05-ospf-faults"
    with pytest.raises(NotFound, match="names several labs"):
        find_lab("0", [shipped_folder])


def test_a_lab_of_ones_own_takes_the_place_of_its_namesake(shipped_folder, tmp_path, reading_of, right):
    reading_of(right.replace("id: two-routers", "id: 06-rip"), folder="06-rip")
    labs = list_lab_folders([shipped_folder, tmp_path, tmp_path / "not there"])
    assert labs["06-rip"] == tmp_path / "06-rip"
    assert labs["07-bgp-basics"] == shipped_folder / "07-bgp-basics"


SPOILING = some.lists(
    some.tuples(
        some.integers(0, 47), some.sampled_from(["", "x: 1", "  - name: r1", "    - 3", "  r1:", "? [a]", "\t"])
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spoiling=SPOILING)
def test_any_file_is_a_lab_or_says_why_not(reading_of, right, spoiling):
    lines = right.splitlines()
    for place, line in spoiling:
        lines[place] = line
    reading = reading_of("\n".join(lines))
    assert (reading.lab is None) == bool(reading.findings)
    assert all(1 <= finding.where.line <= len(lines) + 1 for finding in reading.findings)
