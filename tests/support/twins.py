"""A game that is played in silence, with orders that are drawn among the legal ones."""

from collections.abc import Mapping, Sequence
from random import Random

from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Convoy, ConvoyedMove, Order, Waive
from daide_server.game.events import ClientId, MessageReceived
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.language.messages import ClientMessage
from daide_server.language.tokens import Tokens
from daide_server.records.entries import TurnResolved


class Twin:
    """The game that is played in silence, and the turns it had."""

    def __init__(
        self, variant: Variant, options: GameOptions, policy: ServerPolicy
    ) -> None:
        self._map = variant.map
        self._game = Game(variant, options, policy, assignment(variant))
        self.turns: list[TurnResolved] = []

    @property
    def position(self) -> Position:
        """The position that orders are due in."""
        return self._game.state.position

    @property
    def is_running(self) -> bool:
        """Whether the game goes on."""
        return self._game.state.is_running

    def hears(self, number: int, message: ClientMessage, tokens: Tokens) -> None:
        """Let the client of the power *number* say something."""
        event = MessageReceived(ClientId(number + 1), message, tokens)
        for effect in self._game.handle(event, 0.0):
            entry = getattr(effect, "entry", None)
            if isinstance(entry, TurnResolved):
                self.turns.append(entry)

    def drawn(self, random: Random) -> Mapping[Power, Sequence[Order]]:
        """Return orders for each power; none for those that owe none."""
        choices = possible_orders(self._map, self.position)
        return {
            power: self._adjustments(power, random)
            if self.position.turn.phase is Phase.ADJUSTMENTS
            else _chosen(power, choices, random)
            for power in self._map.powers
        }

    def _adjustments(self, power: Power, random: Random) -> list[Order]:
        surplus = self.position.surplus(power)
        if surplus >= 0:
            return [Waive(power)] * surplus
        possible = possible_adjustments(self._map, self.position)[power]
        removals = [order for order in possible if not isinstance(order, Waive)]
        return random.sample(removals, -surplus)


def _chosen(
    power: Power, choices: Mapping[Unit, Sequence[Order]], random: Random
) -> list[Order]:
    """Return an order for each unit; nothing by convoy, which others must agree to."""
    return [
        random.choice([o for o in legal if not isinstance(o, Convoy | ConvoyedMove)])
        for unit, legal in choices.items()
        if unit.power == power
    ]


def assignment(variant: Variant) -> SeatAssignment:
    """Return the lot of all games: the seats in the order of the powers."""
    powers = variant.map.powers
    return SeatAssignment(powers, {power: 1000 + n for n, power in enumerate(powers)})
