"""Reads what is proposed from the tokens of press.

Message Syntax, levels 10 to 130: PRP and INS with an arrangement, IFF with two of them.
The tokens have passed the grammar of press.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from daide_server.board.turns import Turn
from daide_server.language.syntax import (
    UNIT_TYPES_BY_TOKEN,
    OrderReader,
    is_turn,
    parts,
    read_turn,
)
from daide_server.language.text import to_text
from daide_server.language.tokens import BRA, TOKENS_BY_NAME, Token, Tokens, value_of

from .arrangements import (
    AllianceAgainst,
    AllParts,
    Arrangement,
    CentresShared,
    Clause,
    Conditional,
    Demilitarised,
    DrawAmong,
    InTurns,
    Lifted,
    Opposite,
    OrderGiven,
    PeaceAmong,
    PlacedUnitWanted,
    SoloFor,
    SomeParts,
    Undecidable,
    UnitsPlaced,
)


def offer(content: Tokens, reader: OrderReader) -> Clause | None:
    """Return what press proposes; `None` if it is not to form an agreement."""
    match content[:1]:
        case (head,) if head in _PROPOSING:
            return read_clause(parts(content)[0], reader)
        case (head,) if head == _IFF:
            return _conditional(content, reader)
        case _:
            return None


def read_clause(tokens: Tokens, reader: OrderReader) -> Clause:
    """Return the arrangement in *tokens*, its brackets excluded."""
    text = to_text(tokens, reader.vocabulary)
    return Clause(text, read_arrangement(tokens, reader))


def read_arrangement(tokens: Tokens, reader: OrderReader) -> Arrangement:
    """Return the value of the arrangement in *tokens*."""
    read = _READERS.get(tokens[0])
    return (read(reader, tokens) if read else None) or Undecidable()


def _conditional(content: Tokens, reader: OrderReader) -> Clause | None:
    condition, *press = parts(content)
    then, *otherwise = (offer(each, reader) for each in press)
    if then is None:
        return None
    return Clause(
        to_text(content, reader.vocabulary),
        Conditional(
            read_clause(condition, reader), then, otherwise[0] if otherwise else None
        ),
    )


# Single forms


def _peace(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return PeaceAmong(reader.powers(parts(tokens)[0]))


def _alliance(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return AllianceAgainst(*map(reader.powers, parts(tokens)))


def _draw(reader: OrderReader, tokens: Tokens) -> Arrangement:
    listed = parts(tokens)
    return DrawAmong(reader.powers(listed[0]) if listed else None)


def _solo(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return SoloFor(*reader.powers(parts(tokens)[0]))


def _order(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return OrderGiven(reader.order(parts(tokens)[0]))


def _zone(reader: OrderReader, tokens: Tokens) -> Arrangement:
    powers, provinces = parts(tokens)
    named = map(reader.vocabulary.province, provinces)
    return Demilitarised(reader.powers(powers), tuple(named))


def _shares(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return CentresShared(
        tuple(
            (
                None if owner == _UNO else reader.vocabulary.power(owner),
                tuple(map(reader.vocabulary.province, centres)),
            )
            for owner, *centres in parts(tokens)
        )
    )


def _placed(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return UnitsPlaced(
        tuple(
            PlacedUnitWanted(
                reader.vocabulary.power(power),
                UNIT_TYPES_BY_TOKEN.get(kind),
                reader.locations(tuple(where))[0].province,
            )
            for power, kind, *where in parts(tokens)
        )
    )


# Forms with arrangements in them


def _opposite(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return Opposite(read_arrangement(parts(tokens)[0], reader))


def _lifted(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return Lifted(read_arrangement(parts(tokens)[0], reader))


def _listed(reader: OrderReader, found: list[Tokens]) -> tuple[Clause, ...]:
    return tuple(read_clause(part, reader) for part in found)


def _all(reader: OrderReader, tokens: Tokens) -> Arrangement:
    return AllParts(_listed(reader, parts(tokens)))


def _some(reader: OrderReader, tokens: Tokens) -> Arrangement:
    found = _listed(reader, parts(tokens))
    return SomeParts(1, len(found), found)


def _chosen(reader: OrderReader, tokens: Tokens) -> Arrangement:
    bounds, *found = parts(tokens)
    least, most = map(value_of, bounds)
    return SomeParts(least, most, _listed(reader, found))


def _in_turns(reader: OrderReader, tokens: Tokens) -> Arrangement | None:
    when, *offered = parts(tokens)
    turns = tuple(_turns(when))
    if not turns:
        return None  # It is FWD, whose code Parlance uses for FOR.
    return InTurns(turns[0], turns[-1], read_clause(offered[0], reader))


def _turns(when: Tokens) -> Iterator[Turn]:
    """Yield the turn, or the first and the last turn of a period."""
    for found in parts(when) if when[0] == BRA else (when,):
        if is_turn(found):
            yield read_turn(found)


_IFF: Final = TOKENS_BY_NAME["IFF"]
_UNO: Final = TOKENS_BY_NAME["UNO"]
_PROPOSING: Final = {TOKENS_BY_NAME["PRP"], TOKENS_BY_NAME["INS"]}
_READERS: Final[Mapping[Token, Callable[[OrderReader, Tokens], Arrangement | None]]] = {
    TOKENS_BY_NAME[name]: read
    for name, read in {
        "PCE": _peace,
        "ALY": _alliance,
        "DRW": _draw,
        "SLO": _solo,
        "XDO": _order,
        "DMZ": _zone,
        "SCD": _shares,
        "OCC": _placed,
        "NOT": _opposite,
        "NAR": _lifted,
        # Some programs have swapped the codes of CCL and NAR.
        "CCL": _lifted,
        "AND": _all,
        "ORR": _some,
        "CHO": _chosen,
        "FOR": _in_turns,
        "FWD": _in_turns,
    }.items()
}
