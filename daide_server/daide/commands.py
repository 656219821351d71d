"""The grammar of messages, except the content of press, and the options of HLO.

Message Syntax, appendix: the tables keep its notation and order. Where the document
contradicts itself, they follow its prose. `BEYOND_THE_APPENDIX` adds what only the
prose allows. Press is in `press`. `HelloOption` has a member for each option of HLO,
and `GameOptions` a field of the same name.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from daide_server.board.map import Season
from daide_server.board.names import Coast, IdentityEnum
from daide_server.board.results import OrderNote, OrderResult

from . import tokens
from .grammar import Grammar, Level, Terminals, categories, levels, rules_up_to

FREE_TEXT_LEVEL = 8000
"""The highest level, at which press may be any text."""

LANGUAGE_LEVELS = (*range(0, 170, 10), FREE_TEXT_LEVEL)
"""All levels of the language, from no press (0) to free text."""

PRESS_LEVEL = 10
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


BY_TOKEN: Mapping[str, HelloOption] = {
    option.value.token: option for option in HelloOption
}
"""The options by the names of their tokens."""


TERMINALS: Terminals = {
    "number": categories(*range(tokens.LAST_NUMBER_CATEGORY + 1)),
    "power": categories(tokens.POWER_CATEGORY),
    "province": categories(
        *range(tokens.FIRST_PROVINCE_CATEGORY, tokens.LAST_PROVINCE_CATEGORY + 1)
    ),
    # Strings have no control characters.
    "character": frozenset(
        tokens.Token(tokens.TEXT_CATEGORY << 8 | byte) for byte in range(0x20, 0x100)
    ),
    "any_token": categories(
        *(code for code in range(0x100) if code != tokens.BRACKET_CATEGORY)
    ),
}
"""Powers and provinces of all variants: the judge refuses those not on the map."""


def _one_of(rule: str, words: Iterable[str]) -> str:
    """Return a line of the appendix for each of *words*."""
    return "".join(f"{rule} = {word}\n" for word in words)


TERMS = Level(
    0,
    "Terms shared by all messages",
    """
    any_token_sequence = [any_part any_part ...]
    any_part = any_token
    any_part = (any_token_sequence)
    mdf_province = province
    mdf_province = (province_and_coast)
    order = (unit_with_location) HLD
    order = (unit_with_location) MTO mdf_province
    order = (unit_with_location) SUP (unit_with_location)
    order = (unit_with_location) SUP (unit_with_location) MTO province
    order = (unit_with_location) CVY (unit_with_location) CTO province
    order = (unit_with_location) CTO province VIA (province_list)
    order = (unit_with_location) RTO mdf_province
    order = (unit_with_location) DSB
    order = (unit_with_location) BLD
    order = (unit_with_location) REM
    order = power WVE
    power_list = power power ...
    province_and_coast = province coast
    province_list = province province ...
    string = character character ...
    turn = season number
    unit_type = AMY
    unit_type = FLT
    unit_with_location = power unit_type province
    unit_with_location = power unit_type (province_and_coast)
    """
    + _one_of("coast", (each.value for each in Coast))
    + _one_of("season", (each.value for each in Season)),
)

CLIENT_MESSAGES = levels("""
    0 client_server_message, for any client
    client_message = NME (string) (string)
    client_message = OBS
    client_message = IAM (power) (number)
    client_message = MAP
    client_message = MDF
    client_message = YES (acknowledgable_command)
    client_message = REJ (acknowledgable_command)
    client_message = NOW
    client_message = SCO
    client_message = HST (turn)
    client_message = TME (number)
    client_message = TME
    client_message = ADM (string) (string)
    acknowledgable_command = MAP (string)
    acknowledgable_command = SVE (string)

    0 client_server_message, No Press
    client_message = HLO
    client_message = SUB (order) (order) ...
    client_message = SUB (turn) (order) (order) ...
    client_message = NOT (negatable_command)
    client_message = MIS
    client_message = GOF
    client_message = ORD
    client_message = DRW
    negatable_command = SUB (order)
    negatable_command = SUB
    negatable_command = GOF
    negatable_command = DRW
    negatable_command = TME
    negatable_command = TME (number)

    10 client_server_message, Peace and Alliances
    client_message = DRW (power power_list)
    negatable_command = DRW (power power_list)
