"""What is shown: a game, bars, tables; nothing of it can command a terminal."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.cli import main
from daide_server.cli.common.printing import printable
from daide_server.cli.common.progress import Progress
from daide_server.cli.common.styled_output import add_row, print_styled, table, text
from daide_server.cli.tournament_table import standings_table
from daide_server.records.entries import Seated
from daide_server.tournament.game_outcomes import Ledger
from daide_server.tournament.standings import standings
from tests.support import commands
from tests.support.commands import refusal
from tests.support.tournaments import forfeited, ladder_ledger, played_ledger

GAME = Path(__file__).parents[1] / "records" / "games" / "draw.json"


SEATED = Seated(Power("AUS"), "[bold]\x1b[2J", "1", 0.0)
"""A player with a hostile name takes its seat."""


def test_a_player_cannot_command_the_terminal(
    standard: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = Progress(standard)
    with progress:
        progress.show(SEATED)
    progress.record = Path("records") / ("x" * 200)
    progress.conclude()

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("broken off after SPR 1901: 0 turns in ")
    assert any(r"[bold]\u001b[2J" in line for line in lines)
    assert lines[-1] == f"record: records/{'x' * 200}"


def test_a_pipe_is_told_who_plays_what_before_the_first_year(
    standard: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    progress, powers = Progress(standard), standard.map.powers
    for power in (*powers, powers[0]):
        progress.show(Seated(power, f"bot{power}\n", "1", 0.0))

    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(r"1901  AUS botAUS\u000a  ENG botENG\u000a  FRA")


def test_a_terminal_shows_the_same_table(standard: Variant) -> None:
    shown = StringIO()
    console = Console(file=shown, force_terminal=True, width=100)
    with Progress(standard, console) as progress:
        progress.show(SEATED)

    assert r"[bold]\u001b[2J" in shown.getvalue()
    assert "Austria" in shown.getvalue()


def run(words: list[str], *files: Path) -> tuple[str, str]:
    """Return what a command prints, and what it shows on a terminal as its stderr."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "daide_server", *words, *map(str, files)]
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, env=env, check=True
    )
    os.close(theirs)
    shown = bytearray()
    try:
        while found := os.read(ours, 1 << 16):
            shown += found
    except OSError:
        pass  # The other end is closed, which Linux reports so.
    finally:
        os.close(ours)
    return done.stdout.decode(), shown.decode(errors="replace")


