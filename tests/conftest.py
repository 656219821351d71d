"""What every test may ask for."""

import pytest

from daide_server.board.variant import Variant
from daide_server.storage.variants import load_variant


@pytest.fixture(scope="session")
def standard() -> Variant:
    """Return the standard variant."""
    return load_variant("standard")
