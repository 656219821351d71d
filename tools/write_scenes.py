"""Write the table of scenes into docs/examine.md.

make scenes
"""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from daide_server.examine.scene import BotScene
from daide_server.examine.scenes import SCENES

PAGE = Path(__file__).parents[1] / "docs" / "examine.md"
BEGIN = "<!-- written by make scenes -->\n"
END = "<!-- until here -->\n"


def scenes_table() -> str:
    """Return a table of Markdown for each group of scenes."""
    return "\n".join(
        _group_table(name, group)
        for name, group in groupby(SCENES.values(), lambda scene: scene.group)
    )


def _group_table(name: str, group: Iterable[BotScene]) -> str:
    scenes = list(group)
    lines = [f"**{name}**", "", "| scene | expected |", "|---|---|"]
    lines += [_row(scene) for scene in scenes if not _is_of_level(scene)]
    of_levels = [scene for scene in scenes if _is_of_level(scene)]
    if of_levels:
        short = ", ".join(f"`{scene.name}`" for scene in of_levels if not scene.is_long)
        long = ", ".join(str(scene.level) for scene in of_levels if scene.is_long)
        expected = "plays in a game with this LVL"
        lines.append(f"| {short}; thorough: {long} | {expected} |")
    return "\n".join(lines) + "\n"


def _is_of_level(scene: BotScene) -> bool:
    return scene.name == f"level-{scene.level}"


def _row(scene: BotScene) -> str:
    marks = ["thorough"] if scene.is_long else []
    marks += [f"level {scene.level}"] if scene.level else []
    note = f" ({', '.join(marks)})" if marks else ""
    return f"| `{scene.name}`{note} | {scene.expected} |"


def with_scenes(text: str) -> str:
    """Return the text of the page with the table in its place."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{scenes_table()}\n{END}{after}"


def main() -> None:
    """Write the page."""
    PAGE.write_text(with_scenes(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
