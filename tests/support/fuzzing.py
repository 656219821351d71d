"""Fuzzing: seven players, observers and strangers who say anything at all.

Everything runs in one process and without sockets, from the bytes of a connection
through session, dispatcher and game to the bytes of the answers. What must hold:

- nothing is raised, whatever comes in;
- what goes out is frames, and sentences of the server's grammar;
- a game goes as it would have gone in silence: between the storms each player
  withdraws what the storm may have ordered and gives orders that are drawn, and the
  turns are those of a second game in which only these orders were given.

`python -m tests.support.fuzzing --messages 1000000` prints what it counted.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random

import trio
from attrs import evolve

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import ConvoyedMove, Hold, Order
from daide_server.bots.built_in import rand_orders
from daide_server.bots.view import View
from daide_server.daide import frames
from daide_server.daide.commands import server_grammar
from daide_server.daide.syntax import are_paired
from daide_server.daide.tokens import BRA, BRACKET_CATEGORY, ERR, KET, PRN, Tokens
from daide_server.daide.translation import ClientReader, LanguageError, Writer
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.game.events import ClientId
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.library.variants import load_variant
from daide_server.records.entries import Ended, TurnResolved
from daide_server.server import events
from daide_server.server.game_server import GameServer
from daide_server.server.making import GameMaker
from daide_server.server.session import Session

from .fakes import IM, LIMITS, FakePoller, FakeTransport
from .scripts import Script
from .sentences import Speaker
from .settings import settings_with

LEVELS = (0, 10, 30, 60, 120, 160, 8000)


TURNS = 12
"""How long a game is played before the next begins."""
STORM = 400
"""Messages between the orders of two turns."""
FRESH = 3
MAY_JOIN = frozenset(from_text("NME OBS IAM", Vocabulary.standard()))


class Faults(events.Events):
    """What must not happen, and the turns that did."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.turns: list[TurnResolved] = []
        super().__init__(self._read)

    def _read(self, event: events.ServerEvent) -> None:
        match event:
            case events.SessionFailed(client=client, error=error):
                self.found.append(f"client {client}: {error!r}")
            case events.GameFailed(game=game, kind=kind, error=error):
                self.found.append(f"game {game}, {kind}: {error!r}")
            case events.Failed(name=name, fields=fields):
                self.found.append(f"{name}: {fields}")
            case events.EntryRecorded(game=game, entry=Ended(ending=ending)):
                # None is played so long.
                self.found.append(f"game {game} ended: {ending}")
            case events.EntryRecorded(entry=TurnResolved() as entry):
                self.turns.append(entry)
            case _:
                pass


class CheckedTransport(FakeTransport):
    """A transport that checks what the client is sent."""

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self._faults = faults
        self._decoder = frames.FrameDecoder(lambda _kind, _length: None)
        self._known: set[bytes] = set()

    def send_now(self, data: bytes | memoryview) -> int:
        """Check *data*, and take it."""
        if data not in self._known:
            self._check_frames(bytes(data))
        return len(data)

    def _check_frames(self, data: bytes) -> None:
        self._decoder.feed(data)
        while frame := self._decoder.next():
            kind, body = frame
            if kind == frames.FrameType.DIPLOMACY:
                # What is no bracket but of their category may only be quoted.
                tokens = tuple(
                    ERR
                    if token >> 8 == BRACKET_CATEGORY and token not in (BRA, KET)
                    else token
                    for token in frames.decode_tokens(body)
                )
                if (
                    tokens[0] != PRN
                    and server_grammar().error_index(tokens) is not None
                ):
                    self._faults.found.append(f"said {body.hex()}")
        if len(self._known) < 1000 and len(data) < 5000:
            self._known.add(data)


def maker_of(
    variant: Variant,
    options: GameOptions | None = None,
    policy: ServerPolicy | None = None,
    **given: object,
) -> GameMaker:
    """Return what makes games whose seats are in the order of the powers."""
    settings = evolve(
        settings_with(durability="none", **{"games": 1, **given}),
        options=options or GameOptions(),
        policy=policy or ServerPolicy(),
        session=LIMITS,
    )
    maker = GameMaker(settings, variant)
    maker.draw = lambda _: assignment(variant)
    return maker


