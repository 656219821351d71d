"""`daide-server talk`: DAIDE text from a person or a pipe, exchanged with a server."""

import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

import click

from daide_server.daide import frames
from daide_server.daide.syntax import bracketed
from daide_server.daide.tokens import MAP, OBS, YES, Tokens
from daide_server.daide.vocabulary import TextError, Vocabulary, from_text, to_text
from daide_server.records.formats.errors import shortened

from .common import failures, options
from .common.printing import print_line

# Lines that a person types at a terminal. With prompt_toolkit, the extra `talk`, the
# prompt stays below what is printed. Without it, Python's `input` is used, with history
# and completion where readline exists.

PROMPT = "> "


def typed_lines(words: Sequence[str]) -> Iterator[str]:
    """Yield each line until the end of the input (Ctrl-D); Tab completes *words*.

    Raises `KeyboardInterrupt` at Ctrl-C.
    """
    try:
        import prompt_toolkit as _  # noqa: F401, PLC0415 - an extra, slow to import
    except ImportError:
        lines = _lines_of_input(words)
    else:
        lines = _lines_of_prompt_toolkit(words)
    with suppress(EOFError):
        yield from lines


def _lines_of_prompt_toolkit(words: Sequence[str]) -> Iterator[str]:
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - see above
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415 - an extra
    from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415 - an extra

    completer = WordCompleter(words, ignore_case=True)
    session: PromptSession[str] = PromptSession(PROMPT, completer=completer)
    with patch_stdout():
        while True:
            yield session.prompt()


def _lines_of_input(words: Sequence[str]) -> Iterator[str]:
    with suppress(ImportError):
        _complete(words)
    while True:
        yield input(PROMPT)


def _complete(words: Sequence[str]) -> None:
    """Let Tab complete *words*; raises `ImportError` where there is no readline."""
    import readline  # noqa: PLC0415 - not on every system

    def candidate(start: str, number: int) -> str | None:
        found = [word for word in words if word.startswith(start.upper())]
        return found[number] if number < len(found) else None

    readline.set_completer(candidate)
    readline.parse_and_bind("tab: complete")


CONNECT_SECONDS = 10.0
"""Time limit for the connection, and for the server's RM, in seconds."""


@click.command()
@click.argument("address", type=options.to_address, metavar="HOST:PORT")
@click.option(
    "--wait",
    default=1.0,
    metavar="SECONDS",
    help="After the end of piped input, exit after this time without a message.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Join as an observer, and answer MAP, before anything is typed.",
)
@options.setting_options("dialect")
def command(
    address: tuple[str, int], wait: float, *, watch: bool, **given: object
) -> None:
    """Exchange DAIDE messages with a server: type a message per line, read the answers.

    IM and RM are exchanged first. Then join or observe, as a bot does. Tab completes
    words, the arrow keys recall earlier lines, Ctrl-D ends. Input that is not a
    terminal is read to its end, so that a conversation can be piped. A line that
    begins with # is a comment. For a better prompt: pip install 'daide-server[talk]'.

    The exit code is 1 if a line is not a DAIDE message or was not sent, if the
    connection is lost, or one end violated the protocol.

    \b
    Examples:
      daide-server talk localhost:16713
        OBS
        YES (MAP ('standard'))
      echo "NME ('me') ('1')" | daide-server talk localhost:16713
      daide-server talk --watch localhost:16713
    """
    dialect = options.gather(options.given_options(given)).log.dialect
    connection = options.connect(address, CONNECT_SECONDS)
    with connection:
        client = ManualClient(connection, dialect)
        if watch:
            client.watch()
        succeeded = _converse(client, wait)
    click.get_current_context().exit(0 if succeeded else 1)


