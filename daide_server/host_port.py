"""The address of a server as people write it."""

HostPort = tuple[str, int]
"""Host and port."""


def address_text(address: HostPort) -> str:
    """Return HOST:PORT, with brackets around an IPv6 address."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_exposed(host: str) -> bool:
    """Return whether who listens at *host* does so at every interface."""
    return host in {"0.0.0.0", "::"}  # noqa: S104 (nothing is bound to it)
