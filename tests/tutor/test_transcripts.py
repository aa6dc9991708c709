"""Histories as students keep them: recorded consoles, lists, bare commands; each mistake in them is found."""

import json
import time
from pathlib import Path

import pytest

from studium.tutor.domain import TypedCommand
from studium.tutor.error_detection.detector import get_default_detector
from studium.tutor.transcripts import read_history

RECORDED = Path(__file__).parent / "error_detection" / "transcripts"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("content", [" " * 200_000, "1" * 200_000, "\t" * 200_000 + "a", "1  " * 60_000])
def test_a_long_line_is_read_in_no_time(history, content):
    began = time.process_time()
    history(content)
    assert time.process_time() - began < 3


def test_a_number_is_dropped_only_before_a_command(history):
    typed = history("  12  show vlan 10  brief\n  13  exit\n", "history.txt").typed
    assert [each.command for each in typed] == ["show vlan 10  brief", "exit"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", [" " * 200_000, "\r" * 200_000, "%" * 200_000, "1.1.1.1 " * 25_000])
def test_a_long_output_or_command_is_diagnosed_in_no_time(text):
    began = time.process_time()
    get_default_detector().detect("show run", f"% Invalid input detected\n{text}", "R1#")
    get_default_detector().detect(text, "% Invalid input detected", "R1#")
    assert time.process_time() - began < 5


@pytest.fixture
def history(tmp_path):
    """Writes a history and reads it."""

    def read(content, name="console.log"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_history(path)

    return read


@pytest.mark.parametrize(
    "name", ["console_recording", "frr_static_routes", "ospf_two_routers", "router_basics", "switch_vlans"]
)
def test_the_mistakes_of_a_recording_are_found_and_nothing_else(name):
    typed = read_history(RECORDED / f"{name}.txt").typed
    told = get_default_detector().detect_all(typed)
    found = [(mistake.error_type, each.command) for each, mistake in zip(typed, told, strict=True) if mistake]
    labelled = json.loads((RECORDED / f"{name}.json").read_text())
    assert found == [(mistake["error_type"], mistake["command"]) for mistake in labelled]


def test_what_was_rubbed_out_was_not_typed(history):
    recorded = "R1>sho\b \b\b \b\b \ben\r\nR1#conft\b\x1b[K t\r\nR1(config)#int g0/1\x1b[D\x1b[D\x1b[D\x1b[1@1\r\n"
    assert [each.command for each in history(recorded).typed] == ["en", "conf t", "int g10/1"]


def test_pages_are_joined_where_the_pager_stopped(history):
    pager = " --More-- " + "\b" * 10 + " " * 10 + "\b" * 10
    recorded = (
        f"R1#show run\r\ninterface Gi0/0\r\n{pager} ip address 10.0.0.1 255.0.0.0\r\n --More--\r          \r!\r\nR1#"
    )
    assert history(recorded).typed == (
        TypedCommand(
            command="show run",
            output="interface Gi0/0\n ip address 10.0.0.1 255.0.0.0\n!",
            prompt="R1#",
            device="R1",
        ),
    )


def test_a_line_that_the_editor_wrapped_is_one_command(history):
    first = "r1(config)# ip route 192.168.100.0/24 10.255.12.2 tag 4294967295 table 4294967".ljust(80, "0")
    header = 'Script started on 2026-11-12 [TERM="xterm" COLUMNS="80" LINES="24"]'
    recorded = f"{header}\n{first} \r distance 5\r\nr1(config)# end\r\n"
    assert [each.command for each in history(recorded).typed] == [first[12:] + " distance 5", "end"]


def test_a_line_copied_from_a_narrow_window_is_one_command(history):
    first = "R1(config)#ip route 192.168.100.0 255.255.255.0 GigabitEthernet0/1 10.255.12.2 2"
    assert len(first) == 80
    copied = f"{first}\n50 name backup\nR1(config)#end\n"
    assert history(copied).typed[0].command == first[11:] + "50 name backup"


def test_a_log_message_in_the_middle_of_a_command_is_what_the_device_said(history):
    log = "*Mar  1 00:05:11.019: %LINK-3-UPDOWN: Interface GigabitEthernet0/0, changed state to up"
    (only,) = history(f"R1(config-if)#no sh{log}\nutdown\n").typed
    assert (only.command, only.output) == ("no shutdown", log)


def test_a_log_message_at_a_waiting_prompt_stands_alone(history):
    log = "*Mar  1 00:05:11.019: %LINK-3-UPDOWN: Interface GigabitEthernet0/0, changed state to up"
    assert history(f"R1#{log}\nR1#exit\n").typed[0] == TypedCommand(command="", output=log, prompt="R1#", device="R1")


def test_lines_of_a_routing_table_are_no_prompts(history):
    table = "S>* 10.9.0.0/24 [1/0] via 10.0.12.2, eth1\nr>i10.1.0.0/16 10.0.0.1\nC>* 10.0.12.0/30 is directly connected"
    (only,) = history(f"r1# show ip route\n{table}\nr1# \n").typed
    assert only.output == table


def test_two_routers_in_one_recording_are_distinguished(history):
    recorded = "R1#telnet 10.0.0.2\nTrying 10.0.0.2 ... Open\nR2>en\nR2#sh ver\nCisco IOS\nR2#exit\nR1#sh clock\n"
    assert [(each.device, each.command) for each in history(recorded).typed] == [
        ("R1", "telnet 10.0.0.2"),
        ("R2", "en"),
        ("R2", "sh ver"),
        ("R2", "exit"),
        ("R1", "sh clock"),
    ]


def test_a_recording_that_begins_and_ends_in_the_middle_keeps_what_is_whole(history):
    recorded = "rnet0/1 is up\n  MTU 1500\nR1#sh clock\n12:00:01 UTC\nR1#sh ip ro"
    assert [(each.command, each.output) for each in history(recorded).typed] == [
        ("sh clock", "12:00:01 UTC"),
        ("sh ip ro", ""),
    ]


def test_bytes_that_are_no_text_do_not_stop_the_reading(history):
    assert history(b"R1#sh\x00 clock\r\n12:00 \xff\xfe UTC\r\nR1#\r\n").typed[0].command == "sh clock"


def test_a_list_of_commands_as_json_or_a_line_each(history):
    entries = [
        {"command": "sh clock", "output": "12:00", "prompt": "R1#", "device": "r1"},
        {"command": "R1(config)#end"},
    ]
    wanted = (
        TypedCommand(command="sh clock", output="12:00", prompt="R1#", device="r1"),
        TypedCommand(command="end", prompt="R1(config)#", device="R1"),
    )
    assert history(json.dumps(entries)).typed == wanted
    assert history("\n".join(map(json.dumps, entries))).typed == wanted


def test_bad_entries_are_named_and_the_others_kept(history):
    reading = history('{"command": "sh clock"}\n{"command": 7}\n{"command": \n{"color": "red"}\n')
    assert [each.command for each in reading.typed] == ["sh clock"]
    assert [(found.where.line, found.message) for found in reading.findings] == [
        (2, "Entry 2: `command` must be text."),
        (3, "Entry 3: The line is not JSON: expecting value at column 13."),
        (4, "Entry 4: The entry has neither `command` nor `output`."),
    ]


def test_a_bare_history_is_one_command_a_line(history):
    complaint = "      ^\n% Invalid input detected at '^' marker."
    bare = "  1  enable\n  2  conf t\n\n! a remark\nint g0/0\nip adress 10.0.0.1 255.0.0.0\n"
    typed = history(bare + complaint).typed
    assert [each.command for each in typed] == ["enable", "conf t", "int g0/0", "ip adress 10.0.0.1 255.0.0.0"]
    assert typed[-1].output == complaint


def test_output_without_any_prompt_is_reported(history):
    reading = history("Interface counters are fine\n" * 6000)
    assert reading.typed == ()
    assert [found.code for found in reading.findings] == ["transcript.no_command"]


def test_a_missing_file_is_reported(tmp_path):
    assert [found.code for found in read_history(tmp_path / "none.txt").findings] == ["file.missing"]


@pytest.mark.parametrize("pages", [11_000, pytest.param(110_000, marks=pytest.mark.endurance)])
def test_megabytes_of_show_tech_are_one_output(history, pages):
    page = "GigabitEthernet0/0 is up, 0 input errors, 0 CRC\r\n --More-- " + "\b" * 10 + " " * 10 + "\b" * 10 + "!\r\n"
    content = "R1#show tech-support\r\n" + page * pages + "R1#conf t\r\n"
    assert len(content) > 90 * pages
    typed = history(content).typed
    assert [each.command for each in typed] == ["show tech-support", "conf t"]
    assert typed[0].output.count("\n!") == pages
