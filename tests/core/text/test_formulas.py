r"""Formulas become MathML that says what their TeX says, and what cannot be read stays as it was written."""

from html import escape

import pytest
from lxml import etree

from studium.cards.web.card_frame import fill_templates
from studium.core.text.formulas import render_formulas, strip_tags_in_formulas
from studium.core.text.html_policy import sandboxed_document


def drawn(tex: str, *, is_display: bool = False):
    """A formula of a card, as the browser is given it."""
    written = rf"\[{escape(tex)}\]" if is_display else rf"\({escape(tex)}\)"
    return etree.fromstring(render_formulas(written))


def shape(element) -> str:
    """The elements and texts of a formula: `mfrac(a b)`."""
    inside = " ".join(shape(each) for each in element) or (element.text or "")
    return inside if element.tag in ("mi", "mn", "mo", "mtext") and not len(element) else f"{element.tag}({inside})"


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac{a}{b}", "math(mfrac(a b))"),
        (r"\frac12", "math(mfrac(1 2))"),
        (r"\sqrt{x}", "math(msqrt(x))"),
        (r"\sqrt[3]{x}", "math(mroot(x 3))"),
        (r"x_1^2", "math(msubsup(x 1 2))"),
        (r"\alpha\le\pi", "math(α ≤ π)"),
        (r"\mathbb{R}", "math(ℝ)"),
        (r"\text{if } y", "math(if\xa0 y)"),
        (r"\mbox{if}", "math(if)"),
        (r"a < b \& c", "math(a < b & c)"),
        (r"\left(\frac{1}{2}\right]", "math(mrow(( mfrac(1 2) ]))"),
        (r"\left<x\right>", "math(mrow(⟨ x ⟩))"),
        (r"\binom{n}{k}", "math(mrow(( mfrac(n k) )))"),
        (r"\overline{A\land\overline{B}}", "math(menclose(mrow(A ∧ menclose(B))))"),
        (r"\boxed{x}", "math(menclose(x))"),
    ],
)
def test_a_formula_has_the_content_of_its_tex(tex, expected):
    assert shape(drawn(tex)) == expected


def test_the_limits_of_a_sum_are_below_and_above():
    total = drawn(r"\sum_{i=1}^{n} i", is_display=True)
    assert total.get("display") == "block"
    assert shape(total) == "math(munderover(∑ mrow(i = 1) n) i)"


def test_a_matrix_has_rows_and_columns_between_brackets():
    matrix = drawn(r"\begin{pmatrix}1 & 2 \\ 3 & 4\end{pmatrix}")
    assert shape(matrix) == "math(mrow(( mtable(mtr(mtd(1) mtd(2)) mtr(mtd(3) mtd(4))) )))"


@pytest.mark.parametrize("environment", ["aligned", "split"])
def test_equations_are_aligned_at_their_equals_signs(environment):
    table = drawn(rf"\begin{{{environment}}}a &= b \\ c &= d\end{{{environment}}}", is_display=True)[0]
    assert [[cell.get("class") for cell in row] for row in table] == [
        ["tex-right tex-no-right", "tex-left tex-no-left"]
    ] * 2


@pytest.mark.parametrize("environment", ["align", "equation", "gather"])
def test_equations_are_not_numbered(environment):
    shown = shape(drawn(rf"\begin{{{environment}}}x = 7\end{{{environment}}}", is_display=True))
    assert "7" in shown
    assert "(1)" not in shown


def test_a_colour_stays():
    assert drawn(r"\color{red}{x}").find("mrow").get("mathcolor") == "#FF0000"


@pytest.mark.parametrize(
    "written",
    [
        r"\(\ce{2H2 + O2 -&gt; 2H2O}\)",
        r"\(\nosuchcommand x\)",
        r"\(\frac{a}\)",
        r"\[x",
        r"x\]",
        r"[latex]\begin{tabular}{c}x\end{tabular}[/latex]",
        r"<code>\(x\)</code>",
        r'<pre class="language-latex">\[x\]</pre>',
        r"<pre>a <code>b</code> \(x\)</pre>",
        r"\(x <b>bold</b>\)",
        r"C:\new\(folder",
        "No formula.",
    ],
)
def test_invalid_formulas_and_other_text_stay_unchanged(written):
    assert render_formulas(written) == written


@pytest.mark.parametrize(
    ("written", "display"),
    [(r"\(x\)", None), (r"\[x\]", "block"), ("[$]x[/$]", None), ("[$$]x[/$$]", "block"), (r"\[<br>x<br>\]", "block")],
)
def test_all_formula_brackets_of_anki_are_known(written, display):
    found = etree.fromstring(render_formulas(written))
    assert (shape(found), found.get("display")) == ("math(x)", display)


def test_the_text_around_formulas_stays():
    html = render_formulas(r'<p title="\(x\)">So <b>\(a\)</b>, <code>\(b\)</code> and \(c\) &lt; \(\bad\).<br></p>')
    assert html == (
        r'<p title="\(x\)">So <b><math><mi>a</mi></math></b>, <code>\(b\)</code> and <math><mi>c</mi></math>'
        r" &lt; \(\bad\).<br></p>"
    )


def test_only_a_frame_with_formulas_has_their_style():
    assert ".tex-right" in sandboxed_document(r"<p>\(x\)</p>")
    assert ".tex-right" not in sandboxed_document(r"<p>x \ y</p>")


def test_a_cloze_in_a_formula_is_hidden_and_revealed_inside_it():
    text = r"Euler: \(e^{i\pi} = {{c1::-1}}\), and {{c2::\(\frac{a}{b}\)::a fraction}}"
    first, second = fill_templates("Studium Cloze", {"Text": text})
    assert r"\(e^{i\pi} = [...]\)" in first.front
    assert r"\(e^{i\pi} = -1\)" in first.back
    assert r"\(e^{i\pi} = -1\), and <span " in second.front
    asked = sandboxed_document(first.front)
    assert asked.count("<math") == 2
    assert '<mo stretchy="false">[</mo>' in asked
    assert "a fraction" in sandboxed_document(second.front)


def test_elements_outside_formulas_are_unchanged():
    assert strip_tags_in_formulas(r"<b>a</b> \(<i>x</i>\) <b>c</b>") == r"<b>a</b> \(x\) <b>c</b>"
