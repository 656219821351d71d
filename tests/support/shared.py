"""Where data that is not part of the project lies: beside the checkout, or nowhere."""

from pathlib import Path
from typing import Final

SHARED: Final = Path(__file__).parents[3] / "shared"
"""Tests that need it skip, loudly, where it is missing."""
