from evaluation.tutor import answer_questions, score_healthy, score_mistakes

TYPO = {
    "id": "ours-1",
    "kind": "typo",
    "prompt": "R1#",
    "command": "shwo ip route",
    "output": "      ^\n% Invalid input detected at '^' marker.",
    "must_match": "show ip route",
}
HEALTHY = {"kind": "show", "prompt": "R1#", "command": "show clock", "output": "*12:00:01.000 UTC Mon Mar 2 2026"}


def test_found_and_correctly_explained_mistakes_are_counted(write, material):
    other = TYPO | {"id": "ours-2", "must_match": "never said"}
    unseen = TYPO | {"id": "ours-3", "command": "show clock", "output": HEALTHY["output"], "must_match": "clock"}
    write("tutor/errors.json", [TYPO, other, unseen])
    score = score_mistakes(material("tutor"))
    assert score.figures == {"found": 2, "right": 1, "of": 3}
    assert [case.split()[0] for case in score.wrong] == ["ours-2", "ours-3"]


def test_an_alarm_about_something_healthy_is_false(write, material):
    write("tutor/healthy.json", [HEALTHY, TYPO])
    score = score_healthy(material("tutor"))
    assert score.figures == {"alarms": 1, "of": 2}
    assert score.wrong[0].startswith("R1#shwo ip route:")


def test_answers_are_written_with_their_requirements(write, material):
    asked = {
        "kind": "concept",
        "lab": "02-static-routing",
        "question": "what is a static route?",
        "must": "Set by hand.",
    }
    write("tutor/questions.json", [asked | {"id": "ours-1"}, asked | {"id": "ours-2", "lab": "no-such-lab"}])
    given = material("tutor", overrides={"embedder": "none"})
    assert answer_questions(given).figures == str(given.answers)
    _, first, second = given.answers.read_text().split("\n## ")
    assert first.startswith(
        "ours-1 concept, 02-static-routing\n\n**what is a static route?**\n\nMust: Set by hand.\n\n"
    )
    assert "route" in first.split("Set by hand.")[1]
    assert "(no answer)" in second
