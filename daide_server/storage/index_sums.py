"""Sums of the index over games, kept with each game, so that a bot's page is quick.

`RESULT_TABLE` sums the seats of a bot by power and version; `MEETING_TABLE` those of
two bots that met, and, where both are the same, counts the games of a bot. A game adds
its part when it is read, and takes it away when it is forgotten.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    case,
    delete,
    func,
    select,
)
from sqlalchemy.dialects.sqlite import insert

from .index_tables import (
    MEETING_TABLE,
    OUTCOMES_COUNTED,
    RESULT_TABLE,
    SEAT_TABLE,
    SUMMED,
)


def count_game(connection: Connection, game: str, sign: int = 1) -> None:
    """Add the seats of *game* to the sums, or take them away if *sign* is -1."""
    _add(connection, RESULT_TABLE, _results(game, sign))
    _add(connection, MEETING_TABLE, _meetings(game, sign))
    if sign < 0:
        for table, count in ((RESULT_TABLE, "seats"), (MEETING_TABLE, "games")):
            connection.execute(delete(table).where(table.c[count] <= 0))


def _results(game: str, sign: int) -> Select[Any]:
    seats = SEAT_TABLE.c
    keys = (seats.name, seats.power, seats.version)
    outcomes = {each: seats.outcome == each for each in OUTCOMES_COUNTED}
    sums = {
        "seats": func.count(),
        **{
            name: func.sum(case((is_it, 1), else_=0))
            for name, is_it in outcomes.items()
        },
        **{name: func.sum(func.coalesce(seats[name], 0)) for name in SUMMED},
        "thinking": func.count(seats.think),
    }
    first = func.min(seats.position).label("position")
    chosen = select(*keys, first, *_signed(sums, sign))
    return chosen.where(seats.game == game).group_by(*keys)


def _meetings(game: str, sign: int) -> Select[Any]:
    own, other = SEAT_TABLE.alias("own"), SEAT_TABLE.alias("rival")
    keys = (own.c.name, other.c.name.label("other"))
    sums = {
        "games": func.count(own.c.game.distinct()),
        "pairs": func.count(),
        "own_score": func.sum(own.c.score),
        "score": func.sum(other.c.score),
    }
    chosen = select(*keys, *_signed(sums, sign))
    met = chosen.join_from(own, other, own.c.game == other.c.game)
    return met.where(own.c.game == game).group_by(own.c.name, other.c.name)


def _signed(
    sums: Mapping[str, ColumnElement[Any]], sign: int
) -> Iterator[ColumnElement[Any]]:
    return ((sign * each).label(name) for name, each in sums.items())


def _add(connection: Connection, table: Table, found: Select[Any]) -> None:
    """Add the sums of *found* to those of *table*."""
    names = [each.name for each in found.selected_columns]
    row = insert(table).from_select(names, found)
    kept = {*table.primary_key.columns.keys(), "position"}
    sums = {
        name: table.c[name] + row.excluded[name] for name in names if name not in kept
    }
    keys = table.primary_key.columns
    connection.execute(row.on_conflict_do_update(index_elements=keys, set_=sums))
