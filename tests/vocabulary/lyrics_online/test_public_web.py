"""Only the public web is asked, whatever names, spellings and redirects say."""

import gzip
import ssl
import time
from ipaddress import ip_address

import httpx
import pytest
from tests.loopback_site import certificate, endless, redirect, reply, silence, trickle

from studium.core.domain.errors import ServiceDown
from studium.core.public_web import NotPublic, PublicWeb, UnusablePage, is_public_address

PRIVATE = [
    "127.0.0.1", "127.9.9.9", "0.0.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.5", "224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:0:7f00:1::",
    "::ffff:0:127.0.0.1", "100::1",
]  # fmt: skip
PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001:80e::200e"]


class Nowhere(httpx.AsyncBaseTransport):
    """Notes what would have been sent, and answers for everyone."""

    def __init__(self) -> None:
        self.asked: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return httpx.Response(200, headers={"content-type": "text/plain"}, content=b"reached")


def resolving(*addresses: str):
    async def resolver(_host: str) -> list[str]:
        return list(addresses)

    return resolver


async def _is_refused(web: PublicWeb, url: str) -> bool:
    try:
        await web.get(url)
    except NotPublic as error:
        return "not a public web server" in str(error)
    return False


async def test_a_name_that_leads_to_a_special_address_is_not_asked():
    nowhere = Nowhere()
    asked = [
        address
        for address in PRIVATE
        if not await _is_refused(PublicWeb(resolver=resolving(address), transport=nowhere), "https://innocent.example/")
    ]
    assert (asked, nowhere.asked) == ([], [])


async def test_a_public_address_is_asked_at_that_very_address_in_the_hosts_name():
    for address in PUBLIC:
        nowhere = Nowhere()
        page = await PublicWeb(resolver=resolving(address), transport=nowhere).get("https://innocent.example/a?b=c#d")
        (request,) = nowhere.asked
        assert ip_address(request.url.host) == ip_address(address)
        assert request.headers["host"] == "innocent.example"
        assert request.extensions["sni_hostname"] == "innocent.example"
        assert (page.url, page.data) == ("https://innocent.example/a?b=c", b"reached")


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]", "localhost"],
)
async def test_every_spelling_of_this_machine_is_known_by_the_systems_own_resolver(host):
    nowhere = Nowhere()
    with pytest.raises(NotPublic):
        await PublicWeb(transport=nowhere).get(f"http://{host}/")
    assert not nowhere.asked


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com",
        "http://",
        "//example.com",
        "example.com",
        "",
        "http://me:secret@example.com/",
        "javascript:alert(1)",
        "http://example.com:99999/",
        "http://[::1/",
        "data:,x",
    ],
)
async def test_what_is_no_web_address(url):
    with pytest.raises(NotPublic):
        await PublicWeb(resolver=resolving("93.184.216.34"), transport=Nowhere()).get(url)


@pytest.mark.parametrize("port", [22, 25, 8080, 6379, 11434])
async def test_only_the_ports_of_the_web(port):
    with pytest.raises(NotPublic, match=str(port)):
        await PublicWeb(resolver=resolving("93.184.216.34"), transport=Nowhere()).get(f"http://example.com:{port}/")


async def test_a_mixed_answer_leads_to_the_public_address_only():
    nowhere = Nowhere()
    await PublicWeb(resolver=resolving("10.0.0.1", "93.184.216.34"), transport=nowhere).get("http://example.com/")
    assert [request.url.host for request in nowhere.asked] == ["93.184.216.34"]


async def test_a_name_that_resolves_differently_later_gains_nothing(site, open_web):
    answers = iter([["127.0.0.1"], ["169.254.169.254"], ["10.0.0.1"]])
    asked = []

    async def rebinding(host: str) -> list[str]:
        asked.append(host)
        return next(answers)

    site.answers["/"] = reply("reached")
    page = await open_web(resolver=rebinding).get(site.url + "/")
    assert (page.data, asked) == (b"reached", ["lyrics.example"]), "resolved once, and asked at what was checked"


async def test_a_redirect_to_a_name_that_resolves_differently_by_now(site, open_web):
    answers = iter([["127.0.0.1"], ["169.254.169.254"]])

    async def rebinding(_host: str) -> list[str]:
        return next(answers)

    site.answers["/"] = redirect("/latest/meta-data")
    with pytest.raises(NotPublic):
        await open_web(resolver=rebinding).get(site.url + "/")
    assert len(site.requests) == 1


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:22/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://10.1.2.3/",
        "https://[::ffff:127.0.0.1]/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "//[::1]/x",
        "http://a:b@lyrics.example/",
    ],
)
@pytest.mark.parametrize("status", [301, 307])
async def test_no_redirect_leads_inside(site, open_web, target, status):
    site.answers["/"] = redirect(target, status)
    with pytest.raises(NotPublic):
        await open_web().get(site.url + "/")
    assert len(site.requests) == 1


