"""A ladder decides its next game from the results so far, and has no end."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.scheduler import GameOver, RunEvent, RunNote
from daide_server.tournament.run.tournament_file import read_tournament
from daide_server.tournament.run.tournament_settings import DesignSettings
from daide_server.tournament.run.tournament_state import playing
from daide_server.tournament.run.tournament_texts import add_bot, retire_bot
from tests.support.commands import refusal, run
from tests.tournament.cups import look, play_some, quits, status_of, write_cup


@pytest.fixture
def ladder(tmp_path: Path) -> Path:
    return write_cup(tmp_path, bots=8, design=DesignSettings(kind="ladder"))


async def test_a_ladder_resumes_where_it_was(ladder: Path) -> None:
    """And no bot is forgotten."""
    await play_some(ladder, games=10)
    first = look(ladder)

    await play_some(ladder, games=30)

    state = look(ladder)
    assert len(first.ledger.played) >= 10
    assert len(state.ledger.played) >= 40
    decided, balance = first.plan.design.blocks, state.plan.balance()
    assert state.plan.design.blocks[: len(decided)] == decided
    assert min(balance.per_bot[bot] for bot in range(balance.bots)) >= 20


async def test_a_removed_bot_plays_no_more_and_goes_on_counting(ladder: Path) -> None:
    await play_some(ladder, games=10)
    retire_bot(ladder, "bot3")

    await play_some(ladder, games=10)

    state = look(ladder)
    before, after = state.plan.design.blocks[:12], state.plan.design.blocks[12:]
    assert any(3 in line_up for (line_up,) in before)
    assert not any(3 in line_up for (line_up,) in after)
    assert next(bot.games for bot in status_of(ladder).bots if bot.name == "bot3") > 0


async def test_a_benched_bot_is_drawn_no_more(ladder: Path) -> None:
    def play(task: GameTask) -> GameReport:
        return GameReport(quits(task, bot=3))

    await play_some(ladder, games=40, play=play, slots=1)

    ledger = look(ladder).ledger
    bench = ledger.plan.description.bench_after
    assert ledger.benched == {3}
    assert sum(3 in ledger.plan.bots(game) for game in ledger.played) == bench


async def test_an_unfinished_game_of_a_removed_bot_is_not_played(ladder: Path) -> None:
    with playing(ladder) as (state, _):
        state.results.decide(1, (0, 1, 2, 3, 0, 1, 2))
    retire_bot(ladder, "bot3")

    await play_some(ladder, games=5)

    ledger = look(ladder).ledger
    assert ledger.unplayed == (1,)
    assert ledger.finished_blocks == ledger.plan.games >= 6
    assert status_of(ladder).unplayed == 1


async def test_a_bot_is_added_while_the_ladder_runs(ladder: Path) -> None:
    """It plays at once: also in the first game that is decided then."""

    def add_once(event: RunEvent) -> None:
        if isinstance(event, GameOver) and event.outcome.game == 5:
            add_bot(ladder, "rand")

    await play_some(ladder, games=20, also=add_once)

    bots = look(ladder).plan.description.bots
    number = [each.name for each in bots].index("rand")
    line_ups = [line_up for (line_up,) in look(ladder).plan.design.blocks]
    assert sum(number in line_up for line_up in line_ups[8:13]) >= 4


async def test_anchors_keep_their_rating(ladder: Path) -> None:
    file = ladder / "tournament.toml"
    text = file.read_text().replace('name = "bot0"', 'name = "bot0"\nanchor = 100')
    file.write_text(text)
    await play_some(ladder, games=30)

    bots = {bot.name: bot for bot in status_of(ladder).bots}
    assert (bots["bot0"].rating, bots["bot0"].anchor) == (100, True)
    assert len({bot.rating for bot in bots.values()}) == len(bots)


def test_only_ladders_take_bots_later(tmp_path: Path) -> None:
    folder = write_cup(tmp_path)

    with pytest.raises(RunningError, match="kind 'line-ups', expected 'ladder'"):
        add_bot(folder, "dumb")


def test_a_file_keeps_its_comments_when_a_bot_is_retired(ladder: Path) -> None:
    file = ladder / "tournament.toml"
    file.write_text("# mine\n" + file.read_text())

    retire_bot(ladder, "bot7")
    retire_bot(ladder, "bot7")

    assert file.read_text().startswith("# mine\n")
    bots = read_tournament(file).bots
    assert [bot.name for bot in bots if bot.retired] == ["bot7"]


SECTIONS = """
[design]
kind = "ladder"
  [[bot]] # the first
  name = "good"
  builtin = "dumb"
  "retired" = false

