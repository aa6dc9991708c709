"""A server one of whose threads hangs in a C call that holds the interpreter as soon as it has started."""

import re
import sys
import threading

from studium.cli import server, shutdown_guard
from studium.core.config import load_settings


def hang() -> None:
    print("stuck", flush=True)  # noqa: T201 - the test reads it
    re.match(r"(x+x+)+y", "x" * 60)


class StuckServer(server.Server):
    """Hangs once it serves."""

    async def startup(self, sockets=None):
        await super().startup(sockets)
        threading.Thread(target=hang, daemon=True).start()


server.Server = StuckServer
shutdown_guard.SECONDS = float(sys.argv[2])
server.run_server(load_settings(overrides=(f"serve.port={sys.argv[1]}",)))
