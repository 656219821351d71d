"""The page of a game in Chromium: steps, motion, cards, keys, and strangers' texts."""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.judge.adjudication import adjudicate
from daide_server.library import record_index
from daide_server.library.variants import load_variant
from daide_server.records.entries import Began, TurnResolved, fold
from daide_server.records.record import Ending, GameRecord, Message
from daide_server.records.secrecy import PressPolicy, PressShown, visible
from daide_server.text.views import OrderView
from tests.browser.conftest import SIZES
from tests.judge.random_turns import orders, position
from tests.support.needed import need_package
from tests.support.paper_site import EVENTS, HOST, PaperSite, box, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

NEW = "/?new"
"""The first page of a server that nobody has joined yet."""
PAGES = (
    "/games/draw/F1902M",
    "/",
    NEW,
    "/bots/Second",
    "/bots",
    "/tournaments/cup",
    "/tournaments",
    "/about",
    "/nothing",
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


def test_a_turn_looks_the_same_however_one_comes_to_it(site: PaperSite) -> None:
    """By its address, by steps with motion, back from the end, and by the slider."""
    ids = [each.id for each in site.view.turns]
    wanted = shown(site.show(ids[8]))

    page = site.show(ids[6])
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


def test_the_script_only_replaces_what_the_server_wrote(site: PaperSite) -> None:
    """The orders and powers of a turn are the same texts without scripts."""
    page = site.show(site.view.turns[8].id)
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


def test_units_stand_where_the_turn_left_them(site: PaperSite) -> None:
    last = site.view.turns[-1]
    page = site.show(last.id)
    found = Counter(
        page.evaluate(
            "[...document.querySelectorAll('.unit')].map(each => each.dataset.power)"
        )
    )

    units = (*site.record.last.units, *site.record.last.dislodged)
    assert found == Counter(unit.power for unit in units)


def test_playing_goes_to_the_end_and_says_so(site: PaperSite) -> None:
    page = site.show(site.view.turns[-3].id)
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
    site: PaperSite, size: str
) -> None:
    shown_turn, order = next(
        (turn, order)
        for turn in site.view.turns
        for order in turn.orders
        if order.result == "bounced" and turn.phase == "movement"
    )
    page = site.show(shown_turn.id, size)
    page.locator(f".unit[data-unit='{order.unit}']").click()
    card = page.locator("#card")

    assert order.why in card.inner_text()
    card.get_by_text("It could have done").wait_for()
    page.keyboard.press("Escape")
    assert card.is_hidden()


def test_the_screenshot_of_the_readme(crowded: PaperSite, tmp_path: Path) -> None:
    """`make screenshot` keeps it: a turn with a dislodged unit, and its card."""
    page = crowded.show("F1904M")
    page.locator(".unit.dislodged").first.click()
    page.get_by_text("It could have done").wait_for()
    folder = Path(os.environ.get(SCREENSHOTS, tmp_path))
    picture = folder / "page.png"
    page.screenshot(path=picture)

    assert picture.stat().st_size > 50_000


def test_arrow_keys_go_from_unit_to_unit(site: PaperSite) -> None:
    """Units are one tab stop, and do not step through the turns."""
    page = site.show(site.view.turns[0].id)
    assert page.locator(".unit[tabindex='0']").count() == 1
    page.locator(".unit[tabindex='0']").focus()
    before = page.evaluate("document.activeElement.dataset.unit")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")

    assert page.evaluate("document.activeElement.dataset.unit") != before
    assert page.locator(".unit[tabindex='0']").count() == 1
    assert turn(page) == site.view.turns[0].title


def test_the_address_is_that_of_the_turn(site: PaperSite) -> None:
    """Relative addresses stay those of the page that was asked for."""
    page = site.show()
    page.keyboard.press("Home")
    page.keyboard.press("j")
    page.wait_for_url(f"**/games/draw/{site.view.turns[1].id}")
    page.locator(".unit").first.click()

    page.get_by_text("It could have done").wait_for()
    page.get_by_role("tab", name="About").click()
    download = page.get_by_role("link", name="dipcc", exact=True)
    address = download.evaluate("each => each.href")
    assert address == f"{HOST}/api/games/draw/files/dipcc"


