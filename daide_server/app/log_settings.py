"""Settings of the log: what it shows, how, where, and how much."""

from typing import Final

from daide_server.classes import frozen
from daide_server.language.vocabulary import DIALECTS, NORMAN
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS, either, number, one_of, text

AUTOMATIC: Final = "auto"
FILE_OR_NONE: Final = either(text("FILE", "a file"), "", None)


@frozen(kw_only=True)
class LogSettings:
    """What the log shows, how, and where."""

    level: str = setting(
        one_of(("debug", "info", "warning", "error"), metavar="LEVEL"),
        "info",
        "The least that is logged: debug (all messages too), info, warning or error.",
        option="--log-level",
        formerly="log_level",
    )
    format: str = setting(
        one_of((AUTOMATIC, "logfmt", "json", "console"), metavar="FORMAT"),
        AUTOMATIC,
        "How lines look: logfmt, json, console (for people), or auto: console on a "
        "terminal, logfmt elsewhere.",
        option="--log-format",
    )
    file: str | None = setting(
        FILE_OR_NONE,
        None,
        "The file that the log is added to, in place of standard error; SIGHUP opens "
        "it anew.",
        option="--log-file",
    )
    flush_seconds: float = setting(
        SECONDS, 1.0, "Seconds that the server waits for the log when it ends."
    )
    dialect: str = setting(
        one_of(DIALECTS, metavar="NAME"),
        NORMAN,
        "Names for press tokens whose codes differ between implementations: norman, "
        "parlance or diplomacy.",
        option="--dialect",
    )


@frozen(kw_only=True)
class LogLimits:
    """How much log there may be.

    Each field is a setting: see `daide_server.settings`.
    """

    lines: int = setting(
        COUNT,
        10_000,
        "Lines that wait to be written at most; further ones are dropped and counted.",
        key="queue_lines",
    )
    bytes_per_second: float = setting(
        number(1000, unit="bytes"),
        64_000.0,
        "What is logged on average at most; lines above that are dropped and counted.",
    )
    burst_bytes: float = setting(
        number(100, unit="bytes"),
        1_000_000.0,
        "What may be logged at once before that.",
    )
