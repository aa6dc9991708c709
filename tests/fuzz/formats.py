"""Every format that the product reads: what makes its cases, and how many of them are tried."""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis.strategies import SearchStrategy
from tests.fuzz import api_bodies, formulas, labs, markup, notes, pdfs, quotes, songs, yaml_forms
from tests.fuzz.pieces import Case


@dataclass(frozen=True)
class Format:
    """A format, as `READERS` names it; `many` cases in the long form, `few` in the short one."""

    name: str
    cases: Callable[[], SearchStrategy[Case]]
    many: int
    few: int


FORMATS = (
    Format("note", notes.notes, 2_500, 40),
    Format("pdf", pdfs.pdf, 1_800, 25),
    Format("epub", markup.epub, 1_200, 15),
    Format("html", markup.html, 1_500, 25),
    Format("jats", markup.jats, 1_300, 25),
    Format("text", markup.text, 1_500, 25),
    Format("lyrics", songs.lyrics, 1_500, 25),
    Format("audio", songs.audio, 1_500, 25),
    Format("quotes", quotes.quotes, 2_500, 40),
    Format("transcript", labs.transcripts, 1_200, 20),
    Format("diagnosis", labs.diagnoses, 900, 20),
    Format("console", labs.consoles, 900, 20),
    Format("lab", labs.labs, 1_000, 20),
    Format("formula", formulas.formulas, 300, 5),
    Format("settings", yaml_forms.settings_files, 700, 15),
    Format("corpus", yaml_forms.corpora, 600, 15),
    Format("review", yaml_forms.reviews, 1_000, 20),
    Format("api", api_bodies.requests, 600, 10),
)
