"""The pages of lists in Chromium: what changes while somebody looks at them."""

from typing import Any

from daide_server.records.record import GameRecord
from tests.browser.conftest import OpenPage
from tests.support.paper_site import PaperSite, headers

RELOADED = "performance.getEntriesByType('navigation')[0].type == 'reload'"


def test_a_tournament_is_fetched_anew_when_a_game_is_over(
    record: GameRecord, open_page: OpenPage
) -> None:
    """Its card goes, and what the server says of the results is replaced."""
    site = PaperSite(record)
    page = open_page(site, "/tournament")
    page.locator("[data-game=cup-000313]").wait_for()
    page.evaluate("document.querySelector('#standings').textContent = 'old'")
    page.evaluate(
        """() => {
            document.querySelector("[data-game=cup-000313]").remove();
            const over = new CustomEvent("game-over");
            document.querySelector("main").dispatchEvent(over);
        }"""
    )
    page.get_by_role("heading", name="Standings", exact=True).wait_for()

    assert site.asked.count("/tournament") == 2


class BoardlessSite(PaperSite):
    """Its first page was written before there was any game."""

    def _lists(self) -> dict[str, Any]:
        links = {**super()._lists()["links"], "boards": {}}
        return {**super()._lists(), "links": links, "running": [], "finished": []}


def test_the_first_game_of_a_board_brings_its_board(
    record: GameRecord, open_page: OpenPage
) -> None:
    """The page is asked for again, once, though the answer may lack it still."""
    site = BoardlessSite(record)
    page = open_page(site, "/lobby")
    page.wait_for_function(
        "performance.getEntriesByType('navigation')[0].type == 'reload'"
    )
    page.locator(".cards [data-game]").first.wait_for()

    assert site.asked.count("/lobby") == 2


def test_games_that_ended_while_the_page_was_away_leave_it(
    record: GameRecord, open_page: OpenPage
) -> None:
    """What a server that was started again sends first are all games that run."""
    page = open_page(PaperSite(record), "/lobby")
    page.locator("[data-game=cup-000313]").wait_for()
    body = "retry: 60000\n\nid: x-1\nevent: games\ndata: []\n\n"
    page.route(
        "**/games-stream",
        lambda route: route.fulfill(headers=headers("events"), body=body),
    )

    page.locator("#nothing-runs").wait_for()

    assert page.locator("[data-game]").count() == 0
