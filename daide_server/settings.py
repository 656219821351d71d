"""The settings of the server, as one frozen value.

The annotated `config/server.toml` is the list of defaults; there are none here.
Every key is checked once, and a wrong one is named with what was found and what
was expected.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import Attribute, field, fields, frozen

from daide_server.game.options import LARGEST_LIMIT, GameOptions
from daide_server.judge.rules import EDITIONS
from daide_server.language.dialects import DIALECTS

LEVELS = (*range(0, 170, 10), 8000)


def shipped(folder: str) -> Path:
    """Return where *folder* (`maps` or `config`), which ships with the program, lies.

    A wheel carries it inside the package; in a checkout it is beside it.
    """
    package = Path(__file__).parent
    installed = package / "data" / folder
    return installed if installed.is_dir() else package.parent / folder


class SettingsError(ValueError):
    """A setting is wrong: which one, what was found, what was expected."""


@frozen
class Kind:
    """What values a setting takes, in words and as a test."""

    expected: str
    accepts: Callable[[Any], bool]

    def parse(self, text: str) -> object:
        """Return the value that *text* on a command line stands for.

        A text that is no number stays one, and is refused where one is expected.
        """
        for read in (int, float):
            try:
                return read(text)
            except ValueError:
                continue
        return text


def _whole(low: int, high: int | None = None, words: str = "a whole number") -> Kind:
    limits = f"of {low} or more" if high is None else f"from {low} to {high}"

    def accepts(value: object) -> bool:
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return value >= low and (high is None or value <= high)

    return Kind(f"{words} {limits}", accepts)


def _number(low: float, words: str = "a number") -> Kind:
    def accepts(value: object) -> bool:
        return (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and low <= value < float("inf")
        )

    return Kind(f"{words} of {low:g} or more", accepts)


def _one_of(values: Iterable[object]) -> Kind:
    choices = tuple(values)

    def accepts(value: object) -> bool:
        return not isinstance(value, bool) and value in choices

    return Kind("one of " + ", ".join(map(str, choices)), accepts)


def _is_port_range(value: object) -> bool:
    if not isinstance(value, str):
        return False
    first, dash, last = value.partition("-")
    if not (dash and first.isdecimal() and last.isdecimal()):
        return value == ""
    return 1 <= int(first) <= int(last) <= LARGEST_PORT


def _is_seed(value: object) -> bool:
    return value == "random" or (isinstance(value, int) and not isinstance(value, bool))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


LARGEST_PORT = 65535
SWITCH = Kind("true or false", lambda value: isinstance(value, bool))
TEXT = Kind("a text", _is_text)
FOLDER = Kind("a folder, or an empty text", lambda value: isinstance(value, str))
LIMIT = _whole(0, LARGEST_LIMIT, "whole seconds")
PORT = _whole(0, LARGEST_PORT, "a port")
PORTS = Kind("a range of ports such as 17000-17009, or an empty text", _is_port_range)
SEED = Kind("a whole number or the word random", _is_seed)


def _setting(kind: Kind) -> Any:  # noqa: ANN401 (as attrs' own field)
    def check(_: object, attribute: "Attribute[Any]", value: object) -> None:
        if not kind.accepts(value):
            message = f"{attribute.name}: found {value!r}, expected {kind.expected}"
            raise SettingsError(message)

    return field(validator=check, metadata={"kind": kind})


@frozen(kw_only=True)
class ServerSettings:
    """All settings; `config/server.toml` says what each is for."""

    host: str = _setting(TEXT)
    port: int = _setting(PORT)
    game_ports: str = _setting(PORTS)
    records: str = _setting(TEXT)
    save: str = _setting(FOLDER)
    load: str = _setting(FOLDER)
    load_limit: float = _setting(_number(0, "seconds"))

    variant: str = _setting(TEXT)
    games: int = _setting(_whole(0))
    seats: str = _setting(_one_of(("random", "arrival", "name")))
    seed: int | str = _setting(SEED)
    rules: str = _setting(_one_of(EDITIONS))
    year_limit: int = _setting(_whole(0))
    post_game_seconds: float = _setting(_number(0, "seconds"))
    abandoned_after: float = _setting(_number(0, "seconds"))

    level: int = _setting(_one_of(LEVELS))
    mtl: int = _setting(LIMIT)
    rtl: int = _setting(LIMIT)
    btl: int = _setting(LIMIT)
    ptl: int = _setting(LIMIT)
    dsd: bool = _setting(SWITCH)
    aoa: bool = _setting(SWITCH)
    pda: bool = _setting(SWITCH)
    npr: bool = _setting(SWITCH)
    npb: bool = _setting(SWITCH)

    pause_limit: float = _setting(_number(0, "seconds"))
    late_is_disorder: bool = _setting(SWITCH)
    vacant_blocks_draw: bool = _setting(SWITCH)
    admin: bool = _setting(SWITCH)
    strict: bool = _setting(SWITCH)
    takeover_after: float = _setting(_number(0, "seconds"))

    guesses_per_connection: int = _setting(_whole(1))
    guesses_per_address: int = _setting(_whole(1))
    guesses_per_seat: int = _setting(_whole(1))
    guess_seconds: float = _setting(_number(0, "seconds"))

    largest_message: int = _setting(_whole(64, 65534, "bytes"))
    outbox_bytes: int = _setting(_whole(100_000, words="bytes"))
    read_bytes_per_second: float = _setting(_number(1000, "bytes"))
    read_burst_bytes: float = _setting(_number(1000, "bytes"))
    messages_per_pass: int = _setting(_whole(1))
    connections: int = _setting(_whole(1))
    connections_per_address: int = _setting(_whole(1))
    loopback_exempt: bool = _setting(SWITCH)
    im_seconds: float = _setting(_number(0.1, "seconds"))
    join_seconds: float = _setting(_number(0, "seconds"))
    close_seconds: float = _setting(_number(0, "seconds"))

    dialect: str = _setting(_one_of(DIALECTS))
    log_level: str = _setting(_one_of(("debug", "info", "warning", "error")))

    @property
    def ports_of_games(self) -> tuple[int, ...]:
        """Return the ports of single games, in order."""
        first, dash, last = self.game_ports.partition("-")
        return tuple(range(int(first), int(last) + 1)) if dash else ()

    @property
    def options(self) -> GameOptions:
        """Return what HLO tells the players."""
        return GameOptions(
            level=self.level,
            movement_limit=self.mtl or None,
            retreat_limit=self.rtl or None,
            build_limit=self.btl or None,
            press_limit=self.ptl or None,
            deadline_stops=self.dsd,
            any_orders=self.aoa,
            partial_draws=self.pda,
            no_retreat_press=self.npr,
            no_build_press=self.npb,
        )


SAVED = (
    *(
        "variant",
        "rules",
        "year_limit",
        "post_game_seconds",
        "abandoned_after",
        "seats",
    ),
    *("level", "mtl", "rtl", "btl", "ptl", "dsd", "aoa", "pda", "npr", "npb"),
    *("late_is_disorder", "vacant_blocks_draw", "admin", "strict", "takeover_after"),
    *("load_limit", "pause_limit"),
)
"""The settings that a saved game depends on."""

KINDS: Mapping[str, Kind] = {
    attribute.name: attribute.metadata["kind"] for attribute in fields(ServerSettings)
}


def defaults() -> dict[str, Any]:
    """Return every setting with the value that `config/server.toml` gives it."""
    return read_file(shipped("config") / "server.toml")


def read_file(path: Path) -> dict[str, Any]:
    """Return the settings that a file gives, checked one by one.

    Raises `SettingsError` if it cannot be read, or has a key that is none.
    """
    try:
        # Editors of Windows begin a file with a byte order mark.
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{path}: {error}"
        raise SettingsError(message) from error
    for key, value in found.items():
        if key not in KINDS:
            known = ", ".join(KINDS)
            message = f"{path}: {key}: no such setting; there are: {known}"
            raise SettingsError(message)
        if not KINDS[key].accepts(value):
            expected = KINDS[key].expected
            message = f"{path}: {key}: found {value!r}, expected {expected}"
            raise SettingsError(message)
    return found


def settings(*layers: Mapping[str, Any]) -> ServerSettings:
    """Return the defaults with *layers* on top, the last of which wins."""
    merged = defaults()
    for layer in layers:
        merged.update(layer)
    return ServerSettings(**merged)
