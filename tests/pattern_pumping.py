"""Finds texts on which a regular expression takes more than linear time, by measuring it on texts built from it.

The texts come from the parsed pattern (what leads to each repetition, and what it repeats, many times) and from
regexploit, which finds repetitions that overlap.
"""

import re
import re._constants as sre
import re._parser as sre_parser
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from math import inf, log
from time import thread_time
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports sre_parse by its old name
    from regexploit.ast.sequence import Sequence
    from regexploit.ast.sre import SreOpParser
    from regexploit.redos import expand_branches, find_redos_in_branchless_sequence

_PALETTE = " aA0\n\t.-,|_\"'([<*#>:/あ"
_WORDS = (
    "a ",
    "a\n",
    "a.",
    "a, ",
    "A ",
    "0.",
    "a-",
    "| ",
    "a b\n",
    "- ",
    "\n ",
    " \n",
    "A. ",
    "a'",
    "Aa ",
    "0,",
    "あ、",
)
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_MAX_SECONDS = 3.0  # for one pattern
_MANY = 20  # a repetition that may go on for this long counts as endless
_TAILS = ("", "\0", "\n\0")
_SIZES = (8, 11, 14, 17, 20, 24, 32, 44, 64, 96, 160, 400, 1000, 2000)
_HIGHEST_POWER = 5
_SOON = 100  # so long a text is enough to make an exponential pattern slow
_LONGEST, _LONG = 16_000, 0.25
_LINEAR_GROWTH = 3.0  # for twice the text; quadratic ones take four times as long
_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


@dataclass(frozen=True)
class SlowText:
    """A text that a pattern takes long on: lead, what is repeated, tail; seconds for `size` and twice as many signs."""

    lead: str
    pump: str
    tail: str
    size: int
    seconds: float
    seconds_for_twice: float

    @property
    def growth(self) -> float:
        return self.seconds_for_twice / max(self.seconds, 1e-7)


def find_slow_text(pattern: str, flags: int, use: str, most_texts: int = 150) -> SlowText | None:
    """A text on which the pattern takes more than linear time, or None if none of those tried is one."""
    compiled = re.compile(pattern, flags)
    run = _runner(compiled, use)
    until = thread_time() + _MAX_SECONDS
    for lead, pump, tail in dict.fromkeys(islice(_candidates(pattern, compiled.flags), most_texts)):
        if thread_time() > until:
            break
        if slow := _measure(run, lead, pump, tail):
            return slow
    return None


def _runner(compiled: "re.Pattern[str]", use: str) -> Callable[[str], object]:
    if use in ("match", "fullmatch"):
        method: Callable[[str], object] = getattr(compiled, use)
        return method
    return lambda text: sum(1 for _ in compiled.finditer(text))


def _measure(run: Callable[[str], object], lead: str, pump: str, tail: str) -> SlowText | None:
    """Longer and longer texts, until one takes long or the longest took no time."""
    for size in _SIZES:
        if _seconds(run, lead, pump, tail, size) > _allowed(size):
            break
    else:
        return None
    # Measured again, the fastest of several: another process may have had the processor. And on longer texts, where a
    # repetition of at most a few thousand signs is no longer quadratic.
    while True:
        once = min(_seconds(run, lead, pump, tail, size) for _ in range(3))
        if once < _allowed(size):
            return None
        if size <= _SOON and _is_exponential(run, (lead, pump, tail), size, once):
            return SlowText(lead, pump, tail, size, once, inf)
        twice = min(_seconds(run, lead, pump, tail, size * 2) for _ in range(2 if once < 0.05 else 1))
        slow = SlowText(lead, pump, tail, size, once, twice)
        if slow.growth < _LINEAR_GROWTH:
            return None
        if size >= _LONGEST or twice > _LONG:
            return slow
        size *= 2


