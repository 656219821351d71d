"""Powers, places, units, orders and lists in plain English, and names of games.

The pronounceable name of a game follows from its id alone and is stored nowhere; two
games may share one.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from daide_server.board import orders
from daide_server.board.map import MAPS_KEPT, Season, Terrain, Turn, Variant
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import MovementOrder, Order
from daide_server.records.formats.errors import shortened

MAX_NAME = 40
"""Maximum characters of the name of a power or place."""

TITLES = {
    Season.SPRING: "Spring {}",
    Season.SUMMER: "Spring {}, retreats",
    Season.FALL: "Fall {}",
    Season.AUTUMN: "Fall {}, retreats",
    Season.WINTER: "Winter {}",
}
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve"),
)
_TYPES = {UnitType.ARMY: "army", UnitType.FLEET: "fleet"}


def turn_title(turn: Turn) -> str:
    """Return the usual name of *turn*."""
    return TITLES[turn.season].format(turn.year)


def number(count: int) -> str:
    """Return *count* as a word, if it is small."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def counted(count: int, word: str) -> str:
    """Return words such as `two centres`."""
    return f"{number(count)} {word}{'' if count == 1 else 's'}"


def listed(words: Iterable[str], most: int | None = None) -> str:
    """Return `A, B and C`; of more than *most*, the others are counted."""
    found = list(words)
    if most is not None and len(found) > most:
        found = [*found[:most], f"{number(len(found) - most)} more"]
    *others, last = found
    return f"{', '.join(others)} and {last}" if others else last


def capital(text: str) -> str:
    """Return *text* with a capital letter at its start."""
    return text[:1].upper() + text[1:]


class BoardWords:
    """The words of one board."""

    def __init__(self, variant: Variant) -> None:
        """Use the names of *variant*."""
        self.variant: Final = variant

    def power(self, power: Power) -> str:
        """Return the name of *power*."""
        return shortened(self.variant.titles.get(power, power), MAX_NAME)

    def powers(self, powers: Iterable[Power], most: int | None = None) -> str:
        """Return the names of *powers* as a list."""
        return listed(map(self.power, powers), most)

    def in_order(self, powers: Iterable[Power]) -> list[Power]:
        """Return *powers* in the order of the board."""
        index = self.variant.map.power_index
        return sorted(powers, key=lambda each: index.get(each, -1))

    def place(self, province: Province) -> str:
        """Return the name of *province*; seas have an article."""
        name = shortened(self.variant.titles.get(province, province), MAX_NAME)
        is_sea = self.variant.map.terrain.get(province) is Terrain.SEA
        return f"the {name}" if is_sea else name

    def places(self, provinces: Iterable[Province], most: int | None = None) -> str:
        """Return the names of *provinces* as a list."""
        return listed(map(self.place, provinces), most)

    def location(self, location: Location) -> str:
        """Return a place in words, such as `Spain (south coast)`."""
        place = self.place(location.province)
        if location.coast is None:
            return place
        return f"{place} ({coast(location.coast)})"

    def unit(self, unit: Unit) -> str:
        """Return a unit in words, such as `the Turkish army in Bulgaria`."""
        return f"{self._whose(unit)} in {self.location(unit.location)}"

    def _whose(self, unit: Unit) -> str:
        adjective = self.variant.adjectives.get(unit.power)
        kind = _TYPES[unit.type]
        if adjective is None:
            return f"the {kind} of {self.power(unit.power)}"
        return f"the {adjective} {kind}"

    def order(self, order: Order, *, opposite: bool = False) -> str:
        """Return the action of *order* in words, or, if *opposite*, its negation."""
        who, verb, rest = self._order(order)
        third = f"{verb}es" if verb == "go" else f"{verb}s"
        done = f"does not {verb}" if opposite else third
        return f"{who} {done} {rest}".rstrip()

    def _order(self, order: Order) -> tuple[str, str, str]:
        """Return subject, verb, and the rest."""
        match order:
            case orders.Waive(power):
                return self.power(power), "waive", "a build"
            case orders.Build(unit):
                built = f"{unit_kind(unit.type)} in {self.location(unit.location)}"
                return self.power(unit.power), "build", built
            case orders.Remove(unit):
                return self.power(unit.power), "remove", self.unit(unit)
            case orders.Disband(unit):
                return self.unit(unit), "disband", ""
            case _:
                return self._movement(order)

    def _movement(self, order: MovementOrder | orders.Retreat) -> tuple[str, str, str]:
        who = self.unit(order.unit)
        match order:
            case orders.Hold():
                return who, "hold", ""
            case orders.Move(_, to):
                return who, "move", f"to {self.location(to)}"
            case orders.Retreat(_, to):
                return who, "retreat", f"to {self.location(to)}"
            case orders.ConvoyedMove(_, to, route):
                via = f" by {self.places(route)}" if route else ""
                return who, "go", f"to {self.location(to)} by convoy{via}"
            case orders.SupportHold(_, other):
                return who, "support", self.unit(other)
            case orders.SupportMove(_, other, to):
                return who, "support", f"{self.unit(other)} to {self.location(to)}"
            case orders.Convoy(_, other, to):
                return who, "convoy", f"{self.unit(other)} to {self.location(to)}"


