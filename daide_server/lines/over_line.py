"""How a game has ended, as the bot hears it."""

from collections.abc import Sequence

from daide_server.board.names import Power
from daide_server.language.messages import DrawDeclared, Solo

from .line_game import LineGame
from .to_bot import OverLine, PlayerEntry


def over_line(game: LineGame) -> OverLine:
    """Return how *game* has ended; without a result, it was broken off."""
    summary, ending = game.facts.summary, game.facts.ending
    text = game.wording.power_text
    players = [
        PlayerEntry(
            text(each.power), each.name, each.version, each.centres, each.eliminated
        )
        for each in (summary.players if summary else ())
    ]
    if isinstance(ending, Solo):
        return OverLine("solo", [text(ending.power)], players)
    if isinstance(ending, DrawDeclared):
        return OverLine("draw", [*map(text, _drawn(game, ending))], players)
    return OverLine("stopped", [], players)


def _drawn(game: LineGame, ending: DrawDeclared) -> Sequence[Power]:
    """Return who shares a draw: all survivors, if it names nobody."""
    if ending.powers is not None:
        return ending.powers
    if game.facts.summary is not None:
        return [each.power for each in game.facts.summary.players if each.centres]
    living = set(game.position.owners.values())
    return [power for power in game.map.powers if power in living]