def test_question_mark_opens_the_keys(site: PaperSite) -> None:
    page = site.show("S1901M")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keys and signs").click()

    assert page.get_by_text("A move that failed").is_visible()


def test_names_and_press_stay_text(site: PaperSite) -> None:
    """Neither the server's templates nor the scripts make elements of them."""
    (first, *_), sittings = site.record.messages, site.record.sittings
    names = {"name": MARKUP, "version": "'\"><b>"}
    hostile = site.changed(
        id=MARKUP.replace("/", ""),
        sittings=tuple(replace(each, **names) for each in sittings),
        messages=(replace(first, text=MARKUP),),
        metadata={"</dl>" + MARKUP: MARKUP},
    )
    page = hostile.show("S1901M")

    assert page.locator("img[src=x], main script, .player b").count() == 0
    page.get_by_role("tab", name="About").click()
    assert MARKUP in page.inner_text("#panel-about")
    page.get_by_role("tab", name="Press").click()
    assert MARKUP in page.inner_text(".press-list")


def test_press_is_shown_by_threads(site: PaperSite) -> None:
    turn = site.record.turns[0].position.turn
    aus, eng, fra = site.record.variant.map.powers[:3]
    said = tuple(
        Message(turn, sender, (to,), f"{sender} {to}", 0.0)
        for sender, to in ((aus, eng), (eng, aus), (fra, eng))
    )
    page = site.changed(messages=said, votes=()).show("S1901M", tab="Press")
    assert page.locator(".press-list .message").count() == 3
    page.get_by_label("Between").select_option(label="Austria, England (2)")

    assert page.locator(".press-list .message").count() == 2


def test_press_is_that_of_the_turn_and_of_earlier_ones(site: PaperSite) -> None:
    """In plain English, the turn itself first; later talk does not spoil it."""
    first, second = (played.position.turn for played in site.record.turns[:2])
    aus, eng = site.record.variant.map.powers[:2]
    said = tuple(
        Message(turn, aus, (eng,), f"PRP ( SLO ( {power} ) )", 0.0)
        for turn, power in ((first, "TUR"), (second, "ITA"))
    )
    site = site.changed(messages=said, votes=())
    page = site.show("S1901M", tab="Press")
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


def test_a_message_is_linked(site: PaperSite) -> None:
    when = site.record.turns[3].position.turn
    aus, eng = site.record.variant.map.powers[:2]
    said = (Message(when, aus, (eng,), "PRP ( DRW )", 0.0),)
    site = site.changed(messages=said, votes=())
    played = site.view.turns[3]
    page = site.show(played.id, tab="Press")
    address = page.locator(".message .when").get_attribute("href") or ""
    assert address.endswith(f"/games/draw/{played.id}#press-1")
    page.close()
    linked = site.show(f"{played.id}#press-1")

    linked.locator(".message.linked").wait_for()
    assert turn(linked) == played.title


def test_promises_are_marked_where_they_were_made(site: PaperSite) -> None:
    page = site.show("S1901M", tab="Press")
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
    site: PaperSite, policy: PressPolicy, words: str
) -> None:
    hidden = visible(replace(site.record, ending=None), policy, 0.0, running=True)
    site = site.of(hidden, "retry: 60000\n\n")
    site.view = replace(site.view, press_note=policy.note(running=True))
    page = site.show("S1901M", tab="Press")

    assert page.inner_text(".press-note") == words


def test_the_story_leads_to_its_turns(site: PaperSite) -> None:
    told = [each for each in site.view.turns if not each.quiet]
    page = site.show("S1901M", tab="Story")
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
    site: PaperSite, ending: Ending, winners: str, first: list[str]
) -> None:
    site = site.changed(ending=ending, winners=tuple(map(Power, winners.split())))
    page = site.show("S1901M")
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


