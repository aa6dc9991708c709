"""Weak tokens are recognised."""

import secrets
from uuid import uuid4

import pytest

from studium.cli.server import generate_token, weakness


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "secret",
        "fifteen-letters",
        "a" * 40,
        "ab" * 20,
        "abc" * 12,
        "1234567890123456",
        "0123456789abcdef0123456789abcdef",
        "abcdefghijklmnopqrstuvwxyz",
        "zyxwvutsrqponmlkjihg",
        "qwertyuiopasdfghjkl",
        "passwordpasswordpassword",
        "changemechangeme",
        "Passw0rd!Passw0rd!",
        "aaaaaaaaaaaaaaaaaaab",
        "10010110100101101001",
        "                    ",
        "ééééééééééééééééééé",
    ],
)
def test_what_is_short_or_a_pattern_is_weak(token):
    assert weakness(token)


def test_what_is_random_or_a_sentence_is_not():
    for _ in range(300):
        assert [weakness(each) for each in (generate_token(), secrets.token_hex(16), str(uuid4()))] == [None] * 3
    assert weakness("correct horse battery staple") is None


def test_a_generated_token_has_at_least_128_bits_and_is_another_each_time():
    tokens = {generate_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) * 6 >= 128
    assert all(each.replace("-", "").replace("_", "").isalnum() for each in tokens)
