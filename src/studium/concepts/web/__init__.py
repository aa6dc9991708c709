"""The web pages of the concepts feature."""

from studium.concepts.web import pages as pages