def test_a_running_game_is_followed_to_its_end(site: PaperSite) -> None:
    """A live turn gives the elements of its address; a repeated one changes nothing."""
    finished = site.changed(ending=None)
    turns = finished.view.turns[:-1]
    wanted = shown(finished.show(turns[-1].id))
    events = "retry: 60000\n\n" + "".join(
        (
            event("turn", 1, turns[-2]),
            event("turn", 1, turns[-2]),
            event("status", 2, {"turn": turns[-1].id, "owing": ["AUS"]}),
            event("turn", 3, turns[-1]),
        )
    )
    page = site.early(-2, events).show(turns[-3].id)
    page.locator("#turn-title", has_text=exactly(turns[-1].title)).wait_for()

    parts = wanted.replace("thinking", "")
    assert shown(page).replace("thinking", "").replace(" owing", "") == parts
    assert "Austria" in page.inner_text("#waiting")


def test_how_a_running_game_ended_is_said_as_the_page_says_it(site: PaperSite) -> None:
    """Winners and all."""
    wanted = site.show().text_content("#game-headline") or ""
    over = event("end", 1, site.view)
    page = site.changed("retry: 60000\n\n" + over, ending=None).show()
    page.locator("#game-headline", has_text=exactly(wanted)).wait_for(state="attached")
    assert "draw" in wanted


def test_letters_of_the_chart_stay_off_the_years(site: PaperSite) -> None:
    """In the first years all powers have about as many centres."""
    turns = site.record.turns
    page = site.changed(turns=turns[:2], last=turns[2].position).show(tab="Centres")
    boxes = """selector => [...document.querySelectorAll(`#chart ${selector}`)]
        .map(each => each.getBoundingClientRect())
        .map(each => [each.top, each.bottom])"""
    letters = page.evaluate(boxes, ".end-letter")
    ((_, base),) = page.evaluate(boxes, ".base")

    assert len(letters) == len(site.record.variant.map.powers)
    assert max((top + bottom) / 2 for top, bottom in letters) <= base + 1
    assert len({round(top) for top, _ in letters}) == len(letters)


def test_centres_by_year_of_a_running_game_are_those_of_now(site: PaperSite) -> None:
    """The server draws them; the page asks anew when they are seen."""
    later = site.changed(ending=None).view
    fall = next(each for each in later.turns[2:] if each.id.startswith("F"))
    site = site.early(2, "retry: 60000\n\n" + event("turn", 9, fall))
    page = site.show(later.turns[1].id)
    years = page.locator("#centres-table tbody tr")
    before = years.count()
    page.locator("#turn-title", has_text=exactly(fall.title)).wait_for()
    site.view = later
    page.get_by_role("tab", name="Centres").click()

    years.nth(before).wait_for()
    assert years.count() == len(later.years)
    assert page.locator("#chart .line").count() == len(later.powers)


