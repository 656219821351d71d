"""The options of a game, which are fixed before it begins.

`GameOptions` are the variant options of HLO (Message Syntax, HLO and Level 10);
`ServerPolicy` are choices that the protocol leaves to the server; a `SeatAssignment` is
random. Each field of the first two is a setting: see `daide_server.settings`.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from attrs import evolve, frozen

from daide_server.board.map import Phase
from daide_server.board.names import Power
from daide_server.daide.commands import LANGUAGE_LEVELS, HelloOption
from daide_server.daide.tokens import MAX_NUMBER
from daide_server.judge.rules import EDITIONS, IllegalOrders, Rules
from daide_server.settings import kinds
from daide_server.settings.descriptor import setting, switch

LIMIT = kinds.either(
    kinds.whole(0, MAX_NUMBER, unit="seconds", metavar="SECONDS"), 0, None
)
YEAR = kinds.either(kinds.whole(0, metavar="YEAR"), 0, None)
SeatOrder = Literal["random", "arrival", "name"]
AwaitedPlayers = Literal["owing", "everyone"]


def _limit(option: HelloOption, text: str) -> int | None:
    """Return a field for a number of seconds; 0 means no limit."""
    word = option.value.token.lower()
    return setting(LIMIT, None, text, key=word, option=f"--{word}")


def _flag(option: HelloOption, text: str) -> bool:
    """Return a field for an option that is on or off."""
    word = option.value.token.lower()
    return switch(text, key=word, option=f"--{word}")


@frozen(kw_only=True)
class GameOptions:
    """The variant options of HLO, a field for each, named as in `HelloOption`.

    Limits are in seconds; `None` means no limit.
    """

    level: int = setting(
        kinds.one_of(LANGUAGE_LEVELS, metavar="LEVEL"),
        0,
        "Level of the language: 0 (no press), 10, 20 ... 160, 8000.",
        option="--level",
    )
    movement_limit: int | None = _limit(
        HelloOption.MOVEMENT_LIMIT, "Seconds for a movement turn; 0: no deadline."
    )
    retreat_limit: int | None = _limit(
        HelloOption.RETREAT_LIMIT, "Seconds for a retreat turn; 0: no deadline."
    )
    build_limit: int | None = _limit(
        HelloOption.BUILD_LIMIT, "Seconds for an adjustment turn; 0: no deadline."
    )
    press_limit: int | None = _limit(
        HelloOption.PRESS_LIMIT, "No press in the last seconds of a movement turn."
    )
    deadline_stops: bool = _flag(
        HelloOption.DEADLINE_STOPS,
        "The deadline stops when a player who owes orders leaves.",
    )
    any_orders: bool = _flag(
        HelloOption.ANY_ORDERS, "Any orders are accepted; illegal ones fail later."
    )
    partial_draws: bool = _flag(HelloOption.PARTIAL_DRAWS, "Draws may omit survivors.")
    no_retreat_press: bool = _flag(
        HelloOption.NO_RETREAT_PRESS, "No press in retreat turns."
    )
    no_build_press: bool = _flag(
        HelloOption.NO_BUILD_PRESS, "No press in adjustment turns."
    )

    @property
    def limits(self) -> Mapping[Phase, int | None]:
        """Return how long each phase lasts."""
        return {
            Phase.MOVEMENT: self.movement_limit,
            Phase.RETREATS: self.retreat_limit,
            Phase.ADJUSTMENTS: self.build_limit,
        }

    @property
    def has_partial_draws(self) -> bool:
        """Return whether draws may omit survivors, at this level."""
        return bool(self.in_force(HelloOption.PARTIAL_DRAWS))

    def in_force(self, option: HelloOption) -> int | None:
        """Return the field named as *option*, if it is set and exists at this level."""
        value: int | None = getattr(self, option.name.lower())
        is_set = value is not None and value is not False
        return value if is_set and self.level >= option.value.from_level else None

    def as_hello(self) -> tuple[tuple[HelloOption, int | None], ...]:
        """Return the options that are set, in the order of the document, as in HLO."""
        values = ((option, self.in_force(option)) for option in HelloOption)
        return tuple(
            (option, value if option.value.has_number else None)
            for option, value in values
            if value is not None
        )


@frozen(kw_only=True)
class ServerPolicy:
    """Choices that the protocol leaves to the server. Times are in seconds."""

    edition: str = setting(
        kinds.one_of(EDITIONS),
        "daide",
        "The edition of the rules, see docs/rules.md.",
        formerly="rules",
    )
    seats: SeatOrder = setting(
        kinds.one_of(get_args(SeatOrder), metavar="HOW"),
        "random",
        "How seats are given: random, arrival (in the order of the powers), or name "
        "(a name FRA:MyBot asks for France).",
        option="--seats",
    )
    year_limit: int | None = setting(
        YEAR,
        None,
        "After the winter of this year the survivors share a draw; 0: never.",
        option="--year-limit",
    )
    stalemate_years: int | None = setting(
        YEAR,
        None,
        "The survivors share a draw after this number of years in which no centre "
        "changed hands; 0: never.",
    )
    post_game_seconds: float = setting(
        kinds.SECONDS,
        5.0,
        "Seconds for which a finished game still answers.",
        option="--post-game-seconds",
        formerly="linger",
    )
    abandoned_after: float = setting(
        kinds.SECONDS, 60.0, "Seconds after which a game without players is ended."
    )
    late_is_disorder: bool = switch("A missed deadline is announced by CCD.")
    vacant_blocks_draw: bool = switch(
        "A surviving power without a client must vote for a plain draw too."
    )
    admin_allowed: bool = switch(
        "ADM is forwarded; if false, it is refused.", default=True, formerly="admin"
    )
    strict: bool = switch(
        "Accept only what the document's appendix allows; if false, also what "
        "servers of its time accepted.",
        option="--strict",
    )
    takeover_after: float | None = setting(
        kinds.SECONDS_OR_NONE,
        None,
        "IAM takes the seat of a client that has been silent for this number of "
        "seconds, and closes its connection; 0: never.",
    )
    wait_for: AwaitedPlayers = setting(
        kinds.one_of(get_args(AwaitedPlayers), metavar="WHOM"),
        "owing",
        "With dsd: the clock stops for players who left and owe orders (owing), or for "
        "all players who left (everyone).",
    )
    hung_after: float | None = setting(
        kinds.TURN_SECONDS_OR_NONE,
        None,
        "In turns without a deadline: a client that owes orders for this number of "
        "seconds is disconnected (CCD); 0: never.",
    )
    pause_seconds: float | None = setting(
        kinds.SECONDS_OR_NONE,
        None,
        "With dsd: maximum seconds for which the clock stops; 0: until all players who "
        "owe orders are back.",
        formerly="pause_limit",
    )
    load_seconds: float | None = setting(
        kinds.SECONDS_OR_NONE,
        None,
        "Seconds that a loaded game waits for the other players when one is back; 0: "
        "until all have returned or refused.",
        formerly="load_limit",
    )


def rules_of(policy: ServerPolicy, options: GameOptions) -> Rules:
    """Return the rules of the edition; with AOA, impossible orders are reported."""
    rules = EDITIONS[policy.edition]
    if options.any_orders:
        rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
    return rules


@frozen
class SeatAssignment:
    """What was drawn at random: the order of the seats, and the passcodes."""

    seats: tuple[Power, ...]
    passcodes: Mapping[Power, int]
