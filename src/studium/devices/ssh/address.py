"""Where a device is, and how one logs in there."""

import socket
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from studium.core.domain.errors import ServiceDown
from studium.core.domain.value import Value


def _own_known_hosts() -> Path:
    return Path.home() / ".ssh" / "known_hosts"


class SshAddress(Value):
    """An SSH door: with `trust_any_host` true whoever answers is believed, else only who stands in `known_hosts`."""

    host: str = Field(min_length=1)
    user: str
    password: SecretStr | None = None
    key: Path | None = None
    key_passphrase: SecretStr | None = None
    port: int = Field(default=22, ge=1, le=65535)
    platform: Literal["ios", "frr"] = "ios"
    connect_timeout: float = Field(default=5.0, gt=0)
    known_hosts: Path = Field(default_factory=_own_known_hosts)
    trust_any_host: bool = False

    def __str__(self) -> str:
        return f"{self.user}@{self.host}:{self.port}"


def knock(address: SshAddress) -> None:
    """Make sure that something listens there, or say plainly why nothing does."""
    try:
        socket.create_connection((address.host, address.port), timeout=address.connect_timeout).close()
    except socket.gaierror as error:
        raise ServiceDown(
            f"The name {address.host} is not known.", remedy="Check the spelling, or give the IP address."
        ) from error
    except ConnectionRefusedError as error:
        raise ServiceDown(
            f"{address.host} refuses connections to port {address.port}.",
            remedy="Switch SSH on there (`crypto key generate rsa`, `transport input ssh`) or check the port.",
        ) from error
    except TimeoutError as error:
        raise ServiceDown(
            f"{address.host} did not answer within {address.connect_timeout:g} s.",
            remedy="Check that the device is on and that no firewall stands between.",
        ) from error
    except OSError as error:
        raise ServiceDown(
            f"{address.host} cannot be reached ({error.strerror or error}).",
            remedy="Check the address and the way there: `ping` it first.",
        ) from error
