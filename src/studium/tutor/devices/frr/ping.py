"""Send echo requests from inside a namespace, without starting a program or resolving names."""

import ctypes
import os
import socket
import struct
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import count
from typing import TypeVar

from studium.core.domain.errors import BadInput, ServiceDown
from studium.tutor.devices.frr.namespaces import NETNS

_NEW_NETWORK = 0x40000000
_T = TypeVar("_T")
_numbers = count(os.getpid() * 7)


@dataclass(frozen=True)
class IcmpVersion:
    """The message types of one ICMP version."""

    family: socket.AddressFamily
    protocol: int
    request: int
    reply: int
    exceeded: int
    hops: tuple[int, int]


_KINDS = {
    4: IcmpVersion(socket.AF_INET, socket.IPPROTO_ICMP, 8, 0, 11, (socket.IPPROTO_IP, socket.IP_TTL)),
    6: IcmpVersion(
        socket.AF_INET6, socket.IPPROTO_ICMPV6, 128, 129, 3, (socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS)
    ),
}


@dataclass(frozen=True)
class EchoReply:
    """Who answered an echo request, whether it was the target, and after how many seconds."""

    sender: str
    arrived: bool
    seconds: float


def parse_address(written: str) -> IPv4Address | IPv6Address:
    """Parse a typed address; labs have no name resolution."""
    try:
        return ip_address(written)
    except ValueError:
        raise BadInput(f"`{written}` is not an IP address.", remedy="Give an address such as 10.0.0.1.") from None


def send_echo(namespace: str, target: str, *, timeout: float, hops: int = 64) -> EchoReply | None:
    """Send one echo request from a namespace; None without a reply in time or a route."""
    whom = parse_address(target)
    kind = _KINDS[whom.version]
    try:
        door = in_namespace(namespace, lambda: socket.socket(kind.family, socket.SOCK_RAW, kind.protocol))
    except FileNotFoundError:
        raise ServiceDown(f"{namespace} is not there.", remedy="Start the lab first.") from None
    with door:
        door.setsockopt(*kind.hops, hops)
        token = next(_numbers) & 0xFFFFFFFF
        try:
            door.sendto(_request(kind, token), (str(whom), 0))
        except OSError:
            return None
        return _await(door, kind, token, timeout)


def in_namespace(namespace: str, act: Callable[[], _T]) -> _T:
    """Run a short function in a namespace, in its own thread."""

    def enter() -> _T:
        with (NETNS / namespace).open() as space:
            if ctypes.CDLL(None, use_errno=True).setns(space.fileno(), _NEW_NETWORK):
                raise OSError(ctypes.get_errno(), "The namespace cannot be entered")
        return act()

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(enter).result()


def _request(kind: IcmpVersion, token: int) -> bytes:
    body = struct.pack("!I", token) + b"studium-studium-studium-"
    packet = struct.pack("!BBHI", kind.request, 0, 0, token) + body
    words = struct.unpack(f"!{len(packet) // 2}H", packet)
    total = sum(words)
    total = (total >> 16) + (total & 0xFFFF)
    checksum = ~(total + (total >> 16)) & 0xFFFF
    # For ICMPv6 the kernel computes the checksum.
    return struct.pack("!BBHI", kind.request, 0, checksum, token) + body


def _await(door: socket.socket, kind: IcmpVersion, token: int, timeout: float) -> EchoReply | None:
    started = time.monotonic()
    own = struct.pack("!I", token)
    while (left := started + timeout - time.monotonic()) > 0:
        door.settimeout(left)
        try:
            packet, (sender, *_) = door.recvfrom(2048)
        except OSError:
            return None
        header = (packet[0] & 0x0F) * 4 if kind.family == socket.AF_INET else 0
        message = packet[header:]
        if message[:1] == bytes([kind.reply]) and message[4:8] == own:
            return EchoReply(sender, arrived=True, seconds=time.monotonic() - started)
        # A router on the way quotes the header of the request that it dropped.
        if message[:1] == bytes([kind.exceeded]) and own in message[8:]:
            return EchoReply(sender, arrived=False, seconds=time.monotonic() - started)
    return None


_REQUESTS = 5
_MOST_HOPS = 15
_WAIT = 1.0


def run_probe(namespace: str, command: str, *, timeout: float) -> str | None:
    """The output of a `ping` or `traceroute` (also abbreviated); None for any other command."""
    words = command.removeprefix("do ").split()
    if len(words) < 2:  # noqa: PLR2004 - the command and whom
        return None
    name = next((name for name in ("ping", "traceroute") if name.startswith(words[0])), None)
    if name is None:
        return None
    arguments = words[2:] if words[1] in {"ip", "ipv6"} else words[1:]
    if len(arguments) != 1:
        return f"% Unknown command: {command}"
    try:
        target = str(parse_address(arguments[0]))
    except BadInput as error:
        return f"% {error.what} {error.remedy}"
    return _ping(namespace, target, timeout) if name == "ping" else _traceroute(namespace, target, timeout)


def _ping(namespace: str, target: str, timeout: float) -> str:
    wait = min(_WAIT, timeout / _REQUESTS)
    lines = [f"PING {target}"]
    received = 0
    for number in range(1, _REQUESTS + 1):
        answer = send_echo(namespace, target, timeout=wait)
        if answer and answer.arrived:
            received += 1
            lines.append(f"from {answer.sender}: icmp_seq={number} time={answer.seconds * 1000:.2f} ms")
        elif answer:
            lines.append(f"From {answer.sender} icmp_seq={number} Time to live exceeded")
    loss = 100 * (_REQUESTS - received) // _REQUESTS
    lines += [
        "",
        f"--- {target} ping statistics ---",
        f"{_REQUESTS} packets transmitted, {received} received, {loss}% packet loss",
    ]
    return "\n".join(lines)


def _traceroute(namespace: str, target: str, timeout: float) -> str:
    wait = min(_WAIT, timeout / _MOST_HOPS)
    lines = [f"traceroute to {target}, {_MOST_HOPS} hops max"]
    for hops in range(1, _MOST_HOPS + 1):
        answer = send_echo(namespace, target, timeout=wait, hops=hops)
        lines.append(f"{hops:2d}  {answer.sender}  {answer.seconds * 1000:.3f} ms" if answer else f"{hops:2d}  *")
        if answer and answer.arrived:
            break
    return "\n".join(lines)
