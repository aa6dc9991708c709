"""Static routes that the kernel refused once: FRR does not try them again by itself, a Cisco router would.

A route that is typed while its interface is still coming up can be refused for an instant, and stays refused.
"""

import re

from studium.domain.lab import Device

_REFUSED = re.compile(r"^S[>* ]*r", re.MULTILINE)


def renew_refused_routes(router: Device) -> None:
    """Give a router, which speaks FRR, its static routes anew if it holds one of them as refused."""
    if not _REFUSED.search(router.run("show ip route static")):
        return
    routes = [line for line in router.run("show running-config").splitlines() if line.startswith("ip route ")]
    router.run("configure terminal")
    for route in routes:
        router.run(f"no {route}")
        router.run(route)
    router.run("end")
