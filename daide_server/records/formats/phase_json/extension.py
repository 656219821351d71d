"""Data of a game that has no key in a file, and data of a file that a record lacks.

This is our key `daide`, with the defaults for games without it, and the metadata. Keys
of other programs are kept and written back.
"""

from collections.abc import Callable, Mapping

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import asdict, fields, replace

from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.records import record as records
from daide_server.records.formats.errors import member
from daide_server.records.standings import USUAL_SCORING, game_result, scoring_system
from daide_server.scoring.systems import DIPCC_SYSTEMS, ScoringError, points

from .map_names import COMPLETED_PHASE, Names, phase_turn
from .position_state import KeptState
from .shapes import (
    Agent,
    Dialect,
    GameExtension,
    ReadGame,
    ReadPhase,
    RefusedOrderShape,
    TallyShape,
    WrittenPhase,
)

SCHEMA = 1
"""The version of the key `daide`."""


def extension_of(record: records.GameRecord, names: Names) -> GameExtension:
    """Return the parts of *record* that the dialects have no keys for."""
    return GameExtension(
        schema=SCHEMA,
        edition=record.edition,
        level=record.level,
        started=record.started,
        ending=record.ending.value if record.ending else None,
        winners=[names.powers[power] for power in record.winners],
        ended=record.ended,
        agents=[
            Agent(**{**asdict(each), "power": names.powers[each.power]})
            for each in record.sittings
        ],
        foreign=record.foreign,
        variant=record.variant.name.lower(),
        last=names.phase_text(record.last.turn),
        points=_points(record, names),
    )


def _points(record: records.GameRecord, names: Names) -> dict[str, str]:
    try:
        given = points(scoring_system(record), game_result(record))
    except ScoringError:
        return {}
    return {names.powers[power]: str(value) for power, value in given.items()}


def from_extension(
    record: records.GameRecord, names: Names, extension: GameExtension
) -> records.GameRecord:
    """Return *record* with the data of the key `daide`."""
    ending = extension.ending
    return replace(
        record,
        edition=extension.edition,
        level=extension.level,
        foreign=extension.foreign,
        ending=None
        if ending is None
        else member(records.Ending, ending, "daide.ending"),
        winners=tuple(map(names.power, extension.winners)),
        ended=extension.ended,
        sittings=tuple(
            records.Sitting(**{**asdict(each), "power": names.power(each.power)})
            for each in extension.agents
        ),
    )


def inferred(record: records.GameRecord) -> records.GameRecord:
    """Return *record* with a solo or a draw, as its last position implies."""
    alive = [
        power
        for power in record.variant.map.powers
        if not record.last.is_eliminated(power)
    ]
    last, majority = record.last, record.variant.map.majority
    solo = [power for power in alive if len(last.centres_of(power)) >= majority]
    ending = records.Ending.SOLO if solo else records.Ending.DRAW
    return replace(
        record, ending=ending, winners=tuple(solo or alive), ended=record.last_since
    )


# The metadata, and the scoring system, which stands in two places. Entries that derive
# from the record are written for other programs, and not read.

AGENT = "agent_"
DERIVED: Mapping[str, Callable[[records.GameRecord], str]] = {
    "has_draw_votes": lambda record: str(bool(record.votes)),
    "draw_type": lambda _: "draw-votes-public",
    "daide_level": lambda record: str(record.level),
    "rules_edition": lambda record: record.edition,
    "end_reason": lambda record: record.ending.value if record.ending else "running",
}
SCORING_KEY = "scoring_system"
SCORING_NUMBERS = {"0": "sum_of_squares", "1": "draw_size"}
"""The systems for which dipcc has numbers."""


def metadata_of(record: records.GameRecord, names: Names) -> dict[str, str]:
    """Return the metadata of *record*, and the last player of each power."""
    derived = {key: value(record) for key, value in DERIVED.items()}
    agents = {
        f"{AGENT}{text}": f"{sitting.name} {sitting.version}".strip()
        for power, text in names.powers.items()
        if (sitting := record.sitting(power))
    }
    stated = record.metadata if record.foreign else {}
    return {**record.metadata, **derived, **stated, **agents}


def metadata_in(game: ReadGame) -> dict[str, str]:
    """Return the metadata that do not derive from the rest of the file.

    The scoring system is there if it is not the usual one.
    """
    found = {
        key: value
        for key, value in (game.metadata or {}).items()
        if isinstance(value, str) and key not in DERIVED and not key.startswith(AGENT)
    }
    scoring = SCORING_NUMBERS.get(str(game.scoring_system), game.scoring_system)
    if isinstance(scoring, str) and scoring != USUAL_SCORING:
        found.setdefault(SCORING_KEY, scoring)
    return found


