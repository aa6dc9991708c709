"""Reads a vault for its curriculum: which note links to which, and how many cards each asks for."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from studium.core.documents.document_cache import DocumentCache
from studium.domain.vault import Vault
from studium.readers.notes import ParsedNote
from studium.running.cards.reading import read_cards
from studium.running.cards.scanning import scan_vault
from studium.stores.anki.rendering.media import IMAGES, PLAYED, suffix_of
from studium.workflows.cards.studying.curriculum import Curriculum, curriculum
from studium.workflows.cards.studying.links import Link, body_links, frontmatter_links
from studium.workflows.cards.studying.studynote import StudyNote

ATTACHMENTS = IMAGES | PLAYED | {"base", "canvas", "csv", "docx", "epub", "pdf", "pptx", "xlsx", "zip"}


def vault_curriculum(root: Path, ignore: Sequence[str]) -> Curriculum:
    """The curriculum of all notes under a folder."""
    documents, signpost = DocumentCache(), _Signpost(Vault.of(root, root.name))
    notes = [read_cards(documents, file) for file in scan_vault(root, ignore, seen={}, stamp="").changed]
    return curriculum([_study_note(note.parsed, documents, signpost) for note in notes if note.parsed])


class _Signpost:
    """Says where links lead; links of one folder to the same name lead to the same file, which is looked up once."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._known: dict[tuple[str, str], str | None] = {}

    def file(self, target: str, note: str) -> str | None:
        """The file that a link in a note leads to."""
        key = (note.rpartition("/")[0], target)
        if key not in self._known:
            self._known[key] = self._vault.resolve(target, note)
        return self._known[key]

    def is_unwritten(self, target: str, note: str) -> bool:
        """Whether a link that leads nowhere asks for a note, and not for a picture or for what lies elsewhere."""
        return suffix_of(target) not in ATTACHMENTS and not self._vault.leads_outside(target, note)


def _study_note(note: ParsedNote, documents: DocumentCache, signpost: _Signpost) -> StudyNote:
    name = note.slug
    links: dict[str, Link] = {}
    missing = []
    for link in chain(frontmatter_links(note.frontmatter), body_links(documents.document(name).text)):
        file = signpost.file(link.target, name)
        if file is None and signpost.is_unwritten(link.target, name):
            missing.append(link)
        elif file and file.endswith(".md"):
            links.setdefault(file, link)
    return StudyNote(name, note.frontmatter, note.tags, links, missing, len(note.cards))
