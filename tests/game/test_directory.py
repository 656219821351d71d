"""The games that NME, OBS and IAM are routed to."""

from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.daide import messages
from daide_server.game.directory import COMMON_PORT, Directory, GameId, PortTarget
from daide_server.game.events import ClientId, ClientLeft, MessageReceived
from daide_server.game.game import Game
from tests.support.scripts import PASSCODES, Script

ONE, TWO = GameId(1), GameId(2)
NEWCOMER = ClientId(99)


def forming(standard: Variant) -> Game:
    return Script(standard, "empty").game


def running(standard: Variant) -> Game:
    return Script(standard).game


def ended(standard: Variant) -> Game:
    """Return a game that ended in a draw."""
    script = Script(standard)
    for power in standard.map.powers:
        script.hears(power, "DRW")
    return script.game


def directory_of(*games: Game) -> Directory:
    """Return a directory of *games*, numbered from one."""
    directory = Directory()
    for number, game in enumerate(games, start=1):
        directory.add(GameId(number), game)
    return directory


def say(game: Game, client: ClientId, message: messages.ClientMessage) -> None:
    """Let *client* say something to *game*."""
    game.handle(MessageReceived(client, message, ()), 0.0)


def lose(directory: Directory, game: Game, power: Power) -> None:
    """Let the client of *power* leave *game*, the first of *directory*."""
    client = game.state.seating[power].client
    assert client is not None
    # By this message the directory knows which game it is in.
    directory.route(client, messages.AskPosition(), PortTarget(ONE))
    directory.forget(client)
    game.handle(ClientLeft(client), 0.0)


def test_a_name_of_a_lost_seat_is_refused(standard: Variant) -> None:
    """POW:Name of a vacant seat that Name held: the client then says IAM."""
    game = running(standard)
    directory = directory_of(game, forming(standard))
    seat = game.state.seating[Power("TUR")]
    assert directory.route(NEWCOMER, messages.Name("TUR:turbot", "1.0")) == TWO
    lose(directory, game, seat.power)
    assert directory.route(NEWCOMER, messages.Name("TUR:turbot", "1.0")) is None
    assert directory.route(NEWCOMER, messages.Name("TUR:other", "1.0")) == TWO
    assert directory.route(NEWCOMER, messages.Name("FRA:turbot", "1.0")) == TWO


def test_an_observer_goes_where_something_happens(standard: Variant) -> None:
    """A forming game with players, a running one, one that is over, an empty one."""
    empty = forming(standard)
    directory = directory_of(empty)
    assert directory.route(NEWCOMER, messages.Observe()) == ONE
    directory = directory_of(ended(standard), forming(standard))
    assert directory.route(NEWCOMER, messages.Observe()) == ONE
    begun = forming(standard)
    directory = directory_of(running(standard), begun)
    assert directory.route(NEWCOMER, messages.Observe()) == ONE
    say(begun, ClientId(5), messages.Name("a", "b"))
    assert directory.route(NEWCOMER, messages.Observe()) == TWO


def test_questions_of_a_newcomer_go_where_it_would_observe(standard: Variant) -> None:
    """And a client that has joined stays where it is."""
    game = forming(standard)
    directory = directory_of(running(standard), game)
    assert directory.route(NEWCOMER, messages.AskPosition()) == ONE
    assert directory.route(NEWCOMER, messages.Name("a", "b")) == TWO
    say(game, NEWCOMER, messages.Name("a", "b"))
    assert directory.route(NEWCOMER, messages.VoteDraw(None)) == TWO
    assert directory.route(NEWCOMER, messages.Observe()) == TWO
    assert directory.forget(NEWCOMER) == TWO


def test_a_passcode_finds_its_game(standard: Variant) -> None:
    """Whether the seat is free is for the game to say; a wrong one finds none."""
    game = running(standard)
    directory = directory_of(forming(standard), game)
    france = messages.Rejoin(Power("FRA"), PASSCODES["FRA"])
    assert directory.route(NEWCOMER, france) == TWO
    assert directory.route(NEWCOMER, replace(france, passcode=1)) is None
    assert directory.route(NEWCOMER, messages.Name("a", "b")) == ONE


