r"""Clozes come through whole: nothing but their own `}}` ends them, as Anki itself sees it."""

import re
from pathlib import Path

import pytest
from anki.collection import Collection
from hypothesis import given
from hypothesis import strategies as st

from studium.anki.note_types import CLOZE
from studium.cards.models import ProposedCard
from studium.cards.rendering import CardRenderer
from studium.core.documents.vault import Vault


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("OSPF floods {{c1::**LSAs**::what?}}.", "OSPF floods {{c1::<strong>LSAs</strong>::what?}}."),
        ("{{c1::[[Nobody]]}} {{c2::a}}", "{{c1::Nobody}} {{c2::a}}"),
        ("{{c1::`x = {{}}`}}", "{{c1::<code>x = {{}<!-- -->}</code>}}"),
        ("{{c1::`std::move`}}", "{{c1::<code>std:<!-- -->:move</code>}}"),
        ("`std::{{c1::move::how}}`", "<code>std:<!-- -->:{{c1::move::how}}</code>"),
        (r"{{c1::$\frac{1}{\sqrt{2}}$}}", r"{{c1::\(\frac{1}{\sqrt{2} }\)}}"),
        (r"$\frac{{{c1::a}}}{b_{i_{j}}}$", r"\(\frac{{{c1::a}}}{b_{i_{j} } }\)"),
        (r"${{c1::\sqrt{x_{1}}}}$", r"\({{c1::\sqrt{x_{1} } }}\)"),
        (r"$\{ {{c1::x}} \}$", r"\(\{ {{c1::x}} \}\)"),
        ("{{c1::https://a.example/b}}", "{{c1::https://a.example/b}}"),
        ("{{c1::<https://[::1]/>}}", '{{c1::<a href="https://[&#58;:1]/">https://[::1]/</a>}}'),
        ("a ==b== {{c1::c}}", "a ==b== {{c1::c}}"),
        (
            "{{c1::\n```py\nx = 1\n```\n}}",
            '<p>{{c1::</p>\n<pre><code class="language-py">x = 1\n</code></pre>\n<p>}}</p>',
        ),
    ],
)
def test_a_cloze_survives(html, markdown, expected):
    assert html(markdown) == expected


@pytest.fixture(scope="module")
def reveal(tmp_path_factory):
    """What Anki hides and shows of a rendered cloze field: its own parser, on a real collection."""
    place = tmp_path_factory.mktemp("reveal")
    collection = Collection(str(place / "collection.anki2"))
    renderer = CardRenderer(Vault(place, "v", ()))
    model = collection.models.by_name("Cloze")

    def revealed(markdown):
        card = ProposedCard(deck_name="D", card_type="Cloze", model_name=CLOZE, fields={"Text": markdown})
        field = renderer.render(card, note_path="a.md", card_id="k").fields["Text"]
        note = collection.new_note(model)
        note["Text"] = field
        collection.add_note(note, 1)
        return field, [card.answer() for card in note.cards()]

    yield revealed
    collection.close()


@pytest.mark.parametrize(
    ("markdown", "answers"),
    [
        (r"{{c1::$\frac{1}{\sqrt{2}}$}} and {{c2::b}}", [[r"\(\frac{1}{\sqrt{2} }\)"], ["b"]]),
        ("{{c1::`a{{b}}::c`}}", [["<code>a{{b}<!-- -->}:<!-- -->:c</code>"]]),
        ('<a href="https://a.example/{{c2::x}}">x</a> {{c1::y}}', [["y"]]),
    ],
)
def test_anki_finds_the_clozes_that_were_meant(reveal, markdown, answers):
    shown = [re.findall(r'<span class="cloze"[^>]*>(.*?)</span>', answer, re.DOTALL) for answer in reveal(markdown)[1]]
    assert shown == answers


def test_anki_reveals_a_cloze_inside_a_formula(reveal):
    assert r"\(\frac{a}{b_{i} }\)" in reveal(r"$\frac{{{c1::a}}}{b_{i}}$")[1][0]


def test_a_cloze_mark_in_a_tag_lets_nothing_out(reveal):
    field, _ = reveal('{{c1::y}} <img src="https://a.example" alt="{{c1::<img src=x onerror=alert(1)>}}">')
    assert "{{c1::y}}" in field
    assert field.count("{{c1") == 1


VAULTLESS = CardRenderer(Vault(Path("vault"), "v", ()))
WORDS = st.text(alphabet="ab *_`$\\{}:<>[]!=|#\n", max_size=12)


@given(
    st.lists(
        st.tuples(st.integers(1, 9), WORDS.filter(lambda text: "}}" not in text and "{{c" not in text)), min_size=1
    )
)
def test_cloze_numbers_survive_any_surrounding_text(clozes):
    markdown = "\n\n".join(f"{{{{c{number}::x{text}y}}}}" for number, text in clozes)
    card = ProposedCard(deck_name="D", model_name=CLOZE, fields={"Text": markdown})
    field = VAULTLESS.render(card, note_path="a.md", card_id="k").fields["Text"]
    assert re.findall(r"\{\{c(\d+)::", field) == [str(number) for number, _ in clozes]
