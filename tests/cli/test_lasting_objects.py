"""The garbage collector does not look at what modules make."""

import gc
from collections.abc import Iterator

import pytest

from daide_server.cli.common.game_arguments import lasting_objects


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_what_was_made_in_the_block_is_not_looked_at_again() -> None:
    with lasting_objects():
        made: list[object] = [[]]

    assert not any(made is known for known in gc.get_objects())


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()

    with pytest.raises(ImportError), lasting_objects():
        raise ImportError

    assert not gc.isenabled()
