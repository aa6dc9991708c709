"""IPv4 masks, wildcards and prefixes, and their IOS error messages."""

from ipaddress import AddressValueError, IPv4Address, IPv4Interface, IPv4Network, IPv6Address, NetmaskValueError

ALL_ONES = 0xFFFFFFFF
IPV4_BITS = 32
IPV6_BITS = 128
CLASSES = ((IPv4Network("0.0.0.0/1"), 8), (IPv4Network("128.0.0.0/2"), 16))
THIS_NETWORK = IPv4Network("0.0.0.0/8")
POINT_TO_POINT = 31  # from this length on there is no network or broadcast address to keep free


def is_address(text: str) -> bool:
    """Whether a text is an IPv4 address or mask."""
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return True


def is_address6(text: str) -> bool:
    """Whether a text is an IPv6 address."""
    try:
        return IPv6Address(text).scope_id is None
    except AddressValueError:
        return False


def is_mask(text: str) -> bool:
    """Whether a text is a dotted mask with contiguous ones."""
    return is_address(text) and mask_length(text) is not None


def is_prefix(text: str) -> bool:
    """Whether a text is a prefix such as `10.0.0.0/24`."""
    address, slash, length = text.partition("/")
    return bool(slash) and is_address(address) and length.isdecimal() and int(length) <= IPV4_BITS


def is_prefix6(text: str) -> bool:
    """Whether a text is a prefix such as `2001:db8::/64`."""
    address, slash, length = text.partition("/")
    return bool(slash) and is_address6(address) and length.isdecimal() and int(length) <= IPV6_BITS


def mask_length(mask: str) -> int | None:
    """The prefix length of a mask; None if its ones are not contiguous."""
    bits = int(IPv4Address(mask))
    length = bits.bit_count()
    return length if bits == _mask_bits(length) else None


def wildcard_length(wildcard: str) -> int | None:
    """The prefix length of a wildcard; like IOS, accepts a mask in its place."""
    inverted = str(IPv4Address(int(IPv4Address(wildcard)) ^ ALL_ONES))
    length = mask_length(inverted)
    return mask_length(wildcard) if length is None else length


def mask_of(length: int) -> str:
    """`255.255.255.0` for 24."""
    return str(IPv4Address(_mask_bits(length)))


def _mask_bits(length: int) -> int:
    return (ALL_ONES << (32 - length)) & ALL_ONES


def classful(address: str) -> IPv4Network:
    """The class A, B or C network of an address."""
    length = next((length for space, length in CLASSES if IPv4Address(address) in space), 24)
    return IPv4Network((address, length), strict=False)


def mask_complaint(address: str, mask: str) -> str | None:
    """The IOS error message for an interface's address and mask, or None."""
    length = mask_length(mask)
    if length is None or length == 0:
        return f"Bad mask 0x{int(IPv4Address(mask)):08X} for address {address}"
    network = IPv4Network((address, length), strict=False)
    edges = (network.network_address, network.broadcast_address)
    if length < POINT_TO_POINT and IPv4Address(address) in edges:
        return f"Bad mask /{length} for address {address}"
    return None if can_be_host(address) else f"Not a valid host address - {address}"


def can_be_host(address: str) -> bool:
    """Whether a neighbour can have this address: not unset, loopback, multicast or reserved."""
    given = IPv4Address(address)
    return given not in THIS_NETWORK and not (given.is_loopback or given.is_multicast or given.is_reserved)


def address_and_mask(prefix: str) -> str:
    """`10.0.0.1 255.255.255.0` for `10.0.0.1/24`."""
    interface = IPv4Interface(prefix)
    return f"{interface.ip} {interface.netmask}"


def address_and_wildcard(prefix: str) -> str:
    """`10.0.0.0 0.0.0.255` for `10.0.0.0/24`."""
    network = IPv4Network(prefix, strict=False)
    return f"{network.network_address} {network.hostmask}"


def network_of(address: str, mask: str) -> IPv4Network | None:
    """The network of an address and mask; None if the address has host bits or the mask is invalid."""
    try:
        return IPv4Network(f"{address}/{mask}")
    except (ValueError, NetmaskValueError):
        return None
