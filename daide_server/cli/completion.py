"""`daide-server completion`: the script by which a shell completes command lines."""

import click
from click.shell_completion import get_completion_class


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
    # A shell asks for completions by the environment variable.
    script = kind(root, {}, "daide-server", "_DAIDE_SERVER_COMPLETE").source()
    click.echo(script)
