"""Addresses of peers, as far as limits go: who shares one."""

from ipaddress import IPv6Address, ip_address, ip_network


def is_loopback(address: str) -> bool:
    """Return whether *address* is of this machine; no address is not."""
    return bool(address) and ip_address(address).is_loopback


def shared_network(address: str) -> str:
    """Return what stands for *address*: of IPv6 the /64, which one subscriber has."""
    found = ip_address(address)
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), 64), strict=False))


def network_of(address: str) -> str | None:
    """Return whose work is counted together; `None` for this machine."""
    if not address or is_loopback(address):
        return None
    return shared_network(address)
