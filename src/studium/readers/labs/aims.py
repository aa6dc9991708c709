"""Goals, checks, hints and configurations: what does not fit the devices of a lab."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network

from studium.readers.labs.shape import nearest
from studium.readers.labs.topology import Plan, doubles
from studium.readers.labs.tree import Mistake, Tree

_NEEDS = {"config": ("expect",), "ping": ("target",), "route": ("target",), "neighbor": ("target", "protocol")}
_TAKES = {**_NEEDS, "route": ("target", "protocol", "via")}
_PROTOCOLS = {"connected", "static", "rip", "ospf", "bgp"}
_NEIGHBORLY = {"rip", "ospf", "bgp"}
_MADE_BY_TYPING = ("loopback", "tunnel")  # interfaces that are there once they are configured


def check_aims(lab: Tree, plan: Plan) -> Iterator[Mistake]:
    """Everything that is wrong with what is to be reached and with the help on the way."""
    for key in ("title", "goal"):
        if key in lab.children and lab.at(key).value is not None and not lab.at(key).text:
            yield Mistake("missing", lab.at(key).line, f"`{key}` is empty; say it in a sentence.")
    for key in ("devices", "checks"):
        if not lab.at(key).children:
            yield Mistake("missing", lab.at(key).line, f"A lab needs `{key}`; there are none.")
    for key in ("start", "solution"):
        for name, text in lab.at(key).items():
            yield from _check_configuration(name, text, plan)
    yield from doubles([check.at("id") for check in lab.at("checks").each()], "check")
    for check in lab.at("checks").each():
        yield from _check_check(check, plan)
    yield from _check_hints(lab)


def _check_configuration(device: str, text: Tree, plan: Plan) -> Iterator[Mistake]:
    if device in plan.hosts:
        yield Mistake("host", text.line, f"`{device}` is a host; only routers are configured by commands.")
        return
    if device not in plan.devices:
        yield Mistake("unknown", text.line, f"There is no device `{device}`. {nearest(device, plan.routers)}")
        return
    ports = {_plain(port) for port in plan.ports[device]}
    for number, line in enumerate(str(text.value or "").splitlines()):
        named = re.match(r"\s*interface\s+(\S.*?)\s*$", line)
        if named and not _plain(named[1]).startswith(_MADE_BY_TYPING) and _plain(named[1]) not in ports:
            near = nearest(named[1], plan.ports[device])
            message = f"`{device}` has no port `{named[1]}`. {near}"
            yield Mistake("unknown", text.text_line + number, message)


def _plain(port: str) -> str:
    return "".join(port.split()).lower()


def _check_check(check: Tree, plan: Plan) -> Iterator[Mistake]:
    device, kind = check.at("device"), check.at("kind").text
    if device.text and device.text not in plan.devices:
        message = f"There is no device `{device.text}`. {nearest(device.text, plan.devices)}"
        yield Mistake("unknown", device.line, message)
    if kind not in _NEEDS:
        return
    if device.text in plan.hosts and kind != "ping":
        yield Mistake("host", device.line, f"`{device.text}` is a host; a host can only be checked by ping.")
    for key in _NEEDS[kind]:
        if not check.at(key).text:
            yield Mistake("missing", check.line, f"A check of kind `{kind}` needs `{key}`.")
    for key in ("target", "protocol", "via", "expect"):
        if check.at(key).text and key not in _TAKES[kind]:
            yield Mistake("value", check.at(key).line, f"A check of kind `{kind}` has no `{key}`.")
    yield from _check_values(check, kind)


def _check_values(check: Tree, kind: str) -> Iterator[Mistake]:
    target, protocol, via = check.at("target"), check.at("protocol"), check.at("via")
    fault = _network_fault if kind == "route" and "/" in target.text else _address_fault
    if kind != "config" and target.text and (said := fault(target.text)):
        yield Mistake("address", target.line, said)
    known = _PROTOCOLS if kind == "route" else _NEIGHBORLY
    if "protocol" in _TAKES[kind] and protocol.text and protocol.text not in known:
        yield Mistake("unknown", protocol.line, f"`{protocol.text}` is no protocol. {nearest(protocol.text, known)}")
    if via.text and (said := _address_fault(via.text)):
        yield Mistake("address", via.line, said)


def _address_fault(text: str) -> str:
    try:
        IPv4Address(text)
    except ValueError:
        return f"`{text}` is no IPv4 address."
    return ""


def _network_fault(text: str) -> str:
    try:
        network = IPv4Network(text, strict=False)
    except ValueError:
        return f"`{text}` is no network, such as 192.168.2.0/24."
    if str(network.network_address) == text.partition("/")[0]:
        return ""
    return f"`{text}` is not where a subnet begins; that is {network}."


def _check_hints(lab: Tree) -> Iterator[Mistake]:
    known = {check.at("id").text for check in lab.at("checks").each()} - {""}
    seen: dict[tuple[str, int], Tree] = {}
    for hint in lab.at("hints").each():
        check, level = hint.at("check"), hint.at("level").value
        if check.text and check.text not in known:
            yield Mistake("unknown", check.line, f"There is no check `{check.text}`. {nearest(check.text, known)}")
        if "text" in hint.children and hint.at("text").value is not None and not hint.at("text").text:
            yield Mistake("missing", hint.at("text").line, "The hint says nothing.")
        if isinstance(level, int) and seen.setdefault((check.text, level), hint) is not hint:
            message = f"There is a hint of level {level} for `{check.text}` already."
            yield Mistake("twice", hint.line, message)
