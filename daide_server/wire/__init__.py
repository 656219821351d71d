"""DAIDE Client-Server Protocol: bytes to frames to tokens of one connection."""
