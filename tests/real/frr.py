"""FRR's grammar: Debian's vtysh reads a configuration without any daemon."""

import shutil
import subprocess
import tempfile
from pathlib import Path


def available() -> str | None:
    """Why FRR cannot be used here, or nothing."""
    return None if shutil.which("vtysh") else "FRR is not installed"


def refusal(configuration: str) -> str | None:
    """What FRR has against a configuration, or nothing."""
    with tempfile.TemporaryDirectory(prefix="frr-") as folder:
        file = Path(folder, "frr.conf")
        file.write_text(configuration)
        check = ["vtysh", "--dryrun", "--inputfile", file]
        done = subprocess.run(check, capture_output=True, text=True, timeout=60, check=False)
    return done.stderr if done.returncode else None
