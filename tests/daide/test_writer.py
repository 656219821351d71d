"""Every message is read as it was written, in tokens and in text."""

from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board import orders
from daide_server.board.map import Position, Season, Turn
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.daide import messages as said
from daide_server.daide.commands import HelloOption
from daide_server.daide.messages import ClientMessage, ServerMessage
from daide_server.daide.syntax import OrderWriter
from daide_server.daide.tokens import Token
from daide_server.daide.translation import ClientReader, ServerReader, Writer
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.library.variants import load_variant

STANDARD = load_variant("standard")
MAP = STANDARD.map
VOCABULARY = Vocabulary.of(MAP)
WRITER = Writer(VOCABULARY)
CLIENT_READER = ClientReader(VOCABULARY, MAP, 8000, partial_draws=True)
SERVER_READER = ServerReader(VOCABULARY, MAP)

NUMBERS = st.integers(-8192, 8191)
TEXTS = st.text(
    st.characters(min_codepoint=0x20, blacklist_categories=["Cs", "Co"]), min_size=1
)
POWERS = st.sampled_from(MAP.powers)
POWER_LISTS = st.lists(POWERS, min_size=2, unique=True).map(tuple)
PROVINCES = st.sampled_from(MAP.provinces)
PLACES = st.sampled_from(list(MAP.locations.values()))
WHOLE_PROVINCES = PROVINCES.map(Location)
TURNS = st.builds(Turn, st.sampled_from(Season), NUMBERS)
UNITS = st.builds(MAP.unit, POWERS, st.sampled_from(UnitType), PLACES)
ORDERS: st.SearchStrategy[orders.Order] = st.one_of(
    st.builds(orders.Hold, UNITS),
    st.builds(orders.Move, UNITS, PLACES),
    st.builds(orders.SupportHold, UNITS, UNITS),
    st.builds(orders.SupportMove, UNITS, UNITS, WHOLE_PROVINCES),
    st.builds(orders.Convoy, UNITS, UNITS, WHOLE_PROVINCES),
    st.builds(
        orders.ConvoyedMove,
        UNITS,
        WHOLE_PROVINCES,
        st.lists(PROVINCES, min_size=1).map(tuple),
    ),
    st.builds(orders.Retreat, UNITS, PLACES),
    st.builds(orders.Disband, UNITS),
    st.builds(orders.Build, UNITS),
    st.builds(orders.Remove, UNITS),
    st.builds(orders.Waive, POWERS),
)
SUBMITTED = ORDERS.map(
    lambda order: said.SubmittedOrder(order, OrderWriter(VOCABULARY).order(order))
)
RETREATS = st.dictionaries(UNITS, st.lists(PLACES).map(tuple), max_size=4)
TOKENS = st.lists(st.integers(0x4200, 0xFFFF).map(Token)).map(tuple)
PRESS = st.sampled_from(
    [
        from_text(text, VOCABULARY)
        for text in ("PRP (PCE (ENG FRA))", "'Hello'", "TRY ()", "PRP (DRW (ENG FRA))")
    ]
)
FLAGS = {option for option in HelloOption if not option.value.has_number}
OPTIONS = st.lists(st.sampled_from(HelloOption), unique=True, min_size=1).map(
    lambda options: tuple(
        (option, None if option in FLAGS else 60)
        for option in HelloOption
        if option in options
    )
)


