import asyncio
import base64
import time
from dataclasses import replace

from studium.core.domain.document import PageRenderError
from studium.questions.document_tools import ListVisualContent, Search, ViewPage, document_tools


def tool(document, name, viewed=None):
    return next(each for each in document_tools(document, "visual", viewed) if each.name == name)


def view(document, number, viewed=None):
    return tool(document, "view_page", viewed).run(ViewPage(page_number=number))


def listed(document):
    return tool(document, "list_visual_content").run(ListVisualContent()).text


def test_each_mode_has_its_tools(pdf):
    assert [each.name for each in document_tools(pdf, "textual")] == ["read_lines", "search"]
    visual = [each.name for each in document_tools(pdf, "visual")]
    assert visual == ["read_lines", "search", "view_page", "list_visual_content"]


def test_a_page_is_shown_as_an_image(pdf):
    reply = view(pdf, 2)
    (image,) = reply.images
    assert image.media_type == "image/jpeg"
    assert base64.b64decode(image.base64).startswith(b"\xff\xd8"), "a JPEG"
    assert reply.text == "Page 2 of 3 follows as an image."


def test_a_missing_page_is_reported_with_the_valid_range(pdf):
    for number in (0, -1, 4):
        reply = view(pdf, number)
        assert reply.text == f"There is no page {number}: the pages are numbered from 1 to 3."
        assert not reply.images


def test_a_text_has_no_pages_to_look_at(written):
    reply = view(written("Only text.\n"), 1)
    assert reply.text.startswith("Not applicable")
    assert "read_lines" in reply.text


def test_a_page_that_cannot_be_rendered_suggests_another(pdf):
    def paint(_number):
        raise PageRenderError("it is too large.")

    reply = view(replace(pdf, paint=paint), 1)
    assert reply.text == "Page 1 cannot be shown (it is too large). Try another page."


def test_the_pages_that_were_shown_are_remembered_once(pdf):
    viewed: list[int] = [3]
    for number in (2, 9, 2, 3):
        view(pdf, number, viewed)
    assert viewed == [3, 2]


def test_visual_content_is_numbered(pdf, written):
    assert "figure, page 2: Figure 1. The shape of the valley." in listed(pdf)
    document = written("# Valley\n\n![The river](river.png)\n\ntext\n\n![](map.png)\n", ".md")
    assert listed(document) == "1. image, line 3: The river\n2. image, line 7: map.png"


def test_a_document_without_visual_content_says_so(written):
    assert listed(written("Only text.\n")) == "The document has no visual content."


def test_a_long_list_is_bounded(written):
    document = written("".join(f"![Picture {number}](p.png)\n\n" for number in range(1, 251)), ".md")
    lines = listed(document).splitlines()
    assert lines[99] == "100. image, line 199: Picture 100"
    assert lines[100:] == ["(the first 100 of 250)"]


async def test_other_work_continues_during_a_slow_search(written):
    document = written("a" * 300_000 + "!\n")
    search = tool(document, "search").run
    hard = asyncio.create_task(search(Search(pattern="(?=a)(a+)+$", regex=True)))
    await asyncio.sleep(0.05)
    started = time.perf_counter()
    easy = await search(Search(pattern="!"))
    assert easy.text.startswith("1 match.")
    assert time.perf_counter() - started < 5
    assert not hard.done()
    assert "took too long" in (await hard).text