def test_centres_of_a_game_that_is_over_do_not_need_its_server(
    site: PaperSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops soon after: they are asked for at the end, whatever is seen then."""
    finished = site.view

    def ends(address: str) -> httpx.Response:
        found = PaperSite.answer(running, address)
        if address.endswith("/events"):
            running.view = finished
        return found

    running = site.early(2, "retry: 60000\n\n" + event("end", 1, finished))
    monkeypatch.setattr(running, "answer", ends)
    page = running.show()
    page.locator("#centres-table tbody tr").nth(len(finished.years) - 1).wait_for(
        state="attached"
    )

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("tab", name="Centres").click()

    assert page.locator("#centres-table tbody tr").count() == len(finished.years)
    assert not [url for url in asked if "/games/" in url]


def refuse_once(page: "Page", then: str) -> None:
    """Refuse the page's stream once, for which browsers give up; *then* comes next."""
    is_refused = False

    def answer(route: "Route") -> None:
        nonlocal is_refused
        if is_refused:
            route.fulfill(headers=EVENTS, body=then)
        else:
            is_refused = True
            route.fulfill(status=204)

    page.route("**/events", answer)


def test_a_refused_stream_is_asked_for_again(site: PaperSite) -> None:
    """A server that was started again has its games a little later than its page."""
    turns = site.view.turns[:-1]
    page = site.early(-1, "retry: 100\n\n").show(turns[-2].id)
    refuse_once(page, "retry: 60000\n\n" + event("turn", 1, turns[-1]))

    page.locator("#turn-title", has_text=exactly(turns[-1].title)).wait_for()


def test_a_game_that_ended_while_the_page_was_away_is_over(site: PaperSite) -> None:
    wanted = site.show().text_content("#game-headline") or ""
    running = site.changed("retry: 100\n\n", ending=None)
    page = running.show()
    running.view = site.view
    page.route("**/events", lambda route: route.fulfill(status=204))

    page.locator("#game-headline", has_text=exactly(wanted)).wait_for(state="attached")


@pytest.mark.parametrize(
    ("path", "size", "scheme"),
    [
        *((path, "desktop", "light") for path in PAGES),
        *((path, "phone", "dark") for path in PAGES),
        ("/games/draw/F1902M", "wide", "light"),
    ],
)
def test_axe_finds_nothing_and_every_page_leads_to_the_others(
    site: PaperSite, monkeypatch: pytest.MonkeyPatch, path: str, size: str, scheme: str
) -> None:
    """Also where there is another page of a list."""
    monkeypatch.setattr(record_index, "PAGE_SIZE", 1)
    axe = need_package("axe_playwright_python.sync_playwright").Axe()
    page = (site.new() if path == NEW else site).open(path, size, scheme)
    links = page.get_by_role("navigation", name="Site").get_by_role("link")
    assert links.all_inner_texts() == ["Games", "Tournaments", "Bots", "API", "About"]
    assert all(link.is_visible() for link in links.all())
    assert path == "/nothing" or page.locator("nav [aria-current=page]").count() == 1
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
def test_names_are_readable_at_1280_pixels(site: PaperSite, name: str) -> None:
    """As the browser measures them, and all of them are there."""
    page = site.of(started(name)).show()
    names = page.evaluate(NAMES)

    assert len(names) == page.locator(".board-names text:not(.coast)").count()
    none_overlap(names)


@pytest.mark.parametrize("name", ["standard", "colonial"])
def test_names_that_a_phone_shows_are_readable(site: PaperSite, name: str) -> None:
    """Those that have no room are hidden; on a wide screen all are there again."""
    page = site.of(started(name)).show("", "phone")
    names = page.evaluate(NAMES)
    everything = page.locator(".board-names text:not(.coast)").count()
    page.set_viewport_size({"width": 1280, "height": 800})
    wait_until(page, f"({NAMES})().length == {everything}")

    none_overlap(names)
    assert everything / 2 < len(names)


SCALE = """() => document.querySelector(".ground").clientWidth
    / document.querySelector(".board").clientWidth"""


def test_the_board_is_zoomed_by_wheel_keys_buttons_and_fingers(
    crowded: PaperSite,
) -> None:
    """What is under the pointer stays there; signs do not grow, so they come apart."""
    page = crowded.show("S1903M")
    unit = page.locator(".unit").first
    before = box(unit)
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    wait_until(page, f"({SCALE})() > 2")
    after = box(unit)
    middle = after["x"] + after["width"] / 2, after["y"] + after["height"] / 2
    assert middle == pytest.approx((x, y), abs=2)
    assert after["width"] <= 34

    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(360, 340, steps=3)
    page.mouse.up()
    dragged = box(unit)
    assert dragged["x"] - after["x"] == pytest.approx(60, abs=2)
    page.keyboard.press("Shift+ArrowRight")
    assert box(unit) != dragged

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


def test_two_fingers_zoom_the_board_of_a_phone(crowded: PaperSite) -> None:
    page = crowded.show("S1903M", "phone")
    page.evaluate(PINCH)

    assert page.evaluate(SCALE) == pytest.approx(2, abs=0.01)


def test_the_whole_page_fills_the_screen(crowded: PaperSite) -> None:
    page = crowded.show("S1903M")
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement?.matches('main')")
    page.get_by_role("button", name="Full screen").click()
    wait_until(page, "!document.fullscreenElement")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["standard", "colonial", "world"])
