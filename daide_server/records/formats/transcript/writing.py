"""Writes a game record as DAIDE messages (*Message Syntax*), in order of time."""

import json
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.map import Map, Position, Turn
from daide_server.board.names import Province
from daide_server.board.orders import Convoy, ConvoyedMove, Move, Order, owner
from daide_server.daide import messages as said
from daide_server.daide.messages import ClientMessage, ServerMessage
from daide_server.daide.syntax import string
from daide_server.daide.tokens import Tokens, text_tokens
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import TextError, Vocabulary, from_text, to_text
from daide_server.judge.fleet_chains import shortest_route
from daide_server.records import record as records
from daide_server.records.formats import transcript
from daide_server.records.standings import eliminations


class TranscriptLine(Struct, frozen=True):
    """Time, sender and message; `said` is press that tokens cannot represent."""

    seconds: float | None
    who: str
    message: ServerMessage | ClientMessage
    said: str | None = None


DECLARED = {records.Ending.DRAW, records.Ending.YEAR_LIMIT, records.Ending.STALEMATE}


def write(record: records.GameRecord) -> str:
    """Return *record* as a transcript."""
    return "\n".join([*_header(record), *_body(record), ""])


def _header(record: records.GameRecord) -> Iterator[str]:
    yield transcript.FIRST_LINE
    facts = {
        transcript.GAME: record.id,
        transcript.VARIANT: record.variant.name,
        transcript.EDITION: record.edition,
        transcript.LEVEL: record.level,
        transcript.STARTED: record.started,
        transcript.ENDING: record.ending.value if record.ending else "",
        transcript.WINNERS: " ".join(record.winners),
        transcript.ENDED: "" if record.ended is None else record.ended,
        transcript.FOREIGN: "yes" if record.foreign else "no",
        **{
            f"{transcript.METADATA}{key}": text for key, text in record.metadata.items()
        },
    }
    for key, value in facts.items():
        yield f"# {_plain(key)}: {_plain(str(value))}".rstrip()


def _plain(text: str) -> str:
    """Return *text* on one line."""
    return " ".join(text.split())


def _body(record: records.GameRecord) -> Iterator[str]:
    vocabulary = Vocabulary.of(record.variant.map)
    writer = Writer(vocabulary)
    for _, line in merge(
        _timed(_seats(record)), _timed(_story(record, vocabulary)), key=itemgetter(0)
    ):
        if line.said is not None:
            yield f"# {transcript.SAID}: {json.dumps(line.said)}"
        time = transcript.NO_TIME if line.seconds is None else f"{line.seconds:.3f}"
        text = to_text(writer.write(line.message), vocabulary)
        yield f"{time}\t{line.who}\t{text}"


def _timed(written: Iterable[TranscriptLine]) -> Iterator[tuple[float, TranscriptLine]]:
    """Yield each line with its time, or that of the last one before it that has one."""
    last = 0.0
    for line in written:
        last = last if line.seconds is None else line.seconds
        yield last, line


def _seats(record: records.GameRecord) -> Iterator[TranscriptLine]:
    """Yield the lines on seats taken and left, in order of time."""
    yield TranscriptLine(0.0, transcript.SERVER, said.MapName(record.variant.name))
    found: list[TranscriptLine] = []
    for each in record.sittings:
        taken = said.Name(each.name, each.version)
        found.append(TranscriptLine(each.since, each.power, taken))
        if each.until is not None:
            left = said.InDisorder(each.power)
            found.append(TranscriptLine(each.until, transcript.SERVER, left))
    yield from sorted(found, key=lambda line: line.seconds or 0.0)


def _press_lines(
    record: records.GameRecord,
    sent: Sequence[records.PressOrVote],
    turn: Turn | None,
    vocabulary: Vocabulary,
) -> Iterator[TranscriptLine]:
    for each in sent:
        if each.turn != turn:
            continue
        if isinstance(each, records.Message):
            content, is_whole = _content(record, each.text, vocabulary)
            press = said.SendPress(None, each.recipients, content)
            whole = None if is_whole else each.text
            yield TranscriptLine(each.seconds, each.sender, press, whole)
        else:
            vote = said.WithdrawDraw if each.withdrawn else said.VoteDraw
            yield TranscriptLine(each.seconds, each.power, vote(each.powers))


