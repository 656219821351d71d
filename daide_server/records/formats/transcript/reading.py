"""Reads a transcript as a game record: lines become entries, which are folded."""

from collections.abc import Iterator, Mapping
from math import nan

import msgspec
from msgspec.structs import replace

from daide_server.board.map import Position, Variant, VariantError
from daide_server.board.names import Power, Province
from daide_server.board.orders import Order
from daide_server.board.results import Report
from daide_server.daide import messages as said
from daide_server.daide.commands import FREE_TEXT_LEVEL
from daide_server.daide.messages import ClientMessage, ServerMessage
from daide_server.daide.translation import ClientReader, LanguageError, ServerReader
from daide_server.daide.vocabulary import TextError, Vocabulary, from_text, to_text
from daide_server.records import entries
from daide_server.records.entries import RecordEntry, fold
from daide_server.records.formats import transcript
from daide_server.records.formats.errors import (
    MAX_NAME_LENGTH,
    FormatError,
    member,
    shortened,
)
from daide_server.records.formats.format import FindVariant
from daide_server.records.record import Ending, GameRecord, RecordError

MAX_SECONDS = 1e18
"""The largest time of a line, in seconds."""
_SAID = f"# {transcript.SAID}: "
_TEXT = msgspec.json.Decoder(str)


def read(text: str | bytes, variants: FindVariant) -> GameRecord:
    """Return the record that the transcript *text* holds.

    Raises `FormatError` with the line that is wrong.
    """
    try:
        whole = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise FormatError(str(error)) from None
    header = dict(_header(whole))
    try:
        variant = variants(header.get(transcript.VARIANT, ""))
        return _Transcript(header, variant).record(whole)
    except VariantError as error:
        raise FormatError(f"# {transcript.VARIANT}: {error}") from None
    except RecordError as error:
        raise FormatError(str(error)) from None