def maybe(some: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.none() | some


Fields = tuple[st.SearchStrategy[Any], ...]
Messages = Mapping[type, Fields]

CLIENT_MESSAGES: Messages = {
    **dict.fromkeys((said.Observe, said.AskMap, said.AskMapDefinition), ()),
    **dict.fromkeys((said.AskPosition, said.AskOwnership, said.AskHello), ()),
    **dict.fromkeys((said.AskResults, said.CancelOrders, said.AskMissing), ()),
    **dict.fromkeys((said.Go, said.Wait, said.AskTime), ()),
    **dict.fromkeys((said.AcceptMap, said.RefuseMap, said.RefuseLoad), (TEXTS,)),
    **dict.fromkeys((said.Name, said.Admin), (TEXTS, TEXTS)),
    **dict.fromkeys((said.VoteDraw, said.WithdrawDraw), (maybe(POWER_LISTS),)),
    said.Rejoin: (POWERS, NUMBERS),
    said.AskHistory: (maybe(TURNS),),
    said.SubmitOrders: (maybe(TURNS), st.lists(SUBMITTED, min_size=1).map(tuple)),
    said.CancelOrder: (ORDERS,),
    said.RequestTime: (NUMBERS,),
    said.CancelTime: (maybe(NUMBERS),),
    said.SendPress: (maybe(TURNS), POWER_LISTS, PRESS),
    said.AnswerSave: (TEXTS, st.booleans()),
    said.Complaint: (TOKENS.map(lambda tokens: (Token(0x4806), *tokens)),),
}

SERVER_MESSAGES: Messages = {
    **dict.fromkeys((said.Accepted, said.Rejected, said.SyntaxRefused), (TOKENS,)),
    **dict.fromkeys((said.MapName, said.SaveGame, said.LoadGame), (TEXTS,)),
    **dict.fromkeys((said.TimeLeft, said.TimeStopped), (NUMBERS,)),
    **dict.fromkeys((said.InDisorder, said.BackInControl), (POWERS,)),
    **dict.fromkeys((said.Out, said.Solo), (POWERS,)),
    said.BracketsRefused: (st.just(from_text("SUB (", VOCABULARY)),),
    said.Hello: (maybe(POWERS), NUMBERS, OPTIONS),
    said.Ownership: (
        st.dictionaries(st.sampled_from([*VOCABULARY.centre_tokens]), POWERS),
    ),
    said.CurrentPosition: (
        st.builds(Position, TURNS, st.lists(UNITS).map(tuple), st.just({}), RETREATS),
    ),
    said.OrderNoted: (TOKENS, st.sampled_from(OrderNote)),
    said.MissingUnits: (st.lists(UNITS).map(tuple),),
    said.MissingRetreats: (RETREATS.filter(bool),),
    said.MissingAdjustments: (NUMBERS,),
    said.OrderResulted: (
        TURNS,
        st.builds(
            Report,
            ORDERS,
            st.sampled_from(OrderResult) | st.sampled_from(OrderNote),
            st.booleans(),
        )
        | st.builds(Report, ORDERS, st.none(), st.just(True)),
    ),
    said.PressDelivered: (POWERS, POWER_LISTS, PRESS),
    said.Admin: (TEXTS, TEXTS),
    said.DrawDeclared: (maybe(POWER_LISTS),),
    said.Summary: (
        TURNS,
        st.lists(
            st.builds(said.PlayerSummary, POWERS, TEXTS, TEXTS, NUMBERS, maybe(NUMBERS))
        ).map(tuple),
    ),
    said.SwitchOff: (),
}
"""MDF has its own tests: maps compare by identity."""


def test_every_message_of_the_language_is_tested() -> None:
    assert set(CLIENT_MESSAGES) == set(get_args(ClientMessage))
    assert {*SERVER_MESSAGES, said.MapDefinition} == set(get_args(ServerMessage))


@pytest.mark.parametrize(
    ("reader", "kind", "fields"),
    [
        *((CLIENT_READER, *message) for message in CLIENT_MESSAGES.items()),
        *((SERVER_READER, *message) for message in SERVER_MESSAGES.items()),
    ],
)
@given(data=st.data())
def test_what_is_written_is_read(
    reader: ClientReader | ServerReader, kind: type, fields: Fields, data: st.DataObject
) -> None:
    message = data.draw(st.builds(kind, *fields))
    tokens = WRITER.write(message)

    assert reader.read(tokens) == message
    assert from_text(to_text(tokens, VOCABULARY), VOCABULARY) == tokens


def text(message: ServerMessage) -> str:
    return to_text(WRITER.write(message), VOCABULARY)


def test_the_start_has_the_size_that_servers_send() -> None:
    owners = said.Ownership(STANDARD.start.owners)

    assert 2 * len(WRITER.write(owners)) == 118
    assert 2 * len(WRITER.write(said.CurrentPosition(STANDARD.start))) == 236


def test_dislodged_units_come_last_and_always_with_their_list() -> None:
    fleet = Unit(Power("ENG"), UnitType.FLEET, Location(Province("NTH")))
    army = Unit(Power("TUR"), UnitType.ARMY, Location(Province("CON")))
    position = Position(Turn(Season.SUMMER, 1901), (army,), {}, {fleet: ()})

    assert text(said.CurrentPosition(position)) == (
        "NOW ( SUM 1901 ) ( TUR AMY CON ) ( ENG FLT NTH MRT ( ) )"
    )


def test_strings_are_never_empty() -> None:
    player = said.PlayerSummary(Power("ENG"), "", "", 3, None)
    summary = said.Summary(Turn(Season.FALL, 1901), (player,))

    assert text(summary) == "SMR ( FAL 1901 ) ( ENG ( '-' ) ( '-' ) 3 )"
