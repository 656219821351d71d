"""Wrong words end a command with exit code 2: what was found, and what was expected."""

import shlex
from pathlib import Path

import pytest

from tests.support.commands import run

RECORD = Path(__file__).parents[1] / "records" / "games" / "draw.json"
ADMIN = "expected one of: status|metrics|drain|end GAME|kick"
NO_ADDRESS = "expected HOST:PORT"
NO_PICTURE = "found '-', expected a file"
ASSIST = "assist standard --power FRANCE"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("dance", "No such command 'dance'"),
        ("adjudicate --rules house", "'house' is not one of"),
        ("adjudicate --rule 4.A.4=c", "4.A.4"),
        ("adjudicate --rule 4.A.4", "4.A.4"),
        ("adjudicate --rule 4.A.99=a", "4.A.4"),
        ("admin fly", ADMIN),
        ("admin end", ADMIN),
        ("admin kick 1", ADMIN),
        ("admin status 1", ADMIN),
        ("admin 127.0.0.1:5", ADMIN),
        ("ask RECORD:S1901M --power FRA", "found no bot"),
        ("ask RECORD:S1901M --power FRA --bot hold -- x", "found both --bot and a"),
        ("ask RECORD:S1901M --power FRA --bot '2 x hold'", "found 2 bots, expected"),
        ("ask RECORD:S1901M --power FRA --bot hodl", "did you mean hold"),
        ("ask RECORD:S1901M --power FRA -- ./mybot", "found no {port}"),
        ('ask RECORD:S1901M --power FRA -- "./my \'a {port}"', "No closing quotation"),
        (f"{ASSIST} --expect 'A RUH H' --weight 1 --weight 1", "one for each --expect"),
        (f"{ASSIST} --picture -", NO_PICTURE),
        (f"{ASSIST} --weight 0", "'0', expected a number above 0"),
        (f"{ASSIST} --weight nan", "'nan', expected a number above 0"),
        (f"{ASSIST} --seconds inf", "'inf', expected a number of 0 or more"),
        ("bot hero", "'hero' is not one of 'dumb', 'hold', 'rand'"),
        ("bot dumb --passcode 12", "--passcode needs --power"),
        ("bot dumb --port 0", "'0', expected a whole number from 1 to 65535"),
        ("bot dumb --port 99999", "expected a whole number from 1 to 65535"),
        ("bot dumb --power FRA --passcode 1 --games 2", "--games"),
        ("bot dumb --power FRA --passcode 1 --resume x", "--resume"),
        ("bot dumb --resume /nowhere/seat.json", "no folder /nowhere"),
        ("bot dumb --return-seconds -1", "--return-seconds"),
        ("branch RECORD:S1901M --bots dumb", "--bots: found 1 bots, expected 7"),
        ("branch RECORD:S1901M --bots " + "hold," * 6 + "xx", "bot: found 'xx'"),
        ("branch x:S1901M --games 0", "'0', expected a whole number from 1 to 1000000"),
        ("branch x:S1901M --games " + "9" * 30, "whole number from 1 to 1000000"),
        ("bridge", "Missing argument"),
        ("bridge --server nowhere -- ./bot", NO_ADDRESS),
        ("bridge --raw --observe -- ./bot", "--raw"),
        ("bridge --fill -1 -- ./bot", "--fill"),
        ("examine --only first-turm -- x {port}", "did you mean first-turn?"),
        ("examine --only first-turm -- x {port}", "or a group of them: joining, "),
        ("examine -- ./mybot", "found no {port}"),
        ("export RECORD --to csv --output -", "expected a folder for the tables of"),
        ("health --timeout 0", "'0', expected a number of 0.1 or more"),
        ("maps convert pure - --to toml", NO_PICTURE),
        ("maps show pure --picture -", NO_PICTURE),
        ("match --bot dumb --paired hold rand", "--paired"),
        ("match --against hold", "--bot"),
        ("match --bot rand --games x", "'x', expected a whole number of"),
        ("match --bot rand --seed -1", "'-1', expected a whole number fr"),
        ("play --bots dumm", "bot: found 'dumm', expected one of hold, rand, dumb"),
        ("play --bots cmd=./x", "found no {port} in 'cmd=./x'"),
        ("play --bot '3 x ./x -p{port}'", "--bots: found 3 bots, expected 7"),
        ("play --games 0", "'0', expected a whole number from 1 to 10000"),
        ("play --games 2 --port 5", "--port: found one port, expected none"),
        ("render", "expected FILE..., or --map BOARD"),
        ("render RECORD --phase S1901M --all", "--phase and --all exclude each other"),
        ("render RECORD --all --output -", "--output -: expected one picture"),
        ("replay", "Missing argument 'FILE...'"),
        ("score RECORD --json --csv", "exclude each other"),
        ("serve --mtl soon", "'--mtl': found 'soon', expected whole seconds"),
        ("serve --year 1910", "--year"),
        ("serve --seat-ports 17000-17003", "found 4 ports, 17000-17003, expected 7 or"),
        ("serve --seats mine", "'mine', expected one of random, arrival, name"),
        ("serve --config /nowhere.toml", "/nowhere.toml"),
        ("show x.json --map none.toml", "none.toml: No such file or directory"),
        (
            "show x.json --map none",
            "none: no board has this name, expected one of 1900",
        ),
        (
            "show x.json --map map.png",
            "found a file called .png, expected one of .toml",
        ),
        ("talk nowhere", NO_ADDRESS),
        ("talk host:", NO_ADDRESS),
        ("talk host:0", NO_ADDRESS),
        ("talk host:65536", NO_ADDRESS),
        ("talk host:" + "9" * 5000, NO_ADDRESS),
        ("tournament add . rand --name \udcff", r"found '\udcff', expected a text in"),
        ("tournament status ''", "found an empty text, expected a folder"),
    ],
)
def test_wrong_words_are_named(words: str, told: str, tmp_path: Path) -> None:
    given = shlex.split(words.replace("RECORD", str(RECORD)))
    records = ["--records", str(tmp_path)] if given[0] == "play" else []

    result = run(*given, *records)

    assert result.exit_code == 2, result.output
    assert told in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "command", "told"),
    [
        ("DAIDE_PORT", "serve", "'--port': found 'x', expected a port from 0 to 65535"),
        ("DAIDE_DSD", "serve", "found 'x', expected true or false"),
        ("DAIDE_PORT", "health", NO_ADDRESS),
    ],
)
def test_a_wrong_environment_variable_is_named(
    name: str, command: str, told: str
) -> None:
    result = run(command, env={name: "x"})

    assert result.exit_code == 2
    assert told in " ".join(result.output.split())
