"""Games of chance, as their entries."""

from tests.support.random_games import play as chance

__all__ = ["chance"]
