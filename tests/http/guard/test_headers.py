"""What every answer tells the browser."""

import pytest


@pytest.mark.parametrize(
    ("path", "headers"), [("/", {}), ("/api/v1/ping", {}), ("/nowhere", {}), ("/", {"Host": "evil.example"})]
)
def test_every_answer_ties_the_browser_down(anyone, path, headers):
    said = anyone.get(path, headers=headers).headers
    policy = said["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "object-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy, "nothing from another address"
    assert said["x-content-type-options"] == "nosniff"
    assert said["x-frame-options"] == "DENY"
    assert said["referrer-policy"] == "same-origin"
    assert said["cross-origin-opener-policy"] == said["cross-origin-resource-policy"] == "same-origin"
    assert "microphone=()" in said["permissions-policy"]


def test_answers_of_the_api_are_not_kept_unless_the_route_says_so(anyone):
    assert anyone.get("/api/v1/ping").headers["cache-control"] == "no-store"
    assert anyone.get("/api/v1/kept").headers["cache-control"] == "private, max-age=60"
    assert "cache-control" not in anyone.get("/").headers


def test_no_part_can_open_its_answers_to_other_sites(anyone):
    assert "access-control-allow-origin" not in anyone.get("/open-to-all").headers
