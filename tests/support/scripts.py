"""A game that is spoken to in DAIDE text, without sockets and without waiting.

`Script` is used by tests directly and by the transcripts in `tests/transcripts`:
one line a message, as a bot author would note it down.

    # a comment                     options: level=10 mtl=300     (before all else)
    board: NOW (...)                board: SCO (...)     (then, if not as usual)
    FRA> SUB ((FRA AMY PAR) HLD)    FRA says this
    FRA< THX (...) (MBV)            and is answered this
    all< CCD (ENG)                  everybody is told this
    ENG! leaves                     the connection of ENG is lost
    +600s                           so much time goes by
    ...                             whatever else was said does not matter
    saves NAME                      the game is saved
    loads NAME                      it was saved so, and is played again from its
                                    journal, on new connections

Clients called by a power are seated in it before the first line, unless the
options say `empty`; others are new connections. What a client is told must all be
written down; `ORD...` stands for one or more messages that begin like that.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from daide_server.board.names import Location, Power, Unit
from daide_server.board.orders import Order
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.game.effects import CloseClient, Effect, Record, Tell
from daide_server.game.events import (
    ClientId,
    ClientLeft,
    ClockTicked,
    Event,
    GameLoaded,
    GameSaved,
    MessageReceived,
)
from daide_server.game.game import Game
from daide_server.game.journal import Journal, play_again
from daide_server.game.options import GameOptions, HouseRules, Lot
from daide_server.game.stages import Stage
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders
from daide_server.language.errors import LanguageError
from daide_server.language.messages import (
    CurrentPosition,
    Ownership,
    ServerMessage,
)
from daide_server.language.reading import ClientReader, ServerReader
from daide_server.language.text import from_text, to_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writing import Writer
from daide_server.records.entries import Entry

PASSCODES = {
    "AUS": 41,
    "ENG": 2083,
    "FRA": 6334,
    "GER": 1924,
    "ITA": 2785,
    "RUS": 7532,
    "TUR": 3286,
}
WORDS = {
    "mtl": "movement_limit",
    "rtl": "retreat_limit",
    "btl": "build_limit",
    "ptl": "press_limit",
    "dsd": "deadline_stops",
    "aoa": "any_orders",
    "pda": "partial_draws",
    "npr": "no_retreat_press",
    "npb": "no_build_press",
}


class Script:
    """One game and the clients that talk to it."""

    def __init__(self, variant: Variant, *words: str) -> None:
        """Make a game; *words* are options such as `mtl=300`, `dsd`, `empty`."""
        given = dict(_word(word) for word in words)
        seated = not given.pop("empty", False)
        options, house = _options(given)
        self.variant = variant
        self.options = options
        self.vocabulary = Vocabulary.of(variant.map)
        lot = Lot(
            variant.map.powers,
            {power: PASSCODES[power] for power in variant.map.powers},
        )
        self._new_game: Callable[[], Game] = lambda: Game(variant, options, house, lot)
        self._new_journal: Callable[[], Journal] = lambda: Journal(house)
        self.game = self._new_game()
        self.journal = self._new_journal()
        self.now = 0.0
        self.records: list[Entry] = []
        self.closed: set[str] = set()
        self.events: list[tuple[Event, float]] = []
        self.effects: list[list[Effect]] = []
        self._said: dict[str, deque[str]] = defaultdict(deque)
        self._ids: dict[str, ClientId] = {}
        self._numbers = count(1)
        self._reader = ClientReader(
            self.vocabulary,
            variant.map,
            options.level,
            partial_draws=options.partial_draws,
            strict=house.strict,
        )
        self._writer = Writer(self.vocabulary)
        if seated:
            self.seat_everybody()

    def seat_everybody(self) -> None:
        """Let seven clients take their seats; what they are told is forgotten."""
        for power in self.variant.map.powers:
            self.hears(power, f"NME ('{power.lower()}bot') ('1.0')")
        for power in self.variant.map.powers:
            self.hears(power, f"YES (MAP ('{self.variant.name}'))")
        self.forgets()

    # What happens

    def hears(self, client: str, text: str) -> None:
        """Let *client* say something; a name not heard before is a new connection."""
        if client not in self._ids:
            self._ids[client] = ClientId(next(self._numbers))
        number = self._ids[client]
        tokens = from_text(text, self.vocabulary)
        try:
            message = self._reader.read(tokens)
        except LanguageError as error:
            self._note(client, error.reply)
            return
        self._post(MessageReceived(number, message, tokens))

    def loses(self, client: str) -> None:
        """Break the connection of *client*; if it returns, it is a new one."""
        self._post(ClientLeft(self._ids.pop(client)))

    def waits(self, seconds: float) -> None:
        """Let time go by, with a tick at each alarm on the way."""
        until = self.now + seconds
        for _ in range(10_000):
            alarm = self.game.alarm
            if alarm is None or alarm > until:
                break
            self.now = max(self.now, alarm)
            self._post(ClockTicked(), catch_up=False)
            assert self.game.alarm != alarm or self.game.state.turn_is_over(self.now)
        self.now = until

    def saves(self, name: str) -> None:
        """Save the game."""
        self._post(GameSaved(name))

    def loads(self, name: str) -> None:
        """Go on with a game made from the journal; all connections are gone."""
        before, lines = self.game.state, list(self.journal.lines())
        self.game, self.journal = self._new_game(), self._new_journal()
        play_again(self.game, lines, self._reader, self.journal)
        after = self.game.state
        assert list(self.journal.lines()) == lines
        assert (after.position, after.stage) == (before.position, before.stage)
        assert after.desk.orders() == before.desk.orders()
        assert after.history == before.history
        assert after.deadlines.left(self.now) == before.deadlines.left(self.now)
        self._ids.clear()
        self._post(GameLoaded(name))

    def _post(self, event: Event, *, catch_up: bool = True) -> None:
        self.events.append((event, self.now))
        self.journal.note(event, self.now)
        effects = self.game.handle(event, self.now)
        self.effects.append(effects)
        self._carry_out(effects)
        if catch_up:
            self.waits(0)

    def _carry_out(self, effects: list[Effect]) -> None:
        names = {number: name for name, number in self._ids.items()}
        for effect in effects:
            match effect:
                case Tell(clients=clients, messages=messages):
                    for client in clients:
                        for message in messages:
                            self._note(names[client], message)
                case Record(entry=entry):
                    self.records.append(entry)
                case CloseClient(client=client):
                    self.closed.add(names[client])

    def _note(self, client: str, message: ServerMessage) -> None:
        text = to_text(self._writer.write(message), self.vocabulary)
        self._said[client].append(text)

    # What was said

    def says(self, client: str, text: str) -> None:
        """Expect *client* to have been told *text* next."""
        queue = self._said[client]
        if text.endswith("..."):
            self._says_some(client, _spaced(text[:-3]))
            return
        expected = to_text(from_text(text, self.vocabulary), self.vocabulary)
        assert queue, f"{client} was told nothing more, expected {expected}"
        found = queue.popleft()
        assert found == expected, f"{client} was told {found}, expected {expected}"

    def _says_some(self, client: str, start: str) -> None:
        """Expect one or more messages to *client* that begin so."""
        queue = self._said[client]
        found = queue[0] if queue else "nothing"
        assert found.startswith(start), f"{client} was told {found}, expected {start}"
        while queue and queue[0].startswith(start):
            queue.popleft()

    def said(self, client: str) -> list[str]:
        """Return, and forget, what *client* was told."""
        told = list(self._said[client])
        self._said[client].clear()
        return told

    def is_silent(self) -> None:
        """Expect that nobody was told anything more."""
        rest = {name: list(queue) for name, queue in self._said.items() if queue}
        assert not rest, f"not expected: {rest}"

    def forgets(self) -> None:
        """Forget what was said so far."""
        for queue in self._said.values():
            queue.clear()

    @property
    def audience(self) -> list[str]:
        """Return the names of the clients that are told everything."""
        names = {number: name for name, number in self._ids.items()}
        return [names[client] for client in self.game.state.audience()]

    @property
    def names(self) -> set[str]:
        """Return the names of all connections."""
        return set(self._ids)

    # Common moves

    def holds(self, *powers: str) -> None:
        """Let *powers*, or everybody, order nothing special; forget the answers."""
        turn = self.game.state.position.turn
        chosen = powers or sorted(self.game.state.present())
        for power in chosen:
            if self.game.state.position.turn == turn:
                self._orders_nothing(power)
        for power in chosen:
            rest = (text for text in self._said[power] if not text.startswith("THX"))
            self._said[power] = deque(rest)

    def _orders_nothing(self, power: str) -> None:
        position = self.game.state.position
        phase, own = position.turn.phase, Power(power)
        if phase is Phase.MOVEMENT:
            orders = [f"(({self.unit(unit)}) HLD)" for unit in position.units_of(own)]
        elif phase is Phase.RETREATS:
            units = position.dislodged_of(own)
            orders = [f"(({self.unit(unit)}) DSB)" for unit in units]
        else:
            orders = [f"({power} WVE)"] * max(0, position.surplus(own))
        if orders:
            self.hears(power, "SUB " + " ".join(orders))

    def order(self, order: Order) -> str:
        """Return *order* in DAIDE text."""
        return to_text(self._writer.order(order), self.vocabulary)

    def unit(self, unit: Unit) -> str:
        """Return *unit* in DAIDE text."""
        kind = {"A": "AMY", "F": "FLT"}[unit.type.value]
        return f"{unit.power} {kind} {self.place(unit.location)}"

    def place(self, at: Location) -> str:
        """Return a location in DAIDE text."""
        return at.province if at.coast is None else f"({at.province} {at.coast.value})"


def _spaced(text: str) -> str:
    """Return the beginning of a message with one space between its tokens."""
    return " ".join(re.findall(r"[()]|[^\s()]+", text))


def _word(word: str) -> tuple[str, Any]:
    key, equals, value = word.partition("=")
    if not equals:
        return key, True
    return key, float(value) if "." in value else int(value)


def _options(given: dict[str, Any]) -> tuple[GameOptions, HouseRules]:
    names = {WORDS.get(key, key): value for key, value in given.items()}
    option_names = {"level", *WORDS.values()}
    rules = DAIDE_RULES
    if names.get("any_orders"):
        rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
    options = GameOptions(**{k: v for k, v in names.items() if k in option_names})
    house = HouseRules(
        rules=rules,
        edition="daide",
        **{k: v for k, v in names.items() if k not in option_names},
    )
    return options, house


# Transcripts

LINE = re.compile(r"(?P<client>\w+)(?P<mark>[<>!])\s*(?P<text>.*)")


def play(path: Path, variant: Variant) -> None:
    """Play a transcript; `AssertionError` names the line that does not hold."""
    lines = list(_lines(path))
    words = [word for text in _headers(lines, "options:") for word in text.split()]
    board = _headers(lines, "board:")
    script = Script(_with_board(variant, board) if board else variant, *words)
    for number, line in lines:
        try:
            _play_line(script, line)
        except AssertionError as error:
            message = f"{path.name}:{number}: {line}\n{error}"
            raise AssertionError(message) from error
    script.is_silent()
    assert lines, f"{path.name} says nothing"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def _headers(lines: list[tuple[int, str]], start: str) -> list[str]:
    """Take the lines that begin with *start* off the beginning."""
    found = []
    while lines and lines[0][1].startswith(start):
        found.append(lines.pop(0)[1].removeprefix(start).strip())
    return found


def _with_board(variant: Variant, said: list[str]) -> Variant:
    """Return *variant* with the start that a NOW and an SCO tell."""
    vocabulary = Vocabulary.of(variant.map)
    reader = ServerReader(vocabulary, variant.map)
    start = variant.start
    for text in said:
        match reader.read(from_text(text, vocabulary)):
            case CurrentPosition(position=position):
                start = evolve(position, owners=start.owners)
            case Ownership(owners=owners):
                start = evolve(start, owners=owners)
            case _:
                pytest.fail(f"not a NOW or an SCO: {text}")
    return evolve(variant, start=start)


def _play_line(script: Script, line: str) -> None:
    if line == "...":
        script.forgets()
    elif line.startswith("+"):
        script.is_silent()
        script.waits(float(line[1:].removesuffix("s")))
    elif line.startswith("stage "):
        assert script.game.stage is Stage[line.removeprefix("stage ").upper()]
    elif line.startswith("saves "):
        script.saves(line.removeprefix("saves "))
    elif line.startswith("loads "):
        script.is_silent()
        script.loads(line.removeprefix("loads "))
    elif line.startswith("hold"):
        script.is_silent()
        script.holds(*line.split()[1:])
    else:
        found = LINE.fullmatch(line)
        assert found is not None, "not a line of a transcript"
        _exchange(script, found["client"], found["mark"], found["text"])


def _exchange(script: Script, client: str, mark: str, text: str) -> None:
    match mark:
        case ">":
            script.is_silent()
            script.hears(client, text)
        case "!":
            script.is_silent()
            script.loses(client)
        case "<" if client == "all":
            for name in script.audience:
                script.says(name, text)
        case _:
            script.says(client, text)
