import pytest
from hypothesis import given
from hypothesis import strategies as st

from studium.core import redaction
from studium.core.redaction import redact, redact_json, register_environment_secrets, register_secret


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    monkeypatch.setattr(redaction, "_hidden", set())
    redaction._hidden_pattern.cache_clear()
    yield
    redaction._hidden_pattern.cache_clear()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Authorization: Bearer abcdefgh", "Authorization: Bearer ***"),
        ("{'authorization': 'Basic dXNlcjpwYXNz'}", "{'authorization': 'Basic ***'}"),
        ("with Bearer eyJhbGciOiJIUzI1NiJ9.e30.x", "with Bearer ***"),
        ("Incorrect API key provided: sk-proj-12********90.", "Incorrect API key provided: ***."),
        ("key AIzaSyA1234567890abcdefghijklmnopqrstuv is bad", "key *** is bad"),
        ("GET http://host/v1/models?key=abc&alt=sse", "GET http://host/v1/models?key=***&alt=sse"),
        ("http://host/?access_token=abc#top", "http://host/?access_token=***#top"),
        ("password=hunter2; user=me", "password=***; user=me"),
        ("x-goog-api-key: abc", "x-goog-api-key: ***"),
        ('{"api_key": "abc def", "model": "m"}', '{"api_key": "***", "model": "m"}'),
        ("postgresql://me:p@ss:word@db.example:5432/x", "postgresql://me:***@db.example:5432/x"),
        ("OPENAI_API_KEY=abc", "OPENAI_API_KEY=***"),
        ("hf_abcdefghijklmnop", "***"),
    ],
)
def test_text_that_looks_like_a_secret_is_masked(said, shown):
    assert redact(said) == shown


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens=512, tokens: 400, the token budget",
        "Bearer certificates are issued by the task-management desk",
        "see http://127.0.0.1:8080/a and write to me@host",
        "the key=value pairs of notes/ospf.md:12-14",
    ],
)
def test_ordinary_words_stay(said):
    assert redact(said) == said


def test_a_hidden_value_is_masked_in_every_spelling():
    register_secret('corr"ect horse/ü')
    assert redact('is corr"ect horse/ü it') == "is *** it"
    assert redact("?q=corr%22ect%20horse%2F%C3%BC") == "?q=***"
    assert redact('{"x": "corr\\"ect horse/\\u00fc"}') == '{"x": "***"}'


@given(st.text(min_size=4), st.text(), st.text())
def test_a_hidden_value_never_appears(secret, before, after):
    redaction._hidden.clear()
    register_secret(secret)
    shown = redact(before + secret + after)
    assert secret in "***" or secret not in shown.replace("***", "\0")


def test_too_short_a_value_is_not_hidden():
    register_secret("a")
    assert redact("a banana") == "a banana"


def test_values_of_secret_variables_are_hidden(monkeypatch):
    monkeypatch.setenv("MY_SERVICE_TOKEN", "correct-horse-battery")
    monkeypatch.setenv("MY_SERVICE_NAME", "plain-and-public")
    monkeypatch.setenv("SHORT_SECRET", "word")
    register_environment_secrets()
    assert redact("correct-horse-battery, plain-and-public, word") == "***, plain-and-public, word"


def test_json_is_masked_by_form_and_by_field_name():
    given_value = {
        "api_key": "x",
        "nested": [{"Authorization": "y"}, "Bearer abc12345"],
        "password": "",
        "tokens": 5,
        "card": {"key": "front", "pair": ("token=1", 2)},
        "user_token": None,
    }
    assert redact_json(given_value) == {
        "api_key": "***",
        "nested": [{"Authorization": "***"}, "Bearer ***"],
        "password": "",
        "tokens": 5,
        "card": {"key": "front", "pair": ["token=***", 2]},
        "user_token": None,
    }
