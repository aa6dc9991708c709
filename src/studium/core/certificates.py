"""The certificates that connections are checked against."""

from functools import cache
from ssl import SSLContext


@cache
def trusted_certificates(*, trust_env: bool = True) -> SSLContext:
    """The trusted certificates, read once: each client would take tens of milliseconds to read them."""
    from httpx import create_ssl_context

    return create_ssl_context(trust_env=trust_env)
