"""All addresses of the page, over real connections, for a folder of records."""

import html
import json
import re
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.library.archive import write_record
from daide_server.records.formats.registry import FORMATS
from daide_server.server.settings import WebSettings
from daide_server.tournament.report.tournament_views import (
    TournamentView,
    tournament_view,
)
from daide_server.tournament.run.bot_program import TOURNAMENT_FILE
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.tournament_settings import DesignSettings
from daide_server.tournament.run.tournament_state import TournamentState
from daide_server.tournament.run.tournament_texts import match_file
from daide_server.web import tournaments
from daide_server.web.api import OPERATIONS
from daide_server.web.site import is_known, known_hosts
from tests.support.random_games import Recorded
from tests.support.web_pages import Visitor, watched_folder
from tests.tournament.cups import cup_settings, play_some, write_cup

STRANGE_PATHS = (
    "/static/x/../../pages.py",
    "/static/x/..%2f..%2fpages.py",
    "/static/x/%2e%2e/pages.py",
    "/static/",
    "/api/games/..%2f..%2fetc%2fpasswd",
    "/api/games/chance-1/files/..%2fx",
    "/api/games/chance-1/pictures/..%2f..svg",
    "/api/boards/..%2f..%2fREADME.md",
    "/api/boards/%2Fetc%2Fpasswd.svg",
    "/api/boards/..%2Fconfig%2Fserver.toml",
    "/games/%00",
    "/games/%FF%FE",
    "/games/" + "x" * 5000,
    "/tournaments/x",
    "/tournaments/x/logs/y",
    "//games",
)
MARKUP = "<script>alert(1)</script>"
ODD_NAMES = (MARKUP, "a/b", "..", "ü & 100%", "x'\"y")


@pytest.fixture
def folder(tmp_path: Path, record_of: Recorded) -> Path:
    """Return a folder with a record of bots that have odd names."""
    record = record_of(1, turns=6)
    names = (MARKUP, "Chance", *ODD_NAMES[1:], "Chance")
    seats = tuple(
        replace(sitting, name=name)
        for sitting, name in zip(record.sittings, (*names, "Second"), strict=True)
    )
    write_record(replace(record, sittings=seats), tmp_path)
    write_record(record_of(2, turns=3), tmp_path)
    return tmp_path


async def test_every_page_answers_and_loads_nothing_from_elsewhere(
    folder: Path,
) -> None:
    """All links of the pages lead somewhere, at any depth, with and without script."""
    async with watched_folder(folder) as visitor:
        seen: set[str] = set()
        await follow_links(visitor, "/", seen)
        assert {"/games/chance-1", "/games/chance-2"} <= seen
        assert any(path.startswith("/static/") for path in seen)
        assert "/games/chance-1/S1901M" in seen


def links_in(text: str) -> list[str]:
    found = re.findall(r'(?:href|src|data-(?:game|board|outline))="([^"]+)"', text)
    return [html.unescape(link) for link in found]


async def follow_links(visitor: Visitor, path: str, seen: set[str]) -> None:
    """Ask for *path* and for all that it links to."""
    if path in seen:
        return
    seen.add(path)
    answer = await visitor.get(path)
    assert answer.status_code == 200, (path, answer.text)
    kind = answer.headers["content-type"]
    # Names are text and never markup: in pages, titles and pictures.
    assert MARKUP not in answer.text or kind.startswith(("text/plain", "application"))
    if not kind.startswith("text/html"):
        return
    page = answer.url
    for link in links_in(answer.text):
        if link.startswith("#") or "{" in link:
            continue
        target = page.join(link)
        assert target.host == page.host, link
        await follow_links(visitor, target.raw_path.decode(), seen)


async def test_a_bot_has_a_page_whatever_its_name(folder: Path) -> None:
    async with watched_folder(folder) as visitor:
        for name in ODD_NAMES:
            found = await visitor.json(f"/api/bots/?name={quote(name, safe='')}")
            assert (found["name"], found["games"]) == (name, 1)


