"""The references that are shipped: FRR's commands, IOS commands, error patterns."""

import importlib.util
import json
from importlib.resources import files
from pathlib import Path

import pytest

from studium.tutor.knowledge import command_passages, pattern_passages

COMMANDS = Path(str(files("studium") / "tutor/data/commands.jsonl"))
GENERATOR = Path(__file__).parents[3] / "scripts" / "command_reference.py"

PATTERN = """{"patterns": [
  {
    "id": "bad-mask",
    "error_type": "INVALID_SUBNET_MASK",
    "diagnosis": ["{address} has {prefix_length:mask}.", "{address} has no mask {{at all}}."],
    "fix": "Give it {first_host:address,mask}.",
    "examples": [{"command": "ip address 10.0.0.0 255.0.0.255", "output": "% Bad mask\\n"}]
  }
]}"""


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("command_reference", GENERATOR)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_reference_is_small_and_knows_what_students_type():
    assert COMMANDS.stat().st_size < 1_500_000
    headings = {passage.heading for passage in command_passages(COMMANDS)}
    assert {
        "FRR > show ip ospf neighbor",
        "FRR > ip route",
        "FRR > interface eth0 > ip ospf hello-interval",
        "FRR > router rip > version",
        "FRR > router bgp 65001 > neighbor",
    } <= headings


def test_a_family_of_commands_reads_as_a_page():
    page = next(each for each in command_passages(COMMANDS) if each.heading.endswith("> ip ospf hello-interval"))
    assert page.kind == "command_ref"
    assert page.text.splitlines()[0] == (
        "`ip ospf hello-interval` is typed in interface configuration mode after `interface eth0` on FRR: "
        "IP information; OSPF interface commands; Time between HELLO packets."
    )
    assert "- `ip ospf hello-interval (1-65535) [A.B.C.D]`" in page.text
    assert "- `(1-65535)`: Seconds" in page.text


@pytest.mark.parametrize(
    ("form", "words", "begins"),
    [
        ("show <ip|ipv6> route summary", "show ip route", True),
        ("show ip ospf [vrf NAME] neighbor [json]", "show ip ospf neighbor", True),
        ("show ip ospf [json]", "show ip ospf neighbor", False),
        ("[no] ip route A.B.C.D/M$prefix INTERFACE", "ip route", True),
        ("no ip ospf cost [(1-65535)]", "ip ospf cost", True),
        ("ip routes", "ip route", False),
    ],
)
def test_a_form_belongs_to_the_family_that_it_can_begin_with(generator, form, words, begins):
    assert generator.begins(form, words.split()) is begins


def test_options_that_no_student_meets_are_left_out(generator):
    form = "show ip ospf [vrf <NAME$vrf_name|all>] neighbor A.B.C.D$router [detail] [json]"
    assert generator.plain(form) == "show ip ospf neighbor A.B.C.D [detail]"


@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
def test_the_reference_is_what_frr_says(generator):
    shipped = {(line["command"], *line["way"]): line for line in map(json.loads, COMMANDS.read_text().splitlines())}
    wanted = [("ip route",), ("ip ospf hello-interval", "interface eth0"), ("version", "router rip")]
    families = [each for each in generator.families() if (each.name, *each.way) in wanted]
    with generator.running():
        told = {(family.name, *family.way): generator.described(family) for family in families}
    # Of several help texts for a word that many commands share, FRR gives now this one, now that.
    forms = {key: described["forms"] for key, described in told.items()}
    assert forms == {key: shipped[key]["forms"] for key in wanted}


def test_an_error_pattern_reads_as_a_page_with_its_line(tmp_path):
    tmp_path.joinpath("addressing.json").write_text(PATTERN)
    (page,) = pattern_passages(tmp_path)
    assert page.heading == "Invalid subnet mask"
    assert str(page.where) == "error-patterns/addressing.json:3"
    assert page.text.split("\n\n") == [
        "<address> has no mask {at all}.",
        "Fix: Give it <first host>.",
        "Example:\nip address 10.0.0.0 255.0.0.255\n% Bad mask",
    ]


def test_what_is_shipped_is_of_every_kind_and_says_where_it_stands(passages):
    kinds = {passage.kind for passage in passages}
    assert {"command_ref", "concept", "error_patterns"} <= kinds
    assert [passage for passage in passages if passage.where.line is None or not passage.heading] == []


def test_there_are_pages_on_at_least_120_ios_commands(passages):
    assert len({passage.heading for passage in passages if passage.where.path.startswith("ios/")}) >= 120
