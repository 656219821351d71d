"""Files that are broken, hostile or endless: one line, exit code 1, no traceback."""

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daide_server.library.board_formats import WRITERS, write_board
from daide_server.library.game_files import BEGINNING_BYTES
from daide_server.library.texts import TEXT_LIMIT
from daide_server.library.variants import load_variant
from daide_server.records.formats.tables import ROWS
from tests.support import commands

TESTS = Path(__file__).parents[1]
RECORD = TESTS / "records" / "games" / "draw.json"
GOLDEN = TESTS / "formats" / "golden"
DIGITS = "9" * 1_000_000
LONGEST_ANSWER = 5000
"""Characters that a command may print about one hostile value."""

READ_GAMES = (
    ("check",),
    ("show", "--press"),
    ("replay",),
    ("score",),
    ("export", "--to", "csv", "--output", "OUT"),
    ("export", "--to", "transcript", "--output", "OUT"),
    ("export", "--to", "diplobn", "--output", "OUT"),
    ("render", "--output", "OUT/picture.svg"),
    ("assist", "--power", "FRANCE", "--evaluations", "2"),
)
READ_BOARDS = (
    ("maps", "check"),
    ("maps", "show"),
    ("maps", "convert", "--mend", "--to", "toml", "FILE", "OUT/board.toml"),
    ("render", "--output", "OUT/picture.svg", "--map"),
)
READ_MESSAGES = (("decode",), ("decode", "--encode"))
ADJUDICATE = ("adjudicate",)


def run(words: tuple[str, ...], path: Path, out: Path) -> Result:
    """Run a command on *path*, which stands last unless *words* say FILE."""
    named = [word.replace("OUT", str(out)) for word in words]
    if words == ADJUDICATE:
        return commands.run(*named, input=path.read_bytes())
    if "FILE" in named:
        named[named.index("FILE")] = str(path)
    else:
        named.append(str(path))
    return commands.run(*named)


def assert_answered(result: Result) -> None:
    """Assert that the command ended by itself; whatever was wrong is in a line."""
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        raise error
    assert result.exit_code in {0, 1, 2}
    assert "Traceback" not in result.output


def assert_refused(result: Result) -> None:
    assert_answered(result)
    assert result.exit_code in {1, 2}
    assert 0 < len(result.output) < LONGEST_ANSWER


# Values