async def test_headers_protect_every_answer_and_the_page_is_read_only(
    folder: Path,
) -> None:
    async with watched_folder(folder, frame_ancestors="https://example.org") as visitor:
        for path in ("/", "/api/games", "/nothing", "/healthz"):
            headers = (await visitor.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors https://example.org" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in headers
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "X"):
            answer = await visitor.client.request(method, "/", content=b"x" * 100)
            assert answer.status_code == 405
            assert answer.headers["allow"] == "GET, HEAD"


async def test_there_are_no_boards_but_those_with_a_map(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A visitor does not learn which files there are."""
    (folder / "secret").write_text("x")
    monkeypatch.chdir(folder)
    async with watched_folder(folder) as visitor:
        for name in ("secret", "other", "secret.svg", "other.css"):
            answer = await visitor.get(f"/api/boards/{name}")
            board = name.partition(".")[0]
            assert (answer.status_code, answer.json()) == (
                404,
                {"error": f"no board {board!r}"},
            )


async def test_paths_lead_nowhere_else(folder: Path) -> None:
    async with watched_folder(folder) as visitor:
        for path in STRANGE_PATHS:
            answer = await raw_answer(visitor, path)
            assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 503")), path
            assert b"root:" not in answer


async def raw_answer(visitor: Visitor, path: str) -> bytes:
    stream = await visitor.connect()
    await stream.send_all(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    )
    answer = b""
    while part := await stream.receive_some():
        answer += part
    await stream.aclose()
    return answer


async def test_the_head_of_a_request_is_bounded_however_it_comes(folder: Path) -> None:
    """In one piece, which is read whole before anybody can look at it."""
    async with watched_folder(folder) as visitor:
        long = await visitor.get("/", **{"X-Long": "x" * 20_000})
        lines = await visitor.get("/", **{f"X-{at}": "x" * 40 for at in range(400)})
        usual = await visitor.get("/", **{"X-Long": "x" * 10_000})

    assert (long.status_code, lines.status_code) == (431, 431)
    assert long.text == "431: the head of the request is too large\n"
    assert usual.status_code == 200


async def test_odd_searches_find_nothing_or_all(folder: Path) -> None:
    async with watched_folder(folder) as visitor:
        for query in (
            "page=-1",
            "page=x",
            "page=99999999999",
            "year=²",
            "year=" + "9" * 50,
        ):
            assert (await visitor.json(f"/api/games?{query}"))["total"] == 2
        for query in ("bot=%27%20OR%201", "result=%00", "power=XXX", "year=1700"):
            assert (await visitor.json(f"/api/games?{query}"))["total"] == 0
        found = await visitor.json("/api/games?same_as=chance-2")
        assert [game["id"] for game in found["games"]] == ["chance-2"]


async def test_a_record_can_be_downloaded_in_every_format(folder: Path) -> None:
    async with watched_folder(folder) as visitor:
        for name in FORMATS:
            answer = await visitor.get(f"/api/games/chance-2/files/{name}")
            assert answer.status_code == 200
            assert answer.headers["content-disposition"].startswith("attachment; ")
            assert len(answer.content) > 1000


def written_cup(folder: Path, *names: str) -> Path:
    """Return the folder of a match of bots of these names that was not begun."""
    bots = [BotSettings(name=name, builtin="hold") for name in names]
    cup = folder / "cup"
    cup.mkdir()
    (cup / TOURNAMENT_FILE).write_text(match_file(cup_settings(), bots))
    return cup


async def test_direction_marks_in_a_name_do_not_affect_other_text(folder: Path) -> None:
    """What follows the name on the page is read as it is written."""
    cup = written_cup(folder, "\u202eevil", "mine")
    async with watched_folder(folder, cups=[cup]) as visitor:
        page = (await visitor.get("/tournaments/cup")).text
    assert "</i><bdi>\u202eevil</bdi>" in page


SETTINGS = WebSettings(address=("page.lan", 8080), hosts=("a.example",))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8080", "page.lan:8080", "A.example", "a.example.:1"),
        *("127.0.0.1:8080", "[::1]:8080", "192.0.2.7", "x.localhost", ""),
    ],
)
def test_the_page_has_the_names_of_its_settings_and_addresses(host: str) -> None:
    assert is_known(host, known_hosts(SETTINGS))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "a.example.evil", "127.0.0.1.evil:80"]
)
def test_an_unknown_host_name_is_refused(host: str) -> None:
    """It may be that of a site whose name leads to this machine."""
    assert not is_known(host, known_hosts(SETTINGS))
    assert is_known(host, known_hosts(WebSettings(hosts=("*",))))


async def test_another_name_of_the_page_is_refused(folder: Path) -> None:
    """But for those who ask whether it works."""
    async with watched_folder(folder) as visitor:
        for path, status in (("/", 421), ("/api/games", 421), ("/healthz", 200)):
            answer = await visitor.get(path, Host="evil.example")
            assert answer.status_code == status


async def test_a_shared_link_says_what_happened_with_a_picture(folder: Path) -> None:
    """By its whole address, as the proxy in front says that the page is called."""
    proxy = {
        "Host": "games.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Prefix": "/diplomacy",
    }
    async with watched_folder(folder, hosts="games.example") as visitor:
        shared = await visitor.get("/games/chance-1/S1901M", **proxy)
        alone = await visitor.get("/games/chance-1", Host="localhost:99")
        refused = await visitor.get("/games/chance-1", Host="evil.example")
        view = await visitor.json("/api/games/chance-1")

    title = '<meta property="og:title" content="'
    assert f'{title}{view["turns"][0]["headline"]}"' in shared.text
    assert f'{title}{view["headline"]}"' in alone.text
    picture = "/api/games/chance-1/pictures/S1901M.svg"
    start = '<meta property="og:image" content="'
    assert f'{start}https://games.example/diplomacy{picture}">' in shared.text
    assert f"{start}http://localhost:99/api/games/chance-1/pictures/" in alone.text
    assert refused.status_code == 421


async def test_an_entrant_links_to_the_bot_by_the_name_it_sent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(state: TournamentState, number: str, note: str) -> TournamentView:
        view = tournament_view(state, number, note)
        return evolve(view, said_names=(("Chance",), ("mine",)))

    monkeypatch.setattr(tournaments, "tournament_view", said)
    cup = written_cup(folder, "First", "mine")
    async with watched_folder(folder, cups=[cup]) as visitor:
        page = (await visitor.get("/tournaments/cup")).text
        view = await visitor.json("/api/tournaments/cup")

    assert '<a href="../bots/Chance"><bdi>First</bdi></a>' in page
    assert "../bots/First" not in page
    assert view["said_names"] == [["Chance"], ["mine"]]


async def test_a_tournament_links_the_bots_that_have_a_page(folder: Path) -> None:
    """Records have the names of NME, which may differ from those of a tournament."""
    cup = written_cup(folder, "Chance", "mine")
    async with watched_folder(folder, cups=[cup]) as visitor:
        page = (await visitor.get("/tournaments/cup")).text

    assert '<a href="../bots/Chance"><bdi>Chance</bdi></a>' in page
    assert "../bots/mine" not in page


async def test_the_page_of_a_ladder_has_ratings_with_intervals(folder: Path) -> None:
    cup = write_cup(folder / "cup", bots=8, design=DesignSettings(kind="ladder"))
    await play_some(cup, games=15)
    async with watched_folder(folder, cups=[cup]) as visitor:
        page = (await visitor.get("/tournaments/cup")).text
        status = (await visitor.json("/api/tournaments/cup"))["status"]

    assert '<th scope="col">Rating</th>' in page
    assert "Any-time" not in page
    assert status["kind"] == "ladder"
    points = [bot["rating"] for bot in status["bots"]]
    assert points == sorted(points, reverse=True)
    for bot in status["bots"]:
        low, high = (round(bot[key]) for key in ("rating_low", "rating_high"))
        shown = f">{low:+d} to {high:+d}</td>".replace("-", "\N{MINUS SIGN}")
        assert shown in page


async def test_the_head_of_a_stream_is_the_whole_answer(folder: Path) -> None:
    """The connection serves the next request, as those of proxies do."""
    async with watched_folder(folder) as visitor:
        head = await visitor.client.head("/api/events")
        assert head.headers["content-type"].startswith("text/event-stream")
        assert (await visitor.get("/healthz")).status_code == 200


async def test_the_document_describes_the_addresses(folder: Path) -> None:
    """Each of them answers as the document says, with the keys that it has."""
    places = {
        "number": "cup",
        "game": "chance-2",
        "format": "dipcc",
        "turn": "S1901M",
        "board": "standard",
        "name": "Chance",
    }
    cup = write_cup(folder / "cup")
    async with watched_folder(folder, cups=[cup]) as visitor:
        document = await visitor.json("/api/openapi.json")
        assert set(document["paths"]) == {each.path for each in OPERATIONS}
        root = {"components": document["components"]}
        # Every answer has all of it: what has no default is required.
        pair = document["components"]["schemas"]["Comparison"]
        assert pair["required"] == [*pair["properties"]]
        for each in OPERATIONS:
            if each.media == "text/event-stream" or each.path.endswith("/status"):
                continue
            path = each.path.format(**places)
            if each.path.endswith("/choices"):
                path += "?turn=S1901M&unit=PAR"
            answer = await visitor.get(path)
            assert answer.status_code == 200, path
            if each.answer is None:
                continue
            found = document["paths"][each.path]["get"]["responses"]["200"]
            schema = found["content"]["application/json"]["schema"]
            import_module("jsonschema").validate(answer.json(), schema | root)
            if "$ref" in schema:
                name = schema["$ref"].rpartition("/")[2]
                known = document["components"]["schemas"][name]["properties"]
                assert set(answer.json()) <= set(known), path


async def test_an_answer_that_the_browser_has_is_not_sent_again(folder: Path) -> None:
    async with watched_folder(folder) as visitor:
        for path in ("/", "/api/games/chance-1", "/api/boards/standard"):
            first = await visitor.get(path)
            again = await visitor.get(path, **{"if-none-match": first.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")


async def test_only_a_browser_that_accepts_gzip_gets_it(folder: Path) -> None:
    async with watched_folder(folder) as visitor:
        for path in ("/", "/api/games/chance-1", "/api/boards/standard"):
            packed = await visitor.get(path, **{"accept-encoding": "gzip"})
            plain = await visitor.get(path, **{"accept-encoding": "gzip;q=0"})
            assert packed.headers["content-encoding"] == "gzip"
            assert "content-encoding" not in plain.headers
            assert plain.content == packed.content


async def test_pages_are_small(folder: Path) -> None:
    """The first one below 100 kB, a game with all that it loads below 400 kB."""
    async with watched_folder(folder) as visitor:
        assert (await visitor.get("/")).num_bytes_downloaded < 100_000
        page = await visitor.get("/games/chance-1")
        loaded = [
            link for link in links_in(page.text) if "/static/" in link or "?v=" in link
        ]
        sizes = [page.num_bytes_downloaded]
        for link in {*loaded, "../api/games/chance-1"}:
            target = page.url.join(link).raw_path.decode()
            sizes.append((await visitor.get(target)).num_bytes_downloaded)
        assert len(sizes) > 5
        assert sum(sizes) < 400_000


async def test_a_large_record_is_only_listed(folder: Path) -> None:
    async with watched_folder(folder, record_bytes=1000) as visitor:
        assert (await visitor.json("/api/games"))["total"] == 2
        answer = await visitor.get("/api/games/chance-1")
        assert answer.status_code == 503
        assert "too many" in answer.json()["error"]


async def test_press_that_is_never_shown_is_nowhere(folder: Path) -> None:
    """In no view, no page and no file."""
    async with watched_folder(folder, press="never") as visitor:
        view = await visitor.json("/api/games/chance-1")
        assert "press" not in view
        assert view["press_note"]
        for path in (
            "/games/chance-1",
            *(f"/api/games/chance-1/files/{name}" for name in FORMATS),
        ):
            assert "PCE" not in (await visitor.get(path)).text
    async with watched_folder(folder, press="after") as visitor:
        assert "PCE" in json.dumps(await visitor.json("/api/games/chance-1"))
