"""The counters of the server and of the page."""

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from daide_server.board.map import Variant
from daide_server.game.directory import GameId
from daide_server.records.entries import Ended
from daide_server.records.record import Ending
from daide_server.server.event_metrics import EventMetrics
from daide_server.server.events import EntryRecorded
from daide_server.web.metrics import WebMetrics

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
