import pytest
from evaluation.material import LeftOut
from evaluation.questions import score_documents, score_pairs, score_validator

LIGHTHOUSE = """\
# The lighthouse

The lighthouse was built in 1874. It stands 31 metres above the rock. Its lamp was lit by Ada Brandt.
"""


def case(question: str, answer: str, quote: str, verdict: str) -> dict[str, str]:
    return {
        "kind": "number",
        "document": "lighthouse.md",
        "question": question,
        "answer": answer,
        "quote": quote,
        "verdict": verdict,
    }


@pytest.fixture
def documents(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "lighthouse.md").write_text(LIGHTHOUSE)
    return folder


def test_what_a_model_submits_is_accepted_or_not(write, material, documents):
    question, quote = "In which year was the lighthouse built?", "The lighthouse was built in 1874."
    cases = [case(question, "1874", quote, "right"), case(question, "1847", quote, "wrong")]
    write("questions/validator.json", cases)
    score = score_validator(material("questions", documents=documents))
    assert score.figures == {"right_accepted": 1, "right": 1, "wrong_accepted": 0, "wrong": 1}
    assert not score.wrong


def test_the_validator_is_left_out_without_its_documents(write, material, documents):
    write("questions/validator.json", [case("Who?", "Ada", "Ada", "right") | {"document": "other.md"}])
    with pytest.raises(LeftOut, match="--documents"):
        score_validator(material("questions"))
    with pytest.raises(LeftOut, match=r"other\.md"):
        score_validator(material("questions", documents=documents))


def test_duplicate_questions_are_counted(write, material):
    asked = "In which year was the lighthouse built?"
    write(
        "questions/pairs.json",
        [
            {"first": asked, "second": "In what year was the lighthouse built?", "verdict": "same"},
            {"first": asked, "second": "Who lit the lamp?", "verdict": "same"},
            {"first": asked, "second": "How high is the rock?", "verdict": "different"},
        ],
    )
    score = score_pairs(material("questions"))
    assert score.figures == {"precision": 1.0, "recall": 0.5, "f1": 0.6667}
    assert score.wrong == [f"same: {asked} | Who lit the lamp?"]


def test_documents_are_asked_about_and_one_that_fails_gives_none(material, documents):
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    score = score_documents(material("questions", documents=documents))
    assert score.figures.keys() == {"lighthouse.md", "broken.pdf"}
    assert score.figures["lighthouse.md"] > 0 == score.figures["broken.pdf"]
    assert [told.split(":")[0] for told in score.notes] == ["broken.pdf"]


def test_a_document_that_takes_too_long_is_stopped(material, documents, monkeypatch):
    monkeypatch.setattr("evaluation.questions.LONGEST", 0.01)
    score = score_documents(material("questions", documents=documents))
    assert score.figures == {"lighthouse.md": 0}
    assert score.notes == ["lighthouse.md: stopped after 0.01 s"]
