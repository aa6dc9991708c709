"""Guesses: whoever shows one wrong token after another must wait before the next is looked at, longer each time.

What is counted are different tokens, not requests: a program that sends the same wrong one every second learns nothing
by it, and must not lock out the others at its address.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic

from starlette.types import Scope

MOST = 10
"""So many different wrong tokens may come from one address within a minute."""
MOST_OF_ALL = 200
"""So many from all addresses together: who has many, or makes them up in `X-Forwarded-For`, is slowed down too."""

_WITHIN = 60.0
_LONGEST = 900.0
_REMEMBERED = 1_000


@dataclass
class _Tried:
    """What came from one address."""

    wrong: dict[bytes, float] = field(default_factory=dict)
    rounds: int = 0
    until: float = 0.0

    def add(self, what: bytes, now: float, most: int) -> None:
        if now > self.until + _LONGEST:
            self.rounds = 0
        self.wrong = {each: when for each, when in self.wrong.items() if now - when < _WITHIN}
        self.wrong.setdefault(what, now)
        if len(self.wrong) >= most:
            self.until = now + min(_WITHIN * 2**self.rounds, _LONGEST)
            self.rounds += 1
            self.wrong = {}


class Guesses:
    """The wrong tokens of late, in memory: of at most a thousand addresses, those that tried last."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._tried: OrderedDict[str, _Tried] = OrderedDict()
        self._of_all = _Tried()

    def wait(self, whose: str) -> int:
        """For how many seconds no token from this address is looked at; 0 where it is."""
        tried = self._tried.get(whose)
        until = max(self._of_all.until, tried.until if tried else 0.0)
        return max(0, ceil(until - self._clock()))

    def add(self, whose: str, shown: bytes) -> None:
        """A wrong token came from this address."""
        what, now = sha256(shown).digest(), self._clock()
        self._of_all.add(what, now, MOST_OF_ALL)
        self._tried.setdefault(whose, _Tried()).add(what, now, MOST)
        self._tried.move_to_end(whose)
        if len(self._tried) > _REMEMBERED:
            self._tried.popitem(last=False)


def whose(scope: Scope) -> str:
    """Who asks, as far as an address tells: a machine has many of its own, and a household a whole network."""
    try:
        address = ip_address((scope.get("client") or ("",))[0])
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return "this machine"
    return str(address) if address.version == 4 else f"{int(address) >> 64:x}"  # noqa: PLR2004 - IPv4
