"""Redaction: secrets are taken out of every text that leaves the program or stays in the database.

>>> redact("GET https://host/v1?key=AIzaSyA1234567890abcd failed")
'GET https://host/v1?key=*** failed'
"""

import json
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import quote

MASK = "***"
_SHORTEST_HIDDEN = 4  # hiding a shorter text would black out ordinary words
_SHORTEST_IN_ENVIRONMENT = 8
_SECRET_VARIABLE = re.compile(r"_(API_KEY|TOKEN|SECRET|PASSWORD)$")
_NAMES = r"(?:api[_-]?key|token|password|passwd|secret)"
_SECRET_FIELD = re.compile(rf"(?i)(?:[\w-]*[_-])?{_NAMES}|authorization")

# A pattern is tried when its mark is in the text (a quick look); it keeps its first group and masks the rest.
_PATTERNS = tuple(
    (mark, re.compile(pattern, re.IGNORECASE))
    for marks, pattern in (
        (("@",), r"(://[^\s/:@]*:)[^\s/]+(?=@)"),
        (("authorization",), r"(authorization[\"']?\s*[:=]\s*[\"']?(?:[a-z]+\s+)?)[^\s\"',]+"),
        (("bearer",), r"(\bbearer\s+)(?=\S*\d)[\w.~+/=-]{8,}"),
        (("key=",), r"([?&]key=)[^\s&\"'#]+"),
        (("key=", "token=", "password=", "passwd=", "secret="), rf"({_NAMES}=[\"']?)[^\s&\"',;#)]+"),
        (("key", "token", "passw", "secret"), rf"({_NAMES}[\"']\s*:\s*[\"'])[^\"']+"),
        (("api-key:",), r"(api-key:\s*)[^\s\"',]+"),
        (("sk-", "aiza"), r"(\b)(?:sk-[\w*-]{8,}|AIza[\w-]{10,})"),
        (("ghp_", "gho_", "ghu_", "ghs_", "hf_", "gsk_", "lsv2_"), r"(\b)(?:gh[pous]|hf|gsk|lsv2)_\w{10,}"),
    )
    for mark in marks
)

_hidden: set[str] = set()


def register_secret(secret: str) -> None:
    """From now on, mask this value wherever it appears."""
    if len(secret) >= _SHORTEST_HIDDEN:
        _hidden.update(_spellings(secret))
        _hidden_pattern.cache_clear()


def register_environment_secrets() -> None:
    """Mask the values of variables named `*_API_KEY`, `*_TOKEN`, `*_SECRET` and `*_PASSWORD`."""
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST_IN_ENVIRONMENT and _SECRET_VARIABLE.search(name.upper()):
            register_secret(value)


def redact(text: str) -> str:
    """The text with its secrets masked."""
    if hidden := _hidden_pattern():
        text = hidden.sub(MASK, text)
    lowered = text.lower()
    for mark, pattern in _PATTERNS:
        if mark in lowered:
            text = pattern.sub(rf"\g<1>{MASK}", text)
    return text


def redact_json(value: Any) -> Any:
    """The JSON value with its secrets masked, by their form and by the names of fields."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redact_field(key, held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [redact_json(each) for each in value]
    return value


def _redact_field(name: Any, value: Any) -> Any:
    named_so = isinstance(name, str) and isinstance(value, str) and _SECRET_FIELD.fullmatch(name)
    return MASK if named_so and value else redact_json(value)


def _spellings(secret: str) -> Iterator[str]:
    """The forms of a secret: plain, in a URL, and in a JSON string."""
    yield secret
    yield quote(secret, safe="")
    yield json.dumps(secret)[1:-1]


@lru_cache(maxsize=1)
def _hidden_pattern() -> re.Pattern[str] | None:
    longest_first = sorted(_hidden, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None


register_environment_secrets()
