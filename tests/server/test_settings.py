"""The settings of the server: each of them arrives where it is used, by every way."""

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.cli import main
from daide_server.daide.commands import HelloOption
from daide_server.game.options import GameOptions
from daide_server.server.settings import (
    DEFAULTS,
    GONE_SETTINGS,
    ORIGINS,
    TABLE,
    WEB_ADDRESS,
    WEB_PRESS,
    ServerSettings,
    read_file,
)
from daide_server.settings.descriptor import Setting
from daide_server.settings.kinds import Kind, TomlValue, ValueRefused
from daide_server.settings.table import SettingsError
from tools.write_settings import TABLES, default_file, with_tables

TOP = Path(__file__).parents[2]
WORDS: tuple[TomlValue, ...] = (
    *("classical", "17000-17009", "aiserver"),
    *("arrival", "debug", "parlance", "everyone", "json", "disk"),
    *("127.0.0.1:8080", "live", "192.0.2.0/24 2001:db8::1", "https://example.org"),
)
CANDIDATES: tuple[TomlValue, ...] = (
    *(True, False, 1905, 10, 7.5, 200_000, 500.5, 10**9),
    *WORDS,
)
every_setting = pytest.mark.parametrize("row", TABLE.rows, ids=lambda row: row.path)
every_option = pytest.mark.parametrize(
    "row", TABLE.options.values(), ids=lambda row: row.path
)


def another(row: Setting) -> TomlValue:
    """Return a value of the setting that is not its default, as a file has it."""
    default = row.written(row.default)
    return next(
        value for value in CANDIDATES if value != default and accepts(row, value)
    )


def accepts(row: Setting, value: TomlValue) -> bool:
    """Return whether a file may give the setting that value."""
    try:
        row.kind.read(value)
    except ValueRefused:
        return False
    return True


def changed(settings: ServerSettings) -> set[str]:
    """Return the settings whose value in *settings* is not the default."""
    return {row.path for row in TABLE.rows if row.value_in(settings) != row.default}


@every_setting
def test_a_setting_in_a_file_arrives_in_its_component(
    row: Setting, tmp_path: Path
) -> None:
    path = tmp_path / "server.toml"
    value = another(row)
    shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
    path.write_text(f"[{row.component.section}]\n{row.key} = {shown}\n")
    settings = TABLE.compose(read_file(path))
    assert changed(settings) == {row.path}
    component = getattr(settings, row.component.field)
    assert getattr(component, row.field) == row.kind.read(value)


@every_option
def test_an_option_arrives_in_its_component(row: Setting) -> None:
    """As the same value would from a file; and it wins over one."""
    value = another(row)
    name = row.option
    if isinstance(value, bool):
        words = [name if value else f"--no-{name.removeprefix('--')}"]
    else:
        words = [name, str(value)]
    shown = CliRunner().invoke(main, ["serve", "--print-config", *words])
    assert shown.exit_code == 0, shown.output
    settings = TABLE.compose(TABLE.read(tomllib.loads(shown.output), "printed"))
    assert changed(settings) == {row.path}
    assert row.written(row.value_in(settings)) == value
    assert f"# option {name}\n" in shown.output


@every_setting
def test_what_a_game_depends_on_is_kept_with_it(row: Setting) -> None:
    """Every option of HLO, the whole policy, the board."""
    section, key = row.component.section, row.key
    settings = TABLE.compose(TABLE.read({section: {key: another(row)}}, "file"))
    restored = TABLE.compose(TABLE.read(TABLE.saved(settings), "save"))
    depends = row.component.field in {"board", "policy", "options"}
    assert changed(restored) == ({row.path} if depends else set())


def test_the_defaults_are_accepted() -> None:
    """Each default is one that a file may say."""
    assert TABLE.compose(TABLE.read(tomllib.loads(default_file()), "file")) == DEFAULTS


def test_the_file_of_defaults_is_the_table() -> None:
    """`make settings` writes `config/server.toml`."""
    assert (TOP / "config" / "server.toml").read_text() == default_file()


