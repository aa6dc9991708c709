"""Whatever the OpenAPI description allows, and much that it does not, is answered as it says; never with a 500."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

NO_HTTP = b"Invalid HTTP request received."  # uvicorn, of an address that is longer than 64 KB


@pytest.mark.parametrize("examples", [4, pytest.param(40, marks=pytest.mark.endurance)])
def test_every_route_keeps_to_its_description(idle, subtests, examples):
    import schemathesis
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    from studium.core.config import Settings
    from studium.http.app import create_app

    def check(case):
        response = case.call(base_url=idle, timeout=20)
        assert response.status_code < 500 or response.status_code in (503, 507)
        if response.content != NO_HTTP and response.status_code != 413:
            # What a path, a lab or a run is called cannot be described: most names are refused, with what to do.
            case.validate_response(response, excluded_checks=[positive_data_acceptance])

    unhurried = settings(
        max_examples=examples,
        suppress_health_check=list(HealthCheck),
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
    )
    schema = schemathesis.openapi.from_dict(create_app(Settings()).openapi())
    for result in schema.get_all_operations():
        operation = result.ok()
        with subtests.test(operation.label):
            unhurried(given(operation.as_strategy())(check))()
