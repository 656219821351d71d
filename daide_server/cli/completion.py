"""`daide-server completion`: the script by which a shell completes command lines."""

import click
from click.shell_completion import get_completion_class

PROGRAM = "daide-server"
COMPLETION_VARIABLE = "_DAIDE_SERVER_COMPLETE"
"""The environment variable by which a shell asks for completions."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that completes command lines in SHELL.

    Put its output where the shell reads it at its start:

    \b
      bash   daide-server completion bash >> ~/.bashrc
      zsh    daide-server completion zsh >> ~/.zshrc
      fish   daide-server completion fish > ~/.config/fish/completions/daide-server.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    root = click.get_current_context().find_root().command
    click.echo(kind(root, {}, PROGRAM, COMPLETION_VARIABLE).source())
