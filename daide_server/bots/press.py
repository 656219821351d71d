"""Press built from values, for `RemoteGame.send_press`.

A message is a tuple of words, values of the board and nested tuples. A nested tuple, a
unit, an order and a turn are put in brackets: `("PRP", ("XDO", order))` is `PRP (XDO
(order))`. The functions here return the usual messages; anything else in the language
can be written in the same way. `RemoteGame.text` returns any of it as text.
"""

from collections.abc import Iterable

from daide_server.board.map import Turn
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Order
from daide_server.daide.syntax import OrderWriter, bracketed, joined, turn_tokens
from daide_server.daide.tokens import Token, Tokens
from daide_server.daide.vocabulary import Vocabulary, from_text

PressPart = str | int | Unit | Order | Turn | Location | tuple["PressPart", ...]
"""A word such as `PRP` or the name of a power, a token, a value, or a tuple of them."""

Press = tuple[PressPart, ...]
"""A message to other powers; the content of `PressDelivered` is one, too."""


def propose(*orders: Order) -> Press:
    """Return the proposal that *orders* are given: level 20, several at level 30."""
    wanted: list[Press] = [("XDO", order) for order in orders]
    return "PRP", wanted[0] if len(wanted) == 1 else ("AND", *wanted)


def propose_peace(powers: Iterable[Power]) -> Press:
    """Return the proposal of a peace between *powers*, the sender among them."""
    return "PRP", ("PCE", tuple(powers))


def propose_alliance(powers: Iterable[Power], against: Iterable[Power]) -> Press:
    """Return the proposal that *powers* ally *against* others."""
    return "PRP", ("ALY", tuple(powers), "VSS", tuple(against))


def propose_zone(powers: Iterable[Power], provinces: Iterable[Province]) -> Press:
    """Return the proposal that *powers* stay out of *provinces* (DMZ): level 20."""
    return "PRP", ("DMZ", tuple(powers), tuple(provinces))


def propose_draw() -> Press:
    """Return the proposal of a draw."""
    return "PRP", ("DRW",)


def accept(message: Press) -> Press:
    """Return YES to *message*, such as the content of `PressDelivered`."""
    return "YES", message


def refuse(message: Press) -> Press:
    """Return REJ to *message*."""
    return "REJ", message


def press_tokens(message: Press, vocabulary: Vocabulary) -> Tokens:
    """Return the tokens of *message*, brackets excluded.

    Raises `ValueError` for a word, a power or a province that the variant lacks.
    """
    writer = OrderWriter(vocabulary)
    return joined(_part_tokens(part, writer) for part in message)


def _part_tokens(part: PressPart, writer: OrderWriter) -> Tokens:
    match part:
        case str():
            return from_text(part, writer.vocabulary)
        case int():
            return (Token(part),)
        case tuple():
            return bracketed(press_tokens(part, writer.vocabulary))
        case Turn():
            return bracketed(turn_tokens(part))
        case Location():
            return writer.location(part)
        case Unit():
            return writer.unit(part)
        case _:
            return bracketed(writer.order(part))
