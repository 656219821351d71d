"""The page of a game in Chromium: steps, motion, cards, keys, and strangers' texts."""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.records.entries import Began, fold
from daide_server.records.record import Ending, GameRecord, Message
from daide_server.records.secrecy import PressPolicy, PressShown, visible
from daide_server.reports.views import OrderView
from daide_server.storage.variants import load_variant
from tests.browser.conftest import SIZES, OpenPage
from tests.support.needed import need_package
from tests.support.paper_site import HOST, Answer, PaperSite, headers, wait_until
from tests.support.random_games import crowded_turn

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

PAGES = (
    "/game/F1902M",
    "/lobby",
    "/empty",
    "/bot",
    "/bots",
    "/tournament",
    "/tournaments",
    "/about",
    "/error",
)
SCREENSHOTS = "DAIDE_SERVER_SCREENSHOTS"
"""The variable with the folder that screenshots are kept in."""
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def shown(page: "Page") -> str:
    """Return what the page shows of a turn, once nothing moves any more."""
    page.wait_for_selector(".board:not(.moving) .outline")
    parts = ".board-units", ".board-orders", ".outline", "#orders", "#powers"
    return "\n".join(page.inner_html(part) for part in parts)


def exactly(words: str) -> re.Pattern[str]:
    return re.compile(f"^{re.escape(words)}$")


def turn(page: "Page") -> str:
    return page.inner_text("#turn-title")


