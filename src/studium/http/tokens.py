"""The token of a server: generating one, and telling a weak one.

>>> weakness("aaaaaaaaaaaaaaaaaaaaaaaa")
'without repetitions and rows only 1 of its 24 characters are left'
"""

import secrets
from itertools import pairwise

_BYTES = 32  # 256 bits
_SHORTEST = 16
_FEWEST_UNFORESEEN = 11  # random tokens have a few repetitions and rows too
_FEWEST_DIFFERENT = 6
_ROWS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "1234567890")
# Pairs of neighbours on a keyboard, in both directions.
_NEIGHBOURS = frozenset(pair for row in _ROWS for way in (row, row[::-1]) for pair in pairwise(way))


def generate_token() -> str:
    """A random token of 256 bits that needs no escaping in an address."""
    return secrets.token_urlsafe(_BYTES)


def weakness(token: str) -> str | None:
    """Why a token is easy to guess: too short, too few different characters, or a pattern; None if it is not."""
    if len(token) < _SHORTEST:
        return f"its length is {len(token)}, and at least {_SHORTEST} characters are needed"
    unforeseen = _unforeseen(token.casefold())
    if unforeseen < _FEWEST_UNFORESEEN:
        return f"without repetitions and rows only {unforeseen} of its {len(token)} characters are left"
    different = len(set(token))
    if different < _FEWEST_DIFFERENT:
        return f"it has only {different} different characters, and {_FEWEST_DIFFERENT} are needed"
    return None


def _unforeseen(token: str) -> int:
    """How many characters neither repeat an earlier piece of three nor go on in a row: `aaa`, `456`, `wert`."""
    count = 0
    seen: set[str] = set()
    for at, sign in enumerate(token):
        before = token[at - 1 : at]
        repeated = at >= 2 and token[at - 2 : at + 1] in seen  # noqa: PLR2004 - a piece of three
        seen.add(token[max(0, at - 2) : at + 1])
        follows = bool(before) and (abs(ord(sign) - ord(before)) <= 1 or (before, sign) in _NEIGHBOURS)
        count += not (repeated or follows)
    return count
