"""The report of a game: outcome, record, logs with the conversations of bots."""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.daide.frames import FrameDecoder, FrameType, decode_tokens
from daide_server.daide.vocabulary import Vocabulary, to_text, without_passcodes
from daide_server.records import record as records
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import Ending, GameRecord, PlayerTally, Sitting
from daide_server.records.standings import centres_by_year, game_result
from daide_server.tournament import game_outcomes
from daide_server.usage import think_times, total_usage

from .game_task import SERVER_LOG, GameReport, GameTask, unfinished, void
from .running_game import RunningGame, SeatPlay, Traffic

RECORD_FORMAT = "dipcc"


def game_report(game: RunningGame, server_log: Iterable[str]) -> GameReport:
    """Return the report of a game that is over, or void."""
    attempt = game.task.attempt
    if game.is_trial_passed:
        return evolve(unfinished(attempt), has_started=True)
    record = _record(game)
    if game.void_reason is None and (
        record is None or record.ending in {None, Ending.ABORTED}
    ):
        game.void("the game was broken off")
    if record is None or game.void_reason is not None:
        reason = game.void_reason or ""
        outcome: game_outcomes.GameOutcome = game_outcomes.VoidGame(
            attempt.game, attempt.number, reason, blamed=game.blamed
        )
        return GameReport(outcome, logs=_logs(game, server_log))
    seats = tuple(_seat_outcome(seat, record) for seat in game.seats.values())
    outcome = game_outcomes.PlayedGame(
        attempt.game,
        attempt.number,
        game_result(record),
        seats,
        centres_by_year(record),
        record.ending.value if record.ending else "",
    )
    text = FORMATS[RECORD_FORMAT].write(record)
    return GameReport(outcome, text.encode(errors="replace"), _logs(game, server_log))


def void_report(
    task: GameTask, reason: str, server_log: Iterable[str] = ()
) -> GameReport:
    """Return the report of a game that failed because of the machine or the server."""
    text = "" if task.logs == "none" else _text(server_log)
    return evolve(void(task.attempt, reason), logs={SERVER_LOG: text} if text else {})


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _record(game: RunningGame) -> GameRecord | None:
    """Return the record; `None` if the game has not begun."""
    try:
        record = game.record()
    except records.RecordError:
        return None
    return replace(
        record,
        sittings=tuple(_marked(record.sittings, game.seats)),
        turns=tuple(_with_usage(record, game.seats)),
    )


def _with_usage(
    record: GameRecord, seats: Mapping[Power, SeatPlay]
) -> Iterator[records.PlayedTurn]:
    """Yield the turns of *record*, with the usage that bots reported in each."""
    names = names_of(record.variant.map)
    for turn in record.turns:
        phase, tallies = names.phase_text(turn.position.turn), dict(turn.tallies or {})
        for power, seat in seats.items():
            used = total_usage(each.usage for each in seat.notes if each.phase == phase)
            if used is not None:
                tally = tallies.get(power, PlayerTally())
                tallies[power] = replace(tally, usage=used)
        yield replace(turn, tallies=tallies) if tallies else turn


def _marked(
    sittings: Sequence[Sitting], seats: Mapping[Power, SeatPlay]
) -> Iterator[Sitting]:
    """Yield *sittings* with the forfeits, and marks for clients that only held."""
    for sitting in sittings:
        seat = seats[sitting.power]
        last = next(s for s in reversed(sittings) if s.power == sitting.power)
        held, forfeit = seat.result.stand_in, seat.result.forfeit
        is_taken_over = not held and seat.is_taken_over and sitting is last
        yield replace(
            sitting,
            stand_in=held or is_taken_over,
            forfeit=forfeit.text if forfeit and not is_taken_over else None,
            entrant=seat.task.program.name,
        )


def _seat_outcome(seat: SeatPlay, record: GameRecord) -> game_outcomes.SeatOutcome:
    tallies = tuple(tallies_of(record, seat.task.power))
    times = (each.think_longest for each in tallies)
    return evolve(
        seat.result,
        refused=sum(each.refused for each in tallies),
        late=sum(each.late for each in tallies),
        think_times=think_times(each for each in times if each is not None),
        usage=total_usage(each.usage for each in tallies),
        never_ordered=_never_ordered(seat, record, tallies),
    )


def _never_ordered(
    seat: SeatPlay, record: GameRecord, tallies: Sequence[PlayerTally]
) -> bool:
    """Return whether a bot that played to the end never sent an order."""
    if seat.result.stand_in or seat.result.forfeit or not record.turns:
        return False
    if seat.task.program.speaks == "lines":
        return not any(note.orders for note in seat.notes)
    begins = any(unit.power == seat.task.power for unit in record.positions[0].units)
    return begins and all(each.think_longest is None for each in tallies)


def tallies_of(record: GameRecord, power: Power) -> Iterator[PlayerTally]:
    """Yield the tallies of *power* by turn, where there are any."""
    for turn in record.turns:
        if turn.tallies is not None and power in turn.tallies:
            yield turn.tallies[power]


def _logs(game: RunningGame, server_log: Iterable[str]) -> Mapping[str, str]:
    """Return the logs to keep of a game: all, or those about its failures."""
    is_void = game.void_reason is not None
    keep = game.task.logs
    seats = [
        seat
        for seat in game.seats.values()
        if keep == "all" or (keep == "trouble" and (is_void or seat.result.forfeit))
    ]
    if not seats:
        return {}
    files = {SERVER_LOG: _text(server_log)}
    for seat in seats:
        files |= _seat_logs(game, seat)
    return {name: text for name, text in files.items() if text}


def _seat_logs(game: RunningGame, seat: SeatPlay) -> Mapping[str, str]:
    power = seat.task.power
    conversation = conversation_text(
        game.traffic[power], game.clients.encoder.vocabulary, since=game.began
    )
    return {
        f"{power}.output.txt": seat.output.content.decode(errors="replace"),
        f"{power}.conversation.txt": conversation,
    }


def conversation_text(traffic: Traffic, vocabulary: Vocabulary, *, since: float) -> str:
    """Return a line for each message: seconds from *since*, direction, DAIDE text.

    Passcodes are 0. Bytes that are no frames are shown in hexadecimal. This costs more
    than the game, so it is done only for games whose conversations are kept.
    """
    lines = ["the beginning was not kept\n"] if traffic.is_cut else []
    decoders: dict[str, FrameDecoder] = {}
    for seconds, direction, data in traffic.chunks:
        decoder = decoders.setdefault(direction, FrameDecoder(_check))
        decoder.feed(data)
        prefix = f"{seconds - since:9.3f} {direction}"
        try:
            while (frame := decoder.next()) is not None:
                lines.append(f"{prefix} {_frame_text(*frame, vocabulary)}\n")
        except ValueError:
            lines.append(f"{prefix} no frame: {decoder.unparsed.hex(' ', 2)}\n")
            del decoders[direction]
    return "".join(lines)


def _check(kind: int, length: int) -> None:
    """Raise `ValueError` unless *kind* is a known type of frame."""
    del length
    FrameType(kind)


def _frame_text(kind: int, body: bytes, vocabulary: Vocabulary) -> str:
    if kind != FrameType.DIPLOMACY:
        return f"{FrameType(kind).name.lower()} {body.hex(' ', 2)}".rstrip()
    try:
        return to_text(without_passcodes(decode_tokens(body)), vocabulary)
    except struct.error:
        return f"no tokens: {body.hex(' ', 2)}"
