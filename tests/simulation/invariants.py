"""What must hold in every run: at each start of the server, and at the end."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Set
from functools import cache
from itertools import chain, pairwise
from math import inf
from typing import TYPE_CHECKING

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.daide.messages import OrderResulted, Ownership, ServerMessage
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import to_text
from daide_server.game.events import Seconds
from daide_server.records.record import Ending, GameRecord, PlayerTally
from daide_server.records.replay import replay
from daide_server.server.events import GameFailed, Notice, SessionFailed
from daide_server.server.game_runner import GameRunner
from tests.support.peers import WORDS

from .players import Player
from .scenario import Kind
from .told import Told
from .watching import NUMBER, name_of
from .world import EPOCH

if TYPE_CHECKING:
    from .simulate import Run

NEVER = (GameFailed, SessionFailed)
NEVER_NOTED = {"journal.damaged", "reader.failed", "record.failed"}
DEFAULT = re.compile(r"\) (HLD|DSB|REM|BLD) \)$")
"""What a unit does without an order, or a power in disorder."""
DRAWN = (Ending.DRAW, Ending.YEAR_LIMIT)
"""Endings that all survivors share."""
WAIVED = " WVE ) "
"""Stands in ORD for what is not built, which is not recorded."""
COUNTED = re.compile(r"\( (\w{3}) (\( '[^']*' \) \( '[^']*' \)) (\d+)")
"""A power in SMR, name and version of its player, and its centres."""
WALL_CLOCK = 1e6
"""Seconds by which faults may set the wall clock, all together."""
ROUNDING = 0.01
"""Seconds by which times in records may differ."""
DELIVERED = 2.0
"""Seconds that press takes at most, and its answer, unless packets are slow."""
WRITER = Writer(WORDS)


def after_start(run: Run) -> Iterator[str]:
    """Yield what is broken when a server has taken up its games, in lines."""
    assert run.server is not None
    seats = {
        (seat.power, seat.passcode): runner
        for runner in run.server.games.open_games()
        for seat in runner.game.state.seating
    }
    for player in run.players:
        if not player.passcode or player.is_over:
            continue
        runner = seats.get((Power(player.power), player.passcode))
        if runner is not None and runner.game.state.is_running:
            yield from _orders_in_force(player, runner)


def _orders_in_force(player: Player, runner: GameRunner) -> Iterator[str]:
    """Yield each order that was acknowledged and is not in force."""
    state = runner.game.state
    if name_of(state.position.turn) != player.turn:
        return
    in_force = {spelt(each) for each in state.turn.accepted()}
    for order in player.told.certain(player.turn):
        if order not in in_force:
            yield f"{player.name}: {order} was acknowledged and is lost"


def at_end(run: Run) -> Iterator[str]:
    """Yield what is broken when all is over, in lines."""
    for event in run.events:
        is_notice = isinstance(event, Notice) and event.name in NEVER_NOTED
        if is_notice or isinstance(event, NEVER):
            yield f"reported {event}"
    yield from _players(run)
    yield from _files(run)
    yield from _log(run)
    for record in run.written:
        players = _of(run, record)
        for power, player in players.items():
            if player.power != power:
                yield f"{player.name} played {player.power}, recorded as {power}"
        yield from _told_the_same(players, record)
        heard = {power: player.told for power, player in players.items()}
        yield from orders(heard, record)
        yield from _results(players, record)
        yield from press(heard, record)
        yield from _press_told(players, DELIVERED * run.scenario.slowest)
        yield from _sittings(players, record)
        yield from _votes(players, record)
        yield from _times(record)
        yield from _tallies(players, record)
        yield from _ending(run, players, record)
        for difference in replay(record):
            yield f"{record.id}: replayed otherwise: {difference}"


def _log(run: Run) -> Iterator[str]:
    """No passcode is logged."""
    whole = "\n".join(run.log)
    # Passcodes are rare, and to look for all numbers takes long.
    for code in [each for each in run.codes if each in whole]:
        for line in run.log:
            if code in NUMBER.findall(line):
                yield f"the passcode {code} is logged: {line}"


def _players(run: Run) -> Iterator[str]:
    for player in run.players:
        if player.problem:
            yield f"{player.name}: {player.problem}"
        if player.kind is Kind.OBSERVER and player.told.received:
            yield f"{player.name}: was told press, and has no seat"
    yield from _strangers(run)
    seats = Counter(
        (each.power, each.passcode) for each in run.players if each.passcode
    )
    for seat, count in seats.items():
        if count > 1:
            yield f"{count} players were given the seat {seat}"


def _strangers(run: Run) -> Iterator[str]:
    # A guess may be right: for the same power in another game.
    seats = {(each.power, each.passcode) for each in run.players}
    for stranger, code in run.strangers:
        if stranger.told.let_in and (stranger.power, code) not in seats:
            yield f"{stranger.power} was given to a stranger"
    for thief, player, since in run.thieves:
        for let_in in thief.told.let_in:
            if any(start < since and let_in < end for start, end in player.stays()):
                yield f"{player.name}: its seat was given away"


def _files(run: Run) -> Iterator[str]:
    left = sorted(path.name for path in run.journals.glob("*.jsonl"))
    if left:
        yield f"left journals: {left}"
    wanted = run.scenario.settings["games"]
    endings = [record.ending for record in run.written]
    # Where nobody returned after a crash, another game is played instead.
    aborted = endings.count(Ending.ABORTED)
    if not len(endings) - aborted <= wanted <= len(endings):
        yield f"found {len(endings)} records ({aborted} aborted), expected {wanted}"
    numbers = Counter(record.id[-4:] for record in run.written)
    for number, count in numbers.items():
        if count > 1:
            yield f"{count} games have the number {number}"


def _of(run: Run, record: GameRecord) -> dict[Power, Player]:
    """Return the players of a game by their powers."""
    names = {each.called: each for each in run.players}
    return {
        sitting.power: names[sitting.name]
        for sitting in record.sittings
        if sitting.name in names
    }


def _told_the_same(
    players: Mapping[Power, Player], record: GameRecord
) -> Iterator[str]:
    """Each turn was the same for all, and is that of the record."""
    told: defaultdict[str, set[str]] = defaultdict(set)
    for player in players.values():
        for turn, text in player.told.turns.items():
            told[turn].add(text)
    known = {name_of(each.turn) for each in record.positions}
    for turn, texts in told.items():
        if len(texts) > 1:
            yield f"{turn}: was told as {sorted(texts)}"
        if turn not in known:
            yield f"{turn}: was told, and is not in the record"


def orders(heard: Mapping[Power, Told], record: GameRecord) -> Iterator[str]:
    """Orders that were acknowledged, or may have been, were played; and no others.

    Those of a turn that was not processed, the last, play no role.
    """
    for played in record.turns:
        turn, found = name_of(played.position.turn), set(map(spelt, played.orders))
        for power, told in heard.items():
            if turn in told.cancelled:
                continue
            given = told.orders.get(turn, {}).values()
            yield from _orders_played(power, turn, given, found)


def _orders_played(
    power: Power, turn: str, given: Collection[list[str]], found: Set[str]
) -> Iterator[str]:
    for may_hold in given:
        if "" not in may_hold and found.isdisjoint(may_hold):
            yield f"{power}: {turn}: {may_hold} was acknowledged, not played"
    for order in found - set(chain(*given)):
        if order.startswith(f"( ( {power} ") and not DEFAULT.search(order):
            yield f"{power}: {turn}: {order} was played, and is not in force"


def _results(players: Mapping[Power, Player], record: GameRecord) -> Iterator[str]:
    """Results and centres that were told are those of the record."""
    results = {
        name_of(played.position.turn): {
            _text(OrderResulted(played.position.turn, report))
            for report in played.reports
        }
        for played in record.turns
    }
    known = set[str]().union(*results.values())
    centres = {_text(Ownership(each.owners)) for each in record.positions}
    for player in players.values():
        built = {text for text in player.told.results - known if WAIVED not in text}
        wrong = built | (player.told.centres - centres)
        yield from (f"{player.name}: was told {text}" for text in wrong)
        for turn, told in player.told.whole.items():
            for text in results.get(turn, set()).difference(told):
                yield f"{player.name}: was not told {text} before the next NOW"


def _ending(
    run: Run, players: Mapping[Power, Player], record: GameRecord
) -> Iterator[str]:
    """Games end when they should, as all were told, and with those who agreed."""
    last = max((each.position.turn.year for each in record.turns), default=0)
    limit = run.scenario.settings["year_limit"]
    if last > limit:
        yield f"{record.id}: was played to {last}"
    if record.ending is Ending.ABORTED and not run.takeovers:
        yield f"{record.id}: was broken off"
    endings = {each.told.ending for each in players.values()} - {""}
    if len(endings) > 1:
        yield f"{record.id}: ended as {sorted(endings)}"
    if record.ending is Ending.YEAR_LIMIT and last < limit:
        yield f"{record.id}: ended by the year limit in {last}"
    survivors = {power for power in players if not record.last.is_eliminated(power)}
    if record.ending in DRAWN and not survivors <= set(record.winners):
        yield f"{record.id}: {survivors} have survived, {record.winners} won"
    if record.ending is Ending.DRAW:
        if not record.votes:
            yield f"{record.id}: drawn, and no vote is recorded"
        for power, player in players.items():
            if record.last.centres_of(power) and player.told.vote_at_end is False:
                yield f"{player.name}: the game was drawn without its vote"


def _sittings(players: Mapping[Power, Player], record: GameRecord) -> Iterator[str]:
    """SMR has the players and centres of the record, which has each return."""
    names = {
        each.power: f"( '{each.name}' ) ( '{each.version}' )"
        for each in record.sittings
    }
    for power, player in players.items():
        for other, name, centres in COUNTED.findall(player.told.ending):
            found = len(record.last.centres_of(Power(other)))
            if found != int(centres):
                yield f"{player.name}: told {centres} centres of {other}, found {found}"
            if name != names[other]:
                yield f"{player.name}: told {name} played {other}, found {names}"
        sat = sum(each.power == power for each in record.sittings)
        if sat <= len(player.told.let_in):
            yield f"{player.name}: sat {sat} times, returned {player.told.let_in}"


def _votes(players: Mapping[Power, Player], record: GameRecord) -> Iterator[str]:
    """Votes for a draw of all are recorded, and that they were withdrawn."""
    withdrawn = {
        (name_of(each.turn), each.power): each.withdrawn
        for each in record.votes
        if each.turn is not None and each.powers is None
    }
    for power, player in players.items():
        for turn, is_for in player.told.votes.items():
            if is_for is not None and withdrawn.get((turn, power), True) is is_for:
                yield f"{player.name}: {turn}: voted for a draw: {is_for}, found not"


def _times(record: GameRecord) -> Iterator[str]:
    """Votes and press are in their turns by time, too; no two sit at one time."""
    turns = [each.position.turn for each in record.turns]
    begun = [*(each.since or 0.0 for each in record.turns), record.last_since or 0.0]
    spans: dict[Turn | None, tuple[float, float]]
    spans = dict(zip(turns, pairwise(begun), strict=True))
    for said in record.press_and_votes:
        since, till = spans.get(said.turn, (begun[-1], inf))
        if not since - ROUNDING <= (said.seconds or 0.0) <= till + ROUNDING:
            yield f"{record.id}: {said} is not between {since} and {till}"
    if abs(record.started - EPOCH) > WALL_CLOCK:
        yield f"{record.id}: was started {record.started}"
    till_by_power: dict[Power, float] = {}
    for sat in record.sittings:
        if till_by_power.get(sat.power, 0.0) > sat.since + ROUNDING:
            yield f"{record.id}: two sat for {sat.power} at {sat.since}"
        till_by_power[sat.power] = inf if sat.until is None else sat.until


def _tallies(players: Mapping[Power, Player], record: GameRecord) -> Iterator[str]:
    """Orders that were refused are counted in the record.

    A server that is killed forgets what it refused in the turn that is played.
    """
    for played in record.turns:
        turn = name_of(played.position.turn)
        for power, player in players.items():
            if turn in player.told.votes and not player.has_babbled:
                tally = (played.tallies or {}).get(power, PlayerTally())
                told = player.told.refused[turn]
                if tally.refused != told:
                    yield f"{player.name}: {turn}: {told} refused, found {tally}"


def press(heard: Mapping[Power, Told], record: GameRecord) -> Iterator[str]:
    """Press that was acknowledged is recorded, once, and none that was refused."""
    texts = Counter((each.sender, each.text) for each in record.messages)
    for power, told in heard.items():
        said = "".join(text for sender, text in texts if sender == power)
        for text in told.press:
            if text not in said:
                yield f"{power}: press {text} was acknowledged and is lost"
        for text in told.unsent:
            if text in said:
                yield f"{power}: press {text} was refused and is in the record"
    for each in record.messages:
        sent = heard[each.sender].sent if each.sender in heard else {}
        to = sent.get(each.text[6:-2])
        if to and set(to.split()) != set(each.recipients):
            yield f"{each.sender}: press {each.text} is recorded to {each.recipients}"
    for (sender, text), count in texts.items():
        if count > 1:
            yield f"press of {sender} is in the record {count} times: {text}"


def _press_told(players: Mapping[Power, Player], delivered: Seconds) -> Iterator[str]:
    """Press was told to its recipients, and was told to each of them once."""
    for player in players.values():
        for (sender, text), count in player.told.received.items():
            sent = players[Power(sender)].told.sent.get(text, "")
            if player.power not in sent.split():
                yield f"{player.name}: was told press {text}, which was for {sent!r}"
            if count > 1:
                yield f"{player.name}: was told press {text} {count} times"
    yield from _undelivered(players, delivered)


def _undelivered(players: Mapping[Power, Player], delivered: Seconds) -> Iterator[str]:
    """Press reached who was there all the time, in the seconds *delivered*."""
    for power, player in players.items():
        for text, at in player.told.press.items():
            for name in player.told.sent[text].split():
                reader = players.get(Power(name))
                if reader is None or (power, text) in reader.told.received:
                    continue
                if any(
                    since < at - delivered and at + delivered < till
                    for since, till in reader.stays()
                ):
                    yield f"{reader.name}: was not told press {text}"


def _text(message: ServerMessage) -> str:
    return to_text(WRITER.write(message), WORDS)


@cache
def spelt(order: Order) -> str:
    """Return *order* as DAIDE text."""
    return f"( {to_text(WRITER.order(order), WORDS)} )"