@pytest.fixture
def many(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{number}.json" for number in range(5)]
    for path in paths:
        path.write_bytes(GAME.read_bytes())
    return paths


@pytest.mark.parametrize("command", ["replay", "check", "score", "export"])
def test_a_bar_is_shown_for_many_files(
    command: str, many: list[Path], tmp_path: Path
) -> None:
    output = ["--to", "csv", "--output", str(tmp_path / "tables")]
    words = [command, *(output if command == "export" else [])]

    printed, shown = run(words, *many)

    assert "files" in shown
    assert "files" not in printed


def test_a_single_file_has_no_bar(many: list[Path]) -> None:
    assert run(["replay"], many[0]) == ("", "")


LONG = "word " * 60


class Terminal(StringIO):
    """A standard output that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def show() -> None:
    shown = table("Name", "Count", numbers=("Count",))
    for cells in ("[red]x", "1"), ("\x1b[2J", "10000"), (LONG.strip(), "3"):
        add_row(shown, cells)
    print_styled(text("title", style="bold"), shown)


def test_a_pipe_gets_every_character(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show()

    title, head, markup, control, long = capsys.readouterr().out.splitlines()
    assert title == "title"
    assert head.split() == ["Name", "Count"]
    assert markup.split() == ["[red]x", "1"]
    assert control.split() == [r"\u001b[2J", "10000"]
    assert long.rsplit(maxsplit=1) == [LONG.strip(), "3"]
    assert markup.index("1") == control.index("10000") + 4


def test_a_terminal_gets_lines_of_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    # A dumb terminal has 80 columns for rich unless both numbers are set.
    monkeypatch.setenv("LINES", "25")
    monkeypatch.setenv("TERM", "dumb")
    show()

    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert sum(line.count("word") for line in lines) == 60


def printed(shown: RenderableType) -> list[list[str]]:
    file = StringIO()
    Console(file=file, width=200).print(shown, highlight=False)
    return [line.split() for line in file.getvalue().splitlines()]


def table_of(ledger: Ledger) -> list[list[str]]:
    kind = ledger.plan.description.design.kind
    return printed(standings_table(standings(ledger), kind))


def test_the_best_bot_is_first_with_its_score_and_interval() -> None:
    head, first, *others = table_of(played_ledger(games=27, strengths=(1, 1, 5)))

    assert head[:5] == ["bot", "games", "score", "any", "time"]
    assert first[:4] == ["1", "bot2", "1.0", "27"]
    low, high = map(float, first[5].split("-"))
    assert low < float(first[4]) < high
    assert len(others) == 2


def test_columns_are_there_when_there_is_something_in_them() -> None:
    """The fixed interval, and what went wrong."""
    few, many = played_ledger(games=27), played_ledger(games=30)
    assert "fixed" not in table_of(few)[0]
    assert "fixed" in table_of(many)[0]

    assert "forfeits" not in table_of(many)[0]
    troubled = played_ledger(games=42, change=forfeited(7, "exit code 1"))
    assert table_of(troubled)[0][-1] == "forfeits"


def test_before_the_first_block_the_table_is_there() -> None:
    first = table_of(played_ledger(games=42, played=2))[1]

    assert first[:6] == ["1", "bot0", "1.0", "0", "-", "0.000-1.000"]


def test_a_ladder_is_a_table_of_ratings() -> None:
    ledger = ladder_ledger(games=40, strengths=(1, 1.3, 4), anchors={0: -100})
    head, first, *others = table_of(ledger)

    assert head[:6] == ["bot", "games", "rating", "95", "%", "score"]
    assert first[:4] == ["1", "bot2", "1.0", "40"]
    low, to, high = first[5:8]
    assert (int(low) < int(first[4]) < int(high), to) == (True, "to")
    anchor = next(row for row in others if row[1] == "bot0")
    assert anchor[4:6] == ["-100", "anchor"]


def test_a_ladder_of_few_games_has_no_intervals() -> None:
    first = table_of(ladder_ledger(games=9, strengths=(1, 1.3, 4)))[1]

    assert first[5] == "-"
    assert table_of(ladder_ledger(games=0, strengths=(1, 2)))[1][4] == "-"


ESCAPE = "\x1b[2J"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("München (Überfall)", "München (Überfall)"),
        ("a\tb", "a\tb"),
        (ESCAPE, r"\u001b[2J"),
        ("two\nlines", r"two\u000alines"),
        ("\x9b2J", r"\u009b2J"),
        ("right \u202e left", r"right \u202e left"),
        ("half \ud800", r"half \ud800"),
        ("far \U000e0001", r"far \udb40\udc01"),
    ],
)
def test_what_could_command_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_a_printable_text_stays_the_same_json(text: str) -> None:
    """The escapes are JSON's, so that lines of JSON keep their values."""
    line = printable(json.dumps({"name": text}, ensure_ascii=False))
    assert line.replace("\t", "").isprintable()
    assert json.loads(line) == {"name": text}


@pytest.mark.parametrize(
    "words",
    [
        ("show", "--press"),
        ("check",),
        ("score",),
        ("score", "--json"),
        ("replay", "--json"),
        ("render", "--output", "-"),
        ("assist", "--power", "FRANCE", "--evaluations", "1"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("board", ["standard", ESCAPE])
def test_a_name_in_a_file_is_made_printable(
    words: tuple[str, ...], board: str, tmp_path: Path
) -> None:
    """The id of the game, the file that has it, a board, and the fault in it."""
    path = tmp_path / f"game{ESCAPE}.json"
    change = {"id": f"x{ESCAPE}", "is_full_press": ESCAPE, "map": board}
    game = json.loads(GAME.read_text("utf-8")) | change
    path.write_text(json.dumps(game), encoding="utf-8")

    result = commands.run(*words, path)

    assert result.exit_code in {0, 1}
    assert "\x1b" not in result.output
    assert ("no variant is called" in result.output) is (board == ESCAPE)


@pytest.mark.parametrize("words", [("check",), ("show",)])
def test_a_faulty_board_is_made_printable(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "board.toml"
    path.write_text(f"name = 1\n['{ESCAPE}']\n", encoding="utf-8")

    assert "\x1b" not in refusal("maps", *words, path)


def test_what_a_terminal_cannot_show_is_an_escape(tmp_path: Path) -> None:
    """It is no error."""
    record = json.loads(GAME.read_text("utf-8"))
    record["id"] = "München █"
    path = tmp_path / "a.json"
    path.write_text(json.dumps(record), "utf-8")

    result = CliRunner(charset="ascii").invoke(main, ["show", str(path)])

    assert result.exit_code == 0
    assert r"Game M\u00fcnchen \u2588" in result.stdout
