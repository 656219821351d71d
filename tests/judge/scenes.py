"""Positions and orders from short texts, and back."""

from collections.abc import Iterable, Mapping

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power, Unit
from daide_server.board.notation import COMMON, read_turn, reader_of
from daide_server.board.orders import Order
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import DAIDE_RULES, Rules
from tests.support.boards import Listed, Texts, by_power


def scene(
    variant: Variant,
    turn: str,
    units: Texts,
    centres: Texts = "",
    dislodged: Mapping[str, Listed] | None = None,
) -> Position:
    """Return the position in which these units stand."""
    board_map = variant.map
    reader = reader_of(Position(read_turn(turn), (), {}), board_map)
    found = [
        reader.unit(text, Power(power))
        for power, texts in by_power(units).items()
        for text in texts
    ]
    owned = {
        reader.location(text).province: Power(power)
        for power, texts in by_power(centres).items()
        for text in texts
    }
    retreating = {
        reader.unit(text, Power(power)): tuple(map(reader.location, places))
        for power, retreats in (dislodged or {}).items()
        for text, places in retreats.items()
    }
    return Position(
        read_turn(turn),
        tuple(sorted(found, key=board_map.sort_key)),
        {at: owned[at] for at in board_map.provinces if at in owned},
        retreating,
    )


def orders_in(variant: Variant, position: Position, texts: Texts) -> list[Order]:
    """Return the orders that the texts give in *position*."""
    reader = reader_of(position, variant.map)
    return [
        reader.order(text, Power(power))
        for power, lines in by_power(texts).items()
        for text in lines
    ]


def play(
    variant: Variant, position: Position, texts: Texts, rules: Rules = DAIDE_RULES
) -> Resolution:
    """Adjudicate the orders that the texts give."""
    return adjudicate(variant, position, orders_in(variant, position, texts), rules)


def spring(
    variant: Variant, units: Texts, orders: Texts, rules: Rules = DAIDE_RULES
) -> Resolution:
    """Adjudicate orders to units that stand so in spring 1901."""
    return play(variant, scene(variant, "SPR 1901", units), orders, rules)


def reported(resolution: Resolution) -> dict[str, str]:
    """Return each report as `order: result`, `RET` where the unit is dislodged."""
    found = {}
    for report in resolution.reports:
        words = [report.result.value] if report.result else []
        words += ["RET"] if report.dislodged else []
        found[COMMON.order(report.order)] = " ".join(words)
    return found


def listed(units: Iterable[Unit]) -> dict[str, list[str]]:
    """Return the units as texts, by power."""
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(unit.power, []).append(COMMON.unit(unit))
    return {power: sorted(texts) for power, texts in sorted(found.items())}


def retreats(resolution: Resolution) -> dict[str, dict[str, list[str]]]:
    """Return where each dislodged unit may go, as texts, by power."""
    found: dict[str, dict[str, list[str]]] = {}
    for unit, places in resolution.retreats.items():
        options = sorted(COMMON.location(at) for at in places)
        found.setdefault(unit.power, {})[COMMON.unit(unit)] = options
    return found
