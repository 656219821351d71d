"""Faults in orders are told in the order of the file, for every power."""

import json
from collections.abc import Callable

from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.records.record import GameRecord
from daide_server.reports.difference_text import faults_in
from daide_server.storage.variants import load_variant


def test_faults_are_told_in_the_order_of_the_file(
    record_of: Callable[..., GameRecord],
) -> None:
    file = json.loads(DIPCC.write(record_of(turns=1)))
    phase = file["phases"][0]
    powers = list(phase["state"]["units"])
    phase["orders"] = {power: ["A XYZ H"] for power in powers}

    found = faults_in(json.dumps(file).encode(), load_variant)

    assert [fault.place for fault in found] == [
        f"phases[0] S1901M.orders.{power}[0]" for power in powers
    ]


def test_the_orders_of_a_power_without_units_are_checked_too(
    record_of: Callable[..., GameRecord],
) -> None:
    """Our reader understands such orders as well, other programs do not."""
    file = json.loads(DIPCC.write(record_of(turns=1)))
    phase = file["phases"][0]
    phase["state"]["units"]["FRANCE"] = []
    phase["orders"]["FRANCE"] = ["fleet brest hold"]

    found = faults_in(json.dumps(file).encode(), load_variant)

    assert "phases[0] S1901M.orders.FRANCE[0]" in [fault.place for fault in found]
