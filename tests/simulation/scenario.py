"""What happens in one run: settings, players and faults, drawn from a seed.

A scenario is a value that JSON holds, so that a failing one can be made smaller and
kept: a seed means something else after the next change of a draw.
"""

from enum import Enum
from random import Random
from typing import Any, get_args

import msgspec
from msgspec import Struct

SEATS = 7
FAULTS_UNTIL = 60.0
"""Seconds after which no fault begins: then every game must come to its end."""
SOON = 4.0
"""Seconds: a game has formed, a server is back, a player is away in that time."""


MOST_UNREAD = 100_000
"""Bytes that a client may leave unread: a flood of answers is more."""


class Kind(Enum):
    """How a player behaves when no fault happens to it."""

    STEADY = "steady"
    """Orders all its units, soon."""
    LATE = "late"
    """Orders some of its units, at any time of the turn, and changes its mind."""
    SILENT = "silent"
    """Accepts the map, and never orders."""
    TALKER = "talker"
    """Orders soon, and sends press, votes and questions all the time."""
    OBSERVER = "observer"
    """Watches, and may be told no press."""


class Fault(Struct, frozen=True, tag_field="kind"):
    """Something that happens *at* a time, in seconds."""

    at: float


class PlayerFault(Fault, frozen=True):
    """Something that happens to one player."""

    player: int


class Kill(Fault, frozen=True, tag="kill"):
    """The server is killed, and started again; with *power* the machine fails."""

    power: bool
    pause: float


class Stop(Fault, frozen=True, tag="stop"):
    """The server gets SIGTERM, and is started again."""

    pause: float


class FullDisk(Fault, frozen=True, tag="full disk"):
    """Nothing can be written for a while."""

    seconds: float


class FailedSync(Fault, frozen=True, tag="failed sync"):
    """The disk confirms nothing for a while."""

    seconds: float


class Cut(PlayerFault, frozen=True, tag="cut"):
    """The connection of a player is reset."""


class Lost(PlayerFault, frozen=True, tag="lost"):
    """Nothing arrives any more on the connection of a player, which comes back."""


class Left(PlayerFault, frozen=True, tag="left"):
    """A player hangs up, and comes back."""


class Gone(PlayerFault, frozen=True, tag="gone"):
    """A player hangs up, and does not come back."""


class Unread(PlayerFault, frozen=True, tag="unread"):
    """A player reads nothing for a while."""

    seconds: float


class Flood(PlayerFault, frozen=True, tag="flood"):
    """A player asks without end, and reads nothing for a while."""

    seconds: float


class Babble(PlayerFault, frozen=True, tag="babble"):
    """A player sends bytes and messages that no client should send."""


class Guess(PlayerFault, frozen=True, tag="guess"):
    """A player leaves for a moment, and a stranger guesses its passcode."""


class Theft(PlayerFault, frozen=True, tag="theft"):
    """Somebody wants the seat of a player who is there, and knows its passcode."""


class Look(Fault, frozen=True, tag="look"):
    """The page reads the journals."""


class Slow(Fault, frozen=True, tag="slow"):
    """Packets take longer for a while, by a factor."""

    factor: float
    seconds: float


class WallClock(Fault, frozen=True, tag="wall clock"):
    """The wall clock is set forward or back."""

    by: float


ToAll = Kill | Stop | FullDisk | FailedSync | Look | Slow | WallClock
ToOne = Cut | Lost | Left | Gone | Unread | Flood | Babble | Guess | Theft
AnyFault = ToAll | ToOne
KINDS: tuple[type[Fault], ...] = get_args(AnyFault)


class Scenario(Struct, frozen=True):
    """All that one run depends on."""

    seed: int
    """For latencies, and what the players choose."""
    settings: dict[str, Any]
    players: tuple[str, ...]
    """Their kinds, by number."""
    faults: tuple[AnyFault, ...]
    splits: bool = False
    """Whether bytes that are sent at once may arrive in pieces."""
    room: int = 65_536
    """Bytes that the kernel takes for a client that does not read."""
    draws: bool = False
    """Whether all players vote for a draw from the second year on."""
    verbose: bool = False
    """Whether messages are logged."""
    in_a_row: bool = False
    """Whether the players of a game come when the one before is over."""

    @property
    def slowest(self) -> float:
        """Return the largest factor by which packets take longer."""
        slow = [each.factor for each in self.faults if isinstance(each, Slow)]
        return max(slow, default=1.0)


def draw(seed: int) -> Scenario:
    """Return the scenario of *seed*.

    Each draws a random half of the kinds of faults, so that rare combinations come up.
    """
    chance = Random(seed)
    games = 2 if chance.random() < 0.2 else 1
    settings = {**_settings(chance, games), **_more_settings(Random(f"more {seed}"))}
    kinds = [kind for kind in KINDS if chance.random() < 0.5]
    count = chance.randrange(1, 16) if kinds else 0
    faults = _standstill(chance, games * SEATS, dsd=settings["dsd"])
    for _ in range(count):
        at = _time(chance, faults)
        faults.append(_fault(chance.choice(kinds), at, chance, games * SEATS))
    return Scenario(
        seed=seed,
        settings=settings,
        players=_players(chance, games * SEATS),
        faults=tuple(sorted(faults, key=lambda each: each.at)),
        splits=chance.random() < 0.3,
        room=chance.choice((1_000, 65_536)),
        draws=chance.random() < 0.2,
        verbose=chance.random() < 0.1,
        in_a_row=chance.random() < 0.5,
    )