[[ bot ]]
name = "bad"
builtin = "hold"
{more}
[game]
year_limit = 1905
[[bot]]
builtin = "rand"
"""


@pytest.mark.parametrize("name", ["good", "bad", "rand"])
def test_the_bot_that_is_retired_is_the_one_that_was_named(
    ladder: Path, name: str
) -> None:
    """TOML lets people indent, quote keys, and put spaces into heads."""
    file = ladder / "tournament.toml"
    file.write_text(SECTIONS.format(more=""))

    retire_bot(ladder, name)

    bots = read_tournament(file).bots
    assert [bot.name for bot in bots] == ["good", "bad", "rand"]
    assert [bot.name for bot in bots if bot.retired] == [name]


LOOKS_LIKE_SECTIONS = """command = ['''mine
[[bot]]
retired = false
''']
"""


ONE_LIST = """bot = [{builtin = "dumb"}, {builtin = "rand"}]
[design]
kind = "ladder"
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            SECTIONS.format(more="[[bot]]\nname = 'mine'\n" + LOOKS_LIKE_SECTIONS),
            "rand",
        ),
        (ONE_LIST, "dumb"),
    ],
    ids=["text that looks like a section", "one list"],
)
def test_what_cannot_be_changed_safely_is_not_changed(
    ladder: Path, text: str, name: str
) -> None:
    file = ladder / "tournament.toml"
    file.write_text(text)

    with pytest.raises(RunningError, match="nothing was changed"):
        retire_bot(ladder, name)
    if text == ONE_LIST:
        with pytest.raises(RunningError, match="nothing was changed"):
            add_bot(ladder, "hold")

    assert file.read_text() == text


def test_bots_that_are_added_at_the_same_time_are_all_there(ladder: Path) -> None:
    names = [f"new{number}" for number in range(16)]

    with ThreadPoolExecutor(8) as pool:
        added = list(pool.map(lambda name: add_bot(ladder, "rand", name), names))

    assert added == names
    bots = [bot.name for bot in read_tournament(ladder / "tournament.toml").bots]
    assert sorted(bots[8:]) == sorted(names)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda file: file.write_text("[[bot]"), "Expected ']]'"),
        (Path.unlink, "No such file"),
        (
            lambda file: file.write_text("[design]\nkind = 'ladder'"),
            "games were played with other settings",
        ),
    ],
)
async def test_a_ladder_goes_on_while_its_file_is_being_written(
    ladder: Path, damage: Callable[[Path], object], told: str
) -> None:
    file, notices = ladder / "tournament.toml", list[str]()
    text = file.read_text()

    def edit(event: RunEvent) -> None:
        if isinstance(event, RunNote):
            notices.append(event.text)
        if isinstance(event, GameOver) and event.outcome.game == 5:
            damage(file)
        if isinstance(event, GameOver) and event.outcome.game == 8:
            file.write_text(text)
            add_bot(ladder, "rand")

    await play_some(ladder, games=20, also=edit)

    (notice,) = notices
    assert "continuing with the previous version of the file" in notice
    assert told in notice
    assert status_of(ladder).played == 20
    assert next(bot.games for bot in status_of(ladder).bots if bot.name == "rand") > 0


def test_the_commands_say_what_is_wrong(ladder: Path) -> None:
    missing = refusal("tournament", "remove", ladder, "nobody")
    assert run("tournament", "add", ladder, "dumb").exit_code == 0
    again = refusal("tournament", "add", ladder, "dumb")

    assert "found no bot 'nobody', expected one of bot0" in missing
    assert "found a bot 'dumb', expected another name" in again


def test_a_ladder_without_bots_has_a_report(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    folder.mkdir()
    text = 'name = "cup"\n[design]\nkind = "ladder"\n'
    (folder / "tournament.toml").write_text(text, "utf-8")

    assert run("tournament", "report", folder).exit_code == 0

    page = (folder / "report" / "index.html").read_text("utf-8")
    assert "There are no bots yet." in page
    (head,) = (folder / "report" / "standings.csv").read_text("utf-8").splitlines()
    assert head.startswith("rank,entrant,bot,version,games,score,low,high,")
