"""Whom an address stands for, wherever something is limited for each."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

HOME: Final = 64
"""Bits of an IPv6 address that a home or a school is given: the rest it chooses as it likes."""


def client_of(host: str) -> str:
    """The client that a host's address is counted as: an IPv4 address, or the network of an IPv6 address.

    An IPv4 address written as an IPv6 one is the IPv4 address. What a proxy forwards that is no address stands for itself.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, HOME), strict=False))
