"""The common options of `play` and `branch`, and their help about games."""

import click

from daide_server.server.settings import TABLE

DEFAULT_BOTS = ("dumb", "dumb", "dumb", "rand", "rand", "rand", "hold")
"""The bots; repeated until there is one for each power."""
DEFAULT_YEARS = 34
"""Years after the first one at which a game ends, without a year limit."""
PLAY_SETTINGS = TABLE.read(
    {
        "server": {"port": 0, "games": 1},
        # There are no queries after the end.
        "game": {"post_game_seconds": 0.1},
        "log": {"level": "error"},
        # Its bots end with it: nobody would come back.
        "journal": {"durability": "none"},
    },
    "play",
)
"""Settings of the server that differ from those of `serve`."""
BRANCH_SETTINGS = TABLE.read({"game": {"post_game_seconds": 0.0}}, "branch")
"""Settings of the games that differ from those of `serve`."""
WATCHED_PACE = 0.3
"""Seconds between turns while a browser watches."""


def bot_list(value: str) -> tuple[str, ...]:
    """Return the words for each bot; there are commas between them."""
    return tuple(words.strip() for words in value.split(","))


more_option = click.option(
    "--bot",
    "more",
    multiple=True,
    metavar="WORDS",
    help="A bot, such as '2 x ./mybot -i{host} -p{port}', a command with "
    "placeholders, or 'lines:COMMAND'; may be repeated.",
)
