"""The settings of one game's server, and its conversation with each bot.

Conversations are kept in memory, and become text if logs are kept.
"""

import struct
from collections import deque
from typing import Final

import trio
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.daide.frames import FrameDecoder, FrameType, decode_tokens
from daide_server.daide.vocabulary import Vocabulary, to_text, without_passcodes
from daide_server.library.variants import find_variant
from daide_server.server.making import GameMaker, begun
from daide_server.server.settings import TABLE, ServerSettings

from .game_task import GameTask

YEARS = 34
"""The number of years after the first after which a game ends by default."""
FIXED = TABLE.read(
    {
        "server": {"games": 1},
        # No observers, and no communication outside of the record.
        "game": {"admin_allowed": False},
        # A killed worker voids its game anyway.
        "journal": {"durability": "none"},
    },
    "tournament",
)
USUAL = TABLE.read({"game": {"post_game_seconds": 0.1}}, "tournament")
"""The defaults of a tournament that differ from those of `serve`."""


def game_maker(task: GameTask) -> GameMaker:
    """Return the maker for the game of *task*; raises if its settings are wrong."""
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
    """Return *settings* with a year limit, without which holding bots never end."""
    if settings.policy.year_limit is not None:
        return settings
    year = variant.start.turn.year + YEARS
    return evolve(settings, policy=evolve(settings.policy, year_limit=year))


KEPT_TRAFFIC_BYTES = 1 << 20
"""Bytes that are kept for one seat; above, the oldest are dropped."""
CHUNK_COST = 128
"""Bytes that each chunk counts in addition, because a bot may send single bytes."""
FROM_BOT = "<"
TO_BOT = ">"


class Traffic:
    """The traffic of one seat's connections, up to a limit."""

    def __init__(self, kept_bytes: int = KEPT_TRAFFIC_BYTES) -> None:
        self._kept: Final = kept_bytes
        self.chunks: Final[deque[tuple[float, str, bytes]]] = deque()
        """The kept chunks, oldest first: time, direction, bytes."""
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