def _players(chance: Random, seats: int) -> tuple[str, ...]:
    """Return a kind for each seat, and sometimes somebody who watches."""
    kinds = (Kind.STEADY, Kind.TALKER, Kind.LATE, Kind.SILENT)
    # A turn in which nobody is late or silent ends before its deadline.
    weights = (5, 3, 2, 1) if chance.random() < 0.6 else (5, 3, 0, 0)
    drawn = chance.choices(kinds, weights=weights, k=seats)
    if chance.random() < 0.3:
        drawn.append(Kind.OBSERVER)
    return tuple(each.value for each in drawn)


def _settings(chance: Random, games: int) -> dict[str, Any]:
    return {
        "games": games,
        "level": 20,
        "mtl": chance.choice((10, 20)),
        "rtl": 5,
        "btl": 5,
        "dsd": chance.random() < 0.5,
        "wait_for": chance.choice(("owing", "everyone")),
        "aoa": chance.random() < 0.3,
        "seats": chance.choice(("arrival", "random")),
        "seed": 1,
        "year_limit": 1900 + chance.choice((1, 1, 1, 2, 3, 5)),
        "post_game_seconds": chance.choice((1.0, 40.0, 40.0, 40.0)),
        "recovery_grace": 5.0,
        "recovery_wait": chance.choice((5.0, 30.0)),
        "pause_seconds": 20.0,
        "abandoned_after": 60.0,
        "outbox_bytes": MOST_UNREAD,
        "durability": chance.choice(("process", "disk")),
    }


def _more_settings(chance: Random) -> dict[str, Any]:
    return {
        "takeover_after": 3.0 if chance.random() < 0.3 else 0,
        "pda": chance.random() < 0.3,
        "level": 20 if chance.random() < 0.9 else 0,
        "ptl": 8 if chance.random() < 0.3 else 0,
        "npr": chance.random() < 0.3,
        "npb": chance.random() < 0.3,
    }


def _standstill(chance: Random, players: int, *, dsd: bool) -> list[AnyFault]:
    """Return, in every other run, what lets a game stand still for seconds.

    A player who leaves for good pauses it, with DSD; one who leaves while no server
    runs is waited for when it is recovered.
    """
    at = chance.uniform(SOON, FAULTS_UNTIL / 2)
    if chance.random() < 0.5:
        return []
    gone = _fault(Gone, at, chance, players)
    if dsd:
        return [gone]
    return [_fault(chance.choice((Kill, Stop)), at, chance, players), gone]


def _time(chance: Random, faults: list[AnyFault]) -> float:
    """Return when the next fault happens: often soon after another, or at the start.

    After one that stops a game it comes most often while that stands still.
    """
    kind, last = chance.random(), faults[-1] if faults else None
    if isinstance(last, Kill | Stop) and kind < 0.8:
        return last.at + chance.uniform(0.0, last.pause + SOON)
    if isinstance(last, Gone) and kind < 0.8:
        return last.at + chance.uniform(0.0, 2 * SOON)
    if last is not None and kind < 0.6:
        return last.at + chance.expovariate(2.5 / SOON)
    at_start = kind > (0.9 if faults else 0.4)
    return chance.uniform(0.0, SOON if at_start else FAULTS_UNTIL)


def _fault(kind: type[Fault], at: float, chance: Random, players: int) -> AnyFault:
    player = chance.randrange(players)
    drawn: dict[type[Fault], dict[str, Any]] = {
        Kill: {"power": chance.random() < 0.5, "pause": chance.uniform(0.0, 3.0)},
        Stop: {"pause": chance.uniform(0.0, 3.0)},
        FullDisk: {"seconds": chance.uniform(0.1, 8.0)},
        FailedSync: {"seconds": chance.uniform(0.1, 8.0)},
        Unread: {"player": player, "seconds": chance.uniform(0.1, 20.0)},
        Flood: {"player": player, "seconds": chance.uniform(0.1, 20.0)},
        Look: {},
        Slow: {
            "factor": chance.uniform(2.0, 50.0),
            "seconds": chance.uniform(1.0, 20.0),
        },
        WallClock: {"by": chance.uniform(-3600.0, 3600.0)},
    }
    return kind(at=at, **drawn.get(kind, {"player": player}))  # type: ignore[return-value]


def as_json(scenario: Scenario) -> bytes:
    """Return *scenario* as JSON that `read` understands."""
    return msgspec.json.format(msgspec.json.encode(scenario), indent=1)


def read(text: bytes) -> Scenario:
    """Return the scenario in *text*; raises `msgspec.ValidationError`."""
    return msgspec.json.decode(text, type=Scenario)
