"""Data for the templates: links, a game at a turn, a tournament.

Addresses are relative, so that any prefix works.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from math import ceil
from typing import Any
from urllib.parse import quote, urlencode, urljoin

from attrs import frozen
from starlette.requests import Request

from daide_server.records.formats.registry import FORMATS
from daide_server.text import views
from daide_server.tournament.report import curves, standing_columns
from daide_server.tournament.report.tournament_views import TournamentView, Trouble
from daide_server.tournament.standings import TournamentStatus

from .shown_games import NotThereError

UNREACHABLE: frozenset[str] = frozenset({"", ".", ".."})
"""Names that cannot be part of an address, because browsers resolve them as folders."""


@frozen
class Links:
    """The links from one page to the others."""

    home: str
    """The address of the first page, relative to this one: `./`, `../` ..."""

    @classmethod
    def of(cls, request: Request) -> "Links":
        """Return the links of the requested page.

        Its depth is counted in the undecoded address: names may have an encoded `/`.
        """
        raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
        return cls("../" * (raw.count(b"/") - 1) or "./")

    def to(self, *parts: str, **query: object) -> str:
        """Return the address of *parts* below the first page."""
        path = "/".join(quote(part, safe="") for part in parts)
        return f"{self.home}{path}{query_text(**query)}"

    def bot(self, name: str) -> str:
        """Return the address of the page of a bot."""
        if name in UNREACHABLE:
            return f"{self.home}bots/?{urlencode({'name': name})}"
        return self.to("bots", name)

    def of_game(self, view: views.GameView, turn: views.TurnView) -> dict[str, Any]:
        """Return the links of the page of a game at *turn*, without its board's."""
        api = partial(self.to, "api", "games", view.id)
        ids = [each.id for each in view.turns]
        at = ids.index(turn.id)

        def turn_at(index: int) -> str:
            is_other = index != at and 0 <= index < len(ids)
            return self.to("games", view.id, ids[index]) if is_other else ""

        return {
            "game": api(),
            "choices": api("choices"),
            "picture": api("pictures", f"{turn.id}.svg"),
            "stream": api("events") if view.running else "",
            "turn": self.to("games", view.id) + "/{turn}",
            "first": turn_at(0),
            "previous": turn_at(at - 1),
            "next": turn_at(at + 1),
            "last": turn_at(len(ids) - 1),
            "bots": {each.id: self.bot(each.name) for each in view.powers if each.name},
            "downloads": [(name, api("files", name)) for name in FORMATS],
        }


def query_text(**query: object) -> str:
    """Return the query string with all parameters that are not empty."""
    asked = {name: str(value) for name, value in query.items() if value}
    return f"?{urlencode(asked)}" if asked else ""


def whole_address(request: Request, address: str) -> str:
    """Return *address*, relative to the page, as an absolute address.

    The guard has checked the host; a proxy's headers say what it has changed.
    """
    headers, url = request.headers, request.url
    if headers.get("x-forwarded-proto") == "https":
        url = url.replace(scheme="https")
    prefix = headers.get("x-forwarded-prefix", "").rstrip("/")
    path = request.scope["raw_path"].decode("ascii", "replace")
    return urljoin(str(url.replace(path=prefix + path, query="")), address)


MAX_PRESS = 400
"""Messages that the page shows at a time, as in `static/press.js`."""


@frozen
class PowerAtTurn:
    """A power at a turn: its centres, their change since last year, its conduct."""

    power: views.PowerView
    centres: int
    change: str
    conduct: str
    is_gone: bool
    place: views.PlaceView | None
    """The result of the power, at the end of the game."""


def turn_of(view: views.GameView, wanted: str | None) -> views.TurnView:
    """Return the turn named *wanted*, or the last one. Raises `NotThereError`."""
    for turn in reversed(view.turns):
        if wanted in {None, turn.id}:
            return turn
    raise NotThereError(f"no turn {wanted!r} in game {view.id!r}")


def game_context(
    view: views.GameView, turn: views.TurnView, majority: int
) -> dict[str, Any]:
    """Return the data of `game.html` for a game at *turn*; *majority* centres win."""
    return {
        "game": view,
        "turn": turn,
        "rows": power_rows(view, turn),
        "orders": orders_by_power(view, turn),
        "talk": press_by_turn(view, turn),
        "is_final": is_final(view, turn),
        "majority": majority,
        "chart": centres_chart(view, majority),
        "headline": view.headline,
    }


