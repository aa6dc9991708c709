"""The login page: the only page that can be seen without the token."""

from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from studium.api.guarding.admission import CLOSED, OUTWORN, Admission, forgotten, local
from studium.api.guarding.guesses import whose
from studium.api.guarding.refusals import Refusal, answer

PATH = "/login"
"""Where the form is sent."""

_POLICY = b"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_ASK = "<p>This server answers those who know its token: the one set as <code>serve.token</code>.</p>"
_WRONG = '<p class="bad" role="alert">That is not the token. Check <code>serve.token</code> and try again.</p>'


async def show_login(scope: Scope, send: Send, *, leads_to: str, refusal: Refusal | None = None) -> None:
    """Show the form, with why the token was refused, if one was; the right one leads to where they wanted to go.

    A browser with an outworn session forgets it, or it would go on showing it until somebody signs in there.
    """
    page = _page().substitute(said=_told(refusal), next=escape(leads_to)).encode()
    headers = (
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", _POLICY),
        (b"cache-control", b"no-store"),
    )
    said = refusal.headers if refusal and refusal is not OUTWORN else ()
    forget = ((b"set-cookie", forgotten(scope["scheme"]).encode()),) if refusal is OUTWORN else ()
    status = (refusal or CLOSED).status
    await answer(scope, send, status, (*headers, *said, *forget), page)


async def take_login(admission: Admission, scope: Scope, receive: Receive, send: Send) -> None:
    """Take the filled-in form: a session for the right token, the form again for a wrong one."""
    try:
        body = await Request(scope, receive).body()
    except ClientDisconnect:
        return
    form = parse_qs(body.decode("utf-8", "replace"))
    leads_to = local(form.get("next", ["/"])[0])
    refusal = admission.refusal_of_token(form.get("token", [""])[0], whose(scope))
    if refusal is None:
        await let_in(admission, scope, send, leads_to)
    else:
        await show_login(scope, send, leads_to=leads_to, refusal=refusal)


async def let_in(admission: Admission, scope: Scope, send: Send, leads_to: str) -> None:
    """Give the browser a session and send it on."""
    cookie = admission.session(scope["scheme"]).encode()
    headers = ((b"location", leads_to.encode()), (b"set-cookie", cookie), (b"cache-control", b"no-store"))
    await answer(scope, send, 303, headers)


def _told(refusal: Refusal | None) -> str:
    if refusal is None or refusal is OUTWORN:
        return _ASK
    waits = f"{refusal.detail} Whoever is signed in stays so."
    return _WRONG if refusal is CLOSED else f'<p class="bad" role="alert">{escape(waits)}</p>'


@cache
def _page() -> Template:
    return Template(files("studium.api.guarding").joinpath("login.html").read_text(encoding="utf-8"))
