"""`ping` and `traceroute` as they are typed on a device: answered here, so that no program is started for them."""

from studium.core.domain.errors import BadInput
from studium.devices.frr.reach import address, echo

_REQUESTS = 5
_MOST_HOPS = 15
_WAIT = 1.0


def probe(namespace: str, command: str, *, timeout: float) -> str | None:
    """The answer to a `ping` or `traceroute`, shortened or not; nothing for any other command."""
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
        target = str(address(arguments[0]))
    except BadInput as error:
        return f"% {error.what} {error.remedy}"
    return _ping(namespace, target, timeout) if name == "ping" else _traceroute(namespace, target, timeout)


def _ping(namespace: str, target: str, timeout: float) -> str:
    wait = min(_WAIT, timeout / _REQUESTS)
    lines = [f"PING {target}"]
    received = 0
    for number in range(1, _REQUESTS + 1):
        answer = echo(namespace, target, timeout=wait)
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
        answer = echo(namespace, target, timeout=wait, hops=hops)
        lines.append(f"{hops:2d}  {answer.sender}  {answer.seconds * 1000:.3f} ms" if answer else f"{hops:2d}  *")
        if answer and answer.arrived:
            break
    return "\n".join(lines)
