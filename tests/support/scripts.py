"""A game that is spoken to in DAIDE text, without sockets and without waiting.

Clients called by a power are seated in it before the first word, unless the options
say `empty`; others are new connections. What a client is told must all be expected;
`ORD...` stands for one or more messages that begin like that.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

from daide_server.board.map import Phase, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Disband, Hold, Order, Waive
from daide_server.daide.commands import HelloOption
from daide_server.daide.messages import ServerMessage
from daide_server.daide.translation import ClientReader, LanguageError, Writer
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.game import events
from daide_server.game.game import Game
from daide_server.game.journal import JournalLine, entries_of, replay, written
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.records.entries import RecordEntry

WORDS = {option.value.token.lower(): option.name.lower() for option in HelloOption}


def options_of(words: Iterable[str]) -> tuple[GameOptions, ServerPolicy]:
    """Return what words such as `mtl=300` or `dsd` say."""
    given = dict(_word(word) for word in words)
    names = {WORDS.get(key, key): value for key, value in given.items()}
    option_names = set(WORDS.values())
    options = GameOptions(**{k: v for k, v in names.items() if k in option_names})
    rest = {k: v for k, v in names.items() if k not in option_names}
    return options, ServerPolicy(**rest)


def _word(word: str) -> tuple[str, Any]:
    key, equals, value = word.partition("=")
    if not equals:
        return key, True
    if value.isalpha():
        return key, value
    return key, float(value) if "." in value else int(value)


PASSCODES = {
    "AUS": 41,
    "ENG": 2083,
    "FRA": 6334,
    "GER": 1924,
    "ITA": 2785,
    "RUS": 7532,
    "TUR": 3286,
}
EMPTY = "empty"


class Script:
    """One game and the clients that talk to it."""

    def __init__(
        self,
        variant: Variant,
        *words: str,
        passcodes: Mapping[str, int] = PASSCODES,
        first_client: int = 1,
    ) -> None:
        """Make a game; *words* are options such as `mtl=300`, `dsd`, `empty`."""
        options, policy = options_of(word for word in words if word != EMPTY)
        self.vocabulary = Vocabulary.of(variant.map)
        self._writer = Writer(self.vocabulary)
        self._said: dict[str, deque[str]] = defaultdict(deque)
        self.variant = variant
        self.options = options
        assignment = SeatAssignment(
            variant.map.powers,
            {power: passcodes[power] for power in variant.map.powers},
        )
        self.new_game: Callable[[], Game] = lambda: Game(
            variant, options, policy, assignment
        )

        self.game = self.new_game()
        self.lines: list[JournalLine] = []
        """The journal of the game."""
        self.now = 0.0
        self.records: list[RecordEntry] = []
        self.admitted: dict[str, events.Admit] = {}
        self.refused: dict[str, events.JoinRefusal] = {}
        self.closed: set[str] = set()
        self.reported: list[Power] = []
        self.events: list[tuple[events.GameEvent, float]] = []
        self.effects: list[list[events.Effect]] = []
        self.after_event: (
            Callable[[events.GameEvent, list[events.Effect], float], None] | None
        ) = None
        """Called after each event, before its effects are carried out."""
        self._ids: dict[str, events.ClientId] = {}
        self._numbers = count(first_client)
        self.reader = ClientReader(
            self.vocabulary,
            variant.map,
            options.level,
            partial_draws=options.partial_draws,
            strict=policy.strict,
        )
        if EMPTY not in words:
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
            self._ids[client] = events.ClientId(next(self._numbers))
        number = self._ids[client]
        tokens = from_text(text, self.vocabulary)
        try:
            message = self.reader.read(tokens)
        except LanguageError as error:
            self._note(client, error.reply)
            return
        self._post(events.MessageReceived(number, message, tokens))

    def comes_by_port(self, client: str, power: str) -> None:
        """Let *client*, a new connection, come by the port of the seat of *power*."""
        self._ids[client] = events.ClientId(next(self._numbers))
        self._post(events.SeatPortChosen(self._ids[client], Power(power)))

    def loses(self, client: str) -> None:
        """Break the connection of *client*; if it returns, it is a new one."""
        self._post(events.ClientLeft(self._ids.pop(client)))

    def waits(self, seconds: float) -> None:
        """Let time go by, with a tick at each alarm on the way."""
        until = self.now + seconds
        for _ in range(10_000):
            alarm = self.game.state.clock.alarm
            if alarm is None or alarm > until:
                break
            self.now = max(self.now, alarm)
            self._post(events.ClockTicked(), catch_up=False)
            assert self.game.state.clock.alarm != alarm or self.game.state.turn_is_over(
                self.now
            )
        self.now = until

    def saves(self, name: str) -> None:
        self._post(events.GameSaved(name))

    def loads(self, name: str) -> None:
        """Go on with a game made from the journal; all connections are gone."""
        self._plays_again()
        self._post(events.GameLoaded(name))

    def recovers(self, wait: float = 60.0, grace: float = 10.0) -> None:
        """Go on as after a kill of the server; all connections are gone."""
        self._plays_again()
        self._post(events.GameRecovered(wait, grace))

    def _plays_again(self) -> None:
        """Make the game of the journal, which must be as it was."""
        before = self.game.state
        self.game = self.new_game()
        entries = replay(self.game, self.lines, self.reader)
        assert entries == self.records
        after = self.game.state
        assert (after.position, after.stage) == (before.position, before.stage)
        assert after.turn.accepted() == before.turn.accepted()
        assert after.turn.votes == before.turn.votes
        assert after.turn.waiting == before.turn.waiting
        assert after.history.turns == before.history.turns
        assert after.clock.left(self.now) == before.clock.left(self.now)
        self._ids.clear()

    def _post(self, event: events.GameEvent, *, catch_up: bool = True) -> None:
        self.events.append((event, self.now))
        is_ignored = self.game.ignores(event)
        effects = self.game.handle(event, self.now)
        if self.after_event is not None:
            self.after_event(event, effects, self.now)
        if not is_ignored:
            self.lines += [
                JournalLine(self.now, written(each, self.vocabulary))
                for each in entries_of(event, effects)
            ]
        self.effects.append(effects)
        self._carry_out(effects)
        if catch_up:
            self.waits(0)

    def _carry_out(self, effects: list[events.Effect]) -> None:
        names = {number: name for name, number in self._ids.items()}
        for effect in effects:
            match effect:
                case events.Send(clients=clients, messages=messages):
                    for client in clients:
                        for message in messages:
                            self._note(names[client], message)
                case events.Record(entry=entry):
                    self.records.append(entry)
                case events.Admit(client=client):
                    self.admitted[names[client]] = effect
                case events.Refuse(client=client, reason=reason):
                    self.refused[names[client]] = reason
                case events.CloseClient(client=client):
                    self.closed.add(names[client])
                case events.ReportRecordFull(power=power):
                    self.reported.append(power)

    @property
    def audience(self) -> list[str]:
        """Return the names of the clients that are told everything."""
        names = {number: name for name, number in self._ids.items()}
        return [names[client] for client in self.game.state.audience()]

    @property
    def names(self) -> set[str]:
        return set(self._ids)

    # What clients were told

    def _note(self, client: str, message: ServerMessage) -> None:
        text = to_text(self._writer.write(message), self.vocabulary)
        self._said[client].append(text)

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

    def _forget(self, client: str, start: str) -> None:
        """Forget the messages to *client* that begin so."""
        rest = (text for text in self._said[client] if not text.startswith(start))
        self._said[client] = deque(rest)

    def is_silent(self) -> None:
        """Expect that nobody was told anything more."""
        rest = {name: list(queue) for name, queue in self._said.items() if queue}
        assert not rest, f"not expected: {rest}"

    def forgets(self) -> None:
        for queue in self._said.values():
            queue.clear()

    # Common moves

    def holds(self, *powers: str) -> None:
        """Let *powers*, or everybody, order nothing special; forget the answers."""
        turn = self.game.state.position.turn
        chosen = powers or sorted(self.game.state.present())
        for power in chosen:
            if self.game.state.position.turn == turn:
                self._orders_nothing(power)
        for power in chosen:
            self._forget(power, "THX")

    def _orders_nothing(self, power: str) -> None:
        position = self.game.state.position
        phase, own = position.turn.phase, Power(power)
        given: list[Order]
        if phase is Phase.MOVEMENT:
            given = [Hold(unit) for unit in position.units_of(own)]
        elif phase is Phase.RETREATS:
            given = [Disband(unit) for unit in position.dislodged_of(own)]
        else:
            given = [Waive(own)] * max(0, position.surplus(own))
        if given:
            self.hears(power, "SUB " + " ".join(map(self._spelt, given)))

    def _spelt(self, order: Order) -> str:
        return f"({to_text(self._writer.order(order), self.vocabulary)})"


def _spaced(text: str) -> str:
    """Return the beginning of a message with one space between its tokens."""
    return " ".join(re.findall(r"[()]|[^\s()]+", text))