class ManualClient:
    """A DAIDE client driven by hand: one thread receives, another one sends."""

    def __init__(self, connection: socket.socket, dialect: str) -> None:
        """Exchange IM and RM; raises `CommandError` if no RM comes."""
        self.ended: Final = threading.Event()
        self._socket = connection
        self._protocol = frames.ClientConnection()
        self._before_names: list[Tokens] = []
        self._received = threading.Event()
        self._accepts_maps = False
        self._is_leaving = False
        self._exchange_initial()
        assert self._protocol.representation is not None
        named = Vocabulary.from_representation(self._protocol.representation)
        self.vocabulary: Final = named.in_dialect(dialect)

    def receive(self, show: Callable[[str], None]) -> str:
        """Show each message until the connection ends; return what was wrong."""

        def show_message(tokens: Tokens) -> None:
            show("< " + to_text(tokens, self.vocabulary))
            if self._accepts_maps and tokens[0] == MAP:
                answer = YES, *bracketed(tokens)
                show("> " + to_text(answer, self.vocabulary))
                self._send_tokens(answer)

        try:
            for tokens in self._before_names:
                show_message(tokens)
            lost = self._receive_all(show_message)
            show("the connection is closed")
            return self._fault or lost
        finally:
            self.ended.set()
            self._received.set()

    def send(self, text: str) -> None:
        """Send the message that *text* is; raises `TextError`."""
        self._send_tokens(from_text(text, self.vocabulary))

    def watch(self) -> None:
        """Join as an observer; every MAP from now on is answered."""
        self._accepts_maps = True
        self._send_tokens((OBS,))

    def wait_for_silence(self, seconds: float) -> None:
        """Wait until no message comes for *seconds*, or the connection ends."""
        while self._received.wait(seconds) and not self.ended.is_set():
            self._received.clear()

    def close(self) -> None:
        """Send FM, and close the connection in both directions."""
        self._is_leaving = True
        with suppress(OSError):
            self._socket.sendall(frames.FINAL_MESSAGE)
            self._socket.shutdown(socket.SHUT_RDWR)

    def _exchange_initial(self) -> None:
        try:
            self._socket.sendall(self._protocol.take_output())
            while self._protocol.representation is None:
                if not self._receive_once(self._before_names.append):
                    break
        except OSError as error:
            message = f"no RM from the server: {error.strerror or error}"
            raise failures.CommandError(message) from error
        if self._protocol.representation is None:
            message = self._fault or "it closed the connection"
            raise failures.CommandError(f"no RM from the server: {message}")
        self._socket.settimeout(None)

    def _send_tokens(self, tokens: Tokens) -> None:
        if tokens and not self.ended.is_set():
            with suppress(OSError):
                self._socket.sendall(frames.encode_tokens(tokens))

    def _receive_all(self, handle: Callable[[Tokens], None]) -> str:
        """Handle messages to the end of the connection; return how it was lost."""
        try:
            while self._receive_once(handle):
                self._received.set()
        except OSError as error:
            reason = error.strerror or str(error)
            return "" if self._is_leaving else f"the connection is lost: {reason}"
        return ""

    def _receive_once(self, handle: Callable[[Tokens], None]) -> bool:
        """Handle the messages that come next; return whether there may be more."""
        if self._is_over():
            return False
        data = self._socket.recv(options.RECEIVE_BYTES)
        for tokens in self._protocol.receive(data):
            handle(tokens)
        return bool(data) and not self._is_over()

    def _is_over(self) -> bool:
        return self._protocol.state is frames.ConnectionState.CLOSED

    @property
    def _fault(self) -> str:
        """Return how one end reports that the other violated the protocol, or empty."""
        if self._protocol.fault is not None:
            return f"the server broke the protocol: {self._protocol.fault.name.lower()}"
        if self._protocol.complaint is not None:
            return f"the server says {frames.error_text(self._protocol.complaint)}"
        return ""


def _converse(client: ManualClient, wait: float) -> bool:
    """Send the lines of the input; return whether all were sent.

    Raises `CommandError` if one end broke the protocol, or the connection was lost.
    """
    is_typed = sys.stdin.isatty()
    with ThreadPoolExecutor(1) as pool:
        receiving = pool.submit(client.receive, print_line)
        try:
            succeeded = send_all(client, _lines(client, typed=is_typed))
            if not is_typed:
                client.wait_for_silence(wait)
        finally:
            client.close()
    wrong = receiving.result()
    if wrong:
        raise failures.CommandError(wrong)
    return succeeded


def _lines(client: ManualClient, *, typed: bool) -> Iterable[str]:
    if typed:
        words = sorted(filter(str.isalnum, client.vocabulary.tokens))
        return typed_lines(words)
    return (line.decode(errors="replace") for line in sys.stdin.buffer)


def send_all(client: ManualClient, lines: Iterable[str]) -> bool:
    """Send each line; return whether all were sent."""
    succeeded = True
    for line in lines:
        is_message = line.strip() and not line.lstrip().startswith("#")
        if client.ended.is_set():
            if is_message:
                print_line("not sent: the connection is closed", to_stderr=True)
            return succeeded and not is_message
        if not is_message:
            continue
        try:
            client.send(line)
        except TextError as error:
            print_line(f"not sent: {shortened(str(error))}", to_stderr=True)
            succeeded = False
    return succeeded
