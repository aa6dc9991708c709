"""A folder of documents becomes passages that say where they stand."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from studium.core.domain.document import PASSAGE_LIMIT
from studium.tutor.knowledge import lab_passages, read_documents

NOTES = "# OSPF\n\n## Areas\n\nArea 0 is the backbone.\n\n- All areas touch it.\n\n## Timers\n\nHello is 10 s.\n"


@pytest.fixture
def folder(tmp_path):
    tmp_path.joinpath("more").mkdir()
    tmp_path.joinpath("notes.md").write_text(NOTES)
    tmp_path.joinpath("more", "plain.txt").write_text("RIP counts hops.\n\nSixteen is too far.\n")
    tmp_path.joinpath("page.html").write_text("<html><body><h1>BGP</h1><p>Sessions use TCP port 179.</p></body></html>")
    canvas = Canvas(str(tmp_path / "paper.pdf"))
    canvas.drawString(72, 720, "EIGRP is an advanced distance vector protocol.")
    canvas.save()
    return tmp_path


def test_sections_are_kept_together_under_their_heading(folder):
    found = {
        passage.heading: passage for passage in read_documents(folder).passages if passage.where.path == "notes.md"
    }
    assert list(found) == ["OSPF > Areas", "OSPF > Timers"]
    assert found["OSPF > Areas"].text == "Area 0 is the backbone.\n\n- All areas touch it."
    assert str(found["OSPF > Areas"].where) == "notes.md:5-7"
    assert found["OSPF > Timers"].kind == "user"


def test_every_format_is_read(folder):
    texts = {passage.where.path: passage.text for passage in read_documents(folder).passages}
    assert "RIP counts hops.\n\nSixteen is too far." in texts["more/plain.txt"]
    assert "Sessions use TCP port 179." in texts["page.html"]
    assert "EIGRP is an advanced distance vector protocol." in texts["paper.pdf"]


def test_a_page_of_a_pdf_is_cited(folder):
    passage = next(each for each in read_documents(folder).passages if each.where.path == "paper.pdf")
    assert passage.where.page == 1


def test_one_file_may_be_named(folder):
    read = read_documents(folder / "notes.md", shelf="mine")
    assert {passage.where.path for passage in read.passages} == {"mine/notes.md"}


def test_what_cannot_be_read_is_reported_and_the_rest_is_read(folder):
    folder.joinpath("broken.pdf").write_bytes(b"this is no PDF")
    read = read_documents(folder)
    assert [finding.where.path.rpartition("/")[2] for finding in read.findings] == ["broken.pdf"]
    assert len({passage.where.path for passage in read.passages}) == 4


def test_a_missing_folder_is_a_finding(tmp_path):
    read = read_documents(tmp_path / "nowhere")
    assert read.passages == ()
    assert len(read.findings) == 1


def test_long_sections_are_cut_within_the_limit(tmp_path):
    tmp_path.joinpath("long.md").write_text(
        "# Long\n\n" + "\n\n".join(f"Paragraph {n}. " + "word " * 60 for n in range(20))
    )
    found = read_documents(tmp_path).passages
    assert len(found) > 4
    assert max(len(passage.text) for passage in found) <= PASSAGE_LIMIT + 2 * 20
    assert [passage.heading for passage in found] == ["Long"] * len(found)
    assert [passage.where.line for passage in found] == sorted(passage.where.line for passage in found)


def test_a_labs_documents_explain_and_its_instructions_are_its_own(tmp_path):
    tmp_path.joinpath("06-rip", "docs").mkdir(parents=True)
    tmp_path.joinpath("06-rip", "docs", "hops.md").write_text("# Hops\n\nRIP counts hops.\n")
    tmp_path.joinpath("06-rip", "instructions.md").write_text("# RIP\n\nStart RIP on R1.\n")
    tmp_path.joinpath("07-empty").mkdir()
    assert [(passage.where.path, passage.kind) for passage in lab_passages(tmp_path)] == [
        ("labs/06-rip/docs/hops.md", "concept"),
        ("labs/06-rip/instructions.md", "lab_specific"),
    ]
