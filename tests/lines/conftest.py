"""A session that plays, without a bridge: lines and DAIDE texts in, both out."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from attrs import define, field
from msgspec import Struct

from daide_server.board.map import Variant
from daide_server.bots.lines.line_game import LineEffect, Remark, Transmit
from daide_server.bots.lines.line_session import LineSession
from daide_server.bots.lines.line_types import write_line
from daide_server.bots.view import Knowledge
from daide_server.daide.messages import MapDefinition
from daide_server.daide.translation import ServerReader
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.usage import TurnUsage
from tests.bots.conftest import START as START

UNITS = ("FRA FLT BRE", "FRA AMY MAR", "FRA AMY PAR", "ENG FLT LON")

Line = dict[str, Any]


def now(turn: str, *units: str) -> str:
    """Return NOW of *turn* with *units*, or those of the start."""
    return f"NOW ({turn}) " + " ".join(f"({unit})" for unit in units or UNITS)


@define(eq=False)
class Played:
    """A session, what it said to both sides, and a clock."""

    session: LineSession
    words: Vocabulary
    reader: ServerReader
    facts: Knowledge
    now: float = 0.0
    to_bot: list[Line] = field(factory=list)
    to_server: list[str] = field(factory=list)
    remarks: list[str] = field(factory=list)

    def take(self, effects: Iterable[LineEffect]) -> None:
        """Note what the session wants."""
        for effect in effects:
            match effect:
                case Transmit(messages=messages):
                    self.to_server += [to_text(each, self.words) for each in messages]
                case Remark(text=text):
                    self.remarks.append(text)
                case Struct() if not isinstance(effect, TurnUsage):
                    self.to_bot.append(json.loads(write_line(effect)))
                case _:
                    pass

    def bot_says(self, **line: object) -> list[Line]:
        """Let the bot say a line; return what it hears now."""
        return self.bot_sends(json.dumps(line).encode())

    def bot_sends(self, line: bytes) -> list[Line]:
        """Let the bot send bytes; return what it hears now."""
        self.to_bot.clear()
        self.take(self.session.from_bot(line, self.now))
        return [*self.to_bot]

    def server_says(self, *texts: str) -> list[Line]:
        """Let the server send messages; return what the bot hears."""
        self.to_bot.clear()
        for text in texts:
            message = self.reader.read(from_text(text, self.words))
            self.take(self.session.from_server(message, self.now))
        return [*self.to_bot]

    def sent(self) -> list[str]:
        """Return what was sent to the server since the last time."""
        found, self.to_server = self.to_server, []
        return found

    def waits(self, seconds: float) -> list[Line]:
        """Let time pass; return what the bot hears."""
        self.to_bot.clear()
        self.now += seconds
        self.take(self.session.tick(self.now))
        return [*self.to_bot]


Begin = Callable[..., Played]


@pytest.fixture
def begin(standard: Variant) -> Begin:
    """Return what begins a game as France; see `start`."""

    def start(
        options: str = "(LVL 0)",
        turn: str = now("SPR 1901"),
        owners: str = START,
        ready: Mapping[str, object] = {},
        **session: Any,  # noqa: ANN401 - as LineSession takes it
    ) -> Played:
        """Begin a game of France; the bot is *ready*."""
        words = Vocabulary.of(standard.map)
        reader = ServerReader(words, standard.map)
        played = Played(LineSession(**session), words, reader, Knowledge())
        played.facts.learn(MapDefinition(standard.map))
        texts = "MAP ('standard')", f"HLO (FRA) (2947) ({options})", owners, turn
        for text in texts:
            played.facts.learn(reader.read(from_text(text, words)))
        played.bot_says(**{"type": "ready", "name": "Bot", **ready})
        played.to_bot.clear()
        joined = played.session.joined(played.facts, words, 0.0, resumed=False)
        played.take(joined)
        return played

    return start