def test_a_passcode_is_of_no_use_before_the_start(standard: Variant) -> None:
    """Nor after the end: then no seat can be had."""
    france = messages.Rejoin(Power("FRA"), PASSCODES["FRA"])
    directory = directory_of(forming(standard), ended(standard))
    assert directory.route(NEWCOMER, france) is None
    assert not directory.is_vacant(COMMON_PORT, Power("FRA"))


def test_what_can_be_guessed_is_a_vacant_seat(standard: Variant) -> None:
    """Or one that may be taken from a silent client; of a game that the port is for."""
    game = running(standard)
    directory = directory_of(game, forming(standard))
    france = Power("FRA")
    assert not directory.is_vacant(COMMON_PORT, france)
    lose(directory, game, france)
    assert directory.is_vacant(COMMON_PORT, france)
    assert directory.is_vacant(PortTarget(ONE), france)
    assert not directory.is_vacant(PortTarget(TWO), france)
    assert not directory.is_vacant(COMMON_PORT, Power("ENG"))
    assert not directory.is_vacant(COMMON_PORT, Power("SPA"))
    patient = directory_of(Script(standard, "takeover_after=60").game)
    assert patient.is_vacant(COMMON_PORT, Power("ENG"))


def test_a_name_goes_where_its_seat_is_free(standard: Variant) -> None:
    """To a game with another free seat only if there is none, to be refused there."""
    first, second = (Script(standard, "empty", "seats=name").game for _ in range(2))
    directory = directory_of(first, second)
    say(first, ClientId(1), messages.Name("FRA:a", "1"))
    assert directory.route(NEWCOMER, messages.Name("FRA:b", "1")) == TWO
    assert directory.route(NEWCOMER, messages.Name("ENG:b", "1")) == ONE
    assert directory.route(NEWCOMER, messages.Name("plain", "1")) == ONE
    say(second, ClientId(2), messages.Name("FRA:b", "1"))
    assert directory.route(NEWCOMER, messages.Name("FRA:c", "1")) == ONE


def test_a_forming_game_is_observed_though_nobody_has_a_seat(standard: Variant) -> None:
    """Those who ask for none wait for theirs."""
    game = Script(standard, "empty", "seats=name").game
    directory = directory_of(running(standard), game)
    say(game, ClientId(1), messages.Name("plain", "1"))
    assert directory.route(NEWCOMER, messages.Observe()) == TWO


def test_games_that_share_a_passcode_are_told_apart_by_their_ports(
    standard: Variant,
) -> None:
    """Loaded games of several servers may; otherwise the oldest is meant."""
    directory = directory_of(running(standard), running(standard))
    france = messages.Rejoin(Power("FRA"), PASSCODES["FRA"])
    assert directory.route(NEWCOMER, france) == ONE
    assert directory.route(NEWCOMER, france, PortTarget(TWO)) == TWO
    directory.remove(ONE)
    assert directory.route(ClientId(100), france) == TWO
    assert PASSCODES["FRA"] in directory.passcodes(Power("FRA"))
    directory.remove(TWO)
    assert not directory.passcodes(Power("FRA"))


def test_a_loaded_game_takes_players_by_name(standard: Variant) -> None:
    """As many as it lacks; their passcodes may be those of another loaded game."""
    others = {power: code + 1 for power, code in PASSCODES.items()}
    first, second = Script(standard), Script(standard, passcodes=others)
    first.loads("first")
    second.loads("second")
    directory = directory_of(first.game, second.game)
    france = messages.Rejoin(Power("FRA"), others["FRA"])

    assert directory.route(NEWCOMER, messages.Name("a", "b")) == ONE
    say(first.game, NEWCOMER, messages.Name("a", "b"))
    assert directory.route(NEWCOMER, messages.AskPosition()) == ONE
    assert directory.route(NEWCOMER, france) == TWO
    for number in range(100, 106):
        say(first.game, ClientId(number), messages.Name("a", "b"))
    assert directory.route(ClientId(200), messages.Name("a", "b")) == TWO
    assert directory.has_open_seat()
