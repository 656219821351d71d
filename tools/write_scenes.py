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
    lines = [f"**{name}**", "", "| scene | expected | document |", "|---|---|---|"]
    for scene in group:
        marks = ["thorough"] if scene.is_long else []
        marks += [f"level {scene.level}"] if scene.level else []
        note = f" ({', '.join(marks)})" if marks else ""
        lines.append(f"| `{scene.name}`{note} | {scene.expected} | {scene.section} |")
    return "\n".join(lines) + "\n"


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
