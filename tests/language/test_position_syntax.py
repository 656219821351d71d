"""SCO, NOW and MIS, in the order of the document."""

import pytest

from daide_server.board.names import Power, Province
from daide_server.board.variant import Variant
from daide_server.language.brackets import parts
from daide_server.language.messages import Ownership
from daide_server.language.order_syntax import OrderReader, OrderWriter
from daide_server.language.position_syntax import (
    read_missing,
    read_position,
    write_missing,
    write_ownership,
    write_position,
)
from daide_server.language.text import from_text, to_text
from daide_server.language.vocabulary import Vocabulary


@pytest.fixture
def reader(standard: Variant, vocabulary: Vocabulary) -> OrderReader:
    return OrderReader(vocabulary, standard.map)


@pytest.fixture
def writer(vocabulary: Vocabulary) -> OrderWriter:
    return OrderWriter(vocabulary)


def test_owners_come_in_the_order_of_their_tokens(writer: OrderWriter) -> None:
    """And neutral centres last, as UNO."""
    message = Ownership({Province("PAR"): Power("FRA"), Province("VIE"): Power("AUS")})
    text = to_text(write_ownership(writer, message), writer.vocabulary)

    assert text.startswith("SCO ( AUS VIE ) ( FRA PAR ) ( UNO ")


@pytest.mark.parametrize(
    "text",
    [
        "NOW ( SPR 1901 ) ( FRA AMY PAR )",
        "NOW ( SUM 1901 ) ( FRA FLT ( STP SCS ) ) ( GER AMY PAR MRT ( GAS PIC ) )",
        "NOW ( SUM 1901 ) ( GER AMY PAR MRT ( ) )",
    ],
)
def test_a_position_is_written_as_it_was_read(
    text: str, reader: OrderReader, writer: OrderWriter
) -> None:
    """Dislodged units have the locations they may retreat to."""
    groups = parts(from_text(text, reader.vocabulary))
    tokens = write_position(writer, read_position(reader, groups))

    assert to_text(tokens, reader.vocabulary) == text


@pytest.mark.parametrize(
    "text",
    ["MIS", "MIS ( FRA AMY PAR )", "MIS ( FRA AMY PAR MRT ( GAS ) )", "MIS ( -2 )"],
)
def test_what_is_missing_depends_on_the_phase(
    text: str, reader: OrderReader, writer: OrderWriter
) -> None:
    """Units, units that must retreat, or a number of builds and removals."""
    groups = parts(from_text(text, reader.vocabulary))
    tokens = write_missing(writer, read_missing(reader, groups))

    assert to_text(tokens, reader.vocabulary) == text
