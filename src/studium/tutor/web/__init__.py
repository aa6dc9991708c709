"""The tutor's pages."""

from studium.tutor.web import page as page