def _is_exponential(run: Callable[[str], object], parts: tuple[str, str, str], size: int, once: float) -> bool:
    """Whether a little more text takes much longer; then twice the text would never end."""
    more = size + max(2, size // 8) * len(parts[1])
    longer = min(_seconds(run, *parts, more) for _ in range(2))
    return log(longer / once) / log(more / size) > _HIGHEST_POWER


def _allowed(size: int) -> float:
    """Seconds that a linear pattern does not need for so many signs."""
    return 0.0005 + size * 4e-7


def _seconds(run: Callable[[str], object], lead: str, pump: str, tail: str, size: int) -> float:
    text = lead + pump * (size // len(pump)) + tail
    begin = thread_time()
    run(text)
    return thread_time() - begin


def _candidates(pattern: str, flags: int) -> Iterator[tuple[str, str, str]]:
    parsed = sre_parser.parse(pattern, flags)
    if not any(True for _ in _repetitions(parsed)):
        return
    yield from _by_regexploit(pattern, flags)
    signs = [*_PALETTE, *islice((sign for sign in dict.fromkeys(_literals(parsed)) if sign not in _PALETTE), 12)]
    yield from (("", pump, "") for pump in signs)
    for tail in _TAILS:
        for policy in range(3):
            for lead, body in _paths(parsed, policy, ""):
                for pump in filter(None, dict.fromkeys([body, lead + body, lead])):
                    yield from ((start, pump, tail) for start in {lead, ""})
        yield from (("", pump, tail) for pump in (*signs, *_WORDS))
    for policy in range(3):
        for lead, body in _paths(parsed, policy, ""):
            own = _own_signs(body, signs)
            yield from ((start, pump, tail) for pump in own for start in {lead, ""} for tail in _TAILS)


def _own_signs(body: str, signs: list[str]) -> list[str]:
    return [" ", "a", "\n", *signs[-3:]] if len(body) < 3 else []


class _Parser(SreOpParser):
    """Regexploit's parser, which does not know the syntax that Python 3.11 added."""

    def from_ATOMIC_GROUP(self, elements: Any) -> Any:  # noqa: N802
        return self.sequence_or_singleton(elements)

    def from_POSSESSIVE_REPEAT(self, data: Any) -> Any:  # noqa: N802
        return self.from_MAX_REPEAT(data)


def _by_regexploit(pattern: str, flags: int) -> Iterator[tuple[str, str, str]]:
    try:
        parsed = _Parser().parse_sre(pattern, flags)
        whole = parsed if isinstance(parsed, Sequence) else Sequence([parsed])
        # Branches are multiplied out, which may be endless: the first ones have to do.
        branches = islice(expand_branches(whole), 100)
        for each in islice(chain.from_iterable(map(find_redos_in_branchless_sequence, branches)), 12):
            killer = each.killer.example() if each.killer else "\0"
            yield each.example_prefix, each.repeated_character.example(), killer
    except Exception:  # noqa: BLE001 - a pattern it cannot read is still measured on our own texts
        return


def _repetitions(parsed: Any) -> Iterator[Any]:
    for op, av in parsed:
        if op in _REPEATS:
            if av[1] is sre.MAXREPEAT or av[1] >= _MANY:
                yield av
            yield from _repetitions(av[2])
        else:
            for inner in _inside(op, av):
                yield from _repetitions(inner)


def _inside(op: Any, av: Any) -> list[Any]:
    if op is sre.SUBPATTERN:
        return [av[3]]
    if op is sre.BRANCH:
        return list(av[1])
    if op is sre.ATOMIC_GROUP:
        return [av]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [av[1]]
    if op is sre.GROUPREF_EXISTS:
        return [each for each in av[1:] if each]
    return []


def _literals(parsed: Any) -> Iterator[str]:
    for op, av in parsed:
        if op in (sre.LITERAL, sre.NOT_LITERAL):
            yield chr(av)
        elif op is sre.IN:
            listed = (each for each in av if each[0] in (sre.LITERAL, sre.RANGE))
            yield from (chr(value if kind is sre.LITERAL else value[0]) for kind, value in listed)
        elif op in _REPEATS:
            yield from _literals(av[2])
        for inner in _inside(op, av):
            yield from _literals(inner)


def _paths(parsed: Any, policy: int, lead: str) -> Iterator[tuple[str, str]]:
    """What leads to each repetition, and one round of it."""
    for op, av in parsed:
        if op in _REPEATS:
            body = _sample(av[2], policy)
            if (av[1] is sre.MAXREPEAT or av[1] >= _MANY) and body:
                yield lead, body
            yield from _paths(av[2], policy, lead)
        else:
            for inner in _inside(op, av):
                yield from _paths(inner, policy, lead)
        lead += _sample([(op, av)], policy)


def _sample(parsed: Any, policy: int) -> str:
    """A text that the pattern matches, more or less: lookaround is passed over."""
    text = ""
    for op, av in parsed:
        if op is sre.LITERAL:
            text += chr(av)
        elif op in (sre.NOT_LITERAL, sre.ANY, sre.IN):
            text += _sign(op, av, policy)
        elif op in _REPEATS:
            text += _sample(av[2], policy) * max(av[0], 1 if policy else 0)
        elif op is sre.BRANCH:
            text += _sample(av[1][policy % len(av[1])], policy)
        elif op in (sre.SUBPATTERN, sre.ATOMIC_GROUP):
            text += _sample(_inside(op, av)[0], policy)
    return text


def _sign(op: Any, av: Any, policy: int) -> str:
    own = list(_literals([(op, av)])) if op is sre.IN else []
    orders = ([*" aA0", *own], [*own, *"aA0 "], [*"Aa0", *reversed(own)])
    return next((sign for sign in [*orders[policy], *_PALETTE] if _accepts(op, av, sign)), "x")


def _accepts(op: Any, av: Any, sign: str) -> bool:
    if op is sre.ANY:
        return sign != "\n"
    if op is sre.NOT_LITERAL:
        return ord(sign) != av
    negated, found = False, False
    for kind, value in av:
        if kind is sre.NEGATE:
            negated = True
        elif kind is sre.LITERAL:
            found = found or ord(sign) == value
        elif kind is sre.RANGE:
            found = found or value[0] <= ord(sign) <= value[1]
        elif kind is sre.CATEGORY:
            found = found or re.match(_CATEGORIES[value], sign) is not None
    return found != negated