def with_own_words(record: records.GameRecord, game: ReadGame) -> records.GameRecord:
    """Return *record* with the metadata of *game* that differ from the derived ones.

    Another program may say that votes on a draw were allowed, though nobody voted.
    """
    if not record.foreign:
        return record
    stated = {
        key: value
        for key, value in (game.metadata or {}).items()
        if key in DERIVED and isinstance(value, str) and value != DERIVED[key](record)
    }
    return replace(record, metadata={**record.metadata, **stated}) if stated else record


def scoring_of(record: records.GameRecord, dialect: Dialect) -> str:
    """Return the scoring system, or the usual one if *dialect* does not know it."""
    name = scoring_system(record)
    known = DIPCC_SYSTEMS if dialect.scoring is None else dialect.scoring
    return name if name in known else USUAL_SCORING


# Keys of other programs that say more than a record has, and are written back. The
# `diplomacy` package adds to each state when it was left, a hash of the board, its
# influence and so on. Only the time is read here.

RESULTS = "results"
"""Written back as well: the package has words for units that are not there."""
STATE_KEYS = tuple(field.name for field in fields(KeptState))


def kept_in(phase: ReadPhase) -> dict[str, str]:
    """Return the values to keep of *phase*, as JSON."""
    held = {key: getattr(phase.state, key) for key in STATE_KEYS}
    kept = {
        key: bytes(raw).decode() for key, raw in held.items() if isinstance(raw, Raw)
    }
    if phase.results:
        kept[RESULTS] = msgspec.json.encode(phase.results).decode()
    return kept


def rules_kept(rules: list[str] | None, level: int) -> tuple[str, ...] | None:
    """Return the *rules* of a file to keep, `None` if they are the usual ones."""
    return None if rules is None or rules == _usual(level) else tuple(rules)


def rules_text(record: records.GameRecord) -> list[str]:
    """Return the `rules` of *record*, as the `diplomacy` package calls options."""
    rules = record.kept.rules
    return _usual(record.level) if rules is None else list(rules)


def _usual(level: int) -> list[str]:
    return [] if level else ["NO_PRESS"]


def write_kept(record: records.GameRecord, phase: WrittenPhase, board: str) -> None:
    """Write back into *phase* what *record* has kept of it.

    A state that names its map names that of the file, *board*: the package refuses
    any other.
    """
    turn = None if phase.name == COMPLETED_PHASE else phase_turn(phase.name)
    for key, text in record.kept.phases.get(turn, {}).items():
        if key == RESULTS:
            phase.results = msgspec.json.decode(text)
        else:
            setattr(phase.state, key, Raw(text.encode()))
    if phase.state.map is not UNSET:
        phase.state.map = Raw(msgspec.json.encode(board))


def left_at(phase: ReadPhase) -> float | None:
    """Return the time stamp of the end of *phase*, which the package has in a state."""
    if not isinstance(phase.state.timestamp, Raw):
        return None
    try:
        return msgspec.json.decode(phase.state.timestamp, type=float)
    except msgspec.DecodeError:
        return None


# The tallies of the players in a turn

_Tallies = Mapping[Power, records.PlayerTally] | None


def tally_shapes(names: Names, tallies: _Tallies) -> dict[str, TallyShape] | None:
    """Return *tallies* as JSON structs; `None` if there are none."""
    if tallies is None:
        return None
    return {names.powers[power]: _shape(names, each) for power, each in tallies.items()}


def tallies_in(names: Names, shapes: Mapping[str, TallyShape] | None) -> _Tallies:
    """Return *shapes* as tallies; raise `FormatError` for unknown powers or notes."""
    if shapes is None:
        return None
    return {names.power(text): _tally(names, each) for text, each in shapes.items()}


def _shape(names: Names, tally: records.PlayerTally) -> TallyShape:
    median, longest = tally.think_median, tally.think_longest
    return TallyShape(
        refused=tally.refused,
        huh=tally.syntax_errors,
        last_huh=tally.last_syntax_error,
        late=tally.late,
        silent=tally.silent,
        think=None if median is None or longest is None else (median, longest),
        orders=[
            RefusedOrderShape(_place(names, each.province), each.text, each.note.value)
            for each in tally.refused_orders
        ],
        usage=tally.usage,
    )


def _place(names: Names, province: Province | None) -> str:
    return "" if province is None else names.provinces.get(province, "")


def _tally(names: Names, shape: TallyShape) -> records.PlayerTally:
    median, longest = shape.think or (None, None)
    return records.PlayerTally(
        refused_orders=tuple(_refused(names, each) for each in shape.orders),
        refused=shape.refused,
        syntax_errors=shape.huh,
        last_syntax_error=shape.last_huh,
        late=shape.late,
        silent=shape.silent,
        think_median=median,
        think_longest=longest,
        usage=shape.usage,
    )


def _refused(names: Names, shape: RefusedOrderShape) -> records.RefusedOrder:
    spelled = names.notation.spelled
    province = spelled.get(shape.at, Province(shape.at)) if shape.at else None
    note = member(OrderNote, shape.note, "daide.players.orders")
    return records.RefusedOrder(province, shape.order, note)
