"""Every format that the product reads: what makes its cases, and how many of them are tried."""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis.strategies import SearchStrategy
from tests.fuzz import api_bodies, formulas, labs, markup, notes, pdfs, quotes, songs, yaml_forms
from tests.fuzz.pieces import Case


@dataclass(frozen=True)
class Format:
    """A format, as `READERS` names it; `many` cases in the long form, `few` in the short one.

    The short form leaves the API out: to load all of it takes longer than all other cases.
    """

    name: str
    cases: Callable[[], SearchStrategy[Case]]
    many: int
    few: int


FORMATS = (
    Format("note", notes.notes, 2_000, 30),
    Format("pdf", pdfs.pdf, 1_200, 15),
    Format("epub", markup.epub, 800, 10),
    Format("html", markup.html, 1_500, 20),
    Format("jats", markup.jats, 1_800, 20),
    Format("text", markup.text, 1_500, 15),
    Format("asciidoc", markup.asciidoc, 1_200, 15),
    Format("lyrics", songs.lyrics, 1_200, 15),
    Format("audio", songs.audio, 2_000, 20),
    Format("quotes", quotes.quotes, 1_200, 30),
    Format("transcript", labs.transcripts, 800, 8),
    Format("diagnosis", labs.diagnoses, 800, 8),
    Format("console", labs.consoles, 1_500, 15),
    Format("lab", labs.labs, 1_000, 15),
    Format("formula", formulas.formulas, 300, 5),
    Format("settings", yaml_forms.settings_files, 1_200, 10),
    Format("corpus", yaml_forms.corpora, 1_000, 10),
    Format("review", yaml_forms.reviews, 1_200, 12),
    Format("api", api_bodies.requests, 600, 0),
)
