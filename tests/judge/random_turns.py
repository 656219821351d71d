"""Small crowded positions with orders that get in each other's way."""

from collections.abc import Mapping, Sequence
from random import Random

from daide_server.board.map import Map, Position, Season, Terrain, Turn
from daide_server.board.names import Location, Province, Unit, UnitType
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from daide_server.judge.possible import possible_orders

SPRING = Turn(Season.SPRING, 1901)
SEA = Terrain.SEA


def position(board_map: Map, chance: Random, number: int, powers: int) -> Position:
    """Return a position of *number* units of a few powers, close together."""
    places = region(board_map, chance, number + chance.randint(0, 2))
    chance.shuffle(places)
    units = [unit(board_map, chance, place, powers) for place in places[:number]]
    return Position(SPRING, tuple(sorted(units, key=board_map.sort_key)), {})


def region(board_map: Map, chance: Random, size: int) -> list[Province]:
    """Return *size* provinces that hang together around a sea or two."""
    near: dict[Province, set[Province]] = {}
    for (_, at), places in board_map.neighbours.items():
        near.setdefault(at.province, set()).update(place.province for place in places)
    seas = [at for at in board_map.provinces if board_map.terrain[at] is SEA]
    found = [chance.choice(seas)]
    heart = chance.choice(sorted(near[found[0]] & set(seas)) or found)
    if heart not in found:
        found.append(heart)
    while len(found) < size:
        core = found[:2] if chance.random() < 0.8 else found
        edge = {place for at in core for place in near[at]} - set(found)
        edge = edge or {place for at in found for place in near[at]} - set(found)
        found.append(chance.choice(sorted(edge)))
    return found


def unit(board_map: Map, chance: Random, province: Province, powers: int) -> Unit:
    """Return a unit that can stand in *province*."""
    placed = [
        (unit_type, at)
        for unit_type, at in board_map.neighbours
        if at.province == province
    ]
    unit_type, at = chance.choice(placed)
    return board_map.unit(chance.choice(board_map.powers[:powers]), unit_type, at)


def orders(board_map: Map, chance: Random, at: Position) -> dict[Unit, MovementOrder]:
    """Return an order for each unit; many of them go together."""
    possible = possible_orders(board_map, at)
    occupied = {unit.province for unit in at.units}
    chosen: dict[Unit, MovementOrder] = {}

    # Armies first, so that fleets find something to convoy and to support.
    def rank(unit: Unit) -> tuple[float, float]:
        at_sea = board_map.terrain[unit.province] is SEA
        return (unit.type is UnitType.FLEET) + at_sea * chance.random(), chance.random()

    ordered = sorted(at.units, key=rank)
    for unit in ordered:
        choices = choice_of(possible[unit], chosen, occupied)
        weights = [weight for _, weight in choices]
        kind, _ = chance.choices(choices, weights)[0]
        chosen[unit] = chance.choice(kind)
    return {unit: chosen[unit] for unit in at.units}


def choice_of(
    possible: Sequence[Order],
    chosen: Mapping[Unit, MovementOrder],
    occupied: set[Province],
) -> list[tuple[Sequence[MovementOrder], int]]:
    """Return kinds of orders with how much they are wanted."""
    convoying = {
        other.unit.province for other in chosen.values() if isinstance(other, Convoy)
    }

    movements = [order for order in possible if isinstance(order, MovementOrder)]
    attacks = [
        order
        for order in movements
        if isinstance(order, Move) and order.destination.province in occupied
    ]
    helping = [order for order in movements if helps(order, chosen)]
    sinking: list[MovementOrder] = [
        order
        for order in (*attacks, *helping)
        if isinstance(order, Move | SupportMove)
        and order.destination.province in convoying
    ]
    kinds: list[tuple[Sequence[MovementOrder], int]] = [
        (movements, 1),
        (attacks, 4),
        ([order for order in movements if isinstance(order, ConvoyedMove)], 8),
        (helping, 6),
        ([order for order in helping if isinstance(order, Convoy)], 24),
        (sinking, 16),
    ]
    return [(kind, weight) for kind, weight in kinds if kind]


