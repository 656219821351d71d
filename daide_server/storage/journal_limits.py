"""When the file of a journal is written anew. Light to import, for the settings."""

from typing import Final

from daide_server.classes import frozen
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import number, whole

FILE_BYTES: Final = whole(100_000, unit="bytes")
FILE_RATIO: Final = number(1.1, unit="times")


@frozen(kw_only=True)
class RewriteLimits:
    """When a journal file is mostly dead; each field is a setting."""

    size: int = setting(
        FILE_BYTES,
        16_000_000,
        "Bytes below which a journal file is not rewritten.",
        key="rewrite_bytes",
    )
    ratio: float = setting(
        FILE_RATIO,
        2.0,
        "A journal file is rewritten, without the games that are over, when it has so "
        "many times the bytes of those that are not.",
        key="rewrite_ratio",
    )

    def is_worth(self, size: int, alive: int) -> bool:
        """Return whether to rewrite a file of *size* bytes, *alive* of which count."""
        return size >= self.size and size >= self.ratio * alive
