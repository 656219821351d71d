"""Bugs that the simulation must find: each a patch of the product, in memory.

Each is a mistake that somebody could make tomorrow. `python -m tests.simulation --bugs`
runs each until it is found.
"""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from attrs import evolve as replace_attrs
from msgspec.structs import replace

from daide_server.board.results import OrderNote
from daide_server.daide import messages as said
from daide_server.daide.frames import FrameDecoder
from daide_server.game import absence, game, joining, playing, results
from daide_server.game.clock import Clock, Timeout
from daide_server.game.directory import Directory
from daide_server.game.events import Record, Send
from daide_server.game.game_state import GameState, Seating
from daide_server.game.options import GameOptions
from daide_server.game.turns import CurrentTurn
from daide_server.library import journal_file
from daide_server.library.journal_file import JournalFile
from daide_server.library.journal_folder import JournalFolder
from daide_server.records import entries
from daide_server.records.entries import Seated
from daide_server.server import clients
from daide_server.server import journal as server_journal
from daide_server.server.game_runner import GameRunner
from daide_server.server.journal import ServerClock, ServerJournal
from daide_server.server.outbox import Outbox
from daide_server.server.session import Session, SessionEvent
from daide_server.web import running_files

Bug = Callable[..., Any]
Plant = Callable[[], AbstractContextManager[object]]
"""Returns a context in which the product has the bug."""
BUGS: dict[str, Plant] = {}


def _bug(target: object, name: str) -> Callable[[Bug], Bug]:
    """Plant the decorated function, which gets what it replaces first."""
    before = getattr(target, name)

    def planted(function: Bug) -> Bug:
        def replaced(*words: object, **named: object) -> object:
            return function(before, *words, **named)

        title = function.__name__.strip("_").replace("_", " ")
        BUGS[title] = lambda: patch.object(target, name, replaced)
        return function

    return planted


@_bug(ServerJournal, "commit")
def _an_answer_is_sent_before_its_line_is_written(before, journal, release):
    release()
    before(journal, lambda: None)


@_bug(server_journal, "entries_of")
def _orders_are_not_kept(before, event, effects):
    if isinstance(getattr(event, "message", None), said.SubmitOrders):
        return ()
    return before(event, effects)


@_bug(server_journal, "entries_of")
def _press_is_not_kept(before, event, effects):
    if isinstance(getattr(event, "message", None), said.SendPress):
        return ()
    return before(event, effects)


@_bug(journal_file, "_is_good")
def _a_torn_line_is_accepted(before, line):
    return bool(line.strip(b"\0"))


@_bug(JournalFile, "append")
def _a_failed_write_is_taken_for_written(before, file, data):
    try:
        before(file, data)
    except OSError:
        file.size += len(data)


@_bug(ServerClock, "now")
def _deadlines_are_kept_by_wall_time(before, clock):
    return vars(server_journal)["time"]()


@_bug(results, "hello")
def _hello_names_another_power(before, state, client):
    found = before(state, client)
    if found.power is None:
        return found
    seats = list(state.seating)
    at = [each.power for each in seats].index(found.power)
    other = seats[at - 1 if state.recovery is not None or at == 3 else at]
    return replace(found, power=other.power, passcode=other.passcode)


@_bug(playing, "press_refusal")
def _press_is_told_twice(before, seats, survivors):
    seats.append(seats[0])
    return before(seats[:-1], survivors)


@_bug(Seating, "seats")
def _press_reaches_austria_too(before, seating, powers):
    return [*before(seating, powers), next(iter(seating))]


@_bug(results, "_end_or_continue")
def _the_year_limit_comes_a_year_late(before, state, resolution, now):
    policy = replace_attrs(state.policy, year_limit=(state.policy.year_limit or 0) + 1)
    with patch.object(state, "policy", policy):
        return before(state, resolution, now)


@_bug(FrameDecoder, "feed")
def _the_rest_of_a_frame_is_forgotten(before, decoder, data):
    decoder._buffer = decoder._buffer[decoder._start :][:4]
    decoder._start = 0
    before(decoder, data)


@_bug(Outbox, "_keep")
def _what_the_kernel_does_not_take_is_lost(before, outbox, data):
    outbox.unsent_bytes -= len(data)


@_bug(Clock, "begin_turn")
def _retreats_have_no_deadline(before, clock, phase, now):
    if phase.value != "retreats":
        before(clock, phase, now)


@_bug(absence, "end_wait")
def _a_recovered_game_waits_for_ever(before, state, now):
    return []