@pytest.mark.parametrize("name", TABLES)
def test_the_settings_in_a_document_are_the_table(name: str) -> None:
    """`make settings` writes them."""
    text = (TOP / name).read_text()
    assert with_tables(text, TABLES[name]()) == text


def test_every_option_of_hello_is_a_setting() -> None:
    """Of its name and kind; the level is the one that is not called as its token."""
    rows = [row for row in TABLE.rows if row.component.field == "options"]
    assert {row.field for row in rows} == {o.name.lower() for o in HelloOption}
    for row in rows:
        option = HelloOption[row.field.upper()].value
        assert isinstance(getattr(GameOptions(), row.field), bool) != option.has_number
        assert row.key in {"level", option.token.lower()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = 1\n", ("port: found outside a section", "[server] port")),
        ("linger = 1\n", ("linger:", "[game] post_game_seconds")),
        ("rules = 'datc'\n", ("rules:", "[game] edition")),
        ("log_level = 'debug'\n", ("log_level:", "[log] level")),
        ("[game]\nmtl = 5\n", ("[game] mtl: found in [game]", "[hlo] mtl")),
        ("[hlo]\nmtl = -1\n", ("[hlo] mtl: found -1", "from 0 to 8191")),
        ("port = ", ("Invalid value",)),
    ],
)
def test_a_wrong_file_says_where_and_what(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    """With the file, what was found and what was expected."""
    path = tmp_path / "server.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_file(path)
    for word in (str(path), *words):
        assert word in str(caught.value)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text("[server]\nport = 1901", encoding="utf-8-sig")
    assert TABLE.compose(read_file(path)).service.port == 1901


def test_the_page_for_operators_names_settings_that_there_are() -> None:
    """Options, and the keys of the limits to look at first."""
    page = (TOP / "docs" / "operating.md").read_text()
    overview = page.partition("| what | bounded by |")[2].partition("\n\n")[0]
    limits = set(re.findall(r"`(\w+)`", overview))
    keys = {row.key for row in TABLE.rows}
    assert len(limits) > 5
    assert {each for each in limits - keys if not _begins(each, keys)} == set()
    options = {row.option for row in TABLE.options.values()}
    assert set(re.findall(r"`(--[a-z-]+)", page)) - {"--user", "--restart"} <= options


def _begins(word: str, keys: set[str]) -> bool:
    return any(key.startswith(word) for key in keys)


def test_a_setting_that_has_gone_is_a_warning(tmp_path: Path) -> None:
    """An old file starts; the line says what became of each setting."""
    path = tmp_path / "server.toml"
    for name in GONE_SETTINGS:
        section, key = name.split(".")
        path.write_text(f"[{section}]\n{key} = 1\n[server]\nport = 1901\n")
        warnings: list[str] = []
        settings = TABLE.compose(read_file(path, warnings.append))
        assert settings.service.port == 1901
        assert warnings == [
            f"{path}: [{section}] {key} has no effect: {GONE_SETTINGS[name]}"
        ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("127.0.0.1:8080", ("127.0.0.1", 8080)),
        (":0", ("127.0.0.1", 0)),
        ("[::1]:80", ("::1", 80)),
        ("", None),
    ],
)
def test_an_address_is_host_and_port(text: str, value: object) -> None:
    assert WEB_ADDRESS.read(text) == value


REFUSED = {
    WEB_ADDRESS: ("8080", "host", "host:", "host:http", "host:99999", 7),
    WEB_PRESS: ("soon", 7),
    ORIGINS: ("a;script-src *", "'self'", "a,b", "a\nb\x00", "é"),
}


@pytest.mark.parametrize(
    ("kind", "value"),
    [(kind, each) for kind, values in REFUSED.items() for each in values],
)
def test_the_page_has_no_such_settings(kind: Kind[object], value: object) -> None:
    """No address, no word for press, and an origin that would end the policy."""
    with pytest.raises(ValueRefused):
        kind.read(value)