def test_a_turn_looks_the_same_however_one_comes_to_it(
    record: GameRecord, open_page: OpenPage
) -> None:
    """By its address, by steps with motion, back from the end, and by the slider."""
    site = PaperSite(record)
    ids = [each.id for each in site.view.turns]
    wanted = shown(open_page(site, f"/game/{ids[8]}"))

    page = open_page(site, f"/game/{ids[6]}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert shown(page) == wanted

    page.keyboard.press("End")
    for _ in ids[9:]:
        page.keyboard.press("ArrowLeft")
    assert shown(page) == wanted

    page.keyboard.press("Home")
    page.locator("input[type=range]").fill("8")
    assert shown(page) == wanted


def test_the_script_only_replaces_what_the_server_wrote(
    record: GameRecord, open_page: OpenPage
) -> None:
    """The orders and powers of a turn are the same texts without scripts."""
    site = PaperSite(record)
    page = open_page(site, f"/game/{site.view.turns[8].id}")
    written = page.evaluate(
        """async () => {
            const text = await (await fetch(location.href)).text();
            const read = new DOMParser().parseFromString(text, "text/html");
            return ["#orders", "#powers", "#centres-table"].map(
                each => read.querySelector(each).textContent.replace(/\\s+/g, ""));
        }"""
    )
    parts = ("#orders", "#powers", "#centres-table")
    found = [page.text_content(part) or "" for part in parts]

    assert ["".join(text.split()) for text in found] == written


def test_units_stand_where_the_turn_left_them(
    record: GameRecord, open_page: OpenPage
) -> None:
    site = PaperSite(record)
    last = site.view.turns[-1]
    page = open_page(site, f"/game/{last.id}")
    found = Counter(
        page.evaluate(
            "[...document.querySelectorAll('.unit')].map(each => each.dataset.power)"
        )
    )

    units = (*record.last.units, *record.last.dislodged)
    assert found == Counter(unit.power for unit in units)


def test_playing_goes_to_the_end_and_says_so(
    record: GameRecord, open_page: OpenPage
) -> None:
    site = PaperSite(record)
    page = open_page(site, f"/game/{site.view.turns[-3].id}")
    page.locator("[data-do=speed]").select_option("8")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Space")
    last = site.view.turns[-1]
    page.locator(
        "#turn-title", has_text=exactly(f"{last.title}, not played")
    ).wait_for()

    page.get_by_role("button", name="Play").wait_for()


@pytest.mark.parametrize("size", SIZES)
def test_a_unit_says_why_its_order_failed_and_what_it_could_have_done(
    record: GameRecord, open_page: OpenPage, size: str
) -> None:
    site = PaperSite(record)
    shown_turn, order = next(
        (turn, order)
        for turn in site.view.turns
        for order in turn.orders
        if order.result == "bounced" and turn.phase == "movement"
    )
    page = open_page(site, f"/game/{shown_turn.id}", size)
    page.locator(f".unit[data-unit='{order.unit}']").click()
    card = page.locator("#card")

    assert order.why in card.inner_text()
    card.get_by_text("It could have done").wait_for()
    page.keyboard.press("Escape")
    assert card.is_hidden()


def test_the_screenshot_of_the_readme(
    crowded: GameRecord, open_page: OpenPage, tmp_path: Path
) -> None:
    """`make screenshot` keeps it: a turn with a dislodged unit, and its card."""
    page = open_page(PaperSite(crowded), "/game/F1904M")
    page.locator(".unit.dislodged").first.click()
    page.get_by_text("It could have done").wait_for()
    folder = Path(os.environ.get(SCREENSHOTS, tmp_path))
    picture = folder / "page.png"
    page.screenshot(path=picture)

    assert picture.stat().st_size > 50_000


def test_arrow_keys_go_from_unit_to_unit(
    record: GameRecord, open_page: OpenPage
) -> None:
    """Units are one tab stop, and do not step through the turns."""
    site = PaperSite(record)
    page = open_page(site, f"/game/{site.view.turns[0].id}")
    assert page.locator(".unit[tabindex='0']").count() == 1
    page.locator(".unit[tabindex='0']").focus()
    before = page.evaluate("document.activeElement.dataset.unit")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")

    assert page.evaluate("document.activeElement.dataset.unit") != before
    assert page.locator(".unit[tabindex='0']").count() == 1
    assert turn(page) == site.view.turns[0].title


def test_the_address_is_that_of_the_turn(
    record: GameRecord, open_page: OpenPage
) -> None:
    """Relative addresses stay those of the page that was asked for."""
    site = PaperSite(record)
    page = open_page(site, "/game")
    page.keyboard.press("j")
    page.wait_for_url(f"**/game/{site.view.turns[1].id}")
    page.locator(".unit").first.click()

    page.get_by_text("It could have done").wait_for()
    page.get_by_role("tab", name="About").click()
    download = page.get_by_role("link", name="dipcc")
    assert download.evaluate("each => each.href") == "http://page.test/game.json"


def test_question_mark_opens_the_keys(record: GameRecord, open_page: OpenPage) -> None:
    page = open_page(PaperSite(record), "/game/S1901M")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keys and signs").click()

    assert page.get_by_text("A move that failed").is_visible()


def test_names_and_press_stay_text(record: GameRecord, open_page: OpenPage) -> None:
    """Neither the server's templates nor the scripts make elements of them."""
    (first, *_) = record.messages
    hostile = replace(
        record,
        id=MARKUP,
        sittings=tuple(
            replace(each, name=MARKUP, version="'\"><b>") for each in record.sittings
        ),
        messages=(replace(first, text=MARKUP),),
        metadata={"</dl>" + MARKUP: MARKUP},
    )
    page = open_page(PaperSite(hostile), "/game/S1901M")

    assert page.locator("img[src=x], main script, .player b").count() == 0
    page.get_by_role("tab", name="About").click()
    assert MARKUP in page.inner_text("#panel-about")
    page.get_by_role("tab", name="Press").click()
    assert MARKUP in page.inner_text(".press-list")


def test_press_is_shown_by_threads(record: GameRecord, open_page: OpenPage) -> None:
    turn = record.turns[0].position.turn
    aus, eng, fra = record.variant.map.powers[:3]
    said = tuple(
        Message(turn, sender, (to,), f"{sender} {to}", 0.0)
        for sender, to in ((aus, eng), (eng, aus), (fra, eng))
    )
    page = open_page(
        PaperSite(replace(record, messages=said, votes=())), "/game/S1901M"
    )
    page.get_by_role("tab", name="Press").click()
    assert page.locator(".press-list .message").count() == 3
    page.get_by_label("Between").select_option(label="Austria, England (2)")

    assert page.locator(".press-list .message").count() == 2


def test_press_is_that_of_the_turn_and_of_earlier_ones(
    record: GameRecord, open_page: OpenPage
) -> None:
    """In plain English, the turn itself first; later talk does not spoil it."""
    first, second = (played.position.turn for played in record.turns[:2])
    aus, eng = record.variant.map.powers[:2]
    said = tuple(
        Message(turn, aus, (eng,), f"PRP ( SLO ( {power} ) )", 0.0)
        for turn, power in ((first, "TUR"), (second, "ITA"))
    )
    site = PaperSite(replace(record, messages=said, votes=()))
    page = open_page(site, "/game/S1901M")
    page.get_by_role("tab", name="Press").click()
    lines = page.locator(".press-list h3, .press-list .message > p")
    told = "Austria proposes to England: a solo of"
    assert lines.all_inner_texts() == ["Spring 1901", f"A {told} Turkey"]
    page.get_by_role("button", name="Next turn").click()
    page.locator("h3", has_text="Fall 1901").wait_for()

    assert lines.all_inner_texts() == [
        "Fall 1901",
        f"A {told} Italy",
        "Spring 1901",
        f"A {told} Turkey",
    ]
    page.locator(".press-list summary").first.click()
    assert page.get_by_text("PRP ( SLO ( ITA ) )").is_visible()


def test_a_message_is_linked(record: GameRecord, open_page: OpenPage) -> None:
    when = record.turns[3].position.turn
    aus, eng = record.variant.map.powers[:2]
    said = (Message(when, aus, (eng,), "PRP ( DRW )", 0.0),)
    site = PaperSite(replace(record, messages=said, votes=()))
    played = site.view.turns[3]
    page = open_page(site, f"/game/{played.id}")
    page.get_by_role("tab", name="Press").click()
    address = page.locator(".message .when").get_attribute("href") or ""
    assert address.endswith(f"/game/{played.id}#press-1")
    page.close()
    linked = open_page(site, f"/game/{played.id}#press-1")

    linked.locator(".message.linked").wait_for()
    assert turn(linked) == played.title


def test_promises_are_marked_where_they_were_made(
    record: GameRecord, open_page: OpenPage
) -> None:
    site = PaperSite(record)
    page = open_page(site, "/game/S1901M")
    page.get_by_role("tab", name="Press").click()
    promised = page.locator("#press-1 .promise")
    assert len(site.view.promises) == 2
    for each, text in zip(site.view.promises, promised.all_inner_texts(), strict=True):
        assert each.verdict in text
        assert each.why in text
    assert page.locator("#press-2 .promise").count() == 0


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (PressPolicy(), "Press is shown when the game is over."),
        (PressPolicy(PressShown.NEVER), "Press is not shown here."),
    ],
)
def test_an_empty_tab_says_why_there_is_no_press(
    record: GameRecord, open_page: OpenPage, policy: PressPolicy, words: str
) -> None:
    hidden = visible(replace(record, ending=None), policy, 0.0, running=True)
    site = PaperSite(hidden, "retry: 60000\n\n")
    site.view = replace(site.view, press_note=policy.note(running=True))
    page = open_page(site, "/game/S1901M")
    page.get_by_role("tab", name="Press").click()

    assert page.inner_text(".press-note") == words


