"""The views of a game, of a game in a list, and of a board.

They show the whole record: `records.secrecy.visible` has removed what is secret.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.map import Terrain, Variant
from daide_server.board.names import Power
from daide_server.judge.possible import possible_orders
from daide_server.pictures.board_layout import BoardLayout
from daide_server.pictures.links import far_neighbours
from daide_server.pictures.palette import letters
from daide_server.records.formats.phase_json.map_names import names_of, turn_id
from daide_server.records.promises.study import promises
from daide_server.records.record import Ending, GameRecord
from daide_server.records.standings import eliminations, game_result, places
from daide_server.scoring.systems import all_points, score

from . import views
from .game_report import positions_by_year
from .headlines import Headline, game_headline, headlines
from .turn_views import GameViewer, order_kind, press_views, promise_views
from .words import game_name, turn_title

NO_PRESS = "This game has no press."


def game_view(
    record: GameRecord,
    viewer: GameViewer | None = None,
    *,
    running: bool = False,
    press_note: str = "",
) -> views.GameView:
    """Return the view of *record*; *viewer* has made those of earlier turns."""
    viewer = viewer or GameViewer(record.variant, record.edition)
    found = promises(record) if record.messages else ()
    headline = game_headline(record, running=running)
    if not record.level and not record.messages:
        press_note = press_note or NO_PRESS
    return views.GameView(
        id=record.id,
        name=game_name(record.id),
        headline=headline,
        board=record.variant.name,
        board_title=board_title(record.variant),
        powers=tuple(_powers(record)),
        turns=_with_headlines(viewer.turns(record), headlines(record, found), headline),
        years=tuple(year_views(record)),
        started=record.started,
        running=running,
        ended=record.ended,
        ending=record.ending.value if record.ending else "",
        winners=record.winners,
        places=tuple(_places(record)),
        scores=tuple(_scores(record)),
        press=tuple(press_views(record)),
        press_note=press_note,
        promises=promise_views(found),
        level=record.level,
        edition=record.edition,
        metadata=dict(record.metadata),
    )


def game_summary(
    record: GameRecord, *, running: bool = False, with_board: bool = False
) -> views.GameSummary:
    """Return the summary of *record*; with its last position if *with_board*."""
    position = record.last
    played = record.turns[-1].position.turn if record.turns else position.turn
    shown = position.turn if running else played
    first = record.positions[0].turn.year
    viewer = GameViewer(record.variant, record.edition)
    return views.GameSummary(
        id=record.id,
        board=record.variant.name,
        board_title=board_title(record.variant),
        title=turn_title(shown),
        years=played.year - first + 1,
        seats=tuple(_seats(record)),
        started=record.started,
        running=running,
        ending=record.ending.value if record.ending else "",
        name=game_name(record.id),
        headline=game_headline(record, running=running),
        last=viewer.open(position, record.last_since) if with_board else None,
    )


def board_title(variant: Variant) -> str:
    """Return the name of the board as people read it."""
    return variant.name.replace("_", " ").title()


def choices_view(record: GameRecord, turn: str, at: str) -> views.ChoicesView:
    """Return the possible orders of the unit *at* a place in *turn*.

    *turn* is an id such as `F1905M`, *at* a location such as `STP/SC`. Raises
    `LookupError` if there is no such turn or nothing to order there.
    """
    names = names_of(record.variant.map)
    positions = (each for each in record.positions if turn_id(each.turn) == turn)
    for position in positions:
        for unit, orders in possible_orders(record.variant.map, position).items():
            if names.location_text(unit.location) == at:
                found: dict[str, tuple[str, ...]] = {}
                for order in orders:
                    kind, text = order_kind(type(order)), names.order_text(order)
                    found[kind] = (*found.get(kind, ()), text)
                return views.ChoicesView(at, found)
    raise LookupError(f"{turn}: there is no unit at {at}")


def year_views(record: GameRecord) -> Iterator[views.YearView]:
    """Yield the centres of each power at the start and after each year."""
    for year, position in positions_by_year(record).items():
        counts = {
            str(power): len(position.centres_of(power))
            for power in record.variant.map.powers
        }
        yield views.YearView(year, counts)


def power_views(variant: Variant) -> tuple[views.PowerView, ...]:
    """Return the powers of a board, without players."""
    badges = letters(variant)
    return tuple(
        views.PowerView(power, variant.titles.get(power, power), badges[power])
        for power in variant.map.powers
    )


def _powers(record: GameRecord) -> Iterator[views.PowerView]:
    for power in power_views(record.variant):
        found = record.sitting(Power(power.id))
        yield replace(power, name=found.name, version=found.version) if found else power


def _with_headlines(
    turns: Iterable[views.TurnView], found: Iterable[Headline], now: str
) -> tuple[views.TurnView, ...]:
    """Return *turns* with their headlines; an open one has that of the game, *now*."""
    told = {turn_id(each.turn): each for each in found}
    return tuple(
        replace(turn, headline=now, quiet=True)
        if (each := told.get(turn.id)) is None
        else replace(turn, headline=each.text, quiet=each.quiet)
        for turn in turns
    )


def _places(record: GameRecord) -> Iterator[views.PlaceView]:
    out = eliminations(record)
    # A year limit is shared by the survivors, who have not won.
    shared = record.ending in {Ending.YEAR_LIMIT, Ending.STALEMATE}
    for power, place in places(record).items():
        yield views.PlaceView(
            power=power,
            place=place,
            centres=len(record.last.centres_of(power)),
            won=not shared and power in record.winners,
            eliminated=out.get(power),
        )


def _seats(record: GameRecord) -> Iterator[views.SeatSummary]:
    placed = {each.power: each for each in _places(record)}
    for power in _powers(record):
        place = placed[power.id]
        yield views.SeatSummary(
            id=power.id,
            title=power.title,
            letter=power.letter,
            name=power.name,
            centres=place.centres,
            place=place.place,
            won=place.won,
        )


def _scores(record: GameRecord) -> Iterator[views.ScoreView]:
    for name, found in all_points(game_result(record)).items():
        if found is not None:
            shares = {str(at): float(share) for at, share in score(found).items()}
            yield views.ScoreView(name, shares)


class BoardView(Struct, frozen=True, omit_defaults=True):
    """A board as the page draws it; lengths are in the units of its picture."""

    name: str
    title: str
    width: float
    height: float
    badge: float
    """The diameter of a unit."""
    readable: float
    """The width in CSS pixels from which every name is at least nine pixels high."""
    spots: dict[str, tuple[float, float]]
    """The position of a unit in the picture, by location, such as `STP/SC`."""
    origins: dict[str, tuple[float, float]]
    """The start of the line to a unit that stands outside its small province."""
    provinces: dict[str, str]
    """The full name of each province."""
    seas: tuple[str, ...]
    follows: dict[str, str]
    """The centre whose colour each province without a centre has."""
    powers: tuple[views.PowerView, ...]
    far: tuple[tuple[str, str], ...]
    """Neighbours at opposite sides of the picture, as on a map of the world."""
    majority: int
    """The number of centres that wins."""


def board_view(variant: Variant, layout: BoardLayout) -> BoardView:
    """Return the view of the board of *variant*, drawn with *layout*."""
    names, picture = names_of(variant.map), layout.picture
    return BoardView(
        name=variant.name,
        title=board_title(variant),
        width=picture.width,
        height=picture.height,
        badge=layout.badge,
        readable=layout.readable,
        spots={names.location_text(at): spot for at, spot in layout.units.items()},
        origins={names.location_text(at): spot for at, spot in layout.origins.items()},
        provinces={
            text: variant.titles.get(place, place)
            for place, text in names.provinces.items()
        },
        seas=tuple(
            text
            for place, text in names.provinces.items()
            if variant.map.terrain[place] is Terrain.SEA
        ),
        follows={
            names.provinces[place]: names.provinces[centre]
            for place, centre in picture.follows.items()
        },
        powers=power_views(variant),
        far=tuple(
            (names.provinces[one], names.provinces[other])
            for one, others in far_neighbours(picture).items()
            for other in others
        ),
        majority=variant.map.majority,
    )
