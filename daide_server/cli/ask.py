"""`daide-server ask`: what a bot orders in a phase of a record."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import click
import msgspec
import trio
from attrs import frozen

from daide_server.board.map import Variant
from daide_server.board.notation import COMMON
from daide_server.daide.vocabulary import Vocabulary, to_text
from daide_server.examine import examination, programs, scripted_game
from daide_server.game.options import GameOptions
from daide_server.library import game_files, variants
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.text.queries import power_called

from .bot import warn
from .common import failures, option_types
from .common.options import gather, given_options, setting_options
from .common.printing import print_line
from .examine import bot_option, launcher_of, level_option, lines_option, words_argument


@frozen
class AskOptions:
    """The arguments and options of the command."""

    start: str
    words: tuple[str, ...]
    power: str
    bot: str | None
    times: int
    seed: int
    seconds_per_turn: int
    start_seconds: float
    lines: bool
    as_json: bool
    level: str
    variant: object
    """The setting, as `given_options` takes it."""


@click.command()
@click.argument("start", metavar="RECORD:PHASE")
@words_argument
@bot_option
@lines_option
@level_option(help="The level of the language.")
@click.option("--power", required=True, metavar="POWER", help="The power of the bot.")
@click.option(
    "--times",
    type=option_types.WholeNumber(1, 1000),
    default=1,
    help="Ask N times, starting the bot each time.",
)
@click.option(
    "--seed", type=option_types.WholeNumber(0), default=1, help="The first {seed}."
)
@click.option(
    "--seconds-per-turn",
    type=option_types.WholeNumber(1, 8191),
    default=scripted_game.SECONDS_PER_TURN,
    metavar="SECONDS",
    help="The time limit for a turn that the bot is told.",
)
@click.option(
    "--start-seconds",
    type=option_types.Seconds(0, min_open=True),
    default=scripted_game.START_SECONDS,
    help="Time for the bot to accept the map.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
@setting_options("variant")
@option_types.options_as(AskOptions)
def command(options: AskOptions) -> None:
    """Ask a bot for its orders in a phase of a record.

    --bot names the bot as in `play`, or COMMAND starts it, at a server whose game
    begins in that phase; {host}, {port} and {seed} are filled in, with a different seed
    each time. Its orders are printed with the notes of the server, and with --times
    how often each was given.

    \b
    The exit code is 1 if the bot did not order everything that was due.

    \b
    Examples:
      daide-server ask game.json:F1903M --power FRANCE -- ./mybot -p{port}
      daide-server ask game.json:F1903M --power FRA --times 10 --bot "lines:./mybot"
    """
    board = gather(given_options({"variant": options.variant})).board.variant
    variant = variants.find_variant(board)
    begun = game_files.find_start(options.start, variant).begin(variant)
    launcher = launcher_of(options.words, options.bot, lines=options.lines)
    setup = scripted_game.SceneSetup(
        power=power_called(names_of(begun.map), options.power),
        board=board,
        start=begun.start,
        options=GameOptions(level=int(options.level)),
    )
    asking = partial(_ask_all, launcher, setup, begun, options)
    turns = trio.run(failures.until_signalled, asking)
    if options.times > 1 and not options.as_json:
        _print_counts(turns, options.times)
    if any(turn.trouble or turn.missing for turn in turns):
        raise SystemExit(failures.FAILED)


async def _ask_all(
    launcher: programs.CommandLauncher,
    setup: scripted_game.SceneSetup,
    variant: Variant,
    options: AskOptions,
) -> Sequence[examination.AskedTurn]:
    """Print the orders of the bot each time, as they arrive, and return all of them."""
    measures = scripted_game.Measures(
        seconds_per_turn=options.seconds_per_turn, start_seconds=options.start_seconds
    )
    show = _print_json if options.as_json else _print_turn
    turns: list[examination.AskedTurn] = []
    for seed in range(options.seed, options.seed + options.times):
        turns.append(await examination.ask(launcher, setup, measures, seed, warn))
        show(turns[-1], variant)
    return turns


def _print_turn(turn: examination.AskedTurn, variant: Variant) -> None:
    print_line(f"seed {turn.seed}: {len(turn.orders)} orders in {turn.seconds:.2f} s")
    for order in turn.orders:
        print_line(f"  {COMMON.order(order)}")
    for text, note in _refused(turn, variant):
        print_line(f"  refused: {note}: {text}")
    if turn.missing:
        print_line(f"  {turn.missing} missing")
    if turn.trouble:
        print_line(f"  {turn.trouble}")
        for line in turn.last_words.splitlines():
            print_line(f"  it printed: {line}")


def _print_json(turn: examination.AskedTurn, variant: Variant) -> None:
    shown = {
        "seed": turn.seed,
        "orders": [COMMON.order(each) for each in turn.orders],
        "refused": [
            {"order": text, "note": note} for text, note in _refused(turn, variant)
        ],
        "missing": turn.missing,
        "seconds": round(turn.seconds, 3),
        "trouble": turn.trouble or None,
    }
    print_line(msgspec.json.encode(shown).decode())


def _refused(turn: examination.AskedTurn, variant: Variant) -> list[tuple[str, str]]:
    words = Vocabulary.of(variant.map)
    return [(to_text(each.as_sent, words), each.note.value) for each in turn.refused]


def _print_counts(turns: Sequence[examination.AskedTurn], times: int) -> None:
    """Print how often each order was given."""
    counts = Counter(COMMON.order(order) for turn in turns for order in turn.orders)
    print_line("how often:")
    for text, count in counts.most_common():
        print_line(f"  {count:4} of {times}  {text}")
