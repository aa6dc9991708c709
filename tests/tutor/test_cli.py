"""`studium tutor` as it is typed."""

import io

import pytest


def test_a_command_is_diagnosed(studium, tmp_path):
    output = tmp_path / "output.txt"
    output.write_text("               ^\n% Invalid input detected at '^' marker.\n")
    told = studium("tutor", "diagnose", "--command", "hostnane S1", "--output", output, "--prompt", "Switch(config)#")
    assert told.code == 0
    assert "hostname S1" in told.out
    found = studium(
        "tutor", "diagnose", "--command", "hostnane S1", "--output", output, "--prompt", "Switch(config)#", "--json"
    )
    assert found.json["error_type"] == "TYPO_IN_COMMAND"


def test_healthy_output_is_reported_as_such(studium, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("Interface  IP-Address  OK?\n"))
    told = studium("tutor", "diagnose", "--command", "show ip int br", "--output", "-")
    assert told.out.strip() == "No mistake found."


def test_an_unknown_complaint_is_reported_as_such(studium, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("% The frobnicator of slot 3 is not calibrated\n"))
    told = studium("tutor", "diagnose", "--command", "frobnicate 3", "--output", "-", "--prompt", "R1#")
    assert "no pattern explains: % The frobnicator of slot 3" in told.out


def test_the_labs_are_listed(studium):
    labs = studium("tutor", "lab", "list", "--json").json
    assert len(labs) >= 8
    assert all(lab["goal"] and not lab["up"] for lab in labs)


def test_a_question_is_answered_with_its_sources(studium):
    told = studium("tutor", "ask", "04", "What does OSPF do with hello packets?")
    assert told.code == 0
    assert "hello" in told.out
    assert ".md: " in told.out, "the passages it rests on"


def test_a_history_file_is_taken_into_account(studium, tmp_path):
    history = tmp_path / "history.json"
    history.write_text('[{"command": "show", "output": "% Incomplete command.", "prompt": "R1#"}]')
    answer = studium("tutor", "ask", "01", "what did I do wrong?", "--history", history, "--json").json
    assert [each["error_type"] for each in answer["diagnoses"]] == ["INCOMPLETE_COMMAND"]


def test_a_lab_that_is_not_up_says_how_to_bring_it_up(studium):
    told = studium("tutor", "lab", "check", "01")
    assert told.code == 2
    assert "studium tutor lab up 01-basic-routing" in told.err


def test_an_unknown_lab_names_the_nearest(studium):
    told = studium("tutor", "ask", "stattic-routing", "why?")
    assert told.code == 2
    assert "02-static-routing" in told.err


@pytest.mark.parametrize(
    "search",
    [
        "studium",
        pytest.param("studium_with_search", marks=[pytest.mark.endurance, pytest.mark.xdist_group("tutor-search")]),
    ],
)
def test_documents_of_the_student_are_looked_up_too(request, search, tmp_path):
    studium = request.getfixturevalue(search)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "zebra.md").write_text("# Quagmire timers\n\nA quagmire timer ends after 77 seconds in our house.\n")
    assert studium("tutor", "docs", "add", folder).code == 0
    answer = studium("tutor", "ask", "01", "What is a quagmire timer?", "--json").json
    assert "77 seconds" in answer["response"]


@pytest.mark.part("frr")
@pytest.mark.xdist_group("frr")
def test_a_lab_is_started_typed_on_checked_and_stopped(studium, monkeypatch):
    assert studium("tutor", "lab", "up", "02").code == 0
    try:
        typed = "enable\nconfigure terminal\nip rout 192.168.2.0 255.255.255.0 10.0.12.2\nstart-shell bash\n"
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        told = studium("tutor", "console", "02", "r1")
        assert "ip route 192.168.2.0 255.255.255.0 10.0.12.2" in told.out
        assert studium("tutor", "lab", "check", "02", "--patience", "0").code == 1
        answer = studium("tutor", "ask", "02", "what was wrong?", "--json").json
        assert answer["diagnoses"]
    finally:
        assert studium("tutor", "lab", "down", "02").code == 0
