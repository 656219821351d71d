import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import Hold, Waive
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.language.commands import HelloOption
from daide_server.language.messages import (
    Accepted,
    BracketsRefused,
    CurrentPosition,
    DrawDeclared,
    Hello,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    OrderNoted,
    OrderResulted,
    Ownership,
    PlayerSummary,
    PressDelivered,
    ServerMessage,
    Summary,
    SyntaxRefused,
    TimeStopped,
)
from daide_server.language.tokens import MNEMONICS, Token, Tokens
from daide_server.language.translation import LanguageError, ServerReader
from daide_server.language.vocabulary import Vocabulary, from_text

VOCABULARY = Vocabulary.standard()
READER = ServerReader(VOCABULARY)
ENGLAND, FRANCE, RUSSIA = Power("ENG"), Power("FRA"), Power("RUS")
SPRING = Turn(Season.SPRING, 1901)
NTH, YOR = Location(Province("NTH")), Location(Province("YOR"))
STP = Location(Province("STP"), Coast.SOUTH)
FLEET = Unit(ENGLAND, UnitType.FLEET, NTH)


def tokens_of(text: str) -> Tokens:
    return from_text(text, VOCABULARY)


def read(text: str) -> ServerMessage:
    return READER.read(tokens_of(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("YES (OBS)", Accepted(tokens_of("OBS"))),
        ("PRN (IAM (NOT)", BracketsRefused(tokens_of("IAM (NOT"))),
        ("HUH (ERR WHT)", SyntaxRefused(tokens_of("ERR WHT"))),
        ("HLO (UNO) (0) ((LVL 0))", Hello(None, 0, ((HelloOption.LEVEL, 0),))),
        (
            "HLO (ENG) (1234) ((LVL 20) (MTL 60) (AOA))",
            Hello(
                ENGLAND,
                1234,
                (
                    (HelloOption.LEVEL, 20),
                    (HelloOption.MOVEMENT_LIMIT, 60),
                    (HelloOption.ANY_ORDERS, None),
                ),
            ),
        ),
        (
            "SCO (ENG LON) (UNO NWY SWE)",
            Ownership({Province("LON"): ENGLAND}),
        ),
        (
            "THX ((ENG FLT NTH) HLD) (MBV)",
            OrderNoted(tokens_of("(ENG FLT NTH) HLD"), OrderNote.OK),
        ),
        ("MIS", MissingUnits(())),
        ("MIS (ENG FLT NTH)", MissingUnits((FLEET,))),
        ("MIS (-2)", MissingAdjustments(-2)),
        ("MIS (ENG FLT NTH MRT (YOR))", MissingRetreats({FLEET: (YOR,)})),
        ("MIS (ENG FLT NTH MRT ())", MissingRetreats({FLEET: ()})),
        (
            "ORD (SPR 1901) ((ENG FLT NTH) HLD) (RET)",
            OrderResulted(SPRING, Report(Hold(FLEET), None, dislodged=True)),
        ),
        (
            "ORD (WIN 1901) (RUS WVE) (SUC)",
            OrderResulted(
                Turn(Season.WINTER, 1901), Report(Waive(RUSSIA), OrderResult.SUCCEEDED)
            ),
        ),
        (
            "ORD (SPR 1901) ((ENG FLT NTH) HLD) (FAR RET)",
            OrderResulted(
                SPRING, Report(Hold(FLEET), OrderNote.NOT_ADJACENT, dislodged=True)
            ),
        ),
        ("NOT (TME (30))", TimeStopped(30)),
        ("DRW (ENG FRA)", DrawDeclared((ENGLAND, FRANCE))),
        (
            "FRM (ENG) (FRA RUS) (0x4AFE (ULB))",
            PressDelivered(ENGLAND, (FRANCE, RUSSIA), tokens_of("0x4AFE (ULB)")),
        ),
        (
            "SMR (FAL 1905) (ENG ('a') ('1') 18) (FRA ('b') ('2') 0 1903)",
            Summary(
                Turn(Season.FALL, 1905),
                (
                    PlayerSummary(ENGLAND, "a", "1", 18, None),
                    PlayerSummary(FRANCE, "b", "2", 0, 1903),
                ),
            ),
        ),
    ],
)
def test_messages_are_read_as_what_they_mean(text: str, message: ServerMessage) -> None:
    assert read(text) == message


def test_a_position_has_units_in_place_and_units_that_must_retreat() -> None:
    message = read("NOW (SUM 1901) (RUS FLT (STP SCS)) (ENG FLT NTH MRT (YOR))")

    assert isinstance(message, CurrentPosition)
    assert message.position.turn == Turn(Season.SUMMER, 1901)
    assert message.position.units == (Unit(RUSSIA, UnitType.FLEET, STP),)
    assert message.position.dislodged == {FLEET: (YOR,)}


def test_with_a_map_units_are_the_maps_own(standard: Variant) -> None:
    message = ServerReader(VOCABULARY, standard.map).read(
        tokens_of("MIS (FRA AMY PAR)")
    )

    assert isinstance(message, MissingUnits)
    assert message.units[0] is standard.map.unit(
        FRANCE, UnitType.ARMY, Location(Province("PAR"))
    )


@pytest.mark.parametrize(
    "text", ["", "NME ('a') ('b')", "CCD (ENG) (FRA)", "MDF () ()", "NOW (1901)", "PRN"]
)
def test_what_no_server_says_is_an_error(text: str) -> None:
    with pytest.raises(LanguageError):
        read(text)


@given(
    st.lists(
        st.sampled_from(sorted(MNEMONICS)) | st.integers(0, 0xFFFF).map(Token),
        max_size=25,
    ).map(tuple)
)
def test_whatever_is_said_is_read_or_refused(tokens: Tokens) -> None:
    try:
        message = READER.read(tokens)
    except LanguageError:
        return
    assert isinstance(message, ServerMessage)
