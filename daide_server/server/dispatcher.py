"""From the messages of clients to the games that answer them.

A message is parsed, the directory finds its game, and the game's runner handles it, in
the pass in which it was read. Messages that belong to no game are refused here.

An answer to IAM may be delayed. A passcode has only 13 bits, so guessing must be slow:
each wrong passcode from an address for a seat delays its next answer, by up to a
minute. If several open connections claim or have guessed at one seat, their answers are
`ANSWER_SPACING` apart; no connection waits for others longer than `LONGEST_TURN`, or is
refused because of them. Meanwhile the session handles no other message of its client.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Final, Self

import trio
from attrs import Factory, define, frozen

from daide_server.daide import messages as said
from daide_server.daide.tokens import Tokens
from daide_server.daide.translation import ClientReader, LanguageError
from daide_server.game import events as game_events
from daide_server.game.directory import Directory, GameId, PortTarget
from daide_server.game.events import ClientId, MessageReceived, Seconds
from daide_server.host_port import shared_network

from . import events as happened
from .game_host import GameHost
from .game_runner import GameRunner
from .session import Session

_MAP_ANSWERS = frozenset({said.AcceptMap, said.RefuseMap})
_OF_CONNECTIONS = _MAP_ANSWERS | {said.Name, said.Observe, said.Rejoin, said.Complaint}
"""Messages that are not only about a game, but also about the connection."""


class Dispatcher:
    """Passes the messages of all sessions to their games: a `Handler`."""

    def __init__(self, games: GameHost, reader: ClientReader) -> None:
        """Pass messages to *games*; parse those of clients in no game with *reader*."""
        self.poller = games.poller
        self.events = games.clients.events
        self._games: Final = games
        self._directory: Final = games.directory
        self._clients: Final = games.clients
        self._encoder: Final = games.clients.encoder
        self.representation = self._encoder.vocabulary.representation
        self._read: Final = reader.read
        self._verbose: Final = self.events.wants_messages
        # Clients without a seat whose HUH or PRN has been reported.
        self._misunderstood: Final[set[ClientId]] = set()
        self._returning: Final = RejoinRouter(self._directory, self.events)

    def receive(self, session: Session, tokens: Tokens) -> None:
        """Answer a message, or pass it to its game."""
        if self._verbose:
            text = self._encoder.text(tokens)
            fields = {"client": session.client, "text": text}
            self.events(happened.Traced("message.received", fields))
        client = session.client
        own = self._games.runner_of(client)
        read = self._read if own is None else own.reader.read
        try:
            message = read(tokens)
        except LanguageError as error:
            self._clients.send((client,), (error.reply,))
            self._report_syntax(session, error)
            return
        event = MessageReceived(client, message, tokens)
        if own and type(message) not in _OF_CONNECTIONS and client in own.seats:
            own.post(event)
        else:
            self._dispatch(session, own, event)

    def _dispatch(
        self, session: Session, own: GameRunner | None, event: MessageReceived
    ) -> None:
        """Handle a message of a client without a seat, or about its connection."""
        message = event.message
        if isinstance(message, said.Complaint):
            text = self._encoder.text(event.as_sent)
            fields = {"client": session.client, "complaint": text}
            self.events(happened.Noted("client.complained", fields))
        if isinstance(message, said.Rejoin):
            answer = partial(self._find_game, session, event)
            self._returning.receive(session, message, answer)
        elif own is not None and own.game.state.has_joined(session.client):
            self._hand_over(session, own, event)
        else:
            self._find_game(session, event)

    def _find_game(self, session: Session, event: MessageReceived) -> None:
        """Pass a message to the game that must answer it, or refuse it."""
        runner = self._games.runner(self._route(session, event.message))
        if runner is None:
            self._refuse(session, event)
        else:
            self._hand_over(session, runner, event)

    def _hand_over(
        self, session: Session, runner: GameRunner, event: MessageReceived
    ) -> None:
        message = event.message
        if isinstance(message, happened.AdmissionRequest):
            self._admit(session, runner, event, message)
            return
        runner.post(event)
        if type(message) in _MAP_ANSWERS:
            role = runner.game.state.role_of(session.client)
            if role is game_events.ClientRole.CONNECTED:
                session.unseated()
            else:
                session.joined()

    def leave(self, session: Session) -> None:
        """Forget a client, and tell its game once."""
        client = session.client
        if not self._clients.remove(client):
            return
        self._misunderstood.discard(client)
        runner = self._games.runner(self._directory.forget(client))
        self._returning.leave(session)
        self.events(happened.ClientDisconnected(_context(session, runner)))
        if runner is not None:
            runner.post(game_events.ClientLeft(client))

    def _route(self, session: Session, message: said.ClientMessage) -> GameId | None:
        """Return the game that must answer; the client leaves its previous game."""
        if not isinstance(message, said.Rejoin):
            return self._directory.route(session.client, message, session.target)
        before = self._directory.joined.get(session.client)
        number = self._returning.route(session, message)
        left = self._games.runner(before)
        if number not in {None, before} and left is not None:
            # It was offered another loaded game than the one it was in.
            left.post(game_events.ClientLeft(session.client))
        return number

    def _admit(
        self,
        session: Session,
        runner: GameRunner,
        event: MessageReceived,
        request: happened.AdmissionRequest,
    ) -> None:
        """Let a client join a game, if the game admits it."""
        seat, seating = session.target.seat, runner.game.state.seating
        if seat is not None and session.client not in seating.chosen:
            runner.post(game_events.SeatPortChosen(session.client, seat))
        for effect in runner.post(event):
            context = _context(session, runner)
            if isinstance(effect, game_events.Admit):
                self.events(happened.ClientJoined(context, request))
            elif isinstance(effect, game_events.Refuse):
                self.events(happened.ClientRefused(context, request, effect.reason))
        self._games.open_if_full()

    def _refuse(self, session: Session, event: MessageReceived) -> None:
        """Refuse a message that belongs to no game."""
        context, message = _context(session, None), event.message
        if isinstance(message, happened.AdmissionRequest):
            reason = self._directory.refusal(message)
            self.events(happened.ClientRefused(context, message, reason))
        else:
            self.events(happened.Noted("message.unanswered", {"context": context}))
        self._clients.send((session.client,), (said.Rejected(event.as_sent),))

    def _report_syntax(self, session: Session, error: LanguageError) -> None:
        """Report the first HUH or PRN to a client, or to a player in each turn."""
        client = session.client
        runner = self._games.runner_of(client)
        if runner is not None and client in runner.seats:
            is_first = runner.tally.count_syntax_error(client, error.reply)
        else:
            is_first = client not in self._misunderstood
            self._misunderstood.add(client)
        if is_first:
            (reply,) = self._encoder.texts((error.reply,))
            self.events(happened.ClientMisunderstood(_context(session, runner), reply))


def _context(session: Session, runner: GameRunner | None) -> happened.ClientContext:
    """Return the context of the client of *session*: game, power and name."""
    if runner is None:
        return happened.ClientContext(session.client, session.address)
    return runner.context_of(session.client, session.address)


FREE_GUESSES = 3
"""Wrong passcodes of an address for one seat without a delay. The next one delays by a
second; each further one doubles that."""
LONGEST_DELAY: Seconds = 60.0
FORGOTTEN_AFTER: Seconds = 600.0
"""Seconds without a wrong passcode after which an address is forgotten."""
ANSWER_SPACING: Seconds = 0.1
"""Seconds between two answers for one seat."""
LONGEST_TURN: Seconds = 2.0
"""Maximum seconds that a connection waits because of the answers to others."""
MAX_GUESSERS = 4096
"""The maximum number of (address, seat) pairs remembered; the oldest are dropped."""


@frozen
class RejoinAttempt:
    """An IAM: its connection, its address and its seat."""

    client: ClientId
    source: str
    """The network that stands for all addresses of one subscriber."""
    seat: PortTarget
    """A power of one game, or of any game."""

    @classmethod
    def of(cls, session: Session, message: said.Rejoin) -> Self:
        """Return the attempt of a session that sends *message*."""
        source = shared_network(session.address) if session.address else ""
        seat = PortTarget(session.target.game, message.power)
        return cls(session.client, source, seat)


@define
class _Guesser:
    """An address that claims a seat."""

    wrong: int = 0
    delayed_until: Seconds = 0.0
    turn: Seconds | None = None
    """When its next IAM is answered; shared by all its connections."""
    waiting: dict[ClientId, None] = Factory(dict)
    """Its connections whose IAM waits; the first is answered next."""


@define
class _Seat:
    """A seat that connections wait for, or have guessed at."""

    free_at: Seconds = 0.0
    connections: set[ClientId] = Factory(set)


@define(eq=False)
class RejoinRouter:
    """Finds the game for a seat and passcode; delays those who guess."""

    _directory: Directory
    _emit: happened.Events
    _attempts: dict[ClientId, RejoinAttempt] = Factory(dict)
    """The last IAM of each connection that waits or has guessed."""
    guessers: OrderedDict[tuple[str, PortTarget], _Guesser] = Factory(OrderedDict)
    _seats: dict[PortTarget, _Seat] = Factory(dict)

    def receive(
        self, session: Session, message: said.Rejoin, answer: Callable[[], None]
    ) -> None:
        """Call *answer*, now or later; it may call `route`.

        There is no delay if no seat of the power is vacant: there is nothing to guess.
        """
        if not self._directory.is_vacant(session.target, message.power):
            answer()
            return
        attempt = RejoinAttempt.of(session, message)
        if self._attempts.get(session.client, attempt) != attempt:
            self.leave(session)
        self._attempts[session.client] = attempt

        def wait() -> Seconds:
            return self.wait(attempt, trio.current_time())

        if not (seconds := wait()):
            answer()
            return
        self._warn("rejoin.delayed", session, message, seconds=seconds)
        session.hold(wait, answer)

    def _warn(
        self, name: str, session: Session, claim: said.Rejoin, **more: object
    ) -> None:
        known = {"client": session.client, "address": session.address}
        fields = {**known, "claimed": claim.power, **more}
        self._emit(happened.Warned(name, fields))

    def route(self, session: Session, message: said.Rejoin) -> GameId | None:
        """Return the game that must answer; `None`: refuse the client."""
        is_guess = self._directory.is_vacant(session.target, message.power)
        number = self._directory.route(session.client, message, session.target)
        if is_guess and number is None:
            attempt = RejoinAttempt.of(session, message)
            self.refuse(attempt, trio.current_time())
            reason = "wrong passcode"
            self._warn("passcode.refused", session, message, reason=reason)
        else:
            self.leave(session)
        return number

    def leave(self, session: Session) -> None:
        """Remove the attempts of a client, which has returned or gone."""
        attempt = self._attempts.pop(session.client, None)
        if attempt is not None:
            self.forget(attempt)

    def wait(self, attempt: RejoinAttempt, now: Seconds) -> Seconds:
        """Return how long *attempt* must wait until the next call; 0: answer now."""
        guesser = self._guesser(attempt)
        guesser.waiting.setdefault(attempt.client)
        seat = self._seats.setdefault(attempt.seat, _Seat())
        seat.connections.add(attempt.client)
        if now < guesser.delayed_until:
            return guesser.delayed_until - now
        if attempt.client != next(iter(guesser.waiting)):
            return ANSWER_SPACING
        if guesser.turn is None:
            is_alone = len(seat.connections) == 1
            free_at = now if is_alone else max(now, seat.free_at)
            guesser.turn = min(free_at, now + LONGEST_TURN)
            seat.free_at = guesser.turn + ANSWER_SPACING
        return max(0.0, guesser.turn - now)

    def refuse(self, attempt: RejoinAttempt, now: Seconds) -> None:
        """Count a wrong passcode, which is refused now."""
        guesser = self._guesser(attempt)
        is_forgiven = now > guesser.delayed_until + FORGOTTEN_AFTER
        guesser.wrong = 1 if is_forgiven else guesser.wrong + 1
        # At most ten doublings: a larger power of two may overflow.
        doublings = min(guesser.wrong - FREE_GUESSES, 10)
        delay = min(2.0**doublings, LONGEST_DELAY) if doublings >= 0 else 0.0
        guesser.delayed_until = now + delay
        guesser.turn = None
        guesser.waiting.pop(attempt.client, None)

    def forget(self, attempt: RejoinAttempt) -> None:
        """Remove *attempt*, which has succeeded or whose connection is closed."""
        key = attempt.source, attempt.seat
        guesser = self.guessers.get(key)
        if guesser is not None:
            guesser.waiting.pop(attempt.client, None)
            if not guesser.waiting:
                guesser.turn = None
                if not guesser.wrong:
                    del self.guessers[key]
        seat = self._seats.get(attempt.seat)
        if seat is not None:
            seat.connections.discard(attempt.client)
            if not seat.connections:
                del self._seats[attempt.seat]

    def _guesser(self, attempt: RejoinAttempt) -> _Guesser:
        key = attempt.source, attempt.seat
        guesser = self.guessers.setdefault(key, _Guesser())
        self.guessers.move_to_end(key)
        if len(self.guessers) > MAX_GUESSERS:
            self.guessers.popitem(last=False)
        return guesser
