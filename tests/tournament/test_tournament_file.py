"""The file of a tournament: every key is described once, and wrong ones are named."""

import re
import tomllib
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.server.settings import TABLE
from daide_server.settings.table import SettingsError
from daide_server.tournament.description import DescriptionError
from daide_server.tournament.plan import plan_of
from daide_server.tournament.run import tournament_file
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.tournament_settings import (
    BOT_TABLE,
    TOURNAMENT_DEFAULTS,
    TOURNAMENT_TABLE,
)
from daide_server.tournament.run.tournament_state import look_at
from daide_server.tournament.run.tournament_texts import match_file, new_file
from tests.tournament.cups import cup_settings, hold_bots

HERE = Path("cup/tournament.toml")


def read(text: str) -> tournament_file.TournamentFile:
    return tournament_file.tournament_from(tomllib.loads(text), HERE)


def test_the_new_file_has_every_key_and_is_playable() -> None:
    text = new_file("cup", 5, "cup")
    found = tomllib.loads(text)

    for row in TOURNAMENT_TABLE.rows:
        section = row.component.section
        assert row.key in (found[section] if section else found), row.path
    for row in BOT_TABLE.rows:
        assert f"{row.key} = " in text
    file = read(text)
    assert file.settings == evolve(
        TOURNAMENT_DEFAULTS,
        names=file.settings.names,
        policy=evolve(TOURNAMENT_DEFAULTS.policy, year_limit=1910),
    )
    planned = plan_of(file.description())
    assert (planned.games, len(planned.description.bots)) == (42, 3)


def test_the_new_file_says_each_word_that_a_key_takes() -> None:
    """Or says where they are listed."""
    listed_elsewhere = {"scoring.rank_by", "game.edition", "game.level"}
    for row in (*TOURNAMENT_TABLE.rows, *BOT_TABLE.rows):
        _, one_of, words = row.kind.expected.partition("one of ")
        if one_of and row.path not in listed_elsewhere:
            for word in words.split(", "):
                assert re.search(rf"\b{word}\b", row.help), row.path


def test_the_own_bot_of_the_new_file_can_be_taken_in() -> None:
    before, own = new_file("cup", 5, "cup").split("keys that you do not need.\n\n")
    own, rest = own.split("\n# --- ")
    own = "\n".join(line.removeprefix("# ") for line in own.splitlines())

    file = read(f"{before}\n{own}\n# --- {rest}")

    assert file.bots[-1].command == ("./mybot", "-i{host}", "-p{port}")


def test_any_key_about_a_game_stands_in_game() -> None:
    file = read('[game]\nmtl = 5\nedition = "datc"\n[[bot]]\nbuiltin = "hold"\n')

    assert file.game_settings()["hlo"] == {"mtl": 5}
    assert file.game_settings()["game"]["edition"] == "datc"
    assert set(file.game_settings()) <= set(TABLE.sections)
    assert file.description().terms["game.mtl"] == "5"


