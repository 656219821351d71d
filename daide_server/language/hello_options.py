"""The variant options of HLO: the facts that language, game and settings share.

Message Syntax, HLO: `variant_option`. An option of HLO is a line of `HelloOption`, and
a field of that name in `GameOptions`.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from attrs import frozen

LANGUAGE_LEVELS: Final = (*range(0, 170, 10), 8000)
"""The levels of the language: no press, press, its parts, free text."""

PRESS_LEVEL: Final = 10
"""From this level on there is press."""


@frozen
class OptionSyntax:
    """How HLO says an option, and from which level of the language on.

    Below that level the option is not in HLO and has no effect.
    """

    token: str
    has_number: bool = False
    from_level: int = 0

    @property
    def production(self) -> str:
        """Return the option as the appendix writes it, such as `MTL number`."""
        return f"{self.token} number" if self.has_number else self.token


class HelloOption(Enum):
    """A variant option of HLO, in the document's order."""

    LEVEL = OptionSyntax("LVL", has_number=True)
    MOVEMENT_LIMIT = OptionSyntax("MTL", has_number=True)
    RETREAT_LIMIT = OptionSyntax("RTL", has_number=True)
    BUILD_LIMIT = OptionSyntax("BTL", has_number=True)
    DEADLINE_STOPS = OptionSyntax("DSD")
    ANY_ORDERS = OptionSyntax("AOA")
    PARTIAL_DRAWS = OptionSyntax("PDA", from_level=PRESS_LEVEL)
    NO_RETREAT_PRESS = OptionSyntax("NPR", from_level=PRESS_LEVEL)
    NO_BUILD_PRESS = OptionSyntax("NPB", from_level=PRESS_LEVEL)
    PRESS_LIMIT = OptionSyntax("PTL", has_number=True, from_level=PRESS_LEVEL)

    # Enum's own hash is a Python function; members are singletons.
    __hash__ = object.__hash__


BY_TOKEN: Final[Mapping[str, HelloOption]] = {
    option.value.token: option for option in HelloOption
}
"""The options by the names of their tokens."""
