"""TeX as it stands in cards."""
# ruff: noqa: E501 - tables read better in long lines

from hypothesis import strategies as st
from tests.fuzz.pieces import FILLERS, Case, encoded, nested, pumped, texts

_LINES = (
    r"\frac{{}}{{}}", r"\sqrt[{}]{{}}", r"\left({}\right)", r"\begin{matrix}{} & {} \\ {}\end{matrix}", r"\begin{align}{} &= {}\end{align}", r"x^{{}}_{{}}", r"\text{{}}", r"\operatorname{{}}", r"\color{{}}{{}}", r"\overline{{}}", r"\underbrace{{}}_{{}}", r"\binom{{}}{{}}", r"\not{}", r"\mathbb{{}}",
    r"\def\a{{}}\a", r"\newcommand{\a}[{}]{{}}", r"\hspace{{}em}", r"\rule{{}}{{}}", r"\tag{{}}", r"\\[{}]", r"\substack{{} \\ {}}", r"\cancel{{}}", r"\xrightarrow[{}]{{}}", r"\(", r"\)", r"\]", "$$", "[$]{}[/$]", "<b>{}</b>", "{{c1::{}}}", "{}", r"\char{}", r"\unicode{{}}", r"\genfrac{{}}{{}}{{}}{{}}{{}}{{}}",
)  # fmt: skip
_MARKS = (
    "{",
    "[",
    "(",
    r"\left(",
    r"\frac{",
    r"\sqrt{",
    r"\begin{matrix}",
    "^{",
    "_{",
    "^",
    "_",
    "'",
    "&",
    r"\\",
    r"\not",
    r"\color{red}",
    "$",
    "<",
    "<b>",
    r"\(",
    r"\[",
    "x",
    " ",
    "9",
    r"\text{",
    r"\overline{",
    "{}",
    r"\mathrm",
    "|",
    r"\big",
    "%",
    "#",
    "~",
    r"\,",
)


def formulas() -> st.SearchStrategy[Case]:
    """Formulas inline, displayed, and TeX between HTML."""
    tex = st.one_of(texts(_LINES, _MARKS, most=5), pumped(_MARKS), nested(_MARKS), FILLERS)
    return st.tuples(st.sampled_from(["inline", "display", "free"]), encoded(tex))
