"""One game in a storm of messages, with its twin that is played in silence.

Sessions, hall, table and game are real; lines and switchboard are not.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

import structlog

from daide_server.board.orders import Convoy, ConvoyedMove, Order, Waive
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId, MessageReceived
from daide_server.game.game import Game
from daide_server.game.options import Lot
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.language.brackets import are_paired
from daide_server.language.commands import server_grammar
from daide_server.language.messages import ClientMessage
from daide_server.language.reading import ClientReader
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import BRA, BRACKETS, ERR, KET, PRN, Tokens
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writing import Writer
from daide_server.records.entries import TurnResolved
from daide_server.server.hall import Hall
from daide_server.server.session import Session, SessionLimits
from daide_server.wire.connection import Connection
from daide_server.wire.frames import (
    FrameDecoder,
    FrameType,
    decode_tokens,
    encode_tokens,
)

from .sentences import Speaker

IM: Final = bytes.fromhex("0000 0004 0001 DA10")
TURNS: Final = 12
"""How long a game is played before the next begins."""
STORM: Final = 400
"""Messages between the orders of two turns."""
FRESH: Final = 3
LIMITS: Final = SessionLimits(
    largest_message=32758,
    outbox_bytes=10**9,
    read_bytes_per_second=1e12,
    read_burst_bytes=1e15,
    messages_per_pass=10**6,
    im_seconds=1e9,
    join_seconds=1e9,
    close_seconds=0.0,
)


class Faults:
    """What must not happen, as the log tells it: everything from an error up."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def __call__(self, _: object, level: str, event: structlog.typing.EventDict) -> str:
        """Remember what is logged."""
        if level in {"error", "critical"}:
            self.found.append(str(event))
        raise structlog.DropEvent


class Wire:
    """What a session takes for its line: bytes in, and checked bytes out."""

    address = "192.0.2.1"
    socket = None

    def __init__(self, faults: Faults) -> None:
        self.data: bytes | None = None
        self._faults = faults
        self._decoder = FrameDecoder(lambda _kind, _length: None)
        self._known: set[bytes] = set()

    def receive_now(self) -> bytes | None:
        """Return what the client has sent."""
        data, self.data = self.data, None
        return data

    def send_now(self, data: bytes) -> int:
        """Check what the client is sent."""
        if data not in self._known:
            self._check(data)
        return len(data)

    def _check(self, data: bytes) -> None:
        self._decoder.feed(data)
        while frame := self._decoder.next():
            kind, body = frame
            if kind == FrameType.DIPLOMACY:
                # What is no bracket but of their category may only be quoted.
                tokens = tuple(
                    ERR if token >> 8 == BRACKETS and token not in (BRA, KET) else token
                    for token in decode_tokens(body)
                )
                if tokens[0] != PRN and server_grammar().fault(tokens) is not None:
                    self._faults.found.append(f"said {body.hex()}")
        if len(self._known) < 1000 and len(data) < 5000:
            self._known.add(data)


class Listening:
    """A reader that counts what it understands."""

    def __init__(self, reader: ClientReader, counts: Counter[str]) -> None:
        self._reader = reader
        self._counts = counts
        self.who = ""
        """Who speaks in the storm; nobody, while the game is played."""

    def read(self, tokens: Tokens) -> ClientMessage:
        """Read, and count."""
        if not self.who:
            return self._reader.read(tokens)
        counts = self._counts
        counts["paired"] += are_paired(tokens)
        message = self._reader.read(tokens)
        counts["understood"] += 1
        counts[f"understood from a {self.who}"] += 1
        return message