def _header(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if line.startswith("# "):
            key, _, value = line.removeprefix("# ").partition(":")
            if key != transcript.SAID and len(value) > MAX_NAME_LENGTH:
                message = f"# {key}: found {len(value)} characters, expected fewer"
                raise FormatError(message)
            yield key, value.strip()


def _press_said(number: int, line: str) -> str:
    """Return the press in *line*; raise `FormatError` with its *number*."""
    try:
        # Not the module json, which takes half of a surrogate pair for a character.
        return _TEXT.decode(line.removeprefix(_SAID))
    except msgspec.DecodeError:
        message = f"line {number}: found {shortened(line)!r}, expected a JSON text"
        raise FormatError(message) from None


def _time(text: str) -> float:
    """Return the seconds in *text*, not a number if they are unknown."""
    return nan if text == transcript.NO_TIME else _finite(text)


def _finite(text: str) -> float:
    """Return the number in *text*; raise `ValueError` if it is none, or huge."""
    value = float(text)
    if not abs(value) <= MAX_SECONDS:
        raise ValueError(f"found {shortened(repr(text))}, expected a number of seconds")
    return value


class _Transcript:
    """The state of reading: entries so far, and the turn that is not complete."""

    def __init__(self, header: Mapping[str, str], variant: Variant) -> None:
        self.header = header
        self.variant = variant
        self.vocabulary = Vocabulary.of(variant.map)
        self.server = ServerReader(self.vocabulary, variant.map)
        self.client = ClientReader(
            self.vocabulary, variant.map, FREE_TEXT_LEVEL, partial_draws=True
        )
        self.entries: list[RecordEntry] = []
        self.position: Position | None = None
        self.owners: Mapping[Province, Power] = {}
        self.orders: list[Order] = []
        self.reports: list[Report] = []
        self.said: str | None = None

    def record(self, text: str) -> GameRecord:
        """Return the record that the lines of *text* make."""
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith(_SAID):
                self.said = _press_said(number, line)
            elif line.strip() and not line.startswith("#"):
                self._line(number, line)
        game = self.header.get(transcript.GAME, "")
        metadata = {
            key.removeprefix(transcript.METADATA): value
            for key, value in self.header.items()
            if key.startswith(transcript.METADATA)
        }
        started = self._number(transcript.STARTED)
        record = fold(
            self.entries, self.variant, game=game, started=started, metadata=metadata
        )
        return replace(record, foreign=self.header.get(transcript.FOREIGN) == "yes")

    def _number(self, key: str) -> float:
        text = self.header.get(key) or "0"
        try:
            return _finite(text)
        except ValueError:
            raise FormatError(f"# {key}: found {text!r}, expected a number") from None

    def _line(self, number: int, line: str) -> None:
        fields = line.split("\t")
        try:
            seconds, who, text = _time(fields[0]), *fields[1:3]
            self._add(seconds, Power(who), self._message(who, text))
        except ValueError as error:
            raise FormatError(f"line {number}: {error}") from None
        except LanguageError as error:
            raise FormatError(f"line {number}: not understood: {error.reply}") from None

    def _message(self, who: str, text: str) -> ServerMessage | ClientMessage:
        try:
            tokens = from_text(text, self.vocabulary)
        except TextError as error:
            raise FormatError(str(error)) from None
        if who == transcript.SERVER:
            return self.server.read(tokens)
        if who not in self.variant.map.powers:
            raise FormatError(
                f"found {who!r}, expected a power, or {transcript.SERVER}"
            )
        return self.client.read(tokens)

    def _add(  # noqa: C901 - one case per message
        self, seconds: float, who: Power, message: ServerMessage | ClientMessage
    ) -> None:
        add = self.entries.append
        match message:
            case said.Name(name, version):
                add(entries.Seated(who, name, version, seconds))
            case said.InDisorder(power):
                add(entries.Vacated(power, seconds))
            case said.SendPress(_, recipients, content):
                text = self.said
                if text is None:
                    text = to_text(content, self.vocabulary)
                self.said = None
                add(entries.PressSent(who, recipients, text, seconds))
            case said.VoteDraw(powers):
                add(entries.DrawVoted(who, powers, withdrawn=False, seconds=seconds))
            case said.WithdrawDraw(powers):
                add(entries.DrawVoted(who, powers, withdrawn=True, seconds=seconds))
            case said.SubmitOrders(_, submitted):
                self.orders += (each.order for each in submitted)
            case said.OrderResulted(_, report):
                self.reports.append(report)
            case said.Ownership(owners):
                self.owners = owners
            case said.CurrentPosition(position):
                self._stands(replace(position, owners=self.owners), seconds)
            case said.Summary():
                self._end()
            case _:
                pass  # The header has what MAP, SLO and DRW say.

    def _stands(self, position: Position, seconds: float) -> None:
        """Add a position: the first begins the game, others end a turn."""
        if self.position is None:
            edition = self.header.get(transcript.EDITION, "daide")
            level = int(self._number(transcript.LEVEL))
            name = self.variant.name
            self.entries.append(entries.Began(name, edition, level, position, seconds))
        else:
            turn = (self.position, tuple(self.orders), tuple(self.reports), position)
            self.entries.append(entries.TurnResolved(*turn, seconds))
        self.position = position
        self.orders, self.reports = [], []

    def _end(self) -> None:
        """Add the ending of the header, at the place of SMR."""
        text = self.header.get(transcript.ENDING)
        if not text or self.position is None:
            return
        ending = member(Ending, text, f"# {transcript.ENDING}")
        seconds = (
            self._number(transcript.ENDED) if self.header.get(transcript.ENDED) else nan
        )
        self.entries.append(
            entries.Ended(ending, self._winners(), self.position, seconds)
        )

    def _winners(self) -> tuple[Power, ...]:
        powers = self.variant.map.powers
        named = self.header.get(transcript.WINNERS, "").split()
        for name in named:
            if name not in powers:
                expected = " ".join(powers)
                found = shortened(name)
                message = (
                    f"# {transcript.WINNERS}: found {found!r}, expected {expected}"
                )
                raise FormatError(message)
        return tuple(map(Power, named))
