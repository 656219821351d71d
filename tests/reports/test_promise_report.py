"""Promises as a person reads them."""

from daide_server.board.variant import Variant
from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.tables.order_rows import promise_rows
from daide_server.reports.promise_report import promise_report
from tests.promises.test_study import XDO_KEPT, agreed, game


def test_promises_and_sums(standard: Variant) -> None:
    said = {0: [*agreed(XDO_KEPT), *agreed("PRP (PCE (FRA ENG))")]}
    record = game(standard, said, {"FRA": ["A PAR - BUR"]})
    assert list(promise_report(record, names_of(standard.map))) == [
        "",
        "Promises",
        (
            "  S1901M FRANCE to ENGLAND: XDO ( ( FRA AMY PAR ) MTO PIC ) - broken in "
            "S1901M: another order was given"
        ),
        "  S1901M FRANCE to ENGLAND: PCE ( FRA ENG ) - kept",
        "  S1901M ENGLAND to FRANCE: PCE ( FRA ENG ) - kept",
        "",
        (
            "  promises of .. to ..        kept      broken  impossible        void"
            " not decided"
        ),
        (
            "  FRANCE to ENGLAND              1           1           -           -"
            "           -"
        ),
        (
            "  ENGLAND to FRANCE              1           -           -           -"
            "           -"
        ),
    ]


def test_a_game_without_agreements_has_no_section(standard: Variant) -> None:
    record = game(standard, {0: [("FRA", "ENG", XDO_KEPT)]}, {})
    assert not list(promise_report(record, names_of(standard.map)))


def test_rows_have_every_promise(standard: Variant) -> None:
    said = {0: [*agreed(XDO_KEPT), ("FRA", "GER", "PRP (PCE (FRA GER))")]}
    record = game(standard, said, {"FRA": ["A PAR - PIC"]})
    rows = list(promise_rows(record, names_of(standard.map)))
    assert [(row.promiser, row.to, row.state, row.verdict) for row in rows] == [
        ("FRANCE", "ENGLAND", "agreed", "kept"),
        ("FRANCE", "GERMANY", "unanswered", "void"),
        ("GERMANY", "FRANCE", "unanswered", "void"),
    ]
    assert (rows[0].phase, rows[0].decided, rows[0].number) == ("S1901M", "S1901M", 0)
