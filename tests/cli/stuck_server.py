"""A server one of whose threads hangs in a C call that holds the interpreter, a moment after it has started."""

import re
import sys
import threading
import time

from studium.cli import server
from studium.core.config import load_settings


def hang() -> None:
    time.sleep(1)
    print("stuck", flush=True)  # noqa: T201 - the test reads it
    re.match(r"(x+x+)+y", "x" * 60)


class StuckServer(server.Server):
    """Hangs once it serves."""

    async def startup(self, sockets=None):
        await super().startup(sockets)
        threading.Thread(target=hang, daemon=True).start()


server.Server = StuckServer
server.run_server(load_settings(overrides=(f"serve.port={sys.argv[1]}",)))
