"""Turns as tokens: a season and a year. Message Syntax, "Season and Phase"."""

from typing import Final

from daide_server.board.turns import Season, Turn

from .tokens import TOKENS_BY_NAME, Tokens, is_number, number, value_of

SEASON_TOKENS: Final = {season: TOKENS_BY_NAME[season.value] for season in Season}
SEASONS_BY_TOKEN: Final = {token: season for season, token in SEASON_TOKENS.items()}


def is_turn(tokens: Tokens) -> bool:
    """Return whether *tokens* are a season and a number."""
    match tokens:
        case (season, year):
            return season in SEASONS_BY_TOKEN and is_number(year)
        case _:
            return False


def read_turn(tokens: Tokens) -> Turn:
    """Return the turn of a season token and a number token."""
    return Turn(SEASONS_BY_TOKEN[tokens[0]], value_of(tokens[1]))


def turn_tokens(turn: Turn) -> Tokens:
    """Return the tokens of *turn*, brackets excluded."""
    return SEASON_TOKENS[turn.season], number(turn.year)


class TurnWriter:
    """Writes turns, and keeps the last one: all ORDs of a turn have the same object."""

    def __init__(self) -> None:
        self._last: tuple[Turn | None, Tokens] = (None, ())

    def tokens(self, turn: Turn) -> Tokens:
        """Return the tokens of *turn*, brackets excluded."""
        if turn is not self._last[0]:
            self._last = turn, turn_tokens(turn)
        return self._last[1]
