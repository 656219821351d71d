"""The settings of one game's server, and what is said to each of its bots, and by it.

The conversations are kept in memory, and become text where the logs are kept.
"""

import struct
from collections import deque
from typing import Final

import trio
from attrs import evolve

from daide_server.app.making import GameMaker, begun
from daide_server.app.settings import TABLE, ServerSettings
from daide_server.board.map import Variant
from daide_server.language.vocabulary import Vocabulary, to_text, without_passcodes
from daide_server.storage.variants import find_variant
from daide_server.wire.frames import FrameDecoder, FrameType, decode_tokens

from .game_task import GameTask

YEARS: Final = 34
"""How many years after the first one a game ends, unless a year limit is given."""
FIXED: Final = TABLE.read(
    {
        "server": {"games": 1},
        # Nobody who watches is let in, and nobody talks past the record.
        "game": {"admin_allowed": False},
        # A killed worker voids its game anyway.
        "journal": {"durability": "none"},
    },
    "tournament",
)
USUAL: Final = TABLE.read({"game": {"post_game_seconds": 0.1}}, "tournament")
"""Where a tournament's games differ from those of `serve` unless it says otherwise."""


def game_maker(task: GameTask) -> GameMaker:
    """Return what makes the game of *task*; raises what is wrong with its settings."""
    settings = game_settings(task)
    variant = find_variant(settings.board.variant)
    variant = begun(settings, variant)
    settings = bounded(settings, variant)
    game, number = task.attempt.game, task.attempt.number
    metadata = {
        "tournament": task.tournament,
        "game": str(game),
        "attempt": str(number),
    }
    record = f"{task.tournament}-{game:06}"
    return GameMaker(settings, variant, lambda _: record, metadata)


def game_settings(task: GameTask) -> ServerSettings:
    """Return the settings of the server; raises `SettingsError`."""
    given = TABLE.read(task.game, "[game]")
    settings = TABLE.compose(USUAL, given, FIXED)
    policy = settings.policy
    if policy.hung_after is None and task.limits.stalled_seconds:
        policy = evolve(policy, hung_after=task.limits.stalled_seconds)
    return evolve(
        settings, policy=policy, chance=evolve(settings.chance, seed=task.seed)
    )


def bounded(settings: ServerSettings, variant: Variant) -> ServerSettings:
    """Return *settings* with a year limit: bots that hold would go on for ever."""
    if settings.policy.year_limit is not None:
        return settings
    year = variant.start.turn.year + YEARS
    return evolve(settings, policy=evolve(settings.policy, year_limit=year))


KEPT_TRAFFIC_BYTES: Final = 1 << 20
"""Of one seat; of more, the oldest are dropped."""
CHUNK_COST: Final = 128
"""Bytes that a chunk counts beside its own: a bot may send them one by one."""
FROM_BOT: Final = "<"
TO_BOT: Final = ">"


class Traffic:
    """What one seat's connections have carried, up to a limit."""

    def __init__(self, kept_bytes: int = KEPT_TRAFFIC_BYTES) -> None:
        self._kept: Final = kept_bytes
        self.chunks: Final[deque[tuple[float, str, bytes]]] = deque()
        """What is kept, the oldest first: time, direction, bytes."""
        self._bytes = 0
        self.is_cut = False
        """Whether the beginning was dropped."""

    def add(self, direction: str, data: bytes) -> None:
        """Note bytes that were carried now."""
        self.chunks.append((trio.current_time(), direction, data))
        self._bytes += len(data) + CHUNK_COST
        while self._bytes > self._kept:
            self.is_cut = True
            self._bytes -= len(self.chunks.popleft()[-1]) + CHUNK_COST


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
    """Raise `ValueError` unless a frame is of a known *kind*."""
    del length
    FrameType(kind)


def _frame_text(kind: int, body: bytes, vocabulary: Vocabulary) -> str:
    if kind != FrameType.DIPLOMACY:
        return f"{FrameType(kind).name.lower()} {body.hex(' ', 2)}".rstrip()
    try:
        return to_text(without_passcodes(decode_tokens(body)), vocabulary)
    except struct.error:
        return f"no tokens: {body.hex(' ', 2)}"
