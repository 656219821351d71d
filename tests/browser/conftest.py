"""A browser, and pages in it whose requests are answered from memory."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from daide_server.library.game_files import games_in, read_game
from daide_server.library.variants import load_variant
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from tests.support.data import game
from tests.support.paper_site import HOST, OpenPage, PaperSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

GAMES = Path(__file__).parents[1] / "records" / "games"
SIZES = {"desktop": (1280, 800), "wide": (1920, 1080), "phone": (390, 844)}


@pytest.fixture(scope="session")
def record() -> GameRecord:
    """Return a game that was drawn."""
    (found,) = games_in(GAMES / "draw.json")
    return read_game(found)


@pytest.fixture
def open_page(browser: "Browser") -> Iterator[OpenPage]:
    """Return a function that opens a page of a site; complaints fail the test."""
    complaints: list[str] = []
    contexts = []

    def opened(site: PaperSite, path: str, size: str, scheme: str) -> "Page":
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            has_touch=size == "phone",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.route("**/*", partial(_answer, site))
        page.goto(HOST + path)
        page.wait_for_selector("main.ready, main.lists", state="attached")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def site(record: GameRecord, open_page: OpenPage, tmp_path: Path) -> PaperSite:
    """Return the site of the game that was drawn."""
    return PaperSite(record, open_page, tmp_path)


@pytest.fixture
def crowded(site: PaperSite) -> PaperSite:
    """Return the site of a game with 34 units on the board."""
    return site.of(FORMATS["dipcc"].read(game("example_game.json"), load_variant))


def _answer(site: PaperSite, route: "Route") -> None:
    found = site.answer(route.request.url)
    is_page = found.headers.get("content-type", "").startswith("text/html")
    # The console would complain of the page of an error.
    status = 200 if is_page else found.status_code
    route.fulfill(status=status, headers=dict(found.headers), body=found.content)
