"""A published tournament is opened from a folder, and every link is followed."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest

from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from daide_server.tournament.report.report_page import facts
from daide_server.tournament.run.tournament_state import TournamentFolder
from daide_server.web.published import bundled, publish
from tests.support.paper_site import wait_until
from tests.support.tournaments import forfeited, played_ledger

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def site(record: GameRecord, tmp_path: Path) -> Path:
    """Return the site of a tournament whose games all have one record."""
    home = TournamentFolder(tmp_path / "a cup #1")
    ledger = played_ledger(games=7, change=forfeited(3, "exit code 1"))
    for game in ledger.played:
        path = home.record(game)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FORMATS["dipcc"].write(record), "utf-8")
    (home.path / "logs" / "000003").mkdir(parents=True)
    target = tmp_path / "a site"
    assert publish(facts(ledger, home=home), record.variant, target) == len(
        ledger.played
    )
    return target


def links(page: "Page") -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "[href], [src]",
        "all => all.map(each => each.href ?? each.src).filter(each => each?.charAt)",
    )
    return [each for each in found if each]


def test_every_link_stays_in_the_folder(browser: "Browser", site: Path) -> None:
    complaints: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    left, seen = [site / "index.html"], set[Path]()
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.suffix != ".html":
            assert path.is_file(), path
            continue
        page.goto(path.as_uri())
        for link in links(page):
            parts = urlsplit(link)
            assert parts.scheme == "file", link
            found = Path(unquote(parts.path))
            assert found.is_relative_to(site), link
            left.append(found)
    assert not complaints
    assert {each.name for each in (site / "games").glob("*.html")} <= {
        each.name for each in seen
    }


def test_a_replay_shows_the_board(browser: "Browser", site: Path) -> None:
    page = browser.new_page()
    page.goto((site / "games" / "000003.html").as_uri())
    page.wait_for_selector("main.ready")

    assert page.locator(".board-units > *").count() == 22
    first = page.locator("#turn-title").inner_text()
    page.locator("[data-do=next]").click()
    wait_until(page, "location.hash.startsWith('#F1901M')")
    assert page.locator("#turn-title").inner_text() != first
    shown = page.locator("#turn-title").inner_text()
    page.reload()
    page.wait_for_selector("main.ready")
    assert page.locator("#turn-title").inner_text() == shown


def test_the_script_is_no_module() -> None:
    text = bundled("game")
    assert "import " not in text.replace("document.importNode", "")
    assert "\nexport " not in text
