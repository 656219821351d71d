"""What a server hands over to a new version of its program, and how that goes on.

`HandoverTaker` makes the value, `take_up` builds sessions and games from it. See
`server/handover.py` for its parts, `renewal.py` for the order of things.
"""

import socket
from collections.abc import Mapping
from time import monotonic

from attrs import field

from daide_server import __version__
from daide_server.classes import define, frozen
from daide_server.game.fingerprint import fingerprint
from daide_server.lobby.directory import COMMON_PORT, GameId
from daide_server.server.events import GameSetAside, Renewed
from daide_server.server.game_host import GameHost
from daide_server.server.game_runner import GameRunner
from daide_server.server.handover import (
    HandedGame,
    HandedListener,
    HandedSession,
    Handover,
)
from daide_server.server.recovered_game import RecoveredGame
from daide_server.storage.journal_entries import encode_item
from daide_server.storage.journal_frames import EntryKind, JournalEntry

from .journal_reader import JournalReader, Recovery
from .renewal_report import ReportFile
from .serving import Serving
from .sessions import Connected


@frozen
class RenewalCount:
    """What a program that hands over knows of renewals."""

    renewals: int
    taken_at: float
    report: int | None
    web: tuple[int, ...] = ()
    """The sockets of the page."""


@define
class HandoverTaker:
    """Takes what a server hands over; events are encoded only once."""

    serving: Serving
    _events: dict[GameId, list[bytes]] = field(factory=dict)

    def take(self, count: RenewalCount) -> Handover:
        """Return all of the server, which must be held and settled."""
        serving = self.serving
        sessions = map(self._session, serving.sessions.connected.values())
        listeners = (
            HandedListener(listening.fileno(), target)
            for target, listening in serving.sessions.listening.items()
        )
        return self._handover(count, tuple(sessions), tuple(listeners))

    def take_games(self) -> Handover:
        """Return the games alone, for a rehearsal."""
        return self._handover(RenewalCount(0, monotonic(), None), (), ())

    def _handover(
        self,
        count: RenewalCount,
        sessions: tuple[HandedSession, ...],
        listeners: tuple[HandedListener, ...],
    ) -> Handover:
        serving = self.serving
        games, keeper = serving.games, serving.keeper
        return Handover(
            run=serving.plan.run.name,
            opened_games=games.highest,
            uncounted_games=games.uncounted,
            next_client=serving.sessions.next_client,
            is_draining=games.is_draining,
            renewals=count.renewals,
            taken_at=count.taken_at,
            report=count.report,
            sessions=sessions,
            games=tuple(self._game(runner) for runner in _open(games)),
            listeners=listeners,
            journal=None if keeper is None or not listeners else keeper.capture(),
            version=__version__,
            web=count.web,
            start=serving.plan.settings.board.start,
        )

    def _session(self, connected: Connected) -> HandedSession:
        session = connected.session
        return HandedSession(
            descriptor=connected.socket.fileno(),
            client=session.client,
            target=session.target,
            game=self.serving.games.directory.at(session.client),
            is_served=self.serving.services.clients.has(session.client),
            state=session.capture(),
        )

    def _game(self, runner: GameRunner) -> HandedGame:
        events = self._events.setdefault(runner.number, [])
        new = runner.journal.lines_from(len(events))
        events += (encode_item(line)[1] for line in new)
        return HandedGame(
            number=runner.number,
            opened=runner.description,
            events=tuple(events),
            seconds=runner.seconds,
            name=runner.name,
            fingerprint=fingerprint(runner.game, runner.entries),
        )


def _open(games: GameHost) -> list[GameRunner]:
    return [runner for runner in games.open_games() if not runner.is_closed]


def replay_games(
    reader: JournalReader, games: tuple[HandedGame, ...]
) -> tuple[Recovery, Mapping[GameId, str]]:
    """Return the games as *reader* replays them, and those that come out otherwise."""
    recovery = reader.read({game.number: _entries(game) for game in games})
    wrong = {number: f"left: {why}" for number, why in recovery.left_alone.items()}
    wrong.update(recovery.set_aside)
    expected = {game.number: game.fingerprint for game in games}
    for found in recovery.games:
        number = found.identity.number
        if fingerprint(found.game, found.entries) != expected[number]:
            turn = found.game.state.position.turn
            wrong[number] = f"{turn}: the replay comes to another game"
    return recovery, wrong


def _entries(game: HandedGame) -> list[JournalEntry]:
    number = game.number
    opened = JournalEntry(number, 0, EntryKind.OPENED, game.opened)
    return [
        opened,
        *(
            JournalEntry(number, index, EntryKind.EVENT, event)
            for index, event in enumerate(game.events, start=1)
        ),
    ]


def take_up(handover: Handover, serving: Serving) -> None:
    """Go on with the games, sessions and sockets of *handover*."""
    plan = serving.plan
    serving.sessions.next_client = handover.next_client
    serving.games.resume_count(handover.opened_games, handover.uncounted_games)
    serving.assigner.skip(handover.opened_games)
    if serving.keeper is not None and handover.journal is not None:
        serving.keeper.resume(handover.journal)
    for listener in handover.listeners:
        if listener.target != COMMON_PORT:
            serving.ports.handed[listener.target] = adopt(listener)
    reader = JournalReader(plan.settings, plan.variant)
    recovery, wrong = replay_games(reader, handover.games)
    for number, reason in wrong.items():
        plan.events(GameSetAside(number, reason))
    handed = {game.number: game for game in handover.games}
    for found in recovery.games:
        _resume(serving, found, handed[found.identity.number])
        runner = serving.games.runner(found.identity.number)
        if found.identity.number in wrong and runner is not None:
            with serving.services.passes:
                runner.break_off()
    for each in handover.sessions:
        serving.sessions.take_up(each, plan.listening)
    if handover.is_draining:
        serving.games.drain()
    serving.games.open_if_full()
    _report(serving, handover)


def _report(serving: Serving, handover: Handover) -> None:
    pause = monotonic() - handover.taken_at
    games, clients = len(handover.games), len(handover.sessions)
    serving.plan.events(Renewed(handover.version, pause, games, clients))
    if handover.report is not None:
        text = f"paused {pause:.2f} s, {games} games, {clients} clients"
        ReportFile(handover.report).note(text, is_renewed=True)


def _resume(serving: Serving, found: RecoveredGame, handed: HandedGame) -> None:
    serving.games.resume_game(found, handed)
    committer = serving.services.committer
    if committer is not None and not found.game.state.has_started:
        committer.games.resume_forming(handed.number, found.journal.lines())


def adopt(listener: HandedListener) -> socket.socket:
    """Return the socket that was handed over."""
    listening = socket.socket(fileno=listener.descriptor)
    listening.set_inheritable(False)
    return listening
