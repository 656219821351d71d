"""A bot of a tournament: how it is started, and the kinds of its settings."""

import shlex
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import (
    FOLDER,
    SWITCH,
    Kind,
    ValueRefused,
    either,
    number,
    one_of,
    text,
    texts,
    whole,
)

BUILT_IN: Final = ("hold", "rand", "dumb")
"""The names of `daide_server.bots.built_in`, whose bots take long to import."""
AUTO: Final = "auto"
BWRAP: Final = "bwrap"
NO_BOX: Final = "none"
AS_RUN: Final = "as run"
SECRETS: Final = (
    *("~/.ssh", "~/.gnupg", "~/.password-store", "~/.local/share/keyrings"),
    *("~/.aws", "~/.azure", "~/.config/gcloud", "~/.kube", "~/.docker"),
    *("~/.netrc", "~/.git-credentials", "~/.config/gh", "~/.pypirc", "~/.npmrc"),
    *("~/.config/containers", "/run/user", "/run/docker.sock"),
)
"""Keys and credentials of whoever runs a tournament, and services that act for them."""
UNITS: Final = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
Variables = tuple[tuple[str, str], ...]
"""Names of variables of the environment, with their values."""
MEBIBYTE: Final = UNITS["MiB"]
GIBIBYTE: Final = UNITS["GiB"]
MOST_GIBIBYTES: Final = 1_000_000
"""The system takes no limit of 2^63 bytes."""


def _size(value: object) -> int:
    amount, _, unit = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if unit not in UNITS or not amount.isdecimal():
        raise ValueRefused(value)
    most = MOST_GIBIBYTES * GIBIBYTE
    # Python converts no more digits than a few thousand.
    if len(amount) > len(str(most)) or int(amount) * UNITS[unit] > most:
        raise ValueRefused(value)
    return int(amount) * UNITS[unit]


def _size_text(size: int) -> str:
    unit = next(name for name in reversed(UNITS) if size % UNITS[name] == 0)
    return f"{size // UNITS[unit]} {unit}"


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            return _without_nul(tuple(shlex.split(value)))
        except ValueError as error:
            raise ValueRefused(value) from error
    return _without_nul(texts("WORDS").read(value))


def _without_nul(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return *words* without the NUL at which the system would end them."""
    if any("\0" in word for word in words):
        raise ValueRefused(words)
    return words


def _variables(value: object) -> Variables:
    if not isinstance(value, Mapping):
        raise ValueRefused(value)
    if not all(isinstance(each, str) for each in value.values()):
        raise ValueRefused(value)
    if not all(name and "=" not in name for name in value):
        raise ValueRefused(value)
    _without_nul((*value, *value.values()))
    return tuple(value.items())


def _list(value: tuple[str, ...]) -> tuple[str, ...]:
    return value


GIVEN_NAME: Final = text("NAME", "a name")
BYTE_SIZE: Final = Kind(
    f"a size such as 512 MiB or 2 GiB, to {MOST_GIBIBYTES} GiB",
    _size,
    _size_text,
    "SIZE",
)
WORDS: Final = Kind(
    "a command: a text, or a list of its words, with no NUL", _words, _list, "WORDS"
)
NAMES: Final = texts("NAMES")
VARIABLES: Final = Kind(
    "a table of texts by name, with no = in a name and no NUL",
    _variables,
    dict,
    "VARIABLES",
)
ANY_NUMBER: Final = whole(0)
TEXT_OR_NONE: Final = either(text("TEXT"), "", "")
ANCHOR_POINTS: Final = 10_000
"""Of an anchor: beyond 100,000, chances to win differ by more than numbers can."""
RATING_OR_NONE: Final = either(
    number(-ANCHOR_POINTS, ANCHOR_POINTS, unit="points"), "", None
)


@frozen(kw_only=True)
class BotSettings:
    """One bot: `[[bot]]`, or words of a command line.

    Either `builtin` is the name of one of ours, or `command` a program. To be started
    its `folder` is absolute, and `hide` is what it does not see in its box.
    """

    name: str = setting(GIVEN_NAME, "bot", "What the table calls it.")
    builtin: str = setting(
        TEXT_OR_NONE, "", "One of ours: dumb, rand or hold; or, instead, a command:"
    )
    command: tuple[str, ...] = setting(
        WORDS,
        (),
        "Program and arguments; {host} {port} {seed} {name} {power} {game} {folder} "
        "are filled in.",
    )
    speaks: str = setting(
        one_of(("daide", "lines")), "daide", "daide: over TCP; lines: JSON lines."
    )
    folder: str = setting(FOLDER, ".", "Where it is started; from the file's folder.")
    environment: Variables = setting(
        VARIABLES, (), "Variables that it gets; their values are never stored."
    )
    pass_variables: tuple[str, ...] = setting(
        NAMES,
        (),
        "Names of variables of yours that it gets, such as OPENAI_API_KEY; * for all.",
        key="pass",
    )
    wrapper: tuple[str, ...] = setting(
        WORDS, (), 'Words before the command, such as ["sudo", "-u", "bot"].'
    )
    sandbox: str = setting(
        one_of((AS_RUN, AUTO, BWRAP, NO_BOX)),
        AS_RUN,
        "Its box: auto, bwrap, none, or as run: that of [run].",
    )
    bind: tuple[str, ...] = setting(
        NAMES, (), "Files and folders that it sees and may write to in its box."
    )
    devices: bool = setting(
        SWITCH, default=False, help="In its box it has the devices, such as GPUs."
    )
    network: bool = setting(
        SWITCH, default=False, help="A bot that speaks lines has the network."
    )
    at_once: int = setting(
        ANY_NUMBER, 0, "Never more copies than that at the same time; 0: any number."
    )
    memory: int = setting(
        BYTE_SIZE, 2 * GIBIBYTE, "Memory of its processes; more is a forfeit."
    )
    disk: int = setting(
        BYTE_SIZE, GIBIBYTE, "Bytes of files in its folders; more is a forfeit."
    )
    anchor: float | None = setting(
        RATING_OR_NONE,
        None,
        "Its rating in points of Elo's scale, if it is given: ratings of other bots "
        "are fitted to it.",
    )
    retired: bool = setting(
        SWITCH, default=False, help="In a ladder: it plays no more games."
    )
    hide: tuple[str, ...] = SECRETS