def test_the_story_leads_to_its_turns(record: GameRecord, open_page: OpenPage) -> None:
    site = PaperSite(record)
    told = [each for each in site.view.turns if not each.quiet]
    page = open_page(site, "/game/S1901M")
    page.get_by_role("tab", name="Story").click()
    links = page.locator("#story a")
    assert links.all_inner_texts() == [
        f"{each.title}\n{each.headline}" for each in told
    ]
    links.nth(3).click()
    page.locator("#turn-headline", has_text=exactly(told[3].headline)).wait_for()

    assert turn(page) == told[3].title
    assert links.nth(3).get_attribute("aria-current") == "true"
    page.wait_for_url(f"**/{told[3].id}")


@pytest.mark.parametrize(
    ("ending", "winners", "first"),
    [
        (Ending.DRAW, "FRA TUR", ["France", "Turkey"]),
        (Ending.YEAR_LIMIT, "AUS FRA RUS", ["Russia"]),
    ],
)
def test_the_end_shows_who_won_or_led(
    record: GameRecord,
    open_page: OpenPage,
    ending: Ending,
    winners: str,
    first: list[str],
) -> None:
    over = replace(record, ending=ending, winners=tuple(map(Power, winners.split())))
    site = PaperSite(over)
    page = open_page(site, "/game/S1901M")
    assert page.locator("#final").is_hidden()
    page.keyboard.press("End")
    page.locator("#final").wait_for()
    names = page.locator("#powers .title").all_inner_texts()

    assert page.locator("#final b").all_inner_texts() == first
    assert names[: len(first)] == first
    assert site.view.headline in page.inner_text("#final")
    page.keyboard.press("Home")
    page.locator("#final").wait_for(state="hidden")
    assert page.locator("#powers .title").first.inner_text() == "Austria"