YEARS_NAMED = 8
"""The approximate number of years that are labelled below the chart."""


def centres_chart(view: views.GameView, majority: int) -> dict[str, Any]:
    """Return the centres of each power over the years, as lines with letters.

    Positions are in per cent of the chart's width and height.
    """
    counts = {
        power: [year.centres.get(power.id, 0) for year in view.years]
        for power in view.powers
    }
    across = curves.Axis(0, max(1, len(view.years) - 1))
    up = curves.Axis(0, max(majority, *map(max, counts.values())))
    alive = {
        power: 100 - up.at(found[-1]) for power, found in counts.items() if found[-1]
    }
    years = [
        curves.Tick(across.at(at), year.year) for at, year in enumerate(view.years)
    ]
    return {
        "goal": 100 - up.at(majority),
        "years": years[:: ceil(len(years) / YEARS_NAMED)],
        "lines": [
            (
                power,
                curves.line_path(
                    (across.at(at) / 100, 1 - up.at(count) / 100)
                    for at, count in enumerate(found)
                ),
            )
            for power, found in counts.items()
        ],
        "letters": list(zip(alive, curves.spaced([*alive.values()]), strict=True)),
    }


def is_final(game: views.GameView, turn: views.TurnView) -> bool:
    """Return whether the game is over after *turn*."""
    played = [each.id for each in game.turns if not each.open]
    return bool(game.ending) and (turn.open or played[-1:] == [turn.id])


def power_rows(game: views.GameView, turn: views.TurnView) -> Sequence[PowerAtTurn]:
    """Return a row for each power of *game* after *turn*; at the end, best first."""
    places = {each.power: each for each in game.places} if is_final(game, turn) else {}
    counts = centres_after(turn)
    # What a power had before the first turn of the year.
    first = next(each for each in game.turns if each.id[1:-1] == turn.id[1:-1])
    alive = {unit.power for unit in turn.units}
    powers = {power.id: power for power in game.powers}
    return [
        PowerAtTurn(
            power=power,
            centres=counts[power.id],
            change=_signed(counts[power.id] - len(first.owners.get(power.id, ()))),
            conduct=turn.players.get(power.id, views.ConductView()).words,
            is_gone=not counts[power.id] and power.id not in alive,
            place=places.get(power.id),
        )
        for power in (powers[each] for each in places or powers)
    ]


def orders_by_power(
    game: views.GameView, turn: views.TurnView
) -> Sequence[tuple[views.PowerView, Sequence[views.OrderView]]]:
    """Return the orders of each power that gave orders, in the order of the powers."""
    found = [
        (power, [order for order in turn.orders if order.power == power.id])
        for power in game.powers
    ]
    return [(power, orders) for power, orders in found if orders]


@frozen
class SaidInTurn:
    """The messages of a turn (`None`: after the end) with their promises."""

    turn: views.TurnView | None
    said: Sequence[tuple[views.PressView, Sequence[tuple[views.PromiseView, str]]]]
    """Messages with their promises, and the verdict on each promise in words."""


def press_by_turn(game: views.GameView, turn: views.TurnView) -> Sequence[SaidInTurn]:
    """Return the latest messages up to *turn*, by turn, with the latest turn first."""
    titles = {power.id: power.title for power in game.powers}
    titles |= {each.id: each.title for each in game.turns}
    promised: dict[int, list[tuple[views.PromiseView, str]]] = {}
    for promise in game.promises:
        words = f"{titles[promise.power]}: {promise.verdict}"
        words += f" in {titles[promise.decided]}" if promise.decided else ""
        promised.setdefault(promise.message, []).append((promise, words))
    by_turn: dict[str, list[views.PressView]] = {}
    for said in game.press:
        by_turn.setdefault(said.turn, []).append(said)
    at = [each.id for each in game.turns].index(turn.id)
    order: list[views.TurnView | None] = [None] if is_final(game, turn) else []
    order += game.turns[at::-1]
    found, left = [], MAX_PRESS
    for shown in order:
        told = by_turn.get("" if shown is None else shown.id, [])[:left]
        left -= len(told)
        if told or shown is turn:
            pairs = [(each, promised.get(each.number, ())) for each in told]
            found.append(SaidInTurn(shown, pairs))
    return found


