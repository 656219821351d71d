"""`daide-server examine`: a report on a bot, scene by scene."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from shutil import which

import click
import msgspec
import trio
from attrs import frozen

from daide_server import __version__
from daide_server.daide.commands import LANGUAGE_LEVELS
from daide_server.errors import meant
from daide_server.examine import programs, report, scene, scripted_game
from daide_server.examine.examination import Examination, with_slowness
from daide_server.examine.scenes import SCENES
from daide_server.tournament.run.bot_settings import LINES, PORT_WORD, read_bot
from daide_server.tournament.run.errors import BotWordsError

from .common.failures import FAILED, until_signalled, writing
from .common.option_types import FILE, WholeNumber, options_as
from .common.printing import print_line
from .common.styled_output import add_row, print_styled, table

STYLES: Mapping[scene.SceneVerdict, str] = {
    scene.SceneVerdict.PASSES: "green",
    scene.SceneVerdict.DIFFERS: "yellow",
    scene.SceneVerdict.FAILS: "bold red",
    scene.SceneVerdict.NOT_REACHED: "dim",
    scene.SceneVerdict.NOT_RUN: "dim",
}


@frozen
class ExamineOptions:
    """The arguments and options of the command."""

    words: tuple[str, ...]
    bot: str | None
    lines: bool
    level: str
    as_json: bool
    brief: bool
    html: Path | None
    badge: Path | None
    only: tuple[str, ...]
    jobs: int
    thorough: bool
    traces: Path | None
    seconds_per_turn: int


words_argument = click.argument("words", nargs=-1, metavar="[-- COMMAND...]")
bot_option = click.option(
    "--bot", metavar="WORDS", help="The bot: 'lines:COMMAND', a command, or dumb."
)
lines_option = click.option("--lines", is_flag=True, help="The bot speaks JSON lines.")
level_option = partial(
    click.option,
    "--level",
    type=click.Choice([str(each) for each in LANGUAGE_LEVELS]),
    default="0",
    metavar="LEVEL",
)


@click.command()
@words_argument
@bot_option
@lines_option
@level_option(
    help="The level of games in scenes that need no higher one: for a bot that leaves "
    "a game without press."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
@click.option(
    "--brief", is_flag=True, help="Print only the scenes that failed or differ."
)
@click.option("--html", type=FILE, help="Also write the report as an HTML page.")
@click.option(
    "--badge",
    type=FILE,
    help="Write an SVG badge with the number of scenes that passed.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="SCENE",
    help="Play this scene, or the scenes of this group; may be repeated.",
)
@click.option(
    "--jobs",
    type=WholeNumber(1, 64),
    default=2,
    help="Number of bots that run at the same time.",
)
@click.option(
    "--thorough", is_flag=True, help="Also play the scenes that take a minute or more."
)
@click.option(
    "--trace",
    "traces",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep each conversation in this folder, for `daide-server trace`.",
)
@click.option(
    "--seconds-per-turn",
    type=WholeNumber(1, 600),
    default=scripted_game.SECONDS_PER_TURN,
    metavar="SECONDS",
    help="The time limit for a turn that the bot is told in most scenes.",
)
@options_as(ExamineOptions)
def command(options: ExamineOptions) -> None:
    """Play scenes with a bot, and report where it differs from what is expected.

    --bot names the bot as in `play`, or COMMAND starts it, several times; {host},
    {port} and {seed} are filled in.
    For each scene the table has what is expected, in which document, and what the bot
    did: it passes, differs (servers tolerate it), fails, or the scene was not reached,
    because the bot fails without the provocation too. The last lines say what to fix
    first. See docs/examine.md.

    \b
    The exit code is 0 if no scene failed, and 1 if one did, or if the command cannot
    be started.

    \b
    Examples:
      daide-server examine -- ./mybot -i{host} -p{port}
      daide-server examine --only first-turn --only press -- ./mybot -p{port}
      daide-server examine --bot "lines:python my_bot.py" --json
      daide-server examine --brief --trace talk --html report.html -- ./mybot -p{port}
    """
    scenes, traces = _chosen(options.only), options.traces
    launcher = launcher_of(options.words, options.bot, lines=options.lines)
    if traces is not None:
        with writing(traces):
            traces.mkdir(parents=True, exist_ok=True)
    measures = scripted_game.Measures(
        seconds_per_turn=options.seconds_per_turn, level=int(options.level)
    )
    examination = Examination(
        launcher, measures, scenes, options.jobs, options.thorough, traces
    )
    results = trio.run(until_signalled, partial(_examine, examination))
    page = report.report_page(results, shlex.join(launcher.command), __version__)
    _write(options.html, page)
    _write(options.badge, report.badge(results))
    if options.as_json:
        for each in results:
            print_line(msgspec.json.encode(report.result_json(each)).decode())
    else:
        _print_table(results, is_brief=options.brief)
    if any(each.verdict is scene.SceneVerdict.FAILS for each in results):
        sys.exit(FAILED)


async def _examine(examination: Examination) -> list[report.SceneResult]:
    """Return the results; print each as it is decided, on standard error."""
    examination.measures = await with_slowness(examination.measures)
    decided, number = count(1), examination.number

    def show(result: report.SceneResult) -> None:
        text = f"{result.scene.name}: {result.verdict.value}"
        print_line(f"[{next(decided)}/{number}] {text}", to_stderr=True)

    examination.tell = show
    return await examination.run()


def _chosen(names: Sequence[str]) -> list[scene.BotScene]:
    """Return the scenes of the names, or all; raises `click.UsageError`."""
    groups = dict.fromkeys(each.group for each in SCENES.values())
    for name in names:
        if name not in SCENES and name not in groups:
            hint = meant(name, [*SCENES, *groups])
            message = (
                f"--only: found {name!r}, expected a scene, or a group of them: "
                f"{', '.join(groups)}{hint}"
            )
            raise click.UsageError(message)
    return [
        each
        for each in SCENES.values()
        if not names or each.name in names or each.group in names
    ]


def launcher_of(
    words: Sequence[str], bot: str | None, *, lines: bool
) -> programs.CommandLauncher:
    """Return a launcher for the bot of --bot, or else of a command.

    Raises `click.UsageError` if it is invalid, or has no {port}. A single word may be a
    whole command line.
    """
    if (bot is None) == (not words):
        found = "both --bot and a command" if words else "no bot"
        raise click.UsageError(f"found {found}, expected --bot WORDS or -- COMMAND")
    is_line = len(words) == 1 and which(words[0]) is None
    text = bot or (words[0] if is_line else shlex.join(words))
    try:
        program, copies = read_bot(LINES + text if lines else text)
    except BotWordsError as error:
        raise click.UsageError(f"bot: {error}") from error
    if copies > 1:
        raise click.UsageError(f"found {copies} bots, expected one")
    if not program.builtin:
        return programs.CommandLauncher(program.command, program.speaks == "lines")
    own = (sys.executable, "-m", "daide_server", "bot", program.builtin)
    place = ("--host", "{host}", "--port", PORT_WORD, "--seed", "{seed}")
    return programs.CommandLauncher((*own, *place))


def _write(path: Path | None, content: str) -> None:
    if path is not None:
        with writing(path):
            path.write_text(content, encoding="utf-8")


def _print_table(results: Sequence[report.SceneResult], *, is_brief: bool) -> None:
    shown = report.not_passed(results) if is_brief else results
    rows = table(*report.COLUMNS_OF_REPORT)
    for each in shown:
        add_row(rows, report.row(each), STYLES[each.verdict])
    if shown:
        print_styled(rows)
        print_line()
    for line in () if is_brief else report.level_lines(results):
        print_line(line)
    print_line(report.summary_line(results))
    for number, line in enumerate(report.first_lines(results)):
        if not number:
            print_line()
            print_line("Fix first:")
        print_line(line)