""")
"""The messages of clients; for SND see `press`."""

BEYOND_THE_APPENDIX = Level(
    0,
    "not in the appendix: allowed by the prose or by older versions",
    """
    client_message = REJ (LOD (string))
    client_message = HST
    """,
)
"""Messages that a strict server refuses."""

SERVER_MESSAGES = (
    *levels("""
    0 server_client_message
    server_message = YES (any_token_sequence)
    server_message = REJ (any_token_sequence)
    server_message = MAP (string)
    server_message = MDF (power_list) (mdf_provinces) (mdf_adjacencies)
    server_message = HLO (owner) (number) (variant)
    server_message = NOW (turn) [units units ...]
    server_message = SCO [sco_entries sco_entries ...]
    server_message = THX (any_token_sequence) (order_note)
    server_message = MIS [units units ...]
    server_message = MIS (number)
    server_message = ORD (turn) (order) (compound_order_result)
    server_message = SVE (string)
    server_message = LOD (string)
    server_message = OFF
    server_message = TME (number)
    server_message = HUH (any_token_sequence)
    server_message = CCD (power)
    server_message = NOT (negated_server_message)
    server_message = ADM (string) (string)
    server_message = SLO (power)
    server_message = DRW
    server_message = SMR (turn) [summaries summaries ...]
    server_message = DRW (power_list)
    server_message = OUT (power)
    server_message = FRM (power) (power_list) (any_token_sequence)
    compound_order_result = order_note
    compound_order_result = order_result
    compound_order_result = order_note RET
    compound_order_result = order_result RET
    compound_order_result = RET
    mdf_adjacencies = (mdf_province_adjacencies) (mdf_province_adjacencies) ...
    mdf_centre_list = owner [province_list]
    mdf_centre_list = (power_list) [province_list]
    mdf_coast = FLT coast
    mdf_coast_adjacencies = unit_type [mdf_province mdf_province ...]
    mdf_coast_adjacencies = (mdf_coast) [mdf_province mdf_province ...]
    mdf_coasts = (mdf_coast_adjacencies)
    mdf_province_adjacencies = province [mdf_coasts mdf_coasts ...]
    mdf_provinces = (mdf_supply_centres) ([province_list])
    mdf_supply_centres = (mdf_centre_list) (mdf_centre_list) ...
    negated_server_message = CCD (power)
    negated_server_message = TME (number)
    owner = power
    owner = UNO
    power_summary = power (string) (string) number [number]
    sco_entries = (owner [province_list])
    summaries = (power_summary)
    unit_and_retreats = unit_with_location [MRT ([mdf_province mdf_province ...])]
    units = (unit_and_retreats)
    variant = (variant_option) (variant_option) ...
"""),
    Level(
        0,
        "server_client_message, HLO, THX, ORD",
        _one_of("variant_option", (each.value.production for each in HelloOption))
        + _one_of("order_note", (each.value for each in OrderNote))
        + _one_of("order_result", (each.value for each in OrderResult)),
    ),
)
"""The messages of servers: the same at all levels, with any content of press."""


@cache
def client_grammar(level: int, *, strict: bool = False) -> Grammar:
    """Return the grammar of client messages at *level*, without SND."""
    beyond = () if strict else (BEYOND_THE_APPENDIX,)
    return _grammar((*CLIENT_MESSAGES, *beyond), level, "client_message")


@cache
def server_grammar() -> Grammar:
    """Return the grammar of server messages."""
    return _grammar(SERVER_MESSAGES, 0, "server_message")


@cache
def order_grammar() -> Grammar:
    """Return the grammar of one order, its brackets excluded."""
    return _grammar((), 0, "order")


def _grammar(levels: Sequence[Level], level: int, start: str) -> Grammar:
    return Grammar(rules_up_to(level, (TERMS, *levels)), TERMINALS, start)
