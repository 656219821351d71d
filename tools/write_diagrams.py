"""Write the diagrams of docs/ that are made from tables in the code."""

from pathlib import Path

from daide_server.game.stages import diagram

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
BEGIN = "<!-- written by make diagrams -->\n"
END = "<!-- until here -->\n"


def main() -> None:
    """Write the stages of a game between the marks of the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    drawn = f"```mermaid\n{diagram()}\n```\n"
    PAGE.write_text(f"{before}{BEGIN}{drawn}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
