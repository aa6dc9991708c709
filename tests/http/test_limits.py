"""The limits of a request are those of the work: what is accepted does not fail later for its length."""

import httpx
import pytest
from tests.http.test_jobs import finished

from studium.core.features import all_job_types
from studium.vocabulary.domain import SongRequest
from studium.vocabulary.jobs import StudySongRequest

_LONGEST_PATH = 4096
_DRIVEN = 5_000


def _schema(kind):
    return kind.request.model_json_schema()


def _lengths(schema):
    """The most characters of each text field."""
    for name, field in schema["properties"].items():
        for choice in field.get("anyOf", [field]):
            if "maxLength" in choice:
                yield name, choice["maxLength"]


def _is_path(kind, name):
    return (name, _LONGEST_PATH) in _lengths(_schema(kind))


def _least(kind):
    """The least that a request needs."""
    schema = _schema(kind)
    given = {}
    for name in schema.get("required", ()):
        field = schema["properties"][name]
        if _is_path(kind, name):
            given[name] = "vault" if name in ("vault", "folder") else "questions/harbour.md"
        elif field.get("type") == "array":
            given[name] = ["x"]
        elif field.get("type") == "integer":
            given[name] = 1
        else:
            given[name] = {} if "$ref" in field else "x"
    return given


TYPES = list(all_job_types().values())


@pytest.mark.parametrize("kind", TYPES, ids=[kind.name for kind in TYPES])
def test_what_is_too_long_is_refused_at_once(idle, kind):

    for name, longest in _lengths(_schema(kind)):
        asked = _least(kind) | {name: "x" * (longest + 1)}
        reply = httpx.post(f"{idle}/api/v1/{kind.name.replace('.', '/')}", json=asked, timeout=30)
        assert reply.status_code == 422
        assert f"{name}: String should have at most {longest} characters" in reply.json()["detail"]
        assert len(reply.content) < 2_000


def test_what_is_as_long_as_allowed_never_fails_for_its_length(client):
    for kind in TYPES:
        for name, longest in _lengths(_schema(kind)):
            if _is_path(kind, name) or longest > _DRIVEN:
                continue
            reply = client.post(f"/{kind.name.replace('.', '/')}", json=_least(kind) | {name: "x" * longest})
            assert reply.status_code == 202, (kind.name, name, reply.text)
            problem = finished(client, reply.json())["problem"] or {}
            assert problem.get("title") != "Something failed", (kind.name, name, problem)
            assert "validation error" not in str(problem)


def test_a_song_has_one_set_of_limits():
    for name, field in SongRequest.model_fields.items():
        assert StudySongRequest.model_fields[name].annotation == field.annotation
        assert StudySongRequest.model_fields[name].metadata == field.metadata