@_bug(CurrentTurn, "is_complete")
def _one_order_is_enough(before, orders, power):
    return bool(orders._orders[power]) or before(orders, power)


@_bug(joining, "leave")
def _who_leaves_takes_the_orders_along(before, state, client, now):
    seat = state.seating.by_client.get(client)
    if seat is not None and state.is_running:
        state.turn.cancel_all(seat.power)
    return before(state, client, now)


@_bug(Seating, "open_seat")
def _two_get_one_seat(before, seating):
    seat = before(seating)
    return seat if seat is None or seat.power != "RUS" else next(iter(seating))


@_bug(JournalFolder, "finish")
def _a_game_that_is_over_does_not_count(before, folder, record, number, *, counts):
    before(folder, record, 0, counts=False)


@_bug(JournalFolder, "finish")
def _the_highest_number_is_forgotten(before, folder, record, number, *, counts):
    before(folder, record, 0, counts=counts)


@_bug(Clock, "begin_turn")
def _a_deadline_is_half_a_second_late(before, clock, phase, now):
    before(clock, phase, now + 0.5)


@_bug(results, "agreed_share")
def _a_draw_needs_one_vote_less(before, votes, survivors, voters):
    return before(votes, survivors, sorted(voters)[1:])


@_bug(results, "results")
def _the_last_result_is_not_told(before, turn):
    return before(turn)[:-1]


@_bug(Outbox, "drop")
def _a_client_may_leave_anything_unread(before, outbox, reason):
    if "unread" not in reason:
        before(outbox, reason)


@_bug(running_files, "visible")
def _the_page_shows_secret_press(before, record, policy, now, *, running):
    return before(record, policy, now, running=False)


@_bug(clients, "without_passcodes")
def _passcodes_are_logged(before, tokens):
    return tokens


@_bug(game, "_receive")
def _press_is_kept_and_not_sent(before, state, request):
    return [
        each for each in before(state, request) if not _sends(each, said.PressDelivered)
    ]


@_bug(game, "_receive")
def _nothing_is_refused_aloud(before, state, request):
    return [each for each in before(state, request) if not _sends(each, said.Rejected)]


def _sends(effect: object, kind: type) -> bool:
    return isinstance(effect, Send) and isinstance(effect.messages[0], kind)


@_bug(game, "_receive")
def _only_the_first_order_counts(before, state, request):
    if isinstance(request.message, said.SubmitOrders):
        first = replace(request.message, orders=request.message.orders[:1])
        request = replace(request, message=first)
    return before(state, request)


@_bug(absence, "declare_disorder")
def _ccd_is_not_told(before, state, powers):
    before(state, powers)
    return []


@_bug(absence, "end_disorder")
def _the_end_of_ccd_is_not_told(before, state, power):
    before(state, power)
    return []


@_bug(GameState, "turn_is_over")
def _a_turn_lasts_to_its_deadline(before, state, now):
    with patch.object(state.turn, "awaited", {"AUS"}):
        return before(state, now)


@_bug(CurrentTurn, "missing")
def _mis_lists_what_was_ordered(before, turn, power):
    with patch.object(turn, "_orders", {**turn._orders, power: {}}):
        return before(turn, power)


@_bug(Clock, "running_left")
def _tme_is_three_seconds_more(before, clock, now):
    seconds = before(clock, now)
    return None if seconds is None else seconds + 3


@_bug(GameState, "to_all")
def _centres_are_not_told(before, state, *messages):
    return before(
        state, *(each for each in messages if not isinstance(each, said.Ownership))
    )


@_bug(GameState, "to_all")
def _results_come_after_now(before, state, *messages):
    return before(
        state, *sorted(messages, key=lambda each: isinstance(each, said.OrderResulted))
    )


@_bug(results, "hello")
def _hello_forgets_the_options(before, state, client):
    found = before(state, client)
    return replace(found, options=()) if state.history.turns else found


@_bug(results, "_history")
def _the_history_has_no_results(before, state, turn):
    found = before(state, turn)
    return found and tuple(
        each for each in found if not isinstance(each, said.OrderResulted)
    )


@_bug(results, "summary")
def _smr_counts_one_centre_more(before, state):
    found = before(state)
    players = [replace(each, centres=each.centres + 1) for each in found.players]
    return replace(found, players=tuple(players))


@_bug(results, "_end_or_continue")
def _the_year_limit_comes_a_year_early(before, state, resolution, now):
    policy = replace_attrs(state.policy, year_limit=(state.policy.year_limit or 0) - 1)
    with patch.object(state, "policy", policy):
        return before(state, resolution, now)


