"""The inbox: everything that waits for a person, and the person's answers."""

from studium.web.inbox.page import inbox

__all__ = ["inbox"]
