"""The messages of a server as tokens, in the order of the union `ServerMessage`; MDF.

Lists inside a message are in the order that the Message Syntax document prescribes.
The adjacency lists of MDF imply terrain: an inland province has no group for fleets, a
sea province none for armies, and an island has an empty group for armies.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import assert_never, get_args

from daide_server.board.map import Map, Position
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.results import OrderNote, OrderResult, Report

from . import messages as said
from . import syntax
from . import tokens as words
from .codec import CodecTable, codec, custom_codec
from .syntax import OrderReader, OrderWriter, bracketed, joined, parts, read_turn
from .tokens import BRA, KET, Token, Tokens, is_number, named, number, text_of, value_of

# THX and ORD: a server sends one for each order, so their ends are prepared.

NOTE_TOKENS: Mapping[OrderNote, Tokens] = {
    note: named(f") ( {note.value} )") for note in OrderNote
}
"""The end of THX, from the close bracket of the order on."""

RESULT_TOKENS: Mapping[tuple[OrderResult | OrderNote | None, bool], Tokens] = {
    (result, dislodged): named(
        f") ( {'' if result is None else result.value} {'RET' * dislodged} )"
    )
    for result in (None, *OrderResult, *OrderNote)
    for dislodged in (False, True)
}
"""The end of ORD, from the close bracket of the order on."""

RESULTS_BY_NAME: Mapping[str, OrderResult | OrderNote] = {
    result.value: result for result in (*OrderResult, *OrderNote)
}


def _read_noted(_: OrderReader, groups: list[Tokens]) -> said.OrderNoted:
    return said.OrderNoted(groups[0], OrderNote(words.MNEMONICS[groups[1][0]]))


def _write_noted(_: OrderWriter, message: said.OrderNoted) -> Tokens:
    return words.THX, BRA, *message.as_sent, *NOTE_TOKENS[message.note]


def _read_resulted(reader: OrderReader, groups: list[Tokens]) -> said.OrderResulted:
    turn, order, result = groups
    report = Report(
        order=reader.order(order),
        result=RESULTS_BY_NAME.get(words.MNEMONICS[result[0]]),
        dislodged=result[-1] == words.RET,
    )
    return said.OrderResulted(read_turn(turn), report)


TURN_OF_RESULT = slice(2, 4)
"""The place of the turn in ORD; in other turns the rest can be the same."""


def _write_resulted(writer: OrderWriter, message: said.OrderResulted) -> Tokens:
    report = message.report
    turn, order = syntax.turn_tokens(message.turn), writer.order(report.order)
    end = RESULT_TOKENS[report.result, report.dislodged]
    return words.ORD, BRA, *turn, KET, BRA, *order, *end


# SCO


def read_ownership(reader: OrderReader, groups: list[Tokens]) -> said.Ownership:
    """Return the message of the groups of SCO."""
    owners = {
        reader.vocabulary.province(centre): reader.vocabulary.power(owner)
        for owner, *centres in groups
        if owner != words.UNO
        for centre in centres
    }
    return said.Ownership(owners)


def write_ownership(writer: OrderWriter, message: said.Ownership) -> Tokens:
    """Return SCO: a group for each owner, neutral centres last."""
    vocabulary, owner_of = writer.vocabulary, message.owners.get
    owned: defaultdict[Power | None, list[Token]] = defaultdict(list)
    for power in (*vocabulary.powers.values(), None):
        owned[power] = []
    for centre, token in vocabulary.centre_tokens.items():
        owned[owner_of(centre)].append(token)
    tokens = [words.SCO]
    for owner, centres in owned.items():
        if centres:
            token = words.UNO if owner is None else vocabulary.power_token(owner)
            tokens += (BRA, token, *centres, KET)
    return tuple(tokens)


# NOW, and the units of NOW and MIS


def read_position(reader: OrderReader, groups: list[Tokens]) -> said.CurrentPosition:
    """Return the message of the turn and the units of NOW."""
    turn, *units = groups
    in_place = [reader.unit(unit) for unit in units if words.MRT not in unit]
    position = Position(
        turn=read_turn(turn),
        units=tuple(in_place),
        owners={},
        dislodged=_read_retreats(reader, units),
    )
    return said.CurrentPosition(position)


def write_position(writer: OrderWriter, message: said.CurrentPosition) -> Tokens:
    """Return NOW."""
    position = message.position
    turn = bracketed(syntax.turn_tokens(position.turn))
    units = writer.units(position.units)
    return words.NOW, *turn, *units, *_write_retreats(writer, position.dislodged)


def _read_retreats(
    reader: OrderReader, units: list[Tokens]
) -> Mapping[Unit, tuple[Location, ...]]:
    """Return the dislodged units among *units*, and where they may retreat to."""
    found = {}
    for tokens in units:
        if words.MRT in tokens:
            place = tokens.index(words.MRT)
            unit = reader.unit(tokens[:place])
            found[unit] = reader.locations(tokens[place + 2 : -1])
    return found


def _write_retreats(
    writer: OrderWriter, retreats: Mapping[Unit, tuple[Location, ...]]
) -> Tokens:
    return joined([_write_retreat(writer, unit, to) for unit, to in retreats.items()])


def _write_retreat(
    writer: OrderWriter, unit: Unit, places: tuple[Location, ...]
) -> Tokens:
    options = joined([writer.location(place) for place in places])
    return bracketed((*writer.unit_within(unit), words.MRT, *bracketed(options)))


def read_missing(reader: OrderReader, groups: list[Tokens]) -> said.Missing:
    """Return the message of the units or the number of MIS."""
    if groups and is_number(groups[0][0]):
        return said.MissingAdjustments(value_of(groups[0][0]))
    retreats = _read_retreats(reader, groups)
    if retreats:
        return said.MissingRetreats(retreats)
    return said.MissingUnits(tuple(map(reader.unit, groups)))


def write_missing(writer: OrderWriter, message: said.Missing) -> Tokens:
    """Return MIS."""
    match message:
        case said.MissingUnits(units):
            return words.MIS, *writer.units(units)
        case said.MissingRetreats(retreats):
            return words.MIS, *_write_retreats(writer, retreats)
        case said.MissingAdjustments(due):
            return words.MIS, *bracketed((number(due),))
        case _:
            assert_never(message)


# SMR


def _read_summary(reader: OrderReader, groups: list[Tokens]) -> said.Summary:
    turn, *players = groups
    return said.Summary(
        read_turn(turn), tuple(_read_player(reader, each) for each in players)
    )


def _read_player(reader: OrderReader, tokens: Tokens) -> said.PlayerSummary:
    name, version = parts(tokens)
    numbers = tokens[1 + len(name) + len(version) + len("()()") :]
    centres, *eliminated = map(value_of, numbers)
    return said.PlayerSummary(
        power=reader.vocabulary.power(tokens[0]),
        name=text_of(name),
        version=text_of(version),
        centres=centres,
        eliminated=eliminated[0] if eliminated else None,
    )


def _write_summary(writer: OrderWriter, message: said.Summary) -> Tokens:
    players = joined(_write_player(writer, player) for player in message.players)
    return words.SMR, *bracketed(syntax.turn_tokens(message.turn)), *players


def _write_player(writer: OrderWriter, player: said.PlayerSummary) -> Tokens:
    end = () if player.eliminated is None else (number(player.eliminated),)
    return bracketed(
        (
            writer.vocabulary.power_token(player.power),
            *syntax.string(player.name),
            *syntax.string(player.version),
            number(player.centres),
            *end,
        )
    )


# MDF


def write_map(writer: OrderWriter, message: said.MapDefinition) -> Tokens:
    """Return the MDF; raises `ValueError` as `Writer.write`."""
    board_map = message.map
    powers = writer.powers(board_map.powers)
    others = [each for each in board_map.provinces if each not in board_map.centres]
    provinces = (*_centres(board_map, writer), *bracketed(_provinces(others, writer)))
    return (
        words.MDF,
        *bracketed(powers),
        *bracketed(provinces),
        *bracketed(_adjacencies(board_map, writer)),
    )


def _centres(board_map: Map, writer: OrderWriter) -> Tokens:
    # The document puts UNO last. A power without a home centre has no group.
    groups = (
        bracketed((*_owners(powers, writer), *_provinces(centres, writer)))
        for powers, centres in board_map.home_groups().items()
    )
    return bracketed(sum(groups, ()))


def _owners(powers: tuple[Power, ...], writer: OrderWriter) -> Tokens:
    if not powers:
        return (words.UNO,)
    tokens = writer.powers(powers)
    return tokens if len(tokens) == 1 else bracketed(tokens)


def _provinces(provinces: list[Province], writer: OrderWriter) -> Tokens:
    return tuple(map(writer.vocabulary.province_token, provinces))


def _adjacencies(board_map: Map, writer: OrderWriter) -> Tokens:
    groups: dict[Province, list[Token]] = defaultdict(list)
    for (kind, at), places in board_map.neighbours.items():
        towards = joined(map(writer.location, places))
        groups[at.province] += bracketed((*_site(kind, at), *towards))
    token = writer.vocabulary.province_token
    provinces = (
        bracketed((token(province), *groups[province]))
        for province in board_map.provinces
    )
    return joined(provinces)


def _site(kind: UnitType, at: Location) -> Tokens:
    if at.coast is None:
        return (syntax.UNIT_TYPE_TOKENS[kind],)
    return bracketed((words.FLT, syntax.COAST_TOKENS[at.coast]))


def read_map(reader: OrderReader, groups: list[Tokens]) -> said.MapDefinition:
    """Return the map of the three parts of an MDF, with the name `""`."""
    powers, provinces, adjacencies = groups
    names = reader.vocabulary.provinces
    homes = dict(_read_homes(parts(parts(provinces)[0]), reader))
    board_map = Map(
        name="",
        powers=reader.powers(powers),
        provinces=tuple(names[token] for token in names if token in provinces),
        centres=frozenset(homes),
        homes={
            power: frozenset(at for at, owners in homes.items() if power in owners)
            for power in reader.powers(powers)
        },
        neighbours=dict(
            _read_site(group[:1], site, reader)
            for group in parts(adjacencies)
            for site in parts(group)
        ),
    )
    return said.MapDefinition(board_map)


def _read_homes(
    groups: list[Tokens], reader: OrderReader
) -> Iterator[tuple[Province, tuple[Power, ...]]]:
    for group in groups:
        shared = parts(group)
        owners = shared[0] if shared else group[:1]
        centres = group[len(owners) + (len("()") if shared else 0) :]
        powers = () if owners == (words.UNO,) else reader.powers(owners)
        for centre in centres:
            yield reader.vocabulary.province(centre), powers


def _read_site(
    province: Tokens, group: Tokens, reader: OrderReader
) -> tuple[tuple[UnitType, Location], tuple[Location, ...]]:
    (whole,) = reader.locations(province)
    if group[0] != BRA:
        kind = syntax.UNIT_TYPES_BY_TOKEN[group[0]]
        return (kind, whole), reader.locations(group[1:])
    _, _, coast, _, *places = group
    at = UnitType.FLEET, Location(whole.province, syntax.COASTS_BY_TOKEN[coast])
    return at, reader.locations(tuple(places))


SERVER_CODECS = CodecTable[said.ServerMessage](
    (
        codec("YES", said.Accepted),
        codec("REJ", said.Rejected),
        codec("PRN", said.BracketsRefused),
        codec("HUH", said.SyntaxRefused),
        codec("MAP", said.MapName),
        custom_codec("MDF", (said.MapDefinition,), read_map, write_map),
        codec("HLO", said.Hello),
        custom_codec("SCO", (said.Ownership,), read_ownership, write_ownership),
        custom_codec("NOW", (said.CurrentPosition,), read_position, write_position),
        custom_codec("THX", (said.OrderNoted,), _read_noted, _write_noted),
        custom_codec("MIS", get_args(said.Missing), read_missing, write_missing),
        custom_codec("ORD", (said.OrderResulted,), _read_resulted, _write_resulted),
        codec("TME", said.TimeLeft),
        codec("NOT TME", said.TimeStopped),
        codec("CCD", said.InDisorder),
        codec("NOT CCD", said.BackInControl),
        codec("OUT", said.Out),
        codec("FRM", said.PressDelivered),
        codec("ADM", said.Admin),
        codec("SLO", said.Solo),
        codec("DRW", said.DrawDeclared),
        custom_codec("SMR", (said.Summary,), _read_summary, _write_summary),
        codec("SVE", said.SaveGame),
        codec("LOD", said.LoadGame),
        codec("OFF", said.SwitchOff),
    )
)
