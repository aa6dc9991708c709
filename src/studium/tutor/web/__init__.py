"""The tutor's page: labs, their routers' command lines, and the tutor beside them."""

from studium.tutor.web import page as page
