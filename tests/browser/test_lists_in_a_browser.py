"""The pages of lists in Chromium: what changes while somebody looks at them."""

import pytest

from daide_server.records.record import Ending
from tests.browser.conftest import SIZES
from tests.support.paper_site import EVENTS, PaperSite, box, wait_until

RELOADED = "performance.getEntriesByType('navigation')[0].type == 'reload'"


def test_a_tournament_is_fetched_anew_when_a_game_is_over(site: PaperSite) -> None:
    """Its card goes, and what the server says of the results is replaced."""
    page = site.open("/tournaments/cup")
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

    assert site.asked.count("/tournaments/cup") == 2


def test_the_first_game_of_a_board_brings_its_board(site: PaperSite) -> None:
    """The page is asked for again, once, though the answer may lack it still."""
    new = site.new()
    new.cards = site.cards
    page = new.open("/")
    wait_until(page, RELOADED)
    page.locator(".cards [data-game]").first.wait_for()

    assert new.asked.count("/") == 2


def test_games_that_ended_while_the_page_was_away_leave_it(site: PaperSite) -> None:
    """What a server that was started again sends first are all games that run."""
    page = site.open("/")
    page.locator("[data-game=cup-000313]").wait_for()
    body = "retry: 60000\n\nid: x-1\nevent: games\ndata: []\n\n"
    page.route("**/api/events", lambda route: route.fulfill(headers=EVENTS, body=body))

    page.locator("#nothing-runs").wait_for()

    assert page.locator("[data-game]").count() == 0


SHAPES = """() => [...document.querySelectorAll(
        ".cards a, .cards .words, .standings th, .standings td, .games th, .games td")]
    .filter(each => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
    .map(each => each.textContent)"""
OUTSIDE = """selector => [...document.querySelectorAll(selector)]
    .filter(each => each.checkVisibility())
    .filter(each => each.getBoundingClientRect().right > innerWidth)
    .map(each => each.textContent)"""


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_in_cards_and_standings(site: PaperSite, size: str) -> None:
    """The record ends in retreats; the id of a game of `serve` is long."""
    site = site.changed(id="20261124T152044Z-df4a-0001")
    assert "retreats" in site.view.turns[-1].title
    page = site.open("/", size)
    page.locator("[data-game=cup-000313] .unit").first.wait_for(state="attached")
    assert page.evaluate(SHAPES) == []
    page = site.open("/tournaments/cup", size)

    assert page.get_by_text("Late" if size != "phone" else "late").first.is_visible()
    assert page.evaluate(OUTSIDE, ".standings td, .standings th") == []
    assert page.evaluate(SHAPES) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_empty_first_page_says_what_to_do(site: PaperSite) -> None:
    page = site.new().open("/")

    assert page.get_by_text("daide-server play --web").is_visible()
    assert page.locator("form.search").count() == 0


def test_a_single_game_is_shown_large(site: PaperSite) -> None:
    page = site.open("/tournaments/cup")
    card = box(page.locator(".cards > li"))
    section = box(page.locator("section:has(.cards)"))

    assert card["width"] >= 0.9 * section["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bots_have_sixteen_colours_and_powers_theirs_on_every_page(
    site: PaperSite, scheme: str
) -> None:
    page = site.open("/tournaments/cup", "desktop", scheme)
    found = page.evaluate(
        """() => Array.from({length: 16}, (_, number) => {
            const mark = document.querySelector(".bot-mark");
            mark.className = `bot-mark bot-${number}`;
            return getComputedStyle(mark).backgroundColor;
        })"""
    )
    assert len(set(found)) == 16
    colour = "document.querySelector('.chip.power-FRA')"
    colour = f"getComputedStyle({colour}).backgroundColor"
    shown = {
        site.open(path, "desktop", scheme).evaluate(colour)
        for path in ("/bots/Second", "/", "/games/draw")
    }
    assert len(shown) == 1


def test_lists_say_who_won_and_who_led(site: PaperSite) -> None:
    fra = site.record.variant.map.powers[2]
    solo = site.changed(ending=Ending.SOLO, winners=(fra,))
    page = solo.open("/bots/Second")
    assert page.locator(".winner .chip.power-FRA").count() == len(solo.cards)
    page = site.open("/bots/Second")

    assert "led with 5" in page.locator(".games").inner_text()
