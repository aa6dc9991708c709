"""A device at the other end of an SSH connection."""

import logging
import re
import socket
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field, SecretStr

from studium.core.domain.errors import BadInput, ServiceDown
from studium.core.domain.value import Value
from studium.core.extras import needs_extra

if TYPE_CHECKING:
    from scrapli import Cli


def _own_known_hosts() -> Path:
    return Path.home() / ".ssh" / "known_hosts"


class SshAddress(Value):
    """An SSH address; host keys are checked against `known_hosts` unless `trust_any_host` is true."""

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


def check_reachable(address: SshAddress) -> None:
    """Check that the port is open, or raise an error that says why not."""
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
            remedy="Check that the device is on and that no firewall blocks the port.",
        ) from error
    except OSError as error:
        raise ServiceDown(
            f"{address.host} cannot be reached ({error.strerror or error}).",
            remedy="Check the address and the route: `ping` it first.",
        ) from error


_OPENING: Final = {"ios": ("terminal length 0", "terminal width 512"), "frr": ("terminal length 0",)}
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_CODES: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")
_SECRET: Final = re.compile(r"password: ?$", re.IGNORECASE)


class SshDevice:
    """A session on a device over SSH, which reconnects if the connection is lost."""

    def __init__(self, address: SshAddress, name: str) -> None:
        """Connect and log in."""
        self.name = name
        self._address = address
        self._prompt = ""
        self._cli: Cli | None = None
        self._connect()

    @property
    def prompt(self) -> str:
        """The current prompt, such as `R1(config-if)#`, or the device's question."""
        return self._prompt

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Run one line and return the output without echo, prompt and control codes."""
        if _CONTROL.search(command):
            raise BadInput("A command is one line without control characters.", remedy="Type one line at a time.")
        return self._ask(self._cli or self._connect(), command, timeout)

    def close(self) -> None:
        """Close the connection; the device keeps running."""
        from scrapli.exceptions import ScrapliException

        cli, self._cli = self._cli, None
        if cli:
            with suppress(ScrapliException):
                cli.close(force=True)

    def _connect(self) -> "Cli":
        exceptions = _scrapli_errors()
        check_reachable(self._address)
        _check_known_hosts(self._address)
        cli = _made(self._address)
        try:
            cli.open()
        except exceptions as error:
            raise self._closed_door(str(error)) from error
        self._cli = cli
        for command in ("", *_OPENING[self._address.platform]):
            self._ask(cli, command, self._address.connect_timeout)
        return cli

    def _ask(self, cli: "Cli", command: str, timeout: float) -> str:
        from scrapli.cli import InputHandling

        exceptions = _scrapli_errors()
        unseen = not command or bool(_SECRET.search(self._prompt))
        try:
            said = cli.send_input(
                command,
                input_handling=InputHandling.IGNORE if unseen else InputHandling.FUZZY,
                retain_trailing_prompt=True,
                operation_timeout_ns=int(timeout * 1e9),
            ).result
        except exceptions as error:
            self.close()
            raise self._broken(str(error), timeout) from error
        answer, _, self._prompt = _CODES.sub("", said).rstrip().rpartition("\n")
        return answer.strip("\n")

    def _broken(self, reason: str, timeout: float) -> ServiceDown:
        if "timeout" in reason.lower():
            return ServiceDown(
                f"{self.name} did not answer within {timeout:g} s.",
                remedy="Give it more time and type the command again; a new connection is made.",
            )
        return ServiceDown(
            f"The connection to {self.name} was lost.", remedy="Type the command again: a new connection is made."
        )

    def _closed_door(self, reason: str) -> ServiceDown:
        address = self._address
        if "known host" in reason.lower():
            return _unknown_host(address, "is another than" if "mismatch" in reason.lower() else "is not in")
        if "timeout" in reason.lower():
            return ServiceDown(
                f"{address.host} answers on port {address.port}, but not as an SSH server.", remedy="Check the port."
            )
        if reason.startswith("EOF"):
            return ServiceDown(
                f"{address.host} closed the connection before it showed a prompt.",
                remedy="Check the device: all its lines may be in use, or this user gets no command line.",
            )
        return ServiceDown(
            f"{address.host} rejected the login of {address.user}.",
            remedy="Check the user name and the password or key.",
        )


def _made(address: SshAddress) -> "Cli":
    from scrapli import AuthOptions, Cli, SessionOptions, TransportSsh2Options
    from scrapli.cli import LoadedDefinition

    # Errors are raised; without a handler the library would also print them over the student's console.
    logging.getLogger("scrapli").addHandler(logging.NullHandler())
    definition = files(__package__).joinpath("console.yaml").read_text(encoding="utf-8")
    secret, passphrase = address.password, address.key_passphrase
    return Cli(
        address.host,
        port=address.port,
        definition_file_or_name=LoadedDefinition(platform_name="console", definition=definition),
        auth_options=AuthOptions(
            username=address.user,
            password=secret.get_secret_value() if secret else None,
            private_key_path=str(address.key) if address.key else None,
            private_key_passphrase=passphrase.get_secret_value() if passphrase else None,
        ),
        session_options=SessionOptions(operation_timeout_ns=int(address.connect_timeout * 1e9)),
        transport_options=TransportSsh2Options(
            known_hosts_path=None if address.trust_any_host else str(address.known_hosts)
        ),
    )


def _scrapli_errors() -> tuple[type[Exception], ...]:
    with needs_extra("ssh", "Reaching devices over SSH"):
        from scrapli.exceptions import ScrapliException
    return (ScrapliException,)


def _check_known_hosts(address: SshAddress) -> None:
    if not address.trust_any_host and not address.known_hosts.is_file():
        raise _unknown_host(address, "is not in")


def _unknown_host(address: SshAddress, relation: str) -> ServiceDown:
    return ServiceDown(
        f"The host key of {address.host} {relation} {address.known_hosts}.",
        remedy=f"Log in once with `ssh -p {address.port} {address.user}@{address.host}` and compare the fingerprint "
        "with what the device shows; then accept it.",
    )
