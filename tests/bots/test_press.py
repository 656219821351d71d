"""A bot sends and prints press without writing tokens."""

import pytest

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.bots import Accepted, Move, SupportMove, press
from daide_server.bots.press import Press, press_tokens
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text

ENG, FRA, GER = map(Power, ("ENG", "FRA", "GER"))
STANDARD = Vocabulary.standard()


def unit(power: Power, kind: UnitType, province: str) -> Unit:
    return Unit(power, kind, Location(Province(province)))


PARIS = unit(FRA, UnitType.ARMY, "PAR")
MUNICH = unit(GER, UnitType.ARMY, "MUN")
BURGUNDY = Location(Province("BUR"))
MOVE = Move(PARIS, BURGUNDY)
SUPPORT = SupportMove(MUNICH, PARIS, BURGUNDY)
MOVED = "XDO ( ( FRA AMY PAR ) MTO BUR )"
SUPPORTED = "XDO ( ( GER AMY MUN ) SUP ( FRA AMY PAR ) MTO BUR )"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (press.propose(MOVE), f"PRP ( {MOVED} )"),
        (press.propose(MOVE, SUPPORT), f"PRP ( AND ( {MOVED} ) ( {SUPPORTED} ) )"),
        (press.propose_peace([FRA, ENG]), "PRP ( PCE ( FRA ENG ) )"),
        (
            press.propose_alliance([FRA, ENG], [GER]),
            "PRP ( ALY ( FRA ENG ) VSS ( GER ) )",
        ),
        (
            press.propose_zone([FRA], [Province("BUR"), Province("ECH")]),
            "PRP ( DMZ ( FRA ) ( BUR ECH ) )",
        ),
        (press.accept(press.propose_draw()), "YES ( PRP ( DRW ) )"),
        (press.refuse(from_text("PRP (DRW)", STANDARD)), "REJ ( PRP ( DRW ) )"),
        (("HOW", ENG), "HOW ENG"),
        (("WHT", PARIS), "WHT ( FRA AMY PAR )"),
        (
            ("PRP", ("FOR", Turn(Season.SPRING, 1902), ("NOT", ("XDO", MOVE)))),
            f"PRP ( FOR ( SPR 1902 ) ( NOT ( {MOVED} ) ) )",
        ),
    ],
)
def test_values_become_press(message: Press, text: str, standard: Variant) -> None:
    vocabulary = Vocabulary.of(standard.map)

    assert to_text(press_tokens(message, vocabulary), vocabulary) == text


def test_an_answer_prints_the_message_that_it_quotes() -> None:
    quoted = from_text("SND (ENG) (PRP (DRW))", STANDARD)

    assert str(Accepted(quoted)) == "Accepted('SND ( ENG ) ( PRP ( DRW ) )')"
