import pytest

from studium.core.domain import errors
from studium.core.jobs.problem_details import problem_details


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (errors.BadInput, 422),
        (errors.BadSettings, 500),
        (errors.NotFound, 404),
        (errors.Conflict, 409),
        (errors.MissingPart, 503),
        (errors.MissingExtra, 503),
        (errors.MissingModel, 503),
        (errors.ServiceDown, 503),
        (errors.StorageFailed, 507),
        (errors.Interrupted, 503),
        (errors.StudiumError, 500),
    ],
)
def test_each_error_has_its_status(kind, status):
    assert problem_details(kind("what"))["status"] == status


def test_a_problem_says_what_happened_and_what_to_do_without_secrets():
    told = problem_details(errors.NotFound("No run at http://me:hush@host.", remedy="Ask with token=hush"))
    assert told == {
        "type": "about:blank",
        "title": "Not found",
        "status": 404,
        "detail": "No run at http://me:***@host.",
        "remedy": "Ask with token=***",
    }