def helps(order: MovementOrder, chosen: Mapping[Unit, MovementOrder]) -> bool:
    """Return whether *order* goes together with another unit's."""
    match order:
        case Convoy(convoyed=army, destination=to):
            other = chosen.get(army)
            return isinstance(other, ConvoyedMove) and other.destination == to
        case SupportMove(supported=supported, destination=to):
            other = chosen.get(supported)
            if not isinstance(other, Move | ConvoyedMove):
                return False
            return other.destination.province == to.province
        case SupportHold():
            stays = Hold | SupportHold | SupportMove | Convoy
            return isinstance(chosen.get(order.supported), stays)
        case _:
            return False


def siege(
    board_map: Map, chance: Random, powers: int, number: int = 1
) -> tuple[Position, dict[Unit, MovementOrder]]:
    """Return a turn in which convoys go to where their fleets are attacked from.

    Each of *number* fleets carries an army to the place of a fleet that supports an
    attack on the first; what else stands around does something at random.
    """
    at = position(board_map, chance, chance.randint(1, 4), powers)
    fixed: dict[Unit, MovementOrder] = {}
    units = {unit.province: unit for unit in at.units}
    for _ in range(number):
        fixed |= _one_siege(board_map, chance, powers, units)
    units |= {unit.province: unit for unit in fixed}
    everybody = tuple(sorted(units.values(), key=board_map.sort_key))
    at = Position(SPRING, everybody, {})
    others = orders(board_map, chance, at)
    legal = {
        unit: set(possible) for unit, possible in possible_orders(board_map, at).items()
    }
    chosen = {unit: fixed.get(unit, others[unit]) for unit in everybody}
    return at, {
        unit: order if order in legal[unit] else Hold(unit)
        for unit, order in chosen.items()
    }


def _one_siege(
    board_map: Map, chance: Random, powers: int, taken: dict[Province, Unit]
) -> dict[Unit, MovementOrder]:
    sea = chance.choice([p for p in board_map.provinces if board_map.terrain[p] is SEA])
    around = board_map.neighbours[UnitType.FLEET, Location(sea)]
    free = [at for at in around if at.province not in taken]
    coasts = [at for at in free if board_map.terrain[at.province] is not SEA]
    if sea in taken or len({at.province for at in coasts}) < 2:
        return {}
    home, goal = chance.sample(coasts, 2)
    attackers = [at for at in free if at not in {home, goal}]
    if home.province == goal.province or not attackers:
        return {}
    some = board_map.powers[:powers]
    mine, theirs = chance.sample(some, 2)
    army = board_map.unit(mine, UnitType.ARMY, Location(home.province))
    fleet = board_map.unit(mine, UnitType.FLEET, Location(sea))
    supporter = board_map.unit(theirs, UnitType.FLEET, goal)
    attacker = board_map.unit(
        chance.choice(some), UnitType.FLEET, chance.choice(attackers)
    )
    if attacker.province in {home.province, goal.province}:
        return {}
    taken |= {one.province: one for one in (army, fleet, supporter, attacker)}
    landing = Location(goal.province)
    return {
        army: ConvoyedMove(army, landing, None),
        fleet: Convoy(fleet, army, landing),
        supporter: SupportMove(supporter, attacker, Location(sea)),
        attacker: Move(attacker, Location(sea)),
    }


def turn(board_map: Map, chance: Random) -> tuple[Position, dict[Unit, MovementOrder]]:
    """Return a position and an order for each unit; some name their routes."""
    powers = chance.randint(2, 4)
    if chance.random() < 1 / 3:
        at, chosen = siege(board_map, chance, powers, chance.randint(1, 3))
    else:
        at = position(board_map, chance, chance.randint(5, 11), powers)
        chosen = orders(board_map, chance, at)
    for unit, order in chosen.items():
        if isinstance(order, ConvoyedMove) and chance.random() < 1 / 4:
            chosen[unit] = with_route(board_map, chance, order, at)
    return at, chosen


def with_route(
    board_map: Map, chance: Random, order: ConvoyedMove, at: Position
) -> ConvoyedMove:
    """Return the order with a route over seas where fleets are."""
    seas = {
        unit.province for unit in at.units if board_map.terrain[unit.province] is SEA
    }
    ways: list[tuple[Province, ...]] = [(order.unit.province,)]
    for way in ways:
        near = {
            place.province
            for (kind, where), places in board_map.neighbours.items()
            if kind is UnitType.FLEET and where.province == way[-1]
            for place in places
        }
        if len(way) > 1 and order.destination.province in near:
            return ConvoyedMove(order.unit, order.destination, way[1:])
        ahead = sorted(near & seas - set(way))
        chance.shuffle(ahead)
        ways += [(*way, sea) for sea in ahead]
    return order