def event(name: str, number: int, data: object) -> str:
    encoded = msgspec.json.encode(data).decode()
    return f"id: {number}\nevent: {name}\ndata: {encoded}\n\n"


def test_a_running_game_is_followed_to_its_end(
    record: GameRecord, open_page: OpenPage
) -> None:
    """A live turn gives the elements of its address; a repeated one changes nothing."""
    finished = PaperSite(replace(record, ending=None))
    turns = finished.view.turns[:-1]
    wanted = shown(open_page(finished, f"/game/{turns[-1].id}"))
    early = replace(
        record, turns=record.turns[:-2], last=record.turns[-2].position, ending=None
    )
    events = "retry: 60000\n\n" + "".join(
        (
            event("turn", 1, turns[-2]),
            event("turn", 1, turns[-2]),
            event("status", 2, {"turn": turns[-1].id, "owing": ["AUS"]}),
            event("turn", 3, turns[-1]),
        )
    )
    page = open_page(PaperSite(early, events), f"/game/{turns[-3].id}")
    page.locator("#turn-title", has_text=exactly(turns[-1].title)).wait_for()

    parts = wanted.replace("thinking", "")
    assert shown(page).replace("thinking", "").replace(" owing", "") == parts
    assert "Austria" in page.inner_text("#waiting")


def test_how_a_running_game_ended_is_said_as_the_page_says_it(
    record: GameRecord, open_page: OpenPage
) -> None:
    """Winners and all."""
    finished = PaperSite(record)
    wanted = open_page(finished, "/game").text_content("#game-headline") or ""
    early = replace(record, ending=None)
    over = event("end", 1, finished.view)
    page = open_page(PaperSite(early, "retry: 60000\n\n" + over), "/game")
    page.locator("#game-headline", has_text=exactly(wanted)).wait_for(state="attached")
    assert "draw" in wanted


def test_letters_of_the_chart_stay_off_the_years(
    record: GameRecord, open_page: OpenPage
) -> None:
    """In the first years all powers have about as many centres."""
    early = replace(record, turns=record.turns[:2], last=record.turns[2].position)
    page = open_page(PaperSite(early), "/game")
    page.get_by_role("tab", name="Centres").click()
    boxes = """selector => [...document.querySelectorAll(`#chart ${selector}`)]
        .map(each => each.getBoundingClientRect())
        .map(each => [each.top, each.bottom])"""
    letters = page.evaluate(boxes, ".end-letter")
    ((_, base),) = page.evaluate(boxes, ".base")

    assert len(letters) == len(record.variant.map.powers)
    assert max((top + bottom) / 2 for top, bottom in letters) <= base + 1
    assert len({round(top) for top, _ in letters}) == len(letters)