def test_games_end_after_ten_years_unless_the_file_says_otherwise() -> None:
    assert read("").settings.policy.year_limit == 1910
    assert read("[game]\nyear_limit = 0").settings.policy.year_limit is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "[[bot]]: found 0 bots, expected 2 or more for 'line-ups'"),
        (
            "[design]\nkind = 'fixed'\nseats = ['x']\n[[bot]]\nbuiltin = 'rand'\n",
            "[design] seats: found 'x', expected some of rand",
        ),
        ("games = 3", "games: found outside a section, expected [design] games"),
        (
            "[[bot]]\nbuiltin = 'rand'\nanchor = 1e5",
            "bot 1: [bot] anchor: found 100000.0, expected points from -10000 to 10000",
        ),
        (
            "[[bot]]\ncommand = ['./b']\ndisk = '9999999999 GiB'",
            "disk: found '9999999999 GiB', expected a size such as 512 MiB or 2 GiB",
        ),
        ("[[bot]]\ncommand = ['./b']\ndisk = 'much GiB'", "disk: found 'much GiB', "),
        (
            f"[[bot]]\ncommand = ['./b']\ndisk = '{'9' * 5000} GiB'",
            "expected a size such as 512 MiB or 2 GiB, to 1000000 GiB",
        ),
        (
            "[[bot]]\ncommand = ['./b', \"a\\u0000\"]",
            "expected a command: a text, or a list of its words, with no NUL",
        ),
        (
            "[[bot]]\ncommand = ['./b']\nenvironment = {'A=B' = 'x'}",
            "expected a table of texts by name, with no = in a name and no NUL",
        ),
        (
            "[game]\nhung_after = 1e-6",
            "[game] hung_after: found 1e-06, expected seconds of 0.1 or more, or 0.0",
        ),
        (
            "[trouble]\nstalled_seconds = 1e-6",
            "[trouble] stalled_seconds: found 1e-06, expected seconds of 0.1 or more",
        ),
        ("[game]\nmtl = 'x'", "[game] mtl: found 'x', expected whole seconds from 0"),
        ("[bot]\nname = 'x'", "bot: found one section, expected [[bot]] for each"),
        ("[[bot]]\nname = 'x'", "bot 1: found none of builtin and command, expected"),
        ("[[bot]]\nbuiltin = 'dmub'", "bot 1: builtin: found 'dmub', expected one of"),
        ("[[bot]]\ncomand = 'x'", "did you mean [bot] command?"),
        (
            "[scoring]\nrank_by = 'elo'",
            "[scoring] rank_by: found 'elo', expected one of",
        ),
        ("name = !", "cup/tournament.toml: Invalid value (at line 1, column 8)"),
        (f"a = {'[' * 100_000}", "tournament.toml: found values nested too deeply"),
        (
            f"seed = 0x{'f' * 5000}",
            "seed: found a number of thousands of digits, expected a whole number",
        ),
        ("name = ''", "name: found '', expected a name"),
        ("[stop]\nerror = 1.0", "[stop] error: found 1.0, expected a number between"),
        (
            "[design]\ngames = 1_000_001",
            "[design] games: found 1000001, expected a whole number from 1 to 1000000",
        ),
        ("[game]\nvariant = 'x'", "[game] variant: no variant is called 'x'"),
        (
            "[game]\nyear_limit = 5",
            "[game] year_limit: found 5, expected 0, or 1901 or more",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    text: str, problem: str, tmp_path: Path
) -> None:
    """And with the file, as any command on the tournament says it."""
    file = tmp_path / "cup" / "tournament.toml"
    file.parent.mkdir()
    file.write_text(text)

    with pytest.raises((SettingsError, DescriptionError)) as error:
        look_at(file.parent)

    assert str(error.value).startswith(f"{file}: ")
    assert problem in str(error.value)


def test_everything_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(SettingsError) as error:
        read("a = 1\n[design]\nb = 2\n[[bot]]\nc = 3\n[[bot]]\nd = 4\n")
    assert len(str(error.value).splitlines()) == 4


def test_values_of_variables_are_not_in_the_description() -> None:
    text = '[[bot]]\nname = "x"\ncommand = "./x"\nenvironment = { KEY = "secret" }\n'

    file = read(text)

    assert "secret" not in repr(file.description())
    assert file.description().bots[0].identity["environment"] == "KEY"
    assert file.programs()[0].environment == (("KEY", "secret"),)


def test_what_is_written_is_read_again() -> None:
    bots = [
        *hold_bots(2),
        BotSettings(
            name='quo"ted',
            command=("./a b", "-p{port}"),
            folder="/x",
            environment=(("A", "1"),),
            pass_variables=("B",),
            at_once=2,
            memory=512 << 20,
            anchor=-3.5,
        ),
    ]
    settings = cup_settings(games=9)

    text = match_file(settings, bots)
    file = read(text)

    assert 'memory = "512 MiB"' in text
    assert file.bots == tuple(bots)
    assert file.settings.design == settings.design


def test_seats_of_a_fixed_line_up_are_names() -> None:
    text = match_file(cup_settings(), hold_bots(2))
    head = 'kind = "fixed"\nseats = ["bot0", "bot1", "bot1", "bot1", "bot1", "bot1", '
    text = text.replace("[design]", f'[design]\n{head}"bot0"]')

    assert read(text).description().design.seats == (0, 1, 1, 1, 1, 1, 0)


OTHER = '[[bot]]\ncommand = "./y"\nsandbox = "none"\n'


def test_variables_and_sandboxes_are_those_of_all_bots_or_of_one() -> None:
    text = '[run]\npass = ["A"]\nsandbox = "bwrap"\n[[bot]]\ncommand = "./x"\n'

    program, other = read(f'{text}pass = ["B"]\n{OTHER}').programs()

    assert (program.pass_variables, program.sandbox) == (("A", "B"), "bwrap")
    assert (other.pass_variables, other.sandbox) == (("A",), "none")