@_bug(Clock, "end")
def _a_game_closes_when_it_ends(before, clock, now):
    before(clock, now)
    clock.timeout = now, Timeout.POST_GAME


@_bug(game, "_receive")
def _orders_are_refused_at_the_end_of_a_turn(before, state, request):
    left = state.clock.left(request.now)
    is_late = left is not None and left < 3.0 and state.is_running
    if is_late and isinstance(request.message, said.SubmitOrders):
        return request.reject()
    return before(state, request)


@_bug(playing, "press_refusal")
def _press_to_a_power_in_disorder_is_taken(before, seats, survivors):
    found = before(seats, survivors)
    return None if isinstance(found, said.InDisorder) else found


@_bug(absence, "resume")
def _the_time_after_a_pause_is_not_told(before, state, cause, now):
    before(state, cause, now)
    return []


@_bug(absence, "_recovery_wait")
def _a_recovered_game_waits_for_nobody(before, state, grace):
    return replace(before(state, grace), awaited=frozenset())


@_bug(absence, "_start_recovered")
def _a_recovered_turn_has_its_whole_time(before, state, recovery, cause, now):
    state.clock.keep_at_least(state.options.limits[state.position.turn.phase])
    return before(state, recovery, cause, now)


@_bug(absence, "recover")
def _the_time_of_a_restart_counts(before, state, event, now):
    found = before(state, event, now)
    state.clock._left = state.clock._left and state.clock._left - 2.0
    return found


@_bug(GameRunner, "_record")
def _returns_are_not_recorded(before, runner, entry):
    if not (isinstance(entry, Seated) and runner.entries[1:]):
        before(runner, entry)


@_bug(CurrentTurn, "missing")
def _mis_counts_builds_as_removals(before, turn, power):
    found = before(turn, power)
    number = getattr(found, "number", None)
    return found if number is None else replace(found, number=-number)


@_bug(CurrentTurn, "submit")
def _a_refused_order_cancels_all(before, turn, orders, power):
    notes = before(turn, orders, power)
    if any(each.note is not OrderNote.OK for each in notes):
        turn.cancel_all(power)
    return notes


@_bug(game, "_receive")
def _withdrawn_votes_are_not_recorded(before, state, request):
    found = before(state, request)
    return [
        each
        for each in found
        if not (isinstance(each, Record) and getattr(each.entry, "withdrawn", False))
    ]


@_bug(playing, "may_send_press")
def _press_closes_too_early(before, options, phase, left):
    return before(options, phase, left and left - 6.0)


@_bug(GameOptions, "as_hello")
def _hello_omits_an_option(before, options):
    return before(options)[:-1]


@_bug(entries._RecordBuilder, "_send")
def _press_is_recorded_to_one(before, record, entry):
    before(record, replace(entry, recipients=entry.recipients[:1]))


@_bug(entries._RecordBuilder, "_resolve")
def _all_turns_begin_at_once(before, record, entry):
    before(record, entry)
    record.since = 0.0


@_bug(GameState, "end")
def _a_winner_is_forgotten(before, state, cause, winners, now):
    return before(state, cause, winners[1:], now)


@_bug(Session, "finish")
def _no_fm_is_sent(before, session):
    if session.is_reading:
        session._advance(SessionEvent.SERVER_FINISHED)


def _always(value: object) -> Bug:
    """Return a function that does nothing, and returns *value*."""
    return lambda *_, **__: value


@contextmanager
def _without_passcodes():
    with (
        patch.object(Directory, "claimed", lambda games, *_: next(iter(games._games))),
        patch.object(GameState, "claimed_seat", _seat_of_power),
    ):
        yield


def _seat_of_power(state, claim):
    return state.seating[claim.power] if state.is_running else None


BUGS["a seat needs no passcode"] = _without_passcodes

for _name, _target, _attribute, _value in (
    ("nothing is synced", JournalFile, "sync", None),
    ("a partial line is not cut", os, "ftruncate", None),
    ("not gof is forgotten", CurrentTurn, "wait", None),
    ("not sub is forgotten", CurrentTurn, "cancel_all", None),
    ("a tally is not kept", server_journal.GameJournal, "note_tally", None),
    ("tme is not told", results, "time_left", ()),
    ("iam takes a seat that is taken", Clock, "is_silent", True),
    ("the clock does not stop", absence, "_stops_clock", False),
    ("press is never closed", playing, "may_send_press", True),
):
    BUGS[_name] = partial(patch.object, _target, _attribute, _always(_value))