class House:
    """One game that is stormed, and its twin that is played in silence."""

    def __init__(
        self, hall: Hall, faults: Faults, level: int, seed: int, counts: Counter[str]
    ) -> None:
        self._random = Random(seed)
        self._hall = hall
        self._faults = faults
        self._counts = counts
        self._variant = hall._programme.variant
        self._words = Vocabulary.of(self._variant.map)
        self._writer = Writer(self._words)
        self._speaker = Speaker(self._variant, level, self._random)
        self._reader = Listening(hall._reader, counts)
        hall._reader = self._reader  # type: ignore[assignment]
        self._numbers = iter(range(1, 10**9))
        self.turns: list[TurnResolved] = []
        self._twin = Game(
            self._variant,
            hall._programme.options,
            hall._programme.house,
            lot(self._variant),
        )
        self._twin_turns: list[TurnResolved] = []

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
        powers = self._variant.map.powers
        self.players = [self._session() for _ in powers]
        self._watcher = self._session()
        self._strangers = [self._session() for _ in range(FRESH)]
        for number, session in enumerate(self.players):
            self._say(session, "NME ('a') ('1')")
            self._both_hear(number, "NME ('a') ('1')", twin_only=True)
        for number, session in enumerate(self.players):
            self._say(session, "YES (MAP ('standard'))")
            self._both_hear(number, "YES (MAP ('standard'))", twin_only=True)
        self._say(self._watcher, "OBS")
        self._say(self._watcher, "YES (MAP ('standard'))")
        # The last one never has its orders in before the storm is over.
        self._say(self.players[-1], "NOT (GOF)")

    def _session(self) -> Session:
        client = ClientId(next(self._numbers))
        session = Session(
            client,
            Wire(self._faults),  # type: ignore[arg-type]
            Connection(self._words.representation),
            LIMITS,
        )
        session._receiver = self._hall
        session._switchboard = Nobody()  # type: ignore[assignment]
        self._hall.sessions[client] = session
        self.feed(session, IM)
        return session

    def feed(self, session: Session, data: bytes) -> None:
        session._line.data = data  # type: ignore[attr-defined]
        session._read()

    def _say(self, session: Session, text: str) -> None:
        self.feed(session, encode_tokens(from_text(text, self._words)))

    # The storm

    def _storm(self, messages: int) -> None:
        random = self._random
        said = 0
        while said < messages:
            kind = random.random()
            if kind < 0.55:
                # Six of seven: the one whose orders are missing only listens.
                self._reader.who = "player"
                said += self._speak(random.choice(self.players[:-1]))
            elif kind < 0.75:
                self._reader.who = "observer"
                said += self._speak(self._watcher)
            else:
                self._reader.who = "stranger"
                said += self._annoy(random.randrange(FRESH))
        self._reader.who = ""
        self._counts["messages"] += said

    def _speak(self, session: Session) -> int:
        """Say something whole, in one piece or in two, once or many times."""
        random = self._random
        speaker = self._speaker
        tokens = speaker.garbage() if random.random() < 0.1 else speaker.message()
        frame = encode_tokens(tokens)
        if random.random() < 0.02:
            self.feed(session, frame * 20)
            return 20
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
                self.feed(session, encode_tokens(tokens))
                return 1
        elif kind < 0.95:
            self.feed(session, random.randbytes(random.randrange(1, 60)))
        else:
            self.feed(session, encode_tokens(self._speaker.message())[:-1])
        self._hall.leave(session)
        self._strangers[number] = self._session()
        return 1

    # What counts

    def _settle(self) -> bool:
        """Give the orders of the turn; return whether the game goes on."""
        position = self._twin.state.position
        drawn = dict(self._drawn())
        for number, power in enumerate(self._variant.map.powers):
            for text in ("NOT (SUB)", "NOT (DRW)", "GOF"):
                self._say(self.players[number], text)
            if drawn.get(power):
                self._both_hear(number, drawn[power])
        assert self._twin.state.position is not position, "the turn did not end"
        self._say(self.players[-1], "NOT (GOF)")
        return self._twin.state.is_running

    def _both_hear(self, number: int, text: str, *, twin_only: bool = False) -> None:
        tokens = from_text(text, self._words)
        if not twin_only:
            self.feed(self.players[number], encode_tokens(tokens))
        message = self._reader._reader.read(tokens)
        event = MessageReceived(ClientId(number + 1), message, tokens)
        for effect in self._twin.handle(event, 0.0):
            entry = getattr(effect, "entry", None)
            if isinstance(entry, TurnResolved):
                self._twin_turns.append(entry)

    def _drawn(self) -> Iterator[tuple[str, str]]:
        """Yield a SUB for each power that owes orders, drawn among the legal ones."""
        state, random = self._twin.state, self._random
        ground, position = self._variant.map, state.position
        choices = possible_orders(ground, position)
        adjustments = possible_adjustments(ground, position)
        for power in ground.powers:
            orders: list[Order] = []
            if position.turn.phase is not Phase.ADJUSTMENTS:
                for unit, legal in choices.items():
                    if unit.power == power:
                        plain = [
                            o for o in legal if not isinstance(o, Convoy | ConvoyedMove)
                        ]
                        orders.append(random.choice(plain))
            elif position.surplus(power) > 0:
                orders = [Waive(power)] * position.surplus(power)
            elif position.surplus(power) < 0:
                orders = random.sample(
                    [o for o in adjustments[power] if not isinstance(o, Waive)],
                    -position.surplus(power),
                )
            if orders:
                spelt = (to_text(self._writer.order(o), self._words) for o in orders)
                yield power, "SUB " + " ".join(f"( {text} )" for text in spelt)

    def _compare(self) -> None:
        mine = [(turn.position, turn.reports, turn.next) for turn in self.turns]
        twin = [(turn.position, turn.reports, turn.next) for turn in self._twin_turns]
        if mine != twin:
            self._faults.found.append("the storm changed the game")
        self._counts["turns"] += len(twin)


MAY_JOIN: Final = frozenset(from_text("NME OBS IAM", Vocabulary.standard()))


class Nobody:
    """A switchboard that watches nothing."""

    def watch(self, *_: object) -> None:
        """Watch nothing."""

    def forget(self, *_: object) -> None:
        """Forget nothing."""

    def later(self, *_: object) -> None:
        """Have nothing to do later."""


def lot(variant: Variant) -> Lot:
    """Return the lot of all games: the seats in the order of the powers."""
    powers = variant.map.powers
    return Lot(powers, {power: 1000 + n for n, power in enumerate(powers)})
