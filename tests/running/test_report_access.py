"""The report in a browser: readable for everybody, on phones, by day and night."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from daide_server.running.reporting.report_page import facts
from daide_server.running.reporting.report_tables import write_report
from tests.support.needed import need_package
from tests.support.tournaments import forfeited, played_ledger

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_is_cut(
    browser: "Browser", width: int, scheme: str, tmp_path: Path
) -> None:
    axe = need_package("axe_playwright_python.sync_playwright")
    change = forfeited(7, "exit code 1")
    ledger = played_ledger(games=84, strengths=(1, 2, 0.5, 1, 1, 1, 1), change=change)
    path = write_report(facts(ledger), tmp_path)

    shown = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    shown.goto(path.as_uri())
    found = axe.Axe().run(shown).response["violations"]
    whole = shown.evaluate("document.documentElement.scrollWidth")
    shown.close()

    assert [each["id"] for each in found] == []
    assert whole == width