def test_controls_never_lie_on_the_board(site: PaperSite, name: str, size: str) -> None:
    """Wherever the page is scrolled to."""
    page = site.of(started(name)).show("", size)
    for scrolled in (0, 300, 2000):
        page.evaluate(f"scrollTo(0, {scrolled})")
        board = box(page.locator(".board"))
        controls = box(page.locator(".controls"))
        assert (
            controls["y"] + controls["height"] <= board["y"] + 1
            or board["y"] + board["height"] <= controls["y"] + 1
            or board["x"] + board["width"] <= controls["x"] + 1
        )


def test_a_wide_screen_is_used(crowded: PaperSite) -> None:
    """Board, powers and panels fill 1920 pixels from one edge to the other."""
    page = crowded.show("S1903M", "wide")
    parts = (".board", ".powers", ".panels")
    left, powers, panels = (box(page.locator(part)) for part in parts)

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
    site: PaperSite, board: str, size: str, seed: int
) -> None:
    """34 units; names move, with lines to their provinces."""
    variant = load_variant(board)
    site = site.of(busy_turn(variant, Random(seed)))
    first, _ = site.view.turns
    assert len(first.units) == 34
    page = site.show(first.id, size)

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


def busy_turn(variant: Variant, chance: Random) -> GameRecord:
    """Return a game of one turn, in which 34 units hit each other."""
    start = position(variant.map, chance, 34, len(variant.map.powers))
    given = tuple(orders(variant.map, chance, start).values())
    made = adjudicate(variant, start, given)
    turn = TurnResolved(start, given, made.reports, made.next, 1.0)
    begun = Began(variant.name, "daide", 0, start, 0.0)
    return fold([begun, turn], variant, game="busy", started=0.0)


def test_a_turn_costs_few_paints_and_layouts(crowded: PaperSite) -> None:
    """34 units on a phone: at most 3 Paint and 2 Layout from the key to the end.

    What else the browser does meanwhile only adds to them: the least of three counts.
    """
    view = crowded.view
    full = [at for at, turn in enumerate(view.turns) if len(turn.units) == 34]
    number = max(full, key=lambda at: len(view.turns[at].after.moved))
    page = crowded.show(view.turns[number - 1].id, "phone")

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


def test_waived_builds_are_one_row(site: PaperSite) -> None:
    order = OrderView("FRA", "WAIVE", "waive")
    turn = replace(site.view.turns[1], orders=(order,) * 20)
    turns = (site.view.turns[0], turn, *site.view.turns[2:])
    site.view = replace(site.view, turns=turns)
    page = site.show(turn.id)

    (row,) = page.locator("#orders li").all_inner_texts()
    assert row == "WAIVE \N{MULTIPLICATION SIGN} 20"


def test_waiting_is_short_on_a_phone(site: PaperSite) -> None:
    """Nobody waits "for 0:00"; "thinking" and a time are on one line each."""
    now = time.time()
    turns = site.view.turns
    waits = {"turn": turns[-1].id, "owing": ["AUS"], "since": now + 60}
    events = "retry: 60000\n\n" + event("status", 1, waits)
    page = site.changed(events, ending=None).show("", "phone")
    page.locator("#waiting", has_text=exactly("waiting for Austria")).wait_for()
    state = page.locator("tr[data-power=AUS] .state")

    assert state.inner_text().startswith("thinking")
    assert state.evaluate("each => each.getClientRects().length") == 1
