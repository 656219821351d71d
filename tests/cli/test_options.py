"""Options that are settings: what the help of a command says of them."""

import tomllib
from pathlib import Path

from click.testing import CliRunner

from daide_server.app.settings import TABLE
from daide_server.cli import main


def help_of(command: str, option: str = "--help") -> str:
    """Return the help without its line breaks."""
    return " ".join(CliRunner().invoke(main, [command, option]).output.split())


def test_the_help_of_serve_names_every_option_with_its_default() -> None:
    shown = help_of("serve", "--help-all")
    for row in TABLE.options.values():
        assert f"{row.option} " in shown
        assert f"{row.help} [default: " in shown
    assert "--port PORT Port to listen on; 0 takes any free one. [default: 16713]" in (
        shown
    )
    assert "--dsd / --no-dsd" in shown


def test_the_help_of_play_shows_its_own_defaults() -> None:
    """They are not those of `serve`."""
    shown = help_of("play")
    assert "0 takes any free one. [default: 0]" in shown
    assert "[default: 34 years after the first]" in shown


def test_an_environment_variable_is_below_options_and_above_the_file(
    tmp_path: Path,
) -> None:
    config = tmp_path / "server.toml"
    config.write_text("[hlo]\nmtl = 1\nrtl = 1\nbtl = 1\n")
    result = CliRunner().invoke(
        main,
        ["serve", "--print-config", "--config", str(config), "--mtl", "3"],
        env={"DAIDE_MTL": "2", "DAIDE_RTL": "2", "DAIDE_DSD": "true"},
    )

    printed = tomllib.loads(result.output)["hlo"]
    assert (printed["mtl"], printed["rtl"], printed["btl"]) == (3, 2, 1)
    assert printed["dsd"] is True
    assert "# environment variable DAIDE_RTL\n" in result.output
    assert "# option --mtl\n" in result.output


def test_the_file_of_settings_can_be_an_environment_variable(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("[hlo]\nmtl = 33\n")
    variables = {"DAIDE_CONFIG": str(config)}

    result = CliRunner().invoke(main, ["serve", "--print-config"], env=variables)

    assert tomllib.loads(result.output)["hlo"]["mtl"] == 33
