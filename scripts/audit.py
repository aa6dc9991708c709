#!/usr/bin/env python3
"""Run pip-audit if the database of vulnerabilities can be reached; where it cannot, say so and succeed.

`scripts/audit.py pip-audit --requirement requirements.lock …`, as `make audit` does. pip-audit itself takes a database
that does not know a package for one that has nothing against it; so a version that it must know is looked up first.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from urllib.request import urlopen

KNOWN_VULNERABLE = "https://pypi.org/pypi/jinja2/2.4.1/json"
_SECONDS = 15


def why_unreachable(url: str) -> str | None:
    """Why the database gives no answer that can be used; None if it does."""
    try:
        with urlopen(url, timeout=_SECONDS) as reply:  # noqa: S310 - the address above, or a test's
            known = json.load(reply).get("vulnerabilities")
    except (OSError, ValueError) as error:
        return str(error)
    return None if known else "it lists no vulnerabilities for a package that has some"


def audit(command: Sequence[str], url: str = KNOWN_VULNERABLE) -> int:
    """The exit code of pip-audit, or 0 if there is nothing to ask."""
    if problem := why_unreachable(url):
        where = url.split("/")[2]
        print(f"Not audited: the database of vulnerabilities at {where} cannot be used from here ({problem}).")
        print("Run `make audit` again where it can be reached.")
        return 0
    return subprocess.run(command, check=False).returncode  # noqa: S603 - the command of the Makefile


if __name__ == "__main__":
    sys.exit(audit(sys.argv[1:]))