def centres_after(turn: views.TurnView) -> Counter[str]:
    """Return the number of centres of each power after *turn*."""
    counts = Counter({power: len(owned) for power, owned in turn.owners.items()})
    for change in turn.after.centres:
        counts[change.before] -= 1
        counts[change.after] += 1
    return counts


def _signed(change: int) -> str:
    return "" if change == 0 else f"+{change}" if change > 0 else f"\u2212{-change}"


CURVES_SHOWN = 8
"""The maximum number of curves, of the best bots: more colours look alike."""
SECONDS_OF_MINUTE = 60
SECONDS_OF_HOUR = 60 * SECONDS_OF_MINUTE


def tournament_context(
    view: TournamentView, links: Links, *, shows_logs: bool
) -> dict[str, Any]:
    """Return the data of `tournament.html`, except the lists of games."""
    status = view.status
    return {
        "view": view,
        "status": status,
        "left": "" if view.seconds_left is None else about(view.seconds_left),
        "axis": _axis(status),
        "even": _even(view),
        "signed_text": standing_columns.signed_text,
        "columns": standing_columns.columns_of("page", status.kind),
        "style": standing_columns.HTML_STYLE,
        "powers": powers_by_row(view),
        "colours": curves.colour_numbers(bot.name for bot in status.bots),
        "course": course_plot(view),
        "best": CURVES_SHOWN if len(status.bots) > CURVES_SHOWN else 0,
        "troubles": [
            {
                "trouble": each,
                "logs": _logs(view, each, links) if shows_logs else [],
                # A game that is void has no page.
                "address": "" if each.kind == "void" else links.to("games", each.game),
            }
            for each in view.troubles
        ],
    }


def _logs(
    view: TournamentView, trouble: Trouble, links: Links
) -> list[tuple[str, str]]:
    """Return the logs of a failed bot with their addresses."""
    return [
        (
            name.rpartition("/")[2].removesuffix(".txt"),
            links.to("tournaments", view.number, "logs", *name.split("/")),
        )
        for name in trouble.logs
    ]


def _axis(status: TournamentStatus) -> curves.Axis:
    """Return an axis that contains the intervals of all bots."""
    if status.is_ladder:
        return curves.rating_axis(
            each
            for bot in status.bots
            for each in (bot.rating_low, bot.rating, bot.rating_high)
        )
    return curves.score_axis(max((bot.high for bot in status.bots), default=1.0))


def _even(view: TournamentView) -> float | None:
    """Return the score, or the rating, if all bots were equal.

    `None` if anchors decide what a rating of 0 means.
    """
    if not view.status.is_ladder:
        return view.even
    return None if any(bot.anchor for bot in view.status.bots) else 0.0


def powers_by_row(view: TournamentView) -> Mapping[str, list[tuple[float, int] | None]]:
    """Return the score for each bot and power, and its shade from 0 to 4."""
    known = filter(None, chain.from_iterable(view.powers.values()))
    top = max((cell.score for cell in known), default=0.0) or 1.0
    return {
        power: [
            None if cell is None else (cell.score, round(4 * cell.score / top))
            for cell in cells
        ]
        for power, cells in view.powers.items()
    }


def course_plot(view: TournamentView) -> curves.Plot | None:
    """Return the scores over the games in per cent, as lines."""
    courses = zip(view.status.bots, view.course, strict=True)
    lines = {
        bot.name: [(game, 100 * score) for game, score in points]
        for bot, points in courses
    }
    return curves.plot(lines, "{:.1f} %".format, CURVES_SHOWN)


def about(seconds: float) -> str:
    """Return a duration in words, rounded."""
    if seconds < SECONDS_OF_MINUTE:
        return "a minute" if seconds > SECONDS_OF_MINUTE / 2 else "half a minute"
    if seconds < SECONDS_OF_HOUR:
        return f"{round(seconds / SECONDS_OF_MINUTE)} min"
    hours, rest = divmod(round(seconds / SECONDS_OF_MINUTE), SECONDS_OF_MINUTE)
    return f"{hours} h {rest} min" if rest else f"{hours} h"
