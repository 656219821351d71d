"""Abbreviations of three letters for the assistant's regions and factions."""

import re
from collections.abc import Iterable
from itertools import product
from typing import Final

ABBREVIATION: Final = re.compile(r"[A-Z0-9]{3}")


def abbreviations(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return a unique abbreviation for each nick and name, in order.

    A nick of three letters or digits is its own abbreviation; other abbreviations
    are letters of the name.
    """
    wanted = [
        (nick.upper(), re.sub(r"[^A-Z0-9]", "", name.upper())) for nick, name in names
    ]
    taken = {nick for nick, _ in wanted if ABBREVIATION.fullmatch(nick)}
    found = []
    for nick, name in wanted:
        if ABBREVIATION.fullmatch(nick):
            found.append(nick)
            continue
        letters = name.ljust(3, "X")
        choices = (
            "".join(each)
            for each in product(letters[:1], letters[1:], letters[2:] + "0123456789")
        )
        found.append(next(choice for choice in choices if choice not in taken))
        taken.add(found[-1])
    return found
