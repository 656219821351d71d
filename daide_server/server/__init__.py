"""Sockets in, sockets out: the trio skin around the pure floors."""