def _content(
    record: records.GameRecord, text: str, vocabulary: Vocabulary
) -> tuple[Tokens, bool]:
    """Return press as tokens, and whether they say all of it.

    A text that is no DAIDE becomes a message of level 8000.
    """
    try:
        # Words of press from other servers may equal tokens by accident.
        tokens = () if record.foreign else from_text(text, vocabulary)
    except TextError:
        tokens = ()
    if tokens:
        return tokens, True
    spaced = " ".join(text.split())
    plain = "".join(each if " " <= each <= "~" else "?" for each in spaced)
    return text_tokens(plain) or string("")[1:-1], False


def _story(
    record: records.GameRecord, vocabulary: Vocabulary
) -> Iterator[TranscriptLine]:
    """Yield the positions, the press, the orders and their results.

    Press of a turn is written in it, even if a foreign record has another time.
    """
    sent = record.press_and_votes
    times = [*(turn.since for turn in record.turns), record.last_since]
    yield from _position(record.positions[0], times[0])
    for turn, after, seconds in zip(
        record.turns, record.positions[1:], times[1:], strict=True
    ):
        yield from _press_lines(record, sent, turn.position.turn, vocabulary)
        yield from _played(turn, record.variant.map, seconds)
        yield from _position(after, seconds)
    yield from _press_lines(record, sent, record.last.turn, vocabulary)
    if record.ending is not None:
        yield from _end(record)
    yield from _press_lines(record, sent, None, vocabulary)


def _position(position: Position, seconds: float | None) -> Iterator[TranscriptLine]:
    yield TranscriptLine(seconds, transcript.SERVER, said.Ownership(position.owners))
    yield TranscriptLine(seconds, transcript.SERVER, said.CurrentPosition(position))


def _played(
    turn: records.PlayedTurn, board_map: Map, seconds: float | None
) -> Iterator[TranscriptLine]:
    carried = [_routed(order, turn.orders, board_map) for order in turn.orders]
    for power in board_map.powers:
        own = tuple(
            said.SubmittedOrder(order, ()) for order in carried if owner(order) == power
        )
        if own:
            yield TranscriptLine(seconds, power, said.SubmitOrders(None, own))
    for report in turn.reports:
        order = _routed(report.order, turn.orders, board_map)
        routed = replace(report, order=order)
        result = said.OrderResulted(turn.position.turn, routed)
        yield TranscriptLine(seconds, transcript.SERVER, result)


def _end(record: records.GameRecord) -> Iterator[TranscriptLine]:
    seconds = record.last_since if record.ended is None else record.ended
    if record.ending is records.Ending.SOLO:
        for power in record.winners[:1]:
            yield TranscriptLine(seconds, transcript.SERVER, said.Solo(power))
    if record.ending in DECLARED:
        drawn = said.DrawDeclared(record.winners or None)
        yield TranscriptLine(seconds, transcript.SERVER, drawn)
    summary = said.Summary(record.last.turn, _players(record))
    yield TranscriptLine(seconds, transcript.SERVER, summary)


def _players(record: records.GameRecord) -> tuple[said.PlayerSummary, ...]:
    dead = eliminations(record)
    return tuple(
        said.PlayerSummary(
            power=power,
            name=sitting.name if (sitting := record.sitting(power)) else "",
            version=sitting.version if sitting else "",
            centres=len(record.last.centres_of(power)),
            eliminated=dead.get(power),
        )
        for power in record.variant.map.powers
    )


def _routed(order: Order, all_orders: Sequence[Order], board_map: Map) -> Order:
    """Return *order*; a convoyed move gets the route that DAIDE demands.

    Other formats have no routes. The route is one over fleets that were ordered to
    convoy the army; without such fleets the move is written as one by land.
    """
    if not isinstance(order, ConvoyedMove) or order.route:
        return order
    route = _route(order, all_orders, board_map)
    return replace(order, route=route) if route else Move(order.unit, order.destination)


def _route(
    move: ConvoyedMove, orders: Sequence[Order], board_map: Map
) -> tuple[Province, ...] | None:
    """Return the shortest way over the fleets that convoy *move*."""
    start, end = move.unit.province, move.destination.province
    fleets = (
        order.unit
        for order in orders
        if isinstance(order, Convoy)
        and order.convoyed == move.unit
        and order.destination.province == end
    )
    return shortest_route(board_map, fleets, start, end)
