"""Options that are settings: what the help of a command says of them."""

import sys
from subprocess import run

from click.testing import CliRunner

from daide_server.app.settings import TABLE
from daide_server.cli import main


def help_of(command: str) -> str:
    """Return the help without its line breaks."""
    return " ".join(CliRunner().invoke(main, [command, "--help"]).output.split())


def test_the_help_of_serve_names_every_option_with_its_default() -> None:
    shown = help_of("serve")
    for row in TABLE.options.values():
        assert f"{row.descriptor.option} " in shown
        assert f"{row.descriptor.help} [default: " in shown
    assert "--port PORT Port to listen on; 0 takes any free one. [default: 16713]" in (
        shown
    )
    assert "--dsd / --no-dsd" in shown


def test_the_help_of_play_shows_its_own_defaults() -> None:
    """They are not those of `serve`."""
    shown = help_of("play")
    assert "0 takes any free one. [default: 0]" in shown
    assert "[default: 34 years after the first]" in shown


def test_the_help_of_serve_does_not_wait_for_the_server() -> None:
    """Nothing that only serving needs is imported."""
    code = (
        "import sys; from click.testing import CliRunner; "
        "from daide_server.cli import main; "
        "CliRunner().invoke(main, ['serve', '--help']); "
        "print(*sys.modules)"
    )
    found = run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(found.stdout.split())
    assert "daide_server.cli.serve" in loaded
    unwanted = {"trio", "structlog", "daide_server.app.server"}
    assert not loaded & {*unwanted, "daide_server.server.session"}
