"""The terminals of productions: names for tokens, and tokens that are alike."""

from collections import defaultdict
from collections.abc import Mapping

from .tokens import MNEMONICS, Token

ProductionKey = int
"""A token, or a category of tokens as `~category`, a negative number."""

Terminals = Mapping[str, frozenset[ProductionKey]]


def categories(*numbers: int) -> frozenset[ProductionKey]:
    """Return the terminal for all tokens of the categories *numbers*."""
    return frozenset(~number for number in numbers)


class AlikeTokens(dict[Token, Token]):
    """For each token the first one that no rule tells from it; for most, itself.

    Only tokens with a fixed name can be listed in a production. Those of powers and
    provinces are in terminals, and alike if they are in the same ones.
    """

    def __init__(self, terminals: Terminals) -> None:
        super().__init__()
        names: defaultdict[ProductionKey, set[str]] = defaultdict(set)
        for name, keys in terminals.items():
            for key in keys:
                names[key].add(name)
        first: dict[frozenset[str], Token] = {}
        for token in [Token(key) for key in names if key >= 0 and key not in MNEMONICS]:
            places = frozenset(names[token] | names[~(token >> 8)])
            self[token] = first.setdefault(places, token)

    def __missing__(self, token: Token) -> Token:
        """Remember a token that is like no other: there are few in all."""
        return self.setdefault(token, token)
