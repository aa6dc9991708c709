"""Labs: recordings of a console, commands with their output, commands typed at a router, `lab.yaml` and `quiz.yaml`."""
# ruff: noqa: E501 - tables read better in long lines

import json

from hypothesis import strategies as st
from tests.fuzz.notes import YAML_LINES, YAML_MARKS
from tests.fuzz.pieces import FILLERS, TIMES, Case, damaged, encoded, files, nested, repeated, seldom, texts

_COMMANDS = (
    "show ip route {}", "show running-config | include {}", "show run | section {}", "sh ip int br | exclude {}", "show version | begin {}", "show run | count {}", "configure terminal", "interface GigabitEthernet0/{}", "ip address {} 255.255.255.{}", "ip route {} {} {}", "router ospf {}", "network {} 0.0.0.{} area {}",
    "router bgp {}", "neighbor {} remote-as {}", "hostname {}", "no shutdown", "no {}", "banner motd {}x{}x", "enable secret {}", "line vty {} {}", "access-list {} permit {}", "ping {}", "traceroute {} source {}", "?", "show ?", "{}?", "do {}", "end", "exit", "write memory", "description {}", "vlan {}", "{}", "ip rout {} {} null0",
)  # fmt: skip
_RECORDING = (
    "R1#{}", "R1(config-if)#{}", "R1>{}", "Router(config)#{}", "% Invalid input detected at '^' marker.", "          ^", '% Ambiguous command: "{}"', "*Mar  1 00:00:{}.000: %LINK-3-UPDOWN: Interface {}, changed state to up", "--More-- {}", "S>* 10.0.0.0/8 [1/0] via {}", "{}", 'Script started on {} [COLUMNS="{}"]', "R1#sh\b\b\b{}", "\x1b[{}D{}", "\x1b[{}C{}", "\x1b[K{}", "\x1b[{}@", "R1#{}\rR1#{}", "Password: {}", "Building configuration...", "  1  {}",
    '{"command": "{}", "output": "{}"}', '[{"command": "{}", "prompt": "{}"}]', '{"history": [{"command": "{}"}]}', '["{}"]', "[{}]", '{"commands": {}}', '{"command": {}, "output": null}',
)  # fmt: skip
_MARKS = (
    " ", "\t", "\b", "\x1b[9C", "\x1b[K", "\x1b]", "\r", "\n", "R1#", "R1#\n", ">", "#", "%", "^", "a", "a ", "a.", "9", "9.", "0/", "(", "[", "{", '{"command": ', '["', '{"a":', "-", "--More--", ":", "|", "| include ", ".*", ".*.*", "(a+)+", "(a|a)*", "[a-", "\\", "?", "*", "x{9,", "(?=", "$", "10.0.0.1 ", "permit ", "*Mar  1 00:00:00: ",
)  # fmt: skip


def transcripts() -> st.SearchStrategy[Case]:
    """Recordings, JSON and lists of commands."""
    names = ("console.txt", "history.json", "history.jsonl", "console.log")
    lines = _RECORDING + tuple(f"R1#{command}\n% Invalid input detected" for command in _COMMANDS)
    deep = nested(("[", '{"a":', '{"history": ['))
    return st.one_of(files(names, texts(lines, _MARKS, most=10)), files(names, deep), files(names, _records()))


def _records() -> st.SearchStrategy[str]:
    values = st.one_of(FILLERS, st.none(), st.integers(), st.floats(), st.lists(FILLERS, max_size=2))
    entry = st.dictionaries(st.sampled_from(["command", "output", "prompt", "device", "x"]), values, max_size=4)
    return st.builds(lambda one, times: json.dumps([one] * min(times, 3_000)), entry, TIMES)


def diagnoses() -> st.SearchStrategy[Case]:
    """A command and its output."""
    prompts = st.sampled_from(["", "R1#", "R1(config)#", "R1(config-if)#", "x", ">" * 300, "R1(config-" + "a" * 5_000])
    return st.tuples(prompts, encoded(texts(_COMMANDS + _RECORDING, _MARKS)))


def consoles() -> st.SearchStrategy[Case]:
    """Commands as a student types them, patterns of output filters among them."""
    return st.tuples(st.just("r1"), damaged(encoded(texts(_COMMANDS, _MARKS, most=12))))


_LAB = (
    "id: {}", "title: {}", "goal: >-\n  {}", "topics: [{}]", "devices:\n  - name: {}\n    kind: host\n    gateway: {}\n    ports:\n      - {name: eth0, address: {}}", "devices: [{name: r1, ports: [{name: {}, address: 10.0.0.{}/{}}]}]", "cables:\n  - {one: 'r1:{}', other: '{}'}", "start:\n  r1: |\n    {}\n    interface {}\n     ip address {} {}",
    "solution: {r1: '{}'}", "checks:\n  - {id: a, kind: {}, device: r1, title: {}, value: {}}", "hints:\n  - {topic: {}, text: {}}", "instructions: {}", "questions:\n- question: {}\n  kind: choice\n  answers: [{}]\n  choices: [{}]", "- question: {}\n  kind: {}\n  answer: {}", "questions: {}",
)  # fmt: skip


@st.composite
def _lab_text(draw: st.DrawFn) -> str:
    whole = draw(texts(_LAB + YAML_LINES, YAML_MARKS, most=8))
    if not draw(seldom(6)):
        return whole
    return "id: case\ntitle: t\ngoal: g\ndevices:\n" + repeated("  - name: r1\n", draw(TIMES)) + whole


def labs() -> st.SearchStrategy[Case]:
    """The YAML files of a lab."""
    return files(("lab.yaml", "lab.yaml", "quiz.yaml"), _lab_text())
