"""Options of a game as words: `mtl=300`, `dsd`, `level=10`."""

from collections.abc import Iterable
from typing import Any

from daide_server.game.options import GameOptions, ServerPolicy
from daide_server.language.commands import HelloOption

WORDS = {option.value.token.lower(): option.name.lower() for option in HelloOption}


def options_of(words: Iterable[str]) -> tuple[GameOptions, ServerPolicy]:
    """Return what *words* say of the game, and of the policy of the server."""
    given = dict(_word(word) for word in words)
    names = {WORDS.get(key, key): value for key, value in given.items()}
    option_names = set(WORDS.values())
    options = GameOptions(**{k: v for k, v in names.items() if k in option_names})
    rest = {k: v for k, v in names.items() if k not in option_names}
    return options, ServerPolicy(**rest)


def _word(word: str) -> tuple[str, Any]:
    key, equals, value = word.partition("=")
    if not equals:
        return key, True
    if value.isalpha():
        return key, value
    return key, float(value) if "." in value else int(value)
