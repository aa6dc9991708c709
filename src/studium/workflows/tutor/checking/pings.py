"""Reading what `ping` says, on a router or on a host."""

import re

_SUCCESS = re.compile(r"(?i)success rate is (\d+) percent|(\d+) (?:packets )?received")


def is_answered(output: str) -> bool:
    """Whether at least one echo came back; the first is often lost to ARP."""
    counts = [int(rate or received) for rate, received in _SUCCESS.findall(output)]
    return any(counts) or bool(re.search(r"(?i)\bbytes from\b|\bbytes=\d+ time", output))
