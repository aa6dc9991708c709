"""Uploads over HTTP, valid and invalid."""

import httpx
import pytest

BOUNDARY = "----studium"
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def part(head: str, body: str = "# A note") -> str:
    return f"--{BOUNDARY}\r\n{head}\r\n\r\n{body}\r\n"


END = f"--{BOUNDARY}--\r\n"
FILE = 'Content-Disposition: form-data; name="file"; filename="note.md"'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no form at all",
        f"--{BOUNDARY}--\r\n".encode(),
        part('Content-Disposition: form-data; name="file"').encode() + END.encode(),
        part("Content-Disposition: form-data").encode() + END.encode(),
        part("X: y").encode() + END.encode(),
        part(FILE).encode()[:-20],
        (part(FILE) + "--other--\r\n").encode(),
        part(FILE.replace("note.md", "")).encode() + END.encode(),
        part(FILE.replace("note.md", "..")).encode() + END.encode(),
        part(FILE.replace("note.md", "virus.exe")).encode() + END.encode(),
        part(FILE.replace("note.md", "paper.pdf"), "not a PDF").encode() + END.encode(),
        part(FILE + "; " + "x" * 100_000).encode() + END.encode(),
        b"\r\n" * 5_000,
        f"--{BOUNDARY}\r\n".encode() + b"\x00\xff\xfe: \x00\r\n\r\nx\r\n" + END.encode(),
    ],
    ids=lambda body: repr(body[:40]),
)
def test_what_is_no_form_with_a_file_is_refused(idle, body):
    reply = httpx.post(f"{idle}/api/v1/uploads", content=body, headers=FORM)
    assert reply.status_code in (404, 422), reply.text
    assert reply.json()["remedy"]


@pytest.mark.parametrize(
    "kind", ["", "application/json", "multipart/form-data", "multipart/form-data; boundary=", "text/plain; boundary=x"]
)
def test_another_kind_of_request_is_refused(idle, kind):
    reply = httpx.post(f"{idle}/api/v1/uploads", content=b"{}", headers={"Content-Type": kind} if kind else {})
    assert reply.status_code == 422
    assert "multipart" in reply.json()["detail"] + reply.json()["remedy"]


def test_a_boundary_that_is_too_long_is_refused(idle):
    headers = {"Content-Type": f"multipart/form-data; boundary={'b' * 300}"}
    assert httpx.post(f"{idle}/api/v1/uploads", content=b"x", headers=headers).status_code == 422


def test_fields_before_the_file_are_passed_over_and_a_second_file_too(idle):
    first = part('Content-Disposition: form-data; name="why"', "because")
    second = part(FILE.replace("note.md", "other.md"), "# Another")
    reply = httpx.post(f"{idle}/api/v1/uploads", content=(first + part(FILE) + second + END).encode(), headers=FORM)
    assert reply.status_code == 201
    assert (reply.json()["name"], reply.json()["size"]) == ("note.md", 8)


def test_a_file_comes_in_pieces_of_any_size(idle):
    body = (part(FILE, "x" * 10_000) + END).encode()
    pieces = (body[place : place + 7] for place in range(0, len(body), 7))
    reply = httpx.post(f"{idle}/api/v1/uploads", content=pieces, headers=FORM)
    assert (reply.status_code, reply.json()["size"]) == (201, 10_000)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/cron.md", "cron.md"),
        ("C:\\Users\\me\\note.md", "note.md"),
        ("名前 ✓.md", "名前 ✓.md"),
        ("a" * 400 + ".md", None),
    ],
)
def test_a_name_is_only_a_name(idle, given, kept):
    reply = httpx.post(f"{idle}/api/v1/uploads", files={"file": (given, b"# A")})
    assert reply.status_code == 201
    name = reply.json()["name"]
    assert name == kept if kept else len(name.encode()) <= 255
    assert "/" not in name