class OneGame(GameServer):
    """A server with one game, on transports and a poller that are not real."""

    events: Faults
    poller: FakePoller


@asynccontextmanager
async def open_game(maker: GameMaker, faults: Faults) -> AsyncIterator[OneGame]:
    """Open a game."""
    game = OneGame(maker, faults, None, FakePoller)
    async with trio.open_nursery() as nursery:
        game.start(nursery)
        game.games.open_game()
        yield game
        nursery.cancel_scope.cancel()


class StormedGame:
    """One game that is stormed, and its twin that is played in silence."""

    def __init__(
        self, game: OneGame, level: int, seed: int, counts: Counter[str]
    ) -> None:
        settings = game.settings
        self._random = Random(seed)
        self._game = game
        self._faults = game.events
        self._counts = counts
        self._variant = game.variant
        self._words = Vocabulary.of(self._variant.map)
        self._writer = Writer(self._words)
        self._speaker = Speaker(self._variant, level, self._random)
        self._reader = ClientReader(
            self._words,
            self._variant.map,
            level,
            partial_draws=settings.options.partial_draws,
            strict=settings.policy.strict,
        )
        self._transports: dict[ClientId, CheckedTransport] = {}
        words = ["partial_draws"] * settings.options.partial_draws
        words += ["strict"] * settings.policy.strict
        self._twin = Script(self._variant, f"level={level}", *words)

    def play(self, messages: int) -> None:
        """Storm and play until so many messages have been said."""
        self.seat()
        until = self._counts["messages"] + messages
        for _ in range(TURNS):
            self._storm(min(STORM, until - self._counts["messages"]))
            if not self._settle() or self._counts["messages"] >= until:
                break
        self._compare()

    def seat(self) -> None:
        """Seat seven players and an observer."""
        powers = self._variant.map.powers
        self.players = [self._session() for _ in powers]
        self._watcher = self._session()
        self._strangers = [self._session() for _ in range(FRESH)]
        for session in self.players:
            self._say(session, "NME ('a') ('1')")
        for session in self.players:
            self._say(session, "YES (MAP ('standard'))")
        self._say(self._watcher, "OBS")
        self._say(self._watcher, "YES (MAP ('standard'))")
        # The last one never has its orders in before the storm is over.
        self._say(self.players[-1], "NOT (GOF)")

    def _session(self) -> Session:
        transport = CheckedTransport(self._faults)
        session = self._game.connect(transport)
        self._transports[session.client] = transport
        self.feed(session, IM)
        return session

    def feed(self, session: Session, data: bytes) -> None:
        """Let the client of *session* send bytes, in as many passes as they take."""
        transport = self._transports[session.client]
        turns = self._game.poller.queues
        transport.arrive(data)
        unread = len(transport.unread) + 1
        while len(transport.unread) < unread:
            unread = len(transport.unread)
            session.on_readable()
            while not turns.is_empty:
                with self._game.passes:
                    turns.run()

    def _say(self, session: Session, text: str) -> None:
        self.feed(session, frames.encode_tokens(from_text(text, self._words)))

    # The storm

    def _storm(self, messages: int) -> None:
        random = self._random
        said = 0
        while said < messages:
            kind = random.random()
            if kind < 0.55:
                # Six of seven: the one whose orders are missing only listens.
                said += self._speak(random.choice(self.players[:-1]), "player")
            elif kind < 0.75:
                said += self._speak(self._watcher, "observer")
            else:
                said += self._annoy(random.randrange(FRESH))
        self._counts["messages"] += said

    def _count(self, who: str, tokens: Tokens, times: int = 1) -> None:
        """Count what is paired, and what is understood."""
        self._counts["paired"] += times * are_paired(tokens)
        with suppress(LanguageError):
            self._reader.read(tokens)
            self._counts["understood"] += times
            self._counts[f"understood from a {who}"] += times

    def _speak(self, session: Session, who: str) -> int:
        """Say something whole, in one piece or in two, once or many times."""
        random = self._random
        speaker = self._speaker
        tokens = speaker.garbage() if random.random() < 0.1 else speaker.message()
        frame = frames.encode_tokens(tokens)
        if random.random() < 0.02:
            self._count(who, tokens, 20)
            self.feed(session, frame * 20)
            return 20
        self._count(who, tokens)
        if random.random() < 0.1:
            cut = random.randrange(1, len(frame))
            self.feed(session, frame[:cut])
            self.feed(session, frame[cut:])
        else:
            self.feed(session, frame)
        return 1

    def _annoy(self, number: int) -> int:
        """Let a stranger speak, break the wire's rules, or go in mid-message."""
        random = self._random
        session = self._strangers[number]
        kind = random.random()
        if kind < 0.9:
            tokens = self._speaker.message()
            if tokens[0] not in MAY_JOIN:
                self._count("stranger", tokens)
                self.feed(session, frames.encode_tokens(tokens))
                return 1
        elif kind < 0.95:
            self.feed(session, random.randbytes(random.randrange(1, 60)))
        else:
            self.feed(session, frames.encode_tokens(self._speaker.message())[:-1])
        with self._game.passes:
            self._game.dispatcher.leave(session)
        del self._transports[session.client]
        self._strangers[number] = self._session()
        return 1

    # What counts

    def _settle(self) -> bool:
        """Give the orders of the turn; return whether the game goes on."""
        position = self._twin.game.state.position
        powers = self._variant.map.powers
        drawn = {power: self._drawn(power, position) for power in powers}
        for session, power in zip(self.players, powers, strict=True):
            for text in ("NOT (SUB)", "NOT (DRW)", "GOF"):
                self._say(session, text)
            if drawn[power]:
                text = self._spelt(drawn[power])
                self._say(session, text)
                self._twin.hears(power, text)
        assert self._twin.game.state.position is not position, "the turn did not end"
        self._say(self.players[-1], "NOT (GOF)")
        return self._twin.game.state.is_running

    def _drawn(self, power: Power, position: Position) -> list[Order]:
        """Return legal orders; none goes by convoy, for which DAIDE wants a route."""
        drawn = rand_orders(View(self._variant.map, power, position), self._random)
        return [
            Hold(each.unit) if isinstance(each, ConvoyedMove) else each
            for each in drawn
        ]

    def _spelt(self, orders: Sequence[Order]) -> str:
        spelt = (to_text(self._writer.order(order), self._words) for order in orders)
        return "SUB " + " ".join(f"( {text} )" for text in spelt)

    def _compare(self) -> None:
        mine = [(turn.position, turn.reports, turn.next) for turn in self._faults.turns]
        twin = [
            (turn.position, turn.reports, turn.next)
            for turn in self._twin.records
            if isinstance(turn, TurnResolved)
        ]
        if mine != twin:
            self._faults.found.append("the storm changed the game")
        self._counts["turns"] += len(twin)


