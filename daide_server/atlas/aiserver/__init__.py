"""The files of one variant of AiServer: .mdf, .now, .sco, .rem and .nam."""

from typing import Final

from .reading import read as read
from .writing import write as write

EXTENSIONS: Final[tuple[str, ...]] = ("mdf", "now", "sco", "rem", "nam")
"""The first is needed, the others may be missing."""
