"""Files with flipped bits, as a failing disk leaves them."""

import random
from collections.abc import Iterator
from pathlib import Path

FLIPS = (1, 10, 100, 1_000)


def damage_again_and_again(path: Path, rounds: int) -> Iterator[int]:
    """Put differently damaged copies of a file in its place, alone in its folder; yields how many bits were flipped."""
    chance, whole = random.Random(1), path.read_bytes()
    for flips in FLIPS * rounds:
        content = bytearray(whole)
        for _ in range(flips):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        for each in path.parent.iterdir():
            each.unlink()
        path.write_bytes(content)
        yield flips
