"""The server and the browser that the page tests share."""

from tests.web.site import axe, browser, faults, filled_home, new_page, new_site, page, shot, site, visit

__all__ = ["axe", "browser", "faults", "filled_home", "new_page", "new_site", "page", "shot", "site", "visit"]
