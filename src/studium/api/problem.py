"""Problems in the OpenAPI description: what every route may answer instead (RFC 9457)."""

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel


class Problem(BaseModel):
    """Why a request was not answered: what happened, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str
    error: str

    model_config = {
        "json_schema_extra": {
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Not found",
                    "status": 404,
                    "detail": "There is no run 'x'.",
                    "remedy": "Check the name.",
                    "error": "There is no run 'x'. Check the name.",
                }
            ]
        }
    }


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem: what happened, and what to do.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}


def add_problem_schema(app: FastAPI) -> None:
    """Let the application's description know what a problem looks like."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        described = describe()
        described["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return described

    app.openapi = described  # type: ignore[method-assign] # FastAPI's way of changing its description
