"""The address of a server as people write it; of a peer, as far as limits go."""

from ipaddress import IPv6Address, ip_address, ip_network

HostPort = tuple[str, int]
"""Host and port."""


def address_text(address: HostPort) -> str:
    """Return HOST:PORT, with brackets around an IPv6 address."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_exposed(host: str) -> bool:
    """Return whether a server at *host* listens on every interface."""
    return host in {"0.0.0.0", "::"}  # noqa: S104 (nothing is bound to it)


def is_loopback(address: str) -> bool:
    """Return whether *address* is of this machine; no address is not."""
    return bool(address) and ip_address(address).is_loopback


def shared_network(address: str) -> str:
    """Return the network of *address*: for IPv6 the /64 of a subscriber."""
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