def damaged(key: str, value: str) -> str:
    """Return a record in which the first *key* has the JSON text *value*."""
    text = RECORD.read_text()
    place = text.index(f'"{key}"') + len(key) + 2
    start = text.index(":", place) + 1
    while text[start] == " ":
        start += 1
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[:start] + value + text[end:]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("phase_start_time", "1e999"),
        ("started", "-1e308"),
        ("seconds", DIGITS),
        ("level", "[" * 5000 + "]" * 5000),
    ],
)
@pytest.mark.parametrize("words", READ_GAMES, ids=lambda words: " ".join(words[:3]))
def test_numbers_out_of_range(
    tmp_path: Path, words: tuple[str, ...], key: str, value: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(damaged(key, value))
    assert_answered(run(words, path, tmp_path / "out"))


READ_ORDERS = tuple(words for words in READ_GAMES if words != ("score",))
"""`score` does not read orders."""


@pytest.mark.parametrize("words", READ_ORDERS, ids=lambda words: " ".join(words[:3]))
@pytest.mark.parametrize(
    "order", ["A" * 700_000, "A PAR - " * 90_000, "A PAR VIA " + "X/" * 300_000]
)
def test_an_order_of_a_megabyte_is_quoted_in_part(
    tmp_path: Path, words: tuple[str, ...], order: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(damaged("orders", json.dumps({"FRANCE": [order]})))
    assert_refused(run(words, path, tmp_path / "out"))


@pytest.mark.parametrize("words", [("show",), ("score",), ("check",)])
def test_names_of_other_servers_may_be_long(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    """This one takes a hundred characters; what is printed of more is cut."""
    path = tmp_path / "game.json"
    path.write_text(
        damaged("version", '"1"').replace("bot", "\\u001b[2J" + "b" * 15_000)
    )
    result = run(words, path, tmp_path)
    assert_answered(result)
    assert "\x1b" not in result.output
    assert max(map(len, result.output.splitlines()), default=0) < LONGEST_ANSWER


@pytest.mark.parametrize(
    ("head", "value"),
    [
        *(("game", "A" * 700_000), ("rules", "A" * 700_000), ("level", DIGITS)),
        *(("started", "1e999"), ("started", "nan"), ("ending", "nan")),
    ],
)
def test_heads_of_a_transcript(tmp_path: Path, head: str, value: str) -> None:
    lines = (GOLDEN / "transcript.txt").read_text().splitlines()
    found = [f"# {head}: {value}" if x.startswith(f"# {head}:") else x for x in lines]
    assert found != lines
    path = tmp_path / "game.txt"
    path.write_text("\n".join(found))
    for words in READ_GAMES[:4]:
        result = run(words, path, tmp_path)
        assert_answered(result)
        assert max(map(len, result.output.splitlines()), default=0) < LONGEST_ANSWER


@pytest.mark.parametrize("value", ["1e999", DIGITS, json.dumps("A" * 700_000)])
@pytest.mark.parametrize("key", ["GameLabel", "CenterCount", "Score", "Phase"])
def test_values_of_diplobn(tmp_path: Path, key: str, value: str) -> None:
    text = (GOLDEN / "diplobn.txt").read_text()
    path = tmp_path / "game.json"
    path.write_text(
        re.sub(rf'"{key}": ("[^"]*"|[-\d.]+)', f'"{key}": {value}', text, count=1)
    )
    for words in READ_GAMES[:5]:
        assert_refused(run(words, path, tmp_path / "out"))


# Kinds of files


@pytest.mark.parametrize(
    "words",
    [*READ_GAMES, *READ_BOARDS, ("serve", "--print-config", "--config")],
    ids=lambda words: " ".join(words[:3]),
)
@pytest.mark.parametrize("kind", ["empty", "folder", "missing", "bytes", "zeros"])
def test_files_that_are_not_games(
    tmp_path: Path, words: tuple[str, ...], kind: str
) -> None:
    ending = "toml" if words in READ_BOARDS or words[0] == "serve" else "json"
    path = tmp_path / f"file.{ending}"
    match kind:
        case "empty":
            path.touch()
        case "folder":
            path.mkdir()
        case "bytes":
            path.write_bytes(b'{"phases": "\xff\xfe"}')
        case "zeros":
            path.symlink_to("/dev/zero")
        case _:
            pass  # missing
    result = run(words, path, tmp_path)
    if words[0] == "serve" and kind == "empty":
        assert_answered(result)
    else:
        assert_refused(result)


def test_an_endless_line_is_not_read_to_its_end(tmp_path: Path) -> None:
    """Not by `adjudicate`, whose lines are bounded; a game must begin like one."""
    path = tmp_path / "line.json"
    path.write_bytes(b"x" * (TEXT_LIMIT + 2))
    assert_refused(run(ADJUDICATE, path, tmp_path))
    path.write_bytes(b"x" * (BEGINNING_BYTES * 2))
    assert_refused(run(("check",), path, tmp_path))


@pytest.mark.parametrize("lines", [1, 2])
def test_a_pipe_is_read_like_a_file(tmp_path: Path, lines: int) -> None:
    """One game, or one a line; nothing is read twice."""
    reader, writer = os.pipe()
    game = json.dumps(json.loads(RECORD.read_text())).encode() + b"\n\n"
    with os.fdopen(writer, "wb") as file:
        file.write(game[:60_000] if lines == 1 else b"{}\n\n{}\n")
    result = run(("check",), Path(f"/dev/fd/{reader}"), tmp_path)
    os.close(reader)
    assert_answered(result)


# Outputs


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_tables_that_cannot_be_finished_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """The tables of before are still there."""
    words = ("export", "--to", form, "--output", "OUT")
    assert run(words, RECORD, tmp_path).exit_code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(before) == len(ROWS)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("daide_server.library.table_files.TableFiles.add_rows", full)
    assert_refused(run(words, RECORD, tmp_path))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


# Mutated files


def mutated(content: bytes, seed: int) -> bytes:
    """Return *content* with one to four changes: bytes, values, pieces."""
    chance = random.Random(seed)
    found = bytearray(content)
    values = [b"1e999", b"-1", b"null", b"[]", b"{}", b'"\\ud800"', b"true", b"\xff"]
    values += [
        b"9" * 5000,
        b"[" * 3000,
        b'"' + b"A" * 2000 + b'"',
        b"\x00",
        b"\n",
        b"(",
    ]
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(found)), chance.choice((0, 1, 1, 4, 50, 2000))
        match chance.randrange(4):
            case 0:
                found[at : at + size] = chance.choice(values)
            case 1:
                del found[at : at + size]
            case 2:
                other = chance.randrange(len(found))
                found[at:at] = found[other : other + size]
            case _:
                found[at] = chance.randrange(256)
        found = found or bytearray(b"{")
    return bytes(found)


def sources(folder: Path) -> Iterator[tuple[Path, tuple[tuple[str, ...], ...]]]:
    """Yield real files, and the commands that read such files."""
    yield RECORD, READ_GAMES
    for path in sorted(GOLDEN.glob("*.txt")):
        yield path, READ_GAMES
    for form in WRITERS:
        ending = {"aiserver": "mdf", "toml": "toml", "position": "json"}.get(
            form, "txt"
        )
        path = folder / f"{form}.{ending}"
        write_board(load_variant("pure"), path, form)
        read = READ_GAMES if form == "position" else READ_BOARDS
        yield path, (*read, ADJUDICATE) if form == "position" else read
    messages = folder / "messages.bin"
    messages.write_bytes(b"480c 4000 4b61 4001 4000 4b31 4001\n0x4810 0x4000 0x4700")
    yield messages, READ_MESSAGES
    words = folder / "words.txt"
    words.write_bytes(b"NME ('a') ('1')\nSND (ENG) (PRP (ULB (FRA 0.5)))\n")
    yield words, READ_MESSAGES


def storm(folder: Path, seed: int) -> None:
    """Mutate one of the files, and give it to one of the commands."""
    chosen = list(sources(folder))
    path, commands = chosen[seed % len(chosen)]
    chance = random.Random(seed)
    suffix = (
        ".json" if path.parent == GOLDEN and "tran" not in path.stem else path.suffix
    )
    target = folder / f"mutated{suffix}"
    target.write_bytes(mutated(path.read_bytes(), seed))
    assert_answered(run(chance.choice(commands), target, folder / "out"))


QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@given(seed=st.integers(0, 1 << 40))
def test_mutated_files(tmp_path: Path, seed: int) -> None:
    storm(tmp_path, seed)


@pytest.mark.long
@settings(max_examples=5000, deadline=None, suppress_health_check=QUIET)
@given(seed=st.integers(0, 1 << 40))
def test_many_mutated_files(tmp_path: Path, seed: int) -> None:
    storm(tmp_path, seed)
