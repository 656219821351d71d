"""Games of chance, as their entries and as records."""

from tests.support.random_games import play as play
from tests.support.random_games import record_of as record_of
