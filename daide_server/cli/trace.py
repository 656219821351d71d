"""`daide-server trace`: kept conversations as text, turn by turn."""

import sys
from itertools import groupby
from pathlib import Path
from typing import Final

import click
from attrs import frozen

from daide_server.board.map import Turn
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.language.vocabulary import Vocabulary
from daide_server.reports.queries import power_called
from daide_server.storage.archive import is_cut
from daide_server.storage.variants import find_variant

from .common.failures import FAILED, CommandError, failures_of, writing
from .common.options import gather, given_options, setting_options
from .common.printing import print_line
from .traced_turns import TracedMessage, TracedTurns, lines_of, traced_messages

CONVERSATION_LIMIT: Final = 256 << 20
"""Bytes of a file; the default of `trace_bytes` is a sixteenth of it."""


@frozen
class MessageChoice:
    """Which messages are shown; all, unless something is given."""

    words: frozenset[str]
    power: str | None
    begin: Turn | None
    refused: bool

    def __contains__(self, message: TracedMessage) -> bool:
        turn = message.turn
        return (
            (self.begin is None or (turn is not None and turn >= self.begin))
            and (not self.words or message.word in self.words)
            and (not self.refused or message.is_refusal)
            and (self.power is None or self.power in message.text.split())
        )


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
@click.option(
    "--message",
    "words",
    multiple=True,
    metavar="WORD",
    help="Show only messages that begin with this word, such as SUB; repeatable.",
)
@click.option("--power", metavar="POW", help="Show only messages that name this power.")
@click.option("--from", "phase", metavar="PHASE", help="Begin at a phase, as F1901M.")
@click.option(
    "--refused",
    is_flag=True,
    help="Show only REJ, HUH, PRN, THX with another note than MBV, and what was not "
    "ordered in time.",
)
@click.option("--unfold", is_flag=True, help="Show each ORD and THX of a row.")
@setting_options("variant", "dialect")
def command(  # noqa: PLR0913 - each is an option
    files: tuple[Path, ...],
    words: tuple[str, ...],
    power: str | None,
    phase: str | None,
    *,
    refused: bool,
    unfold: bool,
    **given: object,
) -> None:
    """Show conversations that `serve --trace` or `examine --trace` has kept.

    Each message is a line: the seconds since the client connected, `->` if the client
    sent it and `<-` if the server did, and its text. A turn begins with its NOW; rows
    of ORD and THX are folded. `late` shows, as MIS, the orders that were missing when
    the turn ended. Passcodes are 0: they were not kept. A file name that ends with -cut
    means that the conversation was longer than the setting trace_bytes.

    The exit code is 1 if a file cannot be read to its end.

    \b
    Examples:
      daide-server trace traces/20261122T200500-000003.trace
      daide-server trace a.trace --from F1902M --message SUB --message THX
      daide-server trace --refused a.trace b.trace
    """
    chosen = gather(given_options(given))
    board_map = find_variant(chosen.board.variant).map
    names = Vocabulary.of(board_map).in_dialect(chosen.log.dialect)
    choice = MessageChoice(
        frozenset(word.upper() for word in words),
        None if power is None else _power_called(power, names_of(board_map)),
        None if phase is None else phase_turn(phase.upper()),
        refused,
    )
    failed = False
    for path in files:
        if len(files) > 1:
            print_line(f"== {path}")
        try:
            turns = TracedTurns(names, board_map)
            # Each refused order is wanted, with its note.
            _show(path, turns, choice, unfold=unfold or refused)
        except CommandError as error:
            print_line(f"daide-server: {error}", to_stderr=True)
            failed = True
    if failed:
        sys.exit(FAILED)


def _show(
    path: Path, turns: TracedTurns, choice: MessageChoice, *, unfold: bool
) -> None:
    """Print the chosen messages of a file; raises `CommandError`."""
    with writing(path), path.open("rb") as file:
        data = file.read(CONVERSATION_LIMIT + 1)
    if len(data) > CONVERSATION_LIMIT:
        message = f"{path}: more than {CONVERSATION_LIMIT} bytes"
        raise CommandError(message)
    shown = (each for each in traced_messages(data, turns) if each in choice)
    has_any = False
    with failures_of(str(path)):
        for heading, group in groupby(shown, key=lambda each: each.heading):
            has_any = True
            print_line(heading)
            for line in lines_of(group, unfold=unfold):
                print_line(f"  {line}")
    if not has_any:
        print_line(f"{path}: no such message", to_stderr=True)
    if is_cut(path):
        print_line(f"{path}: cut, what followed was not kept", to_stderr=True)


def _power_called(text: str, names: Names) -> str:
    """Return the word of a power: the board's, or that of an RM, which may be any."""
    try:
        return power_called(names, text)
    except FormatError:
        return text.upper()
