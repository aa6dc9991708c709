"""Prompt files: found, checked at start-up, and filled in with source text kept apart as data."""

from pathlib import Path

import pytest
from hypothesis import given, strategies

from studium.core.domain.errors import BadSettings
from studium.core.domain.skill import skill
from studium.core.domain.value import Value
from studium.core.llm.prompts import UNTRUSTED_TEXT_NOTICE, check_prompts, fence, load_prompt, parse_prompt


class Given(Value):
    note: str
    limit: int = 3
    tags: tuple[str, ...] = ("ospf", "größer")


class Made(Value):
    text: str


MAKE = skill("cards.make", "mapper", Given, Made)
GOOD = """---
variables: [note, limit, tags]
sources: [note]
---
# System
At most {{limit}}.
# User
{{ note }} {{tags}}
"""


def write(folder: Path, text: str, name: str = "cards/make.md") -> Path:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_prompt_is_filled_in(tmp_path: Path):
    prompt = load_prompt("cards.make", [write(tmp_path, GOOD)])
    system, user = prompt.render(Given(note="What is OSPF?"))

    assert system == f"At most 3.\n\n{UNTRUSTED_TEXT_NOTICE}"
    assert user == fence("note", "What is OSPF?") + ' ["ospf","größer"]'


def test_a_prompt_of_the_user_replaces_the_bundled_one(tmp_path: Path):
    ours, theirs = write(tmp_path / "ours", GOOD), write(tmp_path / "theirs", GOOD.replace("At most", "Höchstens"))

    assert load_prompt("cards.make", [theirs, ours]).system == "Höchstens {{limit}}."
    assert load_prompt("cards.make", [tmp_path / "nothing", ours]).system == "At most {{limit}}."


def test_a_variable_in_the_source_is_not_filled_in():
    prompt = parse_prompt("make.md", GOOD)
    _, user = prompt.render(Given(note="{{limit}} and {{tags}}"))
    assert "{{limit}} and {{tags}}" in user


@given(strategies.text(), strategies.text())
def test_no_source_closes_its_own_fence(before: str, after: str):
    forged = before + fence("note", before) + after
    fenced = fence("note", forged)
    opening, closing = fenced.split("\n")[0], fenced.split("\n")[-1]
    assert closing == opening.replace("<", "</", 1)
    assert closing not in forged
    assert fenced.count(closing) == 1


def test_the_same_input_gives_the_same_text():
    prompt = parse_prompt("make.md", GOOD)
    assert prompt.render(Given(note="a")) == prompt.render(Given(note="a"))


def test_good_prompts_pass(tmp_path: Path):
    check_prompts([MAKE], [write(tmp_path, GOOD)])


def test_every_mistake_is_listed_at_once_with_its_line(tmp_path: Path):
    write(
        tmp_path,
        "---\nvariables: [note, colour]\nsources: [author]\nmodel: x\n---\n# System\nHello.\n{{titel}}\n{{note}}\n",
    )
    judge = skill("cards.judge", "qa", Given, Made)

    with pytest.raises(BadSettings) as refused:
        check_prompts([MAKE, judge], [tmp_path])

    file = tmp_path / "cards/make.md"
    assert refused.value.what.splitlines() == [
        f"{file}:1: unknown header key `model`; there are `variables` and `sources`",
        f"{file}:1: the source `author` is not declared under `variables`",
        f"{file}:8: `{{{{titel}}}}` is not declared under `variables`",
        f"{file}:1: the variable `colour` is declared but never used",
        f"{file}:6: there is no section `# User`",
        f"{file}:1: the skill cards.make is not given `colour`; it is given note, limit, tags",
        f"the skill cards.judge has no prompt: there is no cards/judge.md in {tmp_path}",
    ]


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("variables: [note", ":2: the header is not YAML"),
        ("- note", ":1: the header must be a mapping with `variables` and `sources`"),
        ("variables: note", ":1: `variables` must be a list of names"),
    ],
)
def test_a_broken_header_is_named(tmp_path: Path, header: str, problem: str):
    write(tmp_path, f"---\n{header}\n---\n# System\n# User\n")
    with pytest.raises(BadSettings) as refused:
        load_prompt("cards.make", [tmp_path])
    assert problem in refused.value.what


def test_a_missing_prompt_is_named(tmp_path: Path):
    with pytest.raises(BadSettings, match=r"cards\.make has no prompt: there is no cards/make\.md in"):
        load_prompt("cards.make", [tmp_path])
