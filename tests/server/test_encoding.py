"""What clients are sent is what the writer writes, whatever was sent before."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Season, Turn
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Hold, Move, Order, Waive
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.language.messages import (
    MissingRetreats,
    OrderNoted,
    OrderResulted,
    ServerMessage,
    TimeLeft,
)
from daide_server.language.translation import Writer
from daide_server.language.vocabulary import NORMAN, Vocabulary, from_text
from daide_server.server.clients import Encoder
from daide_server.wire.frames import encode_tokens

VOCABULARY = Vocabulary.standard()
WRITER = Writer(VOCABULARY)
ENCODER = Encoder(VOCABULARY, NORMAN)
"""One for all examples: what it has kept must not matter."""

FRANCE = Power("FRA")
PARIS = Unit(FRANCE, UnitType.ARMY, Location(Province("PAR")))
BREST = Unit(FRANCE, UnitType.ARMY, Location(Province("BRE")))
BURGUNDY, ENGLAND = Location(Province("BUR")), Location(Province("LON"))
LONG_ROUTE = (Province("MAO"),) * 70
"""Orders so long are not kept."""

KNOWN: tuple[Order, ...] = (
    Hold(PARIS),
    Move(PARIS, BURGUNDY),
    ConvoyedMove(BREST, ENGLAND, LONG_ROUTE),
    Waive(FRANCE),
)

orders = st.one_of(st.sampled_from(KNOWN), st.sampled_from(KNOWN).map(replace))
reports = st.builds(
    Report,
    orders,
    st.sampled_from((None, *OrderResult, OrderNote.NOT_ADJACENT)),
    st.booleans(),
)
turns = st.builds(Turn, st.sampled_from(Season), st.integers(1900, 1903))
messages: st.SearchStrategy[ServerMessage] = st.one_of(
    st.builds(OrderResulted, turns, reports),
    st.builds(TimeLeft, st.integers(0, 100)),
    st.builds(
        OrderNoted,
        st.just(from_text("(FRA AMY PAR) HLD", VOCABULARY)),
        st.sampled_from(OrderNote),
    ),
    st.just(MissingRetreats({PARIS: (BURGUNDY,)})),
)


@given(st.lists(messages, min_size=1, max_size=8))
def test_messages_leave_as_they_are_written(sent: list[ServerMessage]) -> None:
    written = [encode_tokens(WRITER.write(message)) for message in sent]

    assert ENCODER.encode(sent) == b"".join(written)
