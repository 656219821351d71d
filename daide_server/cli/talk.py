"""`daide-server talk`: type DAIDE text at a server, and read what it says."""

import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

import click

from daide_server.language.dialects import DIALECTS
from daide_server.language.text import TextError, from_text, to_text
from daide_server.language.tokens import Tokens
from daide_server.language.vocabulary import Vocabulary
from daide_server.wire.connection import ClientConnection, ConnectionState
from daide_server.wire.frames import FinalMessage, encode, encode_tokens

from .options import gather, given_options, setting_options

INPUT_SIZE: Final = 65536
CONNECT_SECONDS: Final = 10.0
PROMPT: Final = "> "


class Address(click.ParamType[tuple[str, int]]):
    """HOST:PORT, or a port of this machine."""

    name = "host:port"

    def convert(
        self,
        value: str | tuple[str, int],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, int]:
        """Return the host and the port."""
        if isinstance(value, tuple):
            return value
        host, _, port = value.rpartition(":")
        if not port.isdecimal():
            self.fail(f"found {value!r}, expected HOST:PORT", param, ctx)
        return host.strip("[]") or "127.0.0.1", int(port)


@click.command()
@click.argument("address", type=Address(), metavar="HOST:PORT")
@click.option(
    "--wait",
    default=1.0,
    metavar="SECONDS",
    help="At the end of piped input, how long to listen to silence.  [1.0]",
)
@setting_options("dialect")
def command(address: tuple[str, int], wait: float, **given: object) -> None:
    """Speak DAIDE with a server: each line is a message, each answer is shown.

    IM and RM are exchanged at once; then join, or ask, as a bot would. Words are
    completed by Tab, earlier lines come back by the arrow keys, Ctrl-D ends. What
    is not a terminal is read to its end, so that conversations can be piped.
    A line that begins with # is a comment.

    \b
    Examples:
      daide-server talk localhost:16713
        OBS
        YES (MAP ('standard'))
      echo "NME ('me') ('1')" | daide-server talk localhost:16713
    """
    dialect = gather(given_options(given)).log.dialect
    try:
        line = socket.create_connection(address, CONNECT_SECONDS)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"cannot connect to {address[0]}:{address[1]}: {reason}"
        raise click.ClickException(message) from error
    with line:
        _converse(Talk(line, dialect), wait)


class Talk:
    """One conversation: a thread reads, the caller says."""

    def __init__(self, line: socket.socket, dialect: str) -> None:
        """Say IM, and wait for RM; raises `ClickException` if it does not come."""
        self.ended: Final = threading.Event()
        self._line = line
        self._wire = ClientConnection()
        self._early: list[Tokens] = []
        self._heard = threading.Event()
        self._line.sendall(self._wire.take_output())
        while self._wire.representation is None:
            if not self._take(self._early.append):
                message = "the server closed the connection before its RM"
                raise click.ClickException(message)
        self._line.settimeout(None)
        known = Vocabulary.from_representation(self._wire.representation)
        self.vocabulary: Final = Vocabulary(
            known.powers, known.provinces, DIALECTS[dialect]
        )

    def listen(self, show: Callable[[str], None]) -> None:
        """Show all that is said until the connection ends."""

        def tell(tokens: Tokens) -> None:
            show("< " + to_text(tokens, self.vocabulary))

        for tokens in self._early:
            tell(tokens)
        with suppress(OSError):
            while self._take(tell):
                self._heard.set()
        if self._wire.fault is not None:
            show(f"the server broke the protocol: {self._wire.fault.name}")
        show("the connection is closed")
        self.ended.set()
        self._heard.set()

    def say(self, text: str) -> None:
        """Send the message that *text* is; raises `TextError`."""
        tokens = from_text(text, self.vocabulary)
        if tokens and not self.ended.is_set():
            with suppress(OSError):
                self._line.sendall(encode_tokens(tokens))

    def await_silence(self, seconds: float) -> None:
        """Wait until nothing has been heard for so long, or the connection ends."""
        while self._heard.wait(seconds) and not self.ended.is_set():
            self._heard.clear()

    def leave(self) -> None:
        """Say FM, and hang up."""
        with suppress(OSError):
            self._line.sendall(encode(FinalMessage()))
            self._line.shutdown(socket.SHUT_RDWR)

    def _take(self, tell: Callable[[Tokens], None]) -> bool:
        """Tell what comes next; return whether there may be more."""
        data = self._line.recv(INPUT_SIZE)
        for tokens in self._wire.receive(data):
            tell(tokens)
        return bool(data) and self._wire.state is not ConnectionState.CLOSED


def _converse(talk: Talk, wait: float) -> None:
    """Say what is typed, or piped, and show what is answered."""
    is_typed = sys.stdin.isatty()
    show = _shown if is_typed else click.echo
    reader = threading.Thread(target=talk.listen, args=(show,), daemon=True)
    reader.start()
    understood = _say_all(talk, _typed(talk) if is_typed else sys.stdin)
    if not is_typed:
        talk.await_silence(wait)
    talk.leave()
    reader.join(wait)
    click.get_current_context().exit(0 if understood else 1)


def _say_all(talk: Talk, lines: Iterable[str]) -> bool:
    """Say each line; return whether all were messages."""
    understood = True
    for line in lines:
        if line.lstrip().startswith("#"):
            continue
        try:
            talk.say(line)
        except TextError as error:
            click.echo(f"not sent: {error}", err=True)
            understood = False
        if talk.ended.is_set():
            break
    return understood


def _typed(talk: Talk) -> Iterator[str]:
    """Yield what a person types, with history and completion."""
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - only at a terminal
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415
    from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

    words = sorted(name for name in talk.vocabulary.tokens if name.isalnum())
    session: PromptSession[str] = PromptSession(
        PROMPT, completer=WordCompleter(words, ignore_case=True)
    )
    with patch_stdout():
        while not talk.ended.is_set():
            try:
                yield session.prompt()
            except (EOFError, KeyboardInterrupt):
                return


def _shown(text: str) -> None:
    # `print` goes through what keeps the prompt below all that is shown.
    print(text)  # noqa: T201