def assignment(variant: Variant) -> SeatAssignment:
    """Return the lot of all games: the seats in the order of the powers."""
    powers = variant.map.powers
    return SeatAssignment(powers, {power: 1000 + n for n, power in enumerate(powers)})


async def storm(messages: int, seed: int, counts: Counter[str]) -> list[str]:
    """Storm one game after another; return what went wrong."""
    variant = load_variant("standard")
    found: list[str] = []
    number = seed
    while counts["messages"] < messages and not found:
        number += 1
        found = await _storm_game(variant, number, messages, counts)
    return found


async def _storm_game(
    variant: Variant, number: int, messages: int, counts: Counter[str]
) -> list[str]:
    """Storm one game; return what went wrong."""
    level = LEVELS[number % len(LEVELS)]
    faults = Faults()
    strict = number % 3 == 0
    policy = ServerPolicy(strict=strict)
    options = GameOptions(level=level, partial_draws=True)
    async with open_game(maker_of(variant, options, policy), faults) as game:
        stormed = StormedGame(game, level, number, counts)
        stormed.play(messages - counts["messages"])
    return faults.found


def report(counts: Counter[str], seconds: float) -> Iterator[str]:
    """Yield what was counted, a line each."""
    said = counts["messages"]
    yield f"{said} messages in {seconds:.0f} s, {counts['turns']} turns of games"
    for what in ("paired", "understood", "understood from a player"):
        yield f"{counts[what]:9} {counts[what] / said:6.1%} {what}"


def main() -> None:
    """Storm, print the counts, and exit with 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    faults = trio.run(storm, chosen.messages, chosen.seed, counts)
    for line in (*report(counts, time.monotonic() - begun), *faults[:5]):
        sys.stdout.write(line + "\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
