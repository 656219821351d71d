"""A tournament as a static site: report, list of games, and a replay of each game.

It works from a folder as well as from any web server: nothing is fetched. A replay is
the page of a game that includes its data, and its scripts as one file, because browsers
load no modules from a folder.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import msgspec

from daide_server.board.map import Variant
from daide_server.library.archive import replace
from daide_server.library.game_files import games_in, read_game
from daide_server.records.record import GameRecord
from daide_server.text.game_views import game_view
from daide_server.text.views import GameView
from daide_server.tournament.report.report_page import ReportFacts
from daide_server.tournament.report.report_tables import write_report

from . import assets
from .contexts import game_context
from .pages import SITE_NAME, template_environment

STYLES = ("look.css", "style.css", "story.css", "icon.png")
PARTS = (("Report", "index.html"), ("Games", "games/index.html"))
EXPORT = re.compile(r"^export (?:async )?(?:class|const|function) (\w+)", re.MULTILINE)
MAIN = 'const main = document.querySelector("main.game");\n'
FETCH = """\
const main = document.querySelector("main.game");
if (location.hash) main.dataset.turn = decodeURIComponent(location.hash.slice(1));
const DATA = { "data:game": GAME, "data:board": BOARD, "data:outline": OUTLINE };
const fetch = async (address) => ({
  ok: address in DATA, json: async () => DATA[address], text: async () => DATA[address],
});
"""
"""Replaces `fetch` for scripts: the data is in the page already."""


def publish(found: ReportFacts, variant: Variant, target: Path) -> int:
    """Write the site of a report to the folder *target*; return the number of games.

    Files of the same names are replaced. Raises `OSError`.
    """
    assert found.home is not None
    write_report(found, target, has_replays=True)
    static, games = target / "static", target / "games"
    for folder in (static, games):
        folder.mkdir(exist_ok=True)
    for name in STYLES:
        shutil.copyfile(assets.STATIC_FOLDER / name, static / name)
    replace(static / "replay.js", bundled("game").encode())
    replace(static / "board.css", assets.board_style(variant).encode())
    replace(static / "board.svg", assets.board_picture(variant).encode())
    replace(static / "board.js", _board_script(variant).encode())
    listed: list[tuple[str, GameView]] = []
    for number in sorted(found.ledger.played):
        path = found.home.record(number)
        if path.is_file():
            (file,) = games_in(path)
            record = read_game(file, lambda _: variant)
            view = game_view(record)
            shutil.copyfile(path, games / path.name)
            replace(
                games / f"{path.stem}.html", _replay(record, view, path.name).encode()
            )
            listed.append((path.stem, view))
    page = _rendered("published.html", "../", games=listed)
    replace(games / "index.html", page.encode())
    return len(listed)


def bundled(name: str) -> str:
    """Return the script *name* with all its imports, as one plain script."""
    *imported, (_, own) = assets.scripts(name).items()
    parts = [
        f"const in_{module} = (() => {{\n{_plain(text)}\n"
        f"return {{ {', '.join(EXPORT.findall(text))} }};\n}})();"
        for module, text in imported
    ]
    return "\n".join(["(async () => {", FETCH, *parts, _plain(own), "})();\n"])


def _plain(text: str) -> str:
    """Return a module as statements of a script that has its imports already."""
    text = re.sub(
        "^export ", "", assets.IMPORT.sub(_constant, text), flags=re.MULTILINE
    )
    return text.replace(MAIN, "")


def _constant(found: re.Match[str]) -> str:
    whole, names, module = found.groups()
    return f"const {whole or f'{{{names}}}'} = in_{module};\n"


def _board_script(variant: Variant) -> str:
    places = _in_script(msgspec.json.encode(assets.board_places(variant)))
    outline = _in_script(msgspec.json.encode(assets.board_picture(variant)))
    return f"const BOARD = {places};\nconst OUTLINE = {outline};\n"


def _in_script(json: bytes) -> str:
    """Return *json* escaped for a script in a page."""
    return json.decode().replace("<", "\\u003c")


def _replay(record: GameRecord, view: GameView, file: str) -> str:
    """Return the page of a game, at its first turn."""
    turn = view.turns[0]
    ids = [each.id for each in view.turns]
    data = _in_script(msgspec.json.encode(view))
    none = ("image", "choices", "stream", "first", "previous", "next_game", "same_bots")
    links = dict.fromkeys(none, "") | {
        "style": "../static/board.css",
        "picture": "../static/board.svg",
        "game": "data:game",
        "places": "data:board",
        "outline": "data:outline",
        "turn": "#{turn}",
        "next": f"#{ids[min(1, len(ids) - 1)]}",
        "last": f"#{ids[-1]}",
        "bots": {},
        "downloads": [("dipcc", file)],
    }
    context = game_context(view, turn, record.variant.map.majority)
    return _rendered("game.html", "../", **context, links=links, data=data)


def _rendered(template: str, home: str, **context: Any) -> str:  # noqa: ANN401 - any
    return (
        template_environment()
        .get_template(template)
        .render(
            site=SITE_NAME,
            home=home,
            parts=PARTS,
            static=lambda file: f"{home}static/{file}",
            **context,
        )
    )
