"""What clients were told, in DAIDE text, until somebody expects or forgets it."""

import re
from collections import defaultdict, deque

from daide_server.language.messages import ServerMessage
from daide_server.language.translation import Writer
from daide_server.language.vocabulary import Vocabulary, from_text, to_text


class Answers:
    """The messages to each client, by its name."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._writer = Writer(vocabulary)
        self._said: dict[str, deque[str]] = defaultdict(deque)

    def _note(self, client: str, message: ServerMessage) -> None:
        text = to_text(self._writer.write(message), self.vocabulary)
        self._said[client].append(text)

    def says(self, client: str, text: str) -> None:
        """Expect *client* to have been told *text* next."""
        queue = self._said[client]
        if text.endswith("..."):
            self._says_some(client, _spaced(text[:-3]))
            return
        expected = to_text(from_text(text, self.vocabulary), self.vocabulary)
        assert queue, f"{client} was told nothing more, expected {expected}"
        found = queue.popleft()
        assert found == expected, f"{client} was told {found}, expected {expected}"

    def _says_some(self, client: str, start: str) -> None:
        """Expect one or more messages to *client* that begin so."""
        queue = self._said[client]
        found = queue[0] if queue else "nothing"
        assert found.startswith(start), f"{client} was told {found}, expected {start}"
        while queue and queue[0].startswith(start):
            queue.popleft()

    def said(self, client: str) -> list[str]:
        """Return, and forget, what *client* was told."""
        told = list(self._said[client])
        self._said[client].clear()
        return told

    def _forget(self, client: str, start: str) -> None:
        """Forget the messages to *client* that begin so."""
        rest = (text for text in self._said[client] if not text.startswith(start))
        self._said[client] = deque(rest)

    def is_silent(self) -> None:
        """Expect that nobody was told anything more."""
        rest = {name: list(queue) for name, queue in self._said.items() if queue}
        assert not rest, f"not expected: {rest}"

    def forgets(self) -> None:
        """Forget what was said so far."""
        for queue in self._said.values():
            queue.clear()


def _spaced(text: str) -> str:
    """Return the beginning of a message with one space between its tokens."""
    return " ".join(re.findall(r"[()]|[^\s()]+", text))