def test_centres_by_year_of_a_running_game_are_those_of_now(
    record: GameRecord, open_page: OpenPage
) -> None:
    """The server draws them; the page asks anew when they are seen."""
    early = replace(
        record, turns=record.turns[:2], last=record.turns[2].position, ending=None
    )
    later = PaperSite(replace(record, ending=None)).view
    fall = next(each for each in later.turns[2:] if each.id.startswith("F"))
    site = PaperSite(early, "retry: 60000\n\n" + event("turn", 9, fall))
    page = open_page(site, f"/game/{later.turns[1].id}")
    years = page.locator("#centres-table tbody tr")
    before = years.count()
    page.locator("#turn-title", has_text=exactly(fall.title)).wait_for()
    site.view = later
    page.get_by_role("tab", name="Centres").click()

    years.nth(before).wait_for()
    assert years.count() == len(later.years)
    assert page.locator("#chart .line").count() == len(later.powers)


def test_centres_of_a_game_that_is_over_do_not_need_its_server(
    record: GameRecord, open_page: OpenPage
) -> None:
    """It stops soon after: they are asked for at the end, whatever is seen then."""
    early = replace(
        record, turns=record.turns[:2], last=record.turns[2].position, ending=None
    )
    finished = PaperSite(record).view

    class Ends(PaperSite):
        def answer(self, address: str) -> Answer | None:
            found = super().answer(address)
            if found is not None and found[0] == "events":
                self.view = finished
            return found

    site = Ends(early, "retry: 60000\n\n" + event("end", 1, finished))
    page = open_page(site, "/game")
    page.locator("#centres-table tbody tr").nth(len(finished.years) - 1).wait_for(
        state="attached"
    )

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("tab", name="Centres").click()

    assert page.locator("#centres-table tbody tr").count() == len(finished.years)
    assert not [url for url in asked if url.startswith(HOST + "/game")]


def refuse_once(page: "Page", then: str) -> None:
    """Refuse the page's stream once, for which browsers give up; *then* comes next."""
    is_refused = False

    def answer(route: "Route") -> None:
        nonlocal is_refused
        if is_refused:
            route.fulfill(headers=headers("events"), body=then)
        else:
            is_refused = True
            route.fulfill(status=204)

    page.route("**/events", answer)


def test_a_refused_stream_is_asked_for_again(
    record: GameRecord, open_page: OpenPage
) -> None:
    """A server that was started again has its games a little later than its page."""
    turns = PaperSite(record).view.turns[:-1]
    early = replace(
        record, turns=record.turns[:-1], last=record.turns[-1].position, ending=None
    )
    page = open_page(PaperSite(early, "retry: 100\n\n"), f"/game/{turns[-2].id}")
    refuse_once(page, "retry: 60000\n\n" + event("turn", 1, turns[-1]))

    page.locator("#turn-title", has_text=exactly(turns[-1].title)).wait_for()


def test_a_game_that_ended_while_the_page_was_away_is_over(
    record: GameRecord, open_page: OpenPage
) -> None:
    finished = PaperSite(record)
    wanted = open_page(finished, "/game").text_content("#game-headline") or ""
    site = PaperSite(replace(record, ending=None), "retry: 100\n\n")
    page = open_page(site, "/game")
    site.view = finished.view
    page.route("**/events", lambda route: route.fulfill(status=204))

    page.locator("#game-headline", has_text=exactly(wanted)).wait_for(state="attached")


