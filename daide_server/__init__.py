"""A server for Diplomacy bots that speak DAIDE."""

__version__ = "0.2.0"
