"""The detector at its edges: context, several mistakes in one line, rough recordings, very long output."""

import time

import pytest

from studium.tutor.domain import TypedCommand
from studium.tutor.error_detection.detector import ErrorDetector

INVALID = "% Invalid input detected at '^' marker."


def test_two_mistakes_in_one_line_are_corrected_together(detector: ErrorDetector) -> None:
    found = detector.detect("ip adress 192.168.1.1/24", f"{' ' * 17}^\n{INVALID}", "R1(config-if)#")
    assert found is not None
    assert found.error_type == "TYPO_IN_COMMAND"
    assert found.diagnosis == (
        "`adress` is misspelled; `address` is meant. Also, 192.168.1.1/24 must be written 192.168.1.1 255.255.255.0."
    )
    assert found.commands == ("ip address 192.168.1.1 255.255.255.0",)


def test_the_way_leads_back_to_the_interface_typed_before(detector: ErrorDetector) -> None:
    found = detector.detect(
        "ip address 10.0.0.1 255.255.255.0",
        f"{' ' * 14}^\n{INVALID}",
        "R1(config)#",
        before=["conf t", "int gi0/1", "no shutdown", "exit"],
    )
    assert found is not None
    assert found.commands == ("int gi0/1", "ip address 10.0.0.1 255.255.255.0")


def test_without_a_prompt_the_commands_before_tell_the_mode(detector: ErrorDetector) -> None:
    typed = [
        TypedCommand(command=command, output=output, device="R1")
        for command, output in (("enable", ""), ("conf t", ""), ("show ip route", INVALID), ("hostnme R1", INVALID))
    ]
    found = detector.detect_all(typed)
    assert [each and each.commands for each in found] == [None, None, ("do show ip route",), ("hostname R1",)]


@pytest.mark.parametrize(
    "command", ["hostname Adress", "description ip adress of the itnerface", "username enbale secret x"]
)
def test_words_of_the_students_own_are_never_corrected(detector: ErrorDetector, command: str) -> None:
    found = detector.detect(command.replace("name", "nmae").replace("descr", "decsr"), INVALID)
    assert found is not None
    assert found.commands == (command,)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("\x1b[Khostnane R1", f"\x1b[0m               ^\r\n{INVALID}\r\n\x1b[?25h"),
        ("hosx\b \btnane R1", f"\r\n               ^\r\n{INVALID}\r\n"),
        ("hostnane R1", "               ^\n% Invalid inp"),
        ("hostnane R1", f"\x00\x07               ^\n{INVALID}"),
    ],
    ids=["colours", "rubbed out", "half a line", "bells"],
)
def test_rough_recordings_are_read(detector: ErrorDetector, command: str, output: str) -> None:
    found = detector.detect(command, output, "Router(config)#")
    assert found is not None
    assert found.commands == ("hostname R1",)


@pytest.mark.parametrize(
    "output",
    [
        "",
        "   \n",
        "Building configuration...\n[OK]",
        "     0 input errors, 0 CRC, 0 frame, 0 overrun, 12 ignored\n     0 invalid input",
        "*Mar  1 00:01:02.003: %SYS-5-CONFIG_I: Configured from console by console",
        "Sending 5, 100-byte ICMP Echos to 10.0.0.2, timeout is 2 seconds:\n.....\nSuccess rate is 0 percent (0/5)",
        "banner motd ^C\n% Unknown visitors are invalid here ^C",
        "CPU utilization for five seconds: 7%/0%; one minute: 5%",
    ],
)
def test_healthy_output_is_left_alone(detector: ErrorDetector, output: str) -> None:
    assert detector.detect("show something", output, "R1#") is None


@pytest.mark.parametrize(
    "output",
    [
        "GigabitEthernet0/0 is up, line protocol is up, 5 minute input rate 0 bits/sec\n" * 140_000,
        "%" * 10_000_000,
        " " * 5_000_000 + "^" * 5_000_000,
        "\x1b[" * 3_000_000,
        "a\b" * 4_000_000,
        'Translating "' * 800_000,
    ],
    ids=["show tech", "percent signs", "carets", "escapes", "backspaces", "half messages"],
)
def test_ten_megabytes_are_read_at_once(detector: ErrorDetector, output: str) -> None:
    began = time.perf_counter()
    assert detector.detect("show tech-support", output, "R1#") is None
    assert time.perf_counter() - began < 5.0


def test_a_refusal_after_ten_megabytes_is_seen(detector: ErrorDetector) -> None:
    output = "noise on the console\n" * 500_000 + f"           ^\n{INVALID}\n"
    found = detector.detect("show ip route", output, "S1(config)#")
    assert found is not None
    assert found.commands == ("do show ip route",)


@pytest.mark.parametrize(
    "command", ["", " ", "?", "x" * 20_000, "a " * 3_000, "ip " * 500, "|", "no", "do", "no no no"]
)
def test_any_line_is_diagnosed_quickly(detector: ErrorDetector, command: str) -> None:
    answers = {"TYPO_IN_COMMAND", "INCOMPLETE_COMMAND", "WRONG_MODE", "UNSUPPORTED_COMMAND"}
    began = time.perf_counter()
    for prompt in ("R1#", "R1(config)#", "R1(config-if)#", ""):
        found = detector.detect(command, INVALID, prompt)
        assert found is None or found.error_type in answers
    assert time.perf_counter() - began < 5.0
