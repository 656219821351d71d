"""The texts of a game's page, the names of the site, and its counters."""

from pathlib import Path

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from daide_server.board.map import Variant
from daide_server.game.directory import GameId
from daide_server.library.game_files import games_in, read_game
from daide_server.records.entries import Ended
from daide_server.records.record import Ending, GameRecord
from daide_server.server.event_metrics import EventMetrics
from daide_server.server.events import EntryRecorded
from daide_server.server.settings import WebSettings
from daide_server.text.game_views import game_view
from daide_server.web.contexts import centres_after, power_rows
from daide_server.web.metrics import WebMetrics
from daide_server.web.site import is_known, known_hosts

DRAW = Path(__file__).parents[1] / "records" / "games" / "draw.json"


@pytest.fixture(scope="module")
def record() -> GameRecord:
    """Return a game that was drawn."""
    (found,) = games_in(DRAW)
    return read_game(found)


def test_centres_are_those_after_the_turn(record: GameRecord) -> None:
    view = game_view(record)
    for turn, after in zip(view.turns, record.positions[1:], strict=False):
        counts = centres_after(turn)
        for power in record.variant.map.powers:
            assert counts[power] == len(after.centres_of(power))


def test_the_change_is_since_the_year_before(record: GameRecord) -> None:
    view = game_view(record)
    fall = next(turn for turn in view.turns if turn.id == "F1902M")
    start, first, second = (year.centres for year in view.years[:3])

    assert start != first
    for row in power_rows(view, fall):
        power = row.power.id
        change = second[power] - first[power]
        assert row.centres == second[power]
        assert row.change.replace("\u2212", "-") == (f"{change:+d}" if change else "")


SETTINGS = WebSettings(address=("page.lan", 8080), hosts=("a.example",))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8080", "page.lan:8080", "A.example", "a.example.:1"),
        *("127.0.0.1:8080", "[::1]:8080", "192.0.2.7", "x.localhost", ""),
    ],
)
def test_the_page_has_the_names_of_its_settings_and_addresses(host: str) -> None:
    assert is_known(host, known_hosts(SETTINGS))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "a.example.evil", "127.0.0.1.evil:80"]
)
def test_another_name_is_refused(host: str) -> None:
    """It may be that of a site whose name leads to this machine."""
    assert not is_known(host, known_hosts(SETTINGS))
    assert is_known(host, known_hosts(WebSettings(hosts=("*",))))


LABELS = {"le", "status", "ending", "version"}


def test_names_have_units_and_labels_name_nobody(standard: Variant) -> None:
    """See "Metric and label naming" of its documentation."""
    ended = Ended(Ending.SOLO, (), standard.start, 1.0)
    metrics = EventMetrics()
    web = WebMetrics(metrics.registry)
    metrics(EntryRecorded(GameId(1), ended))
    web.note_answer(200, 0.01)
    text = generate_latest(metrics.registry).decode()
    families = [
        family
        for family in text_string_to_metric_families(text)
        if not family.name.startswith("process_")
    ]

    assert len(families) > 15
    for family in families:
        assert family.name.startswith("daide_")
        assert family.documentation.endswith(".")
        assert set().union(*(sample.labels for sample in family.samples)) <= LABELS
        names = {sample.name for sample in family.samples}
        if family.type == "counter":
            assert names == {f"{family.name}_total"}
        if family.type == "histogram":
            assert family.name.endswith("_seconds")
        assert not any(name.endswith("_created") for name in names)
