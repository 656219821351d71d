"""The file in which a bot keeps its seat, so that it can return after a restart."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

import msgspec

from daide_server.classes import frozen
from daide_server.host_port import address_text

from .errors import SeatFileError


@frozen
class SavedSeat:
    """Where a bot plays, and what it needs to return there by IAM."""

    host: str
    port: int
    power: str
    passcode: int
    name: str

    @property
    def address(self) -> str:
        """Return host and port in one word."""
        return address_text((self.host, self.port))


def load_seat(path: Path) -> SavedSeat | None:
    """Return the seat in *path*, `None` without such a file.

    Raises `SeatFileError` if the file holds something else, or cannot be read.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedSeat)
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise SeatFileError(message) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{path}: no seat that `bot --resume` has written: {error}"
        raise SeatFileError(message) from error


def save_seat(path: Path, seat: SavedSeat) -> None:
    """Replace *path* by *seat* in one step; only its owner can read it, mode 0600.

    Raises `SeatFileError` if it cannot be written; *path* is as it was then.
    """
    try:
        _replace(path, msgspec.json.format(msgspec.json.encode(seat)) + b"\n")
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise SeatFileError(message) from error


def remove_seat(path: Path) -> None:
    """Remove *path*, if it exists; raises `SeatFileError`."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise SeatFileError(message) from error


def _replace(path: Path, content: bytes) -> None:
    # The file is created with mode 0600, whatever the umask is.
    descriptor, part = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - an open descriptor
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(part).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(part).unlink()
        raise
