"""The options of `daide-server bot`."""

from pathlib import Path

import click

from daide_server.classes import frozen


@frozen
class BotOptions:
    """The argument and the options of the command."""

    bot: str
    host: str
    port: int
    name: str | None
    power: str | None
    passcode: int | None
    resume: Path | None
    return_seconds: float
    seed: int | None
    games: int

    def check(self) -> None:
        """Raise `UsageError` if the options do not fit together."""
        if self.passcode is not None and self.power is None:
            message = "--passcode needs --power: whose seat is it?"
            raise click.UsageError(message)
        if self.passcode is not None and self.games > 1:
            message = "--passcode returns to one game; leave --games out"
            raise click.UsageError(message)
        if self.passcode is not None and self.resume is not None:
            message = "--resume has the passcode in its file; leave --passcode out"
            raise click.UsageError(message)
        if self.resume is not None and not self.resume.parent.is_dir():
            message = f"--resume: there is no folder {self.resume.parent}"
            raise click.UsageError(message)
