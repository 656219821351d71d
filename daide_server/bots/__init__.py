"""The other end of the wire: a client library, and opponents built on it."""