async def test_a_few_redirects_are_followed(site, open_web):
    site.answers |= {
        "/": redirect("/b"),
        "/b": redirect("c", 307),
        "/c": redirect(f"{site.url}/d", 308),
        "/d": reply("end"),
    }
    page = await open_web().get(site.url + "/")
    assert (page.data, page.url) == (b"end", site.url + "/d")


async def test_a_redirect_loop_ends(site, open_web):
    site.answers["/"] = redirect("/")
    with pytest.raises(UnusablePage, match="redirects too often"):
        await open_web().get(site.url + "/")
    assert len(site.requests) == 4


async def test_no_cookie_is_kept(site, open_web):
    site.answers |= {"/": reply(b"", status=302, Location="/b", Set_Cookie="who=me"), "/b": reply("end")}
    web = open_web()
    await web.get(site.url + "/")
    await web.get(site.url + "/b")
    assert all("cookie" not in headers for _, headers in site.requests)


async def test_a_huge_page_is_not_read_to_its_end(site, open_web):
    site.answers["/"] = endless
    with pytest.raises(UnusablePage, match=r"0\.1 MB"):
        await open_web(max_bytes=100_000).get(site.url + "/")


async def test_a_page_of_the_very_size_is_read(site, open_web):
    site.answers["/"] = reply(b"x" * 1000)
    assert len((await open_web(max_bytes=1000).get(site.url + "/")).data) == 1000


async def test_compressed_data_is_not_unfolded(site, open_web):
    site.answers["/"] = reply(gzip.compress(bytes(50_000_000)), Content_Encoding="gzip")
    with pytest.raises(UnusablePage, match="compressed"):
        await open_web().get(site.url + "/")


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream", "audio/mpeg", ""])
async def test_what_is_no_text_is_not_read(site, open_web, kind):
    site.answers["/"] = reply("x", kind=kind)
    with pytest.raises(UnusablePage, match="instead of text"):
        await open_web().get(site.url + "/")


@pytest.mark.parametrize("fault", [silence, trickle])
async def test_a_slow_server_has_only_so_much_time(site, open_web, fault):
    site.answers["/"] = fault
    began = time.monotonic()
    with pytest.raises(ServiceDown, match=r"within 0\.4 s"):
        await open_web(timeout=0.4).get(site.url + "/")
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "answer", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nContent-Type: text/html\r\n\r\nx"]
)
async def test_a_server_that_breaks_off(site, open_web, answer):
    site.answers["/"] = answer
    with pytest.raises(ServiceDown):
        await open_web().get(site.url + "/")


async def test_nobody_listens(open_web):
    with pytest.raises(ServiceDown, match="cannot be reached"):
        await open_web(allowed=lambda _address, _port: True).get("http://lyrics.example:9/")


async def test_the_next_address_is_asked_if_nobody_listens_at_the_first(site, open_web, names):
    names["lyrics.example"] = ["::1", "127.0.0.1"]
    site.answers["/"] = reply("reached")
    web = open_web(allowed=lambda _address, port: port == site.port)
    assert (await web.get(site.url + "/")).data == b"reached"


async def test_an_unknown_name(open_web):
    async def unknown(_host: str) -> list[str]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(ServiceDown, match="has no address"):
        await open_web(resolver=unknown).get("http://nowhere.example/")


@pytest.mark.parametrize(("host", "trusted"), [("lyrics.example", True), ("other.example", False)])
async def test_the_certificate_must_be_the_hosts(secure_site, open_web, names, host, trusted):
    names["other.example"] = ["127.0.0.1"]
    secure_site.answers["/"] = reply("reached")
    transport = httpx.AsyncHTTPTransport(verify=ssl.create_default_context(cafile=certificate()))
    web = open_web(transport=transport, allowed=lambda _address, port: port == secure_site.port)
    url = f"https://{host}:{secure_site.port}/"
    if trusted:
        assert (await web.get(url)).data == b"reached"
    else:
        with pytest.raises(ServiceDown):
            await web.get(url)
        assert not secure_site.requests


async def test_a_status_is_reported(site, open_web):
    assert (await open_web().get(site.url + "/gone")).status == 404


def test_the_door_lets_the_web_through():
    assert all(is_public_address(ip_address(address), port) for address in PUBLIC for port in (80, 443))
