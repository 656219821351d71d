"""How long it takes to read and write the messages of a turn, in microseconds.

Each figure is the best of several runs, warm: as in the middle of a game.
"""

import timeit
from collections.abc import Callable

from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.daide.frames import INITIAL_MESSAGE, Connection, encode_tokens
from daide_server.daide.messages import (
    CurrentPosition,
    MapDefinition,
    OrderNoted,
    OrderResulted,
    Ownership,
    SubmitOrders,
)
from daide_server.daide.translation import ClientReader, ServerReader, Writer
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.library.variants import load_variant

VARIANT = load_variant("standard")
VOCABULARY = Vocabulary.of(VARIANT.map)
READER = ClientReader(VOCABULARY, VARIANT.map, 130)
WRITER = Writer(VOCABULARY)
CLIENT = ServerReader(VOCABULARY, VARIANT.map)

ORDERS = (
    "((ENG FLT LON) MTO NTH)"
    "((ENG FLT EDI) SUP (ENG FLT LON) MTO NTH)"
    "((ENG AMY LVP) CTO NWY VIA (NAO NWG))"
)
SUBMISSION = from_text(f"SUB {ORDERS}", VOCABULARY)
LONG_SUBMISSION = from_text(f"SUB (SPR 1901) {ORDERS * 3} (ENG WVE)", VOCABULARY)
PRESS = from_text(
    "SND (FRA GER) (PRP (AND (PCE (ENG FRA GER)) (XDO ((ENG FLT LON) MTO NTH))))",
    VOCABULARY,
)


def best(run: Callable[[], object], number: int) -> float:
    """Return the microseconds that *run* takes at best."""
    return min(timeit.repeat(run, number=number, repeat=5)) / number * 1e6


def main() -> None:
    """Print the figures."""
    message = READER.read(SUBMISSION)
    if not isinstance(message, SubmitOrders):
        raise TypeError
    order = message.orders[1]
    noted = OrderNoted(order.as_sent, OrderNote.OK)
    resulted = OrderResulted(
        VARIANT.start.turn, Report(order.order, OrderResult.SUCCEEDED)
    )
    position = CurrentPosition(VARIANT.start)
    now, mdf = WRITER.write(position), WRITER.write(MapDefinition(VARIANT.map))
    connection = Connection(())
    connection.receive(INITIAL_MESSAGE)
    frame = encode_tokens(SUBMISSION)
    questions: tuple[tuple[str, Callable[[], object], int], ...] = (
        ("read SUB, 3 orders", lambda: READER.read(SUBMISSION), 5000),
        ("read SUB, 10 orders", lambda: READER.read(LONG_SUBMISSION), 5000),
        (f"read SND, {len(PRESS)} tokens", lambda: READER.read(PRESS), 5000),
        ("write THX", lambda: WRITER.write(noted), 20000),
        ("write ORD", lambda: WRITER.write(resulted), 20000),
        ("write NOW", lambda: WRITER.write(position), 5000),
        ("write SCO", lambda: WRITER.write(Ownership(VARIANT.start.owners)), 5000),
        ("write MDF", lambda: WRITER.write(MapDefinition(VARIANT.map)), 50),
        ("client: read NOW", lambda: CLIENT.read(now), 500),
        ("client: read MDF", lambda: CLIENT.read(mdf), 50),
        ("frame to tokens, SUB", lambda: connection.receive(frame), 5000),
        ("tokens to frame, SUB", lambda: encode_tokens(SUBMISSION), 20000),
    )
    for question, run, number in questions:
        print(f"{question:24}{best(run, number):9.2f} us")


if __name__ == "__main__":
    main()
