"""What every answer tells the browser: load nothing from elsewhere, show us in no frame, guess no types."""

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Scope, Send

# NiceGUI builds its pages with inline scripts and evaluates the handlers that Python gives it, so scripts cannot be
# tied down further than to this server; that is why nothing of a document or a model is put into a page unsanitised.
_SOURCES: Mapping[str, str] = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "media-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
POLICY = "; ".join(f"{what} {sources}" for what, sources in _SOURCES.items())
"""The content security policy of a page: everything from this server, nothing from elsewhere."""

_ALWAYS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: with it browsers say `Origin: null` of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def guarded(scope: Scope, send: Send) -> Send:
    """Sending, with the headers that every answer carries; what a route said itself stands."""
    unkept = scope["path"].startswith("/api/")

    async def with_headers(message: Message) -> None:
        if message["type"].endswith("response.start"):
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            for name, value in _ALWAYS.items():
                headers.setdefault(name, value)
            if unkept:
                headers.setdefault("Cache-Control", "no-store")
            # Socket.IO lets every site read its answers; here none may.
            del headers["Access-Control-Allow-Origin"]
            del headers["Access-Control-Allow-Credentials"]
            message = {**message, "headers": headers.raw}
        await send(message)

    return with_headers
