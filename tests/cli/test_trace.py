"""`daide-server trace` shows a kept conversation, turn by turn."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.cli import main
from daide_server.language.text import from_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.trace_files import TraceFile
from daide_server.wire.frames import InitialMessage, encode, encode_tokens

CONVERSATION = (
    (True, "NME ('a') ('1')"),
    (False, "NOW (SPR 1901) (FRA AMY PAR)"),
    (True, "SUB ((FRA AMY PAR) HLD) ((FRA FLT BRE) HLD)"),
    (False, "THX ((FRA AMY PAR) HLD) (MBV)"),
    (False, "THX ((FRA FLT BRE) HLD) (NSU)"),
    (False, "ORD (SPR 1901) ((FRA AMY PAR) HLD) (SUC)"),
    (False, "ORD (SPR 1901) ((ENG FLT LON) HLD) (SUC)"),
    (False, "NOW (FAL 1901) (FRA AMY PAR)"),
    (True, "SND (ENG) (PRP (PCE (FRA ENG)))"),
)


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "a.trace"
    file = TraceFile(path, 100_000, lambda: 1500)
    file.add(encode(InitialMessage()), by_client=True)
    for by_client, text in CONVERSATION:
        data = encode_tokens(from_text(text, Vocabulary.standard()))
        file.add(data, by_client=by_client)
    return path


def shown(path: Path, *options: str) -> list[str]:
    result = CliRunner().invoke(main, ["trace", str(path), *options])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_messages_stand_below_their_turn_and_rows_are_folded(trace: Path) -> None:
    lines = shown(trace)

    assert [line for line in lines if not line.startswith(" ")] == [
        "before the first turn",
        "SPR 1901",
        "FAL 1901",
    ]
    assert lines[1] == "      1.500 -> IM"
    assert any("<- ORD" in line and line.endswith("2 ORD") for line in lines)
    assert sum("ORD" in line for line in shown(trace, "--unfold")) == 2


def test_it_begins_where_it_is_asked_to(trace: Path) -> None:
    assert shown(trace, "--from", "F1901M")[0] == "FAL 1901"


def test_it_shows_messages_of_a_kind_and_of_a_power(trace: Path) -> None:
    assert shown(trace, "--message", "sub", "--message", "SND")[0] == "SPR 1901"
    (_, order, _, press) = shown(trace, "--power", "eng")
    assert "LON" in order
    assert "SND ( ENG )" in press


def test_it_shows_only_what_was_refused(trace: Path) -> None:
    (turn, refusal) = shown(trace, "--refused")
    assert turn == "SPR 1901"
    assert refusal.endswith("<- THX ( ( FRA FLT BRE ) HLD ) ( NSU )")


def test_a_file_that_is_no_conversation_costs_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("hello")

    result = CliRunner().invoke(main, ["trace", str(path)])

    assert result.exit_code == 1
    assert "expected" in result.output
    assert "Traceback" not in result.output
