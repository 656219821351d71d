"""The variant options of HLO: syntax and level of each.

Message Syntax, "HLO": `variant_option`. `HelloOption` has a member for each option, and
`GameOptions` a field of the same name.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from daide_server.board.identity_enum import IdentityEnum

LANGUAGE_LEVELS: Final = (*range(0, 170, 10), 8000)
"""All levels of the language, from no press (0) to free text (8000)."""

PRESS_LEVEL: Final = 10
"""The lowest level with press."""


class OptionSyntax(Struct, frozen=True):
    """The syntax of an option in HLO, and the lowest level that has the option.

    Below that level the option is not in HLO and has no effect.
    """

    token: str
    has_number: bool = False
    from_level: int = 0

    @property
    def production(self) -> str:
        """Return the option as the appendix writes it, such as `MTL number`."""
        return f"{self.token} number" if self.has_number else self.token


class HelloOption(IdentityEnum):
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


BY_TOKEN: Final[Mapping[str, HelloOption]] = {
    option.value.token: option for option in HelloOption
}
"""The options by the names of their tokens."""
