"""Write the table of scenes into docs/examine.md.

make scenes
"""

from pathlib import Path

from daide_server.examine.scenes.scene_table import SCENES

PAGE = Path(__file__).parents[1] / "docs" / "examine.md"
BEGIN = "<!-- written by make scenes -->\n"
END = "<!-- until here -->\n"


def scenes_table() -> str:
    """Return all scenes as a table of Markdown, group by group."""
    titles = ("group", "scene", "expected", "document", "level", "fault")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for scene in SCENES.values():
        name = f"`{scene.name}`" + (" (thorough)" if scene.is_long else "")
        fault = "" if scene.fault is None else str(scene.fault)
        told = (scene.expected, scene.section, str(scene.level), fault)
        lines.append(f"| {' | '.join((scene.group, name, *told))} |")
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
