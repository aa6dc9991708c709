"""Device messages: each is recognised, explained with its own names, and fixed for this very line."""

import json
from pathlib import Path

import pytest

from studium.tutor.error_detection.detector import get_default_detector

FOLDER = Path(__file__).parent
SITUATIONS = json.loads((FOLDER / "messages.json").read_text(encoding="utf-8"))


def test_messages_are_known():
    wrong = []
    for situation in SITUATIONS:
        found = get_default_detector().detect(situation["command"], situation["output"], situation["prompt"] or None)
        if found is None or found.error_type != situation["type"]:
            wrong.append((situation["output"], found))
            continue
        text = found.diagnosis + found.fix
        missing = [command for command in situation["commands"] if command not in found.commands]
        missing += [word for word in situation["mentions"] if word not in text]
        if missing:
            wrong.append((situation["output"], missing))
    assert wrong == []


HEALTHY = {
    "a neighbour that came back": (
        "%OSPF-5-ADJCHG: Process 1, Nbr 2.2.2.2 on Gi0/0 from FULL to DOWN, Neighbor Down: Dead timer expired\n"
        "%OSPF-5-ADJCHG: Process 1, Nbr 2.2.2.2 on Gi0/0 from LOADING to FULL, Loading Done"
    ),
    "timers that agree": "  Timer intervals configured, Hello 10, Dead 40, Wait 40\n    Hello due in 00:00:03",
    "a channel that is up": "Flags:  s - suspended\n1      Po1(SU)         LACP      Fa0/1(P)    Fa0/2(P)",
    "port security at work": "Port Status                : Secure-up\nViolation Mode             : Shutdown",
    "a closed port reopened": "%PM-4-ERR_RECOVER: Attempting to recover from bpduguard err-disable state on Gi0/3",
    "the timers of err-disable": "ErrDisable Reason            Timer Status\nbpduguard                    Disabled",
    "an EIGRP neighbour": "%DUAL-5-NBRCHANGE: EIGRP-IPv4 1: Neighbor 10.0.0.2 (Serial0/0) is up: new adjacency",
    "a BGP neighbour": "%BGP-5-ADJCHANGE: neighbor 10.0.0.2 Up",
}


def test_healthy_messages_are_left_alone():
    found = {name: get_default_detector().detect("show logging", output) for name, output in HEALTHY.items()}
    assert {name: mistake for name, mistake in found.items() if mistake} == {}


@pytest.mark.parametrize(
    ("hostname", "router_id"), [("R3", "3.3.3.3"), ("edge-12", "12.12.12.12"), ("Core", "1.1.1.1")]
)
def test_a_router_id_follows_the_number_of_the_router(hostname, router_id):
    output = "%OSPF: Router process 1 is not running, please configure a router-id"
    found = get_default_detector().detect("show ip ospf", output, f"{hostname}#")
    assert found.commands == ("router ospf 1", f"router-id {router_id}")
