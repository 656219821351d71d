"""Error codes of the protocol: why one end closed the connection with EM.

Client-Server Protocol, "Error Message". Errors in the language (PRN, HUH) do not
close a connection; they are in `language.errors`.
"""

from enum import IntEnum


class ErrorCode(IntEnum):
    """The error code in an Error Message."""

    INITIAL_MESSAGE_TIMER = 0x01
    INITIAL_MESSAGE_NOT_FIRST = 0x02
    WRONG_BYTE_ORDER = 0x03
    WRONG_MAGIC_NUMBER = 0x04
    WRONG_VERSION = 0x05
    SECOND_INITIAL_MESSAGE = 0x06
    INITIAL_MESSAGE_BY_SERVER = 0x07
    UNKNOWN_MESSAGE_TYPE = 0x08
    WRONG_LENGTH = 0x09
    DIPLOMACY_BEFORE_REPRESENTATION = 0x0A
    REPRESENTATION_NOT_FIRST = 0x0B
    SECOND_REPRESENTATION = 0x0C
    REPRESENTATION_BY_CLIENT = 0x0D
    INVALID_TOKEN = 0x0E


class WireError(Exception):
    """The peer violated the protocol; answer with an Error Message of *code*."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(f"0x{code:02X} {code.name}")
        self.code = code


def error_text(code: int) -> str:
    """Return what an EM says: its code and, if there is one, the name of the error."""
    name = ErrorCode(code).name.lower() if code in list(ErrorCode) else ""
    return f"EM 0x{code:02X} {name}".rstrip()
