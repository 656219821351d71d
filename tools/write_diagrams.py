"""Write the diagrams of docs/ that are made from tables in the code."""

from collections.abc import Iterator
from pathlib import Path

from daide_server.game.events import TRANSITIONS, Stage

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
BEGIN = "<!-- written by make diagrams -->\n"
END = "<!-- until here -->\n"


def diagram() -> str:
    """Return `TRANSITIONS` as a Mermaid state diagram, one arrow for two stages."""
    return "\n".join(
        (
            "stateDiagram-v2",
            f"    [*] --> {Stage.FORMING.name}",
            *_arrows(),
            f"    {Stage.CLOSED.name} --> [*]",
        )
    )


def _arrows() -> Iterator[str]:
    for stage, causes in TRANSITIONS.items():
        for following in dict.fromkeys(causes.values()):
            why = " or ".join(
                cause.value
                for cause, leads_to in causes.items()
                if leads_to is following
            )
            yield f"    {stage.name} --> {following.name}: {why}"


def main() -> None:
    """Write the stages of a game between the marks of the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    drawn = f"```mermaid\n{diagram()}\n```\n"
    PAGE.write_text(f"{before}{BEGIN}{drawn}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
