"""Placeholder until the table is in."""

from typing import NewType

Token = NewType("Token", int)
Tokens = tuple[Token, ...]