@pytest.mark.parametrize(
    ("path", "size", "scheme"),
    [
        *((path, "desktop", "light") for path in PAGES),
        *((path, "phone", "dark") for path in PAGES),
        ("/game/F1902M", "wide", "light"),
    ],
)
def test_axe_finds_nothing_and_every_page_leads_to_the_others(
    record: GameRecord, open_page: OpenPage, path: str, size: str, scheme: str
) -> None:
    axe = need_package("axe_playwright_python.sync_playwright").Axe()
    page = open_page(PaperSite(record), path, size, scheme)
    links = page.get_by_role("navigation", name="Site").get_by_role("link")
    assert links.all_inner_texts() == ["Games", "Tournaments", "Bots", "API", "About"]
    assert all(link.is_visible() for link in links.all())
    assert path == "/error" or page.locator("nav [aria-current=page]").count() == 1
    tabs = page.get_by_role("tab")
    for number in range(max(1, tabs.count())):
        if tabs.count():
            tabs.nth(number).click()
        result = axe.run(page)
        assert result.violations_count == 0, result.generate_report()


def traced(page: "Page", act: Callable[[], object]) -> Counter[str]:
    """Return how often Chromium did what, from before *act* to after it."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    act()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return Counter(event["name"] for event in events)


NAMES = """() => {
    const picture = document.querySelector(".board-names");
    const scale = picture.getScreenCTM().a;
    const names = [...picture.querySelectorAll("text:not(.coast)")];
    return names.filter(each => each.checkVisibility()).map(each => {
        const box = each.getBBox();
        const size = scale * parseFloat(getComputedStyle(each).fontSize);
        // Capitals take seven tenths of the size, above the base line.
        const top = Number(each.getAttribute("y")) - 0.7 * size / scale;
        return {name: each.firstChild.data, size, left: box.x, right: box.x + box.width,
                top, bottom: Number(each.getAttribute("y"))};
    });
}"""


def none_overlap(names: list[dict[str, Any]]) -> None:
    """Assert that names are readable: nine pixels at least, none on another."""
    assert min(each["size"] for each in names) >= 8.99
    for one, other in combinations(names, 2):
        apart = (
            one["right"] <= other["left"]
            or other["right"] <= one["left"]
            or one["bottom"] <= other["top"]
            or other["bottom"] <= one["top"]
        )
        assert apart, (one["name"], other["name"])


@pytest.mark.parametrize("name", ["standard", "colonial", "world", "sam53", "hundred3"])
def test_names_are_readable_at_1280_pixels(open_page: OpenPage, name: str) -> None:
    """As the browser measures them, and all of them are there."""
    page = open_page(PaperSite(started(name)), "/game")
    page.wait_for_selector(".board .outline")
    names = page.evaluate(NAMES)

    assert len(names) == page.locator(".board-names text:not(.coast)").count()
    none_overlap(names)


@pytest.mark.parametrize("name", ["standard", "colonial"])
def test_names_that_a_phone_shows_are_readable(open_page: OpenPage, name: str) -> None:
    """Those that have no room are hidden; on a wide screen all are there again."""
    page = open_page(PaperSite(started(name)), "/game", "phone")
    page.wait_for_selector(".board .outline")
    names = page.evaluate(NAMES)
    everything = page.locator(".board-names text:not(.coast)").count()
    page.set_viewport_size({"width": 1280, "height": 800})
    wait_until(page, f"({NAMES})().length == {everything}")

    none_overlap(names)
    assert everything / 2 < len(names)


SCALE = """() => document.querySelector(".ground").clientWidth
    / document.querySelector(".board").clientWidth"""


def test_the_board_is_zoomed_by_wheel_keys_buttons_and_fingers(
    crowded: GameRecord, open_page: OpenPage
) -> None:
    """What is under the pointer stays there; signs do not grow, so they come apart."""
    page = open_page(PaperSite(crowded), "/game/S1903M")
    page.wait_for_selector(".board .outline")
    unit = page.locator(".unit").first
    before = unit.bounding_box()
    assert before is not None
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    wait_until(page, f"({SCALE})() > 2")
    after = unit.bounding_box()
    assert after is not None
    middle = after["x"] + after["width"] / 2, after["y"] + after["height"] / 2
    assert middle == pytest.approx((x, y), abs=2)
    assert after["width"] <= 34

    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(360, 340, steps=3)
    page.mouse.up()
    dragged = unit.bounding_box()
    assert dragged is not None
    assert dragged["x"] - after["x"] == pytest.approx(60, abs=2)
    page.keyboard.press("Shift+ArrowRight")
    assert unit.bounding_box() != dragged

    page.keyboard.press("0")
    assert page.evaluate(SCALE) == 1
    page.keyboard.press("+")
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(SCALE) == pytest.approx(2.25, abs=0.01)
    page.keyboard.press("-")
    page.get_by_role("button", name="Zoom out").click()
    assert page.evaluate(SCALE) == 1
    none_overlap(page.evaluate(NAMES))


PINCH = """() => {
    const board = document.querySelector(".board");
    const box = board.getBoundingClientRect();
    const finger = (kind, id, x, y) => board.dispatchEvent(new PointerEvent(kind, {
        pointerId: id, pointerType: "touch", bubbles: true,
        clientX: box.x + x * box.width, clientY: box.y + y * box.height}));
    finger("pointerdown", 1, 0.4, 0.5);
    finger("pointerdown", 2, 0.6, 0.5);
    finger("pointermove", 2, 0.8, 0.5);
    finger("pointerup", 2, 0.8, 0.5);
    finger("pointerup", 1, 0.4, 0.5);
}"""


def test_two_fingers_zoom_the_board_of_a_phone(
    crowded: GameRecord, open_page: OpenPage
) -> None:
    page = open_page(PaperSite(crowded), "/game/S1903M", "phone")
    page.wait_for_selector(".board .outline")
    page.evaluate(PINCH)

    assert page.evaluate(SCALE) == pytest.approx(2, abs=0.01)


def test_the_whole_page_fills_the_screen(
    crowded: GameRecord, open_page: OpenPage
) -> None:
    page = open_page(PaperSite(crowded), "/game/S1903M")
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement?.matches('main')")
    page.get_by_role("button", name="Full screen").click()
    wait_until(page, "!document.fullscreenElement")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["standard", "colonial", "world"])
def test_controls_never_lie_on_the_board(
    open_page: OpenPage, name: str, size: str
) -> None:
    """Wherever the page is scrolled to."""
    page = open_page(PaperSite(started(name)), "/game", size)
    page.wait_for_selector(".board .outline")
    for scrolled in (0, 300, 2000):
        page.evaluate(f"scrollTo(0, {scrolled})")
        board = page.locator(".board").bounding_box()
        controls = page.locator(".controls").bounding_box()
        assert board is not None
        assert controls is not None
        assert (
            controls["y"] + controls["height"] <= board["y"] + 1
            or board["y"] + board["height"] <= controls["y"] + 1
            or board["x"] + board["width"] <= controls["x"] + 1
        )


def test_a_wide_screen_is_used(crowded: GameRecord, open_page: OpenPage) -> None:
    """Board, powers and panels fill 1920 pixels from one edge to the other."""
    page = open_page(PaperSite(crowded), "/game/S1903M", "wide")
    boxes = [
        page.locator(part).bounding_box() for part in (".board", ".powers", ".panels")
    ]
    (left, powers, panels) = boxes
    assert left is not None
    assert powers is not None
    assert panels is not None

    assert left["x"] <= 20
    assert left["height"] >= 950
    assert powers["x"] - left["x"] - left["width"] <= 40
    assert panels["x"] + panels["width"] >= 1880


COVERED = """() => {
    const boxes = (selector, grow) => [...document.querySelectorAll(selector)]
        .filter(each => each.checkVisibility())
        .map(each => [each, each.getBoundingClientRect()])
        .map(([each, box]) => ({name: each.textContent, left: box.left + grow,
            right: box.right - grow, top: box.top + grow, bottom: box.bottom - grow}));
    const signs = boxes(".unit, .cross-line, .order path.head, .order .dot", 1);
    // A text's box has room above and below its capitals.
    return boxes(".board-names text", 0).flatMap(name => {
        const middle = (name.top + name.bottom) / 2;
        const high = 0.3 * (name.bottom - name.top);
        return signs.filter(sign => sign.left < name.right && name.left < sign.right
                && sign.top < middle + high && middle - high < sign.bottom)
            .map(sign => [name.name, sign.name]);
    });
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("board", "seed"), [("standard", 1), ("colonial", 2)])
def test_no_name_is_under_a_unit_or_a_mark_in_busy_turns(
    open_page: OpenPage, board: str, size: str, seed: int
) -> None:
    """34 units; names move, with lines to their provinces."""
    variant = load_variant(board)
    busy = fold(crowded_turn(variant, seed), variant, game="busy", started=0.0)
    site = PaperSite(busy)
    first, _ = site.view.turns
    assert len(first.units) == 34
    page = open_page(site, f"/game/{first.id}", size)
    page.wait_for_selector(".board .outline")

    # Names move when the page has been drawn, which a busy machine does late.
    wait_until(page, f"!({COVERED})().length")
    names = page.evaluate(NAMES)
    none_overlap(names)
    if size != "phone":
        everything = page.locator(".board-names text:not(.coast)").count()
        assert len(names) >= 0.97 * everything


