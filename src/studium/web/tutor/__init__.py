"""The tutor's page: labs, their routers' command lines, and the tutor beside them."""

from studium.web.tutor import page as page
