"""A learner's file becomes a Document; one module a format."""

from studium.readers.files import FoundFiles, find_files
from studium.readers.markdown import Frontmatter, split_frontmatter
from studium.readers.reading import Reading
from studium.readers.registry import read_document

__all__ = ["FoundFiles", "Frontmatter", "Reading", "find_files", "read_document", "split_frontmatter"]
