"""Read files of any supported format into documents; one module for each format."""

from studium.core.documents.files import FileListing, find_files
from studium.core.documents.markdown import Frontmatter, split_frontmatter
from studium.core.documents.registry import ReadResult, read_document

__all__ = ["FileListing", "Frontmatter", "ReadResult", "find_files", "read_document", "split_frontmatter"]
