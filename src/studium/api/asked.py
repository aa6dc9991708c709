"""What routes work with."""

from typing import Annotated

from fastapi import Depends, Request

from studium.app.service import Service


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


TheService = Annotated[Service, Depends(_service)]
