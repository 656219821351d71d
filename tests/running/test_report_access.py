"""The report in a browser: readable for everybody, on phones, by day and night."""

from pathlib import Path

import pytest

from daide_server.running.reporting.report_facts import ReportSource
from daide_server.running.reporting.report_files import write_report
from tests.support.needed import need_package, need_program
from tests.support.tournaments import forfeited, played_ledger

CHROMIUM = ("chromium", "google-chrome")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_is_cut(
    width: int, scheme: str, tmp_path: Path
) -> None:
    browser = need_program(*CHROMIUM)
    playwright = need_package("playwright.sync_api")
    axe = need_package("axe_playwright_python.sync_playwright")
    change = forfeited(7, "exit code 1")
    ledger = played_ledger(games=84, strengths=(1, 2, 0.5, 1, 1, 1, 1), change=change)
    path = write_report(ReportSource(ledger), tmp_path)

    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(
            executable_path=browser, args=["--no-sandbox"]
        )
        shown = chromium.new_page(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        shown.goto(path.as_uri())
        found = axe.Axe().run(shown).response["violations"]
        whole = shown.evaluate("document.documentElement.scrollWidth")
        chromium.close()

    assert [each["id"] for each in found] == []
    assert whole == width