def coast(which: Coast) -> str:
    """Return a coast in words, such as `south coast`."""
    return f"{which.name.lower().replace('_', '-')} coast"


def unit_kind(kind: UnitType | None) -> str:
    """Return a type in words, such as `an army`; a unit of any type is `a unit`."""
    if kind is None:
        return "a unit"
    return "an army" if kind is UnitType.ARMY else "a fleet"


@lru_cache(MAPS_KEPT)
def words_of(variant: Variant) -> BoardWords:
    """Return the words of *variant*, made once for it."""
    return BoardWords(variant)


# Names of games

_ADJECTIVES = (
    "able amber ample azure bold brave breezy bright brisk calm candid clever "
    "copper coral cosy crisp daring deft eager early fair fancy fleet fond frank "
    "fresh gentle glad golden grand green happy hardy honest humble ivory jolly "
    "keen kind lively loyal lucky mellow merry mighty mild misty modest neat "
    "nimble noble patient placid plucky polite proud quick quiet rapid ready "
    "regal rosy rustic sage scarlet silent silver sleek smart snowy sober solid "
    "spry steady stout sunny swift tidy tranquil trusty upbeat valiant velvet "
    "vivid warm wary wise witty young zesty"
)
_ANIMALS = (
    "adder albatross alpaca badger bat bear beaver bee bison boar buzzard camel "
    "carp cat cobra condor cormorant crab crane cricket crow curlew deer dolphin "
    "dove eagle eel egret elk falcon ferret finch fox frog gannet gazelle goat "
    "goose grouse gull hare hawk hedgehog heron herring hornet horse hound ibex "
    "ibis jackal jackdaw jay kestrel kite koala lark lemur leopard linnet lion "
    "lizard llama lobster lynx magpie mallard marmot marten mole moose moth "
    "mouse newt osprey otter owl panda panther parrot pelican penguin perch pike "
    "plover pony puffin puma quail rabbit raven robin rook salmon seal shrew "
    "shrike snail snipe sparrow spider stag starling stoat stork swallow swan "
    "swift tern thrush tiger toad trout turtle viper vole walrus wasp weasel "
    "whale wolf wombat wren yak zebra"
)
_COUNT = re.compile(r"(?<![0-9A-Za-z])(\d{1,6})\Z", re.ASCII)
"""The number of a game that its server or its tournament counted."""
SUFFIXES = 100
"""A name ends with a number below this if the id has none."""


def game_name(game: str) -> str:
    """Return the name of the game with that id.

    It ends with the number with which the id ends, if there is one.
    """
    adjectives, animals = _ADJECTIVES.split(), _ANIMALS.split()
    digest = sha256(game.encode(errors="surrogatepass")).digest()
    first, second, third = (
        int.from_bytes(digest[at : at + 4], "big") for at in (0, 4, 8)
    )
    count = _COUNT.search(game)
    suffix = int(count[1]) if count else third % SUFFIXES
    adjective = adjectives[first % len(adjectives)]
    return f"{adjective}-{animals[second % len(animals)]}-{suffix}"