def started(name: str) -> GameRecord:
    """Return a game on a board, before its first turn."""
    variant = load_variant(name)
    begun = Began(name, "daide", 0, variant.start, 0.0)
    return fold([begun], variant, game="new", started=0.0)


def test_a_turn_costs_few_paints_and_layouts(
    crowded: GameRecord, open_page: OpenPage
) -> None:
    """34 units on a phone: at most 3 Paint and 2 Layout from the key to the end.

    What else the browser does meanwhile only adds to them: the least of three counts.
    """
    site = PaperSite(crowded)
    full = [at for at, turn in enumerate(site.view.turns) if len(turn.units) == 34]
    number = max(full, key=lambda at: len(site.view.turns[at].after.moved))
    page = open_page(site, f"/game/{site.view.turns[number - 1].id}", "phone")

    def step(key: str = "ArrowRight") -> None:
        page.keyboard.press(key)
        shown(page)

    shown(page)
    counts = traced(page, step)
    for _ in range(2):
        step("ArrowLeft")
        counts &= traced(page, step)

    assert counts["Paint"] <= 3
    assert counts["Layout"] <= 2


def test_waived_builds_are_one_row(record: GameRecord, open_page: OpenPage) -> None:
    site = PaperSite(record)
    order = OrderView("FRA", "WAIVE", "waive")
    turn = replace(site.view.turns[1], orders=(order,) * 20)
    turns = (site.view.turns[0], turn, *site.view.turns[2:])
    site.view = replace(site.view, turns=turns)
    page = open_page(site, f"/game/{turn.id}")

    (row,) = page.locator("#orders li").all_inner_texts()
    assert row == "WAIVE \N{MULTIPLICATION SIGN} 20"


def test_waiting_is_short_on_a_phone(record: GameRecord, open_page: OpenPage) -> None:
    """Nobody waits "for 0:00"; "thinking" and a time are on one line each."""
    now = time.time()
    turns = PaperSite(record).view.turns
    waits = {"turn": turns[-1].id, "owing": ["AUS"], "since": now + 60}
    events = "retry: 60000\n\n" + event("status", 1, waits)
    page = open_page(PaperSite(replace(record, ending=None), events), "/game", "phone")
    page.locator("#waiting", has_text=exactly("waiting for Austria")).wait_for()
    state = page.locator("tr[data-power=AUS] .state")

    assert state.inner_text().startswith("thinking")
    assert state.evaluate("each => each.getClientRects().length") == 1
