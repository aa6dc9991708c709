"""Guesses: whoever shows one wrong token after another must wait before the next is looked at, longer each time.

What is counted are different tokens, not requests: a program that goes on sending the same wrong one learns nothing by
it, and must not lock out the others at its address, neither at once nor for good.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic

from starlette.types import Scope

MAX_ATTEMPTS = 10
"""So many different wrong tokens may come from one address within a minute."""
MAX_ATTEMPTS_OVERALL = 200
"""So many from all addresses together: who has many, or makes them up in `X-Forwarded-For`, is slowed down too."""
THIS_MACHINE = "this machine"
"""Who asks from the machine that the server runs on."""

_WITHIN = 60.0
_LONGEST = 900.0
_ROUNDS = 4  # after so many one waits the longest; whoever goes on for weeks must not count us out of numbers
_REMEMBERED = 1_000
_COUNTED = 300  # a thousand addresses with so many each take 30 MB


@dataclass
class _Tried:
    """What came from one address."""

    counted: dict[str, None] = field(default_factory=dict)
    late: list[float] = field(default_factory=list)
    rounds: int = 0
    until: float = 0.0

    def add(self, what: str, now: float, most: int) -> None:
        if _is_new(what, self.counted, _COUNTED):
            self._count(now, most)

    def _count(self, now: float, most: int) -> None:
        if now > self.until + _LONGEST:
            self.rounds = 0
        self.late = [*(when for when in self.late if now - when < _WITHIN), now]
        if len(self.late) >= most:
            self.until = now + min(_WITHIN * 2**self.rounds, _LONGEST)
            self.rounds = min(self.rounds + 1, _ROUNDS)
            self.late = []


class LoginThrottle:
    """The wrong tokens of late, in memory: of at most a thousand addresses, those that tried last."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._tried: OrderedDict[str, _Tried] = OrderedDict()
        self._of_all = _Tried()
        self._welcome: dict[str, None] = {}

    def wait(self, whose: str) -> int:
        """For how many seconds no token from this address is looked at, for what came from there; 0 where it is."""
        tried = self._tried.get(whose)
        return self._left(tried.until) if tried else 0

    def wait_for_all(self, whose: str) -> int:
        """The same for what came from all addresses together; not from where the right one came before, nor here."""
        return 0 if whose == THIS_MACHINE or whose in self._welcome else self._left(self._of_all.until)

    def welcome(self, whose: str) -> None:
        """The right token came from this address."""
        _is_new(whose, self._welcome, _REMEMBERED)

    def add(self, whose: str, shown: bytes) -> None:
        """A wrong token came from this address."""
        what, now = sha256(shown).hexdigest()[:24], self._clock()
        self._of_all.add(what, now, MAX_ATTEMPTS_OVERALL)
        self._tried.setdefault(whose, _Tried()).add(what, now, MAX_ATTEMPTS)
        self._tried.move_to_end(whose)
        if len(self._tried) > _REMEMBERED:
            self._tried.popitem(last=False)

    def _left(self, until: float) -> int:
        return max(0, ceil(until - self._clock()))


def _is_new(what: str, among: dict[str, None], most: int) -> bool:
    """Whether this was not seen among the last so many; from now on it was."""
    is_new = what not in among
    among.pop(what, None)
    among[what] = None
    if len(among) > most:
        del among[next(iter(among))]
    return is_new


def client_key(scope: Scope) -> str:
    """Who asks, as far as an address tells: a machine has many of its own, and a household a whole network."""
    try:
        address = ip_address((scope.get("client") or ("",))[0])
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return THIS_MACHINE
    return str(address) if address.version == 4 else f"{int(address) >> 64:x}"  # noqa: PLR2004 - IPv4
