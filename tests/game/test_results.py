"""The end of a turn and of a game: what is sent and recorded, in which order."""

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Power
from daide_server.formats.registry import FORMATS
from daide_server.game.events import CloseClient
from daide_server.game.results import LAST_PLAYED_YEAR
from daide_server.game.stages import Stage
from daide_server.records.entries import Ended, TurnResolved, fold
from daide_server.records.record import Ending
from daide_server.records.replay import replay
from daide_server.records.turn_results import game_result
from daide_server.storage.variants import load_variant
from tests.support.scripts import PASSCODES, Script

POWERS = tuple(PASSCODES)


def kinds(texts: list[str]) -> list[str]:
    """Return the first words of messages, repeated ones once."""
    words = [text.split()[0] for text in texts]
    return [word for n, word in enumerate(words) if words[n - 1 : n] != [word]]


def ending(script: Script) -> Ending | None:
    """Return how the game ended."""
    last = script.records[-1]
    return last.ending if isinstance(last, Ended) else None


def test_ownership_is_sent_when_a_year_ends(standard: Variant) -> None:
    """`ORD... NOW TME` in spring, with SCO in the autumn, the same for everybody."""
    script = Script(standard, "mtl=100")
    for expected in (["ORD", "NOW", "TME"], ["ORD", "SCO", "NOW", "TME"]):
        script.forgets()
        script.holds(*POWERS)
        said = [script.said(power) for power in POWERS]
        assert kinds(said[0]) == expected
        assert all(texts == said[0] for texts in said)


def test_a_solo_ends_the_game(standard: Variant) -> None:
    """`ORD... SCO SLO SMR NOW`, with eighteen centres after the autumn."""
    france = Power("FRA")
    units = [unit for unit in standard.start.units if unit.power == france]
    owners = dict.fromkeys(standard.start.owners, france)
    start = replace(standard.start, owners=owners, units=tuple(units))
    script = Script(evolve(standard, start=start))
    script.holds("FRA")
    script.forgets()
    script.holds("FRA")
    assert kinds(script.said("ENG")) == ["ORD", "SCO", "SLO", "SMR", "NOW"]
    assert script.game.stage is Stage.ENDED
    assert ending(script) is Ending.SOLO


def test_the_year_limit_is_a_draw_of_the_survivors(standard: Variant) -> None:
    """After the last winter of the year."""
    script = Script(standard, "year_limit=1901", "mtl=10")
    script.waits(100)
    assert ending(script) is Ending.YEAR_LIMIT
    assert any(text.startswith("DRW") for text in script.said("FRA"))


def test_years_without_a_change_are_a_draw_by_rule(standard: Variant) -> None:
    """`DRW`, after the second autumn in which no centre changed hands; not before."""
    script = Script(standard, "stalemate_years=2", "mtl=10")
    for _ in range(3):
        script.holds(*POWERS)
    assert ending(script) is None
    script.forgets()
    script.holds(*POWERS)
    assert kinds(script.said("FRA")) == ["ORD", "SCO", "DRW", "SMR", "NOW"]
    assert ending(script) is Ending.STALEMATE
    record = fold(script.records, standard, game="quiet", started=1.0)
    assert not game_result(record).by_vote
    assert len(record.winners) == 7
    again = FORMATS["dipcc"].read(FORMATS["dipcc"].write(record), load_variant)
    assert again.ending is Ending.STALEMATE


def test_a_change_begins_the_count_anew(standard: Variant) -> None:
    script = Script(standard, "stalemate_years=2", "mtl=10")
    for _ in range(2):
        script.holds(*POWERS)
    script.hears("FRA", "SUB ( ( FRA AMY PAR ) MTO BUR ) ( ( FRA AMY MAR ) MTO SPA )")
    script.waits(10)
    for _ in range(3):
        script.waits(10)
    assert ending(script) is None


def test_who_misses_the_deadline_is_in_disorder_until_it_speaks(
    standard: Variant,
) -> None:
    """If that is the policy: CCD before the results, NOT (CCD) before the answer."""
    script = Script(standard, "mtl=100", "late_is_disorder")
    script.holds(*POWERS[1:])
    script.forgets()
    script.waits(100)
    said = script.said("FRA")
    assert said[0] == "CCD ( AUS )"
    assert sum(text.startswith("CCD") for text in said) == 1
    script.hears("AUS", "NOW")
    assert kinds(script.said("AUS"))[-2:] == ["NOT", "NOW"]


@pytest.mark.parametrize(
    ("words", "drawn"), [((), True), (("vacant_blocks_draw",), False)]
)
def test_a_draw_needs_the_votes_of_those_who_are_there(
    standard: Variant, words: tuple[str, ...], *, drawn: bool
) -> None:
    """And of vacant powers, if that is the policy: they do not vote."""
    script = Script(standard, *words)
    script.loses("TUR")
    for power in POWERS[:-1]:
        script.hears(power, "DRW")
    assert (script.game.stage is Stage.ENDED) is drawn


def test_votes_and_orders_are_those_of_one_turn(standard: Variant) -> None:
    """The next begins without any."""
    script = Script(standard)
    for power in POWERS[:-1]:
        script.hears(power, "DRW")
    script.holds(*POWERS)
    script.hears(POWERS[-1], "DRW")
    assert script.game.stage is Stage.PLAYING
    assert script.game.state.turn.accepted() == ()
    (turn,) = (e for e in script.records if isinstance(e, TurnResolved))
    assert script.game.state.position == turn.next


def test_a_game_that_is_over_answers_for_a_while(standard: Variant) -> None:
    """Then everybody gets OFF and is closed, those who came late too."""
    script = Script(standard, "post_game_seconds=5.0")
    for power in POWERS:
        script.hears(power, "DRW")
    script.waits(4)
    script.hears("o", "OBS")
    script.hears("o", "YES (MAP ('standard'))")
    assert kinds(script.said("o")) == ["YES", "MAP", "HLO", "SCO", "DRW", "SMR", "NOW"]
    script.waits(1)
    assert script.game.stage is Stage.CLOSED
    assert script.said("o") == ["OFF"]
    closed = [
        effect for effect in script.effects[-1] if isinstance(effect, CloseClient)
    ]
    assert len(closed) == len(POWERS) + 1


@pytest.mark.parametrize("words", [(), ("year_limit=9000",)])
def test_a_game_ends_before_its_year_leaves_the_numbers_of_the_language(
    standard: Variant, words: tuple[str, ...]
) -> None:
    """In a draw that is said and recorded as at a limit of years; formats hold it."""
    start = replace(standard.start, turn=Turn(Season.FALL, LAST_PLAYED_YEAR - 1))
    script = Script(evolve(standard, start=start), *words)
    for _ in range(3):
        script.forgets()
        script.holds()
    said = script.said("FRA")
    assert kinds(said) == ["ORD", "SCO", "DRW", "SMR", "NOW"]
    assert said[-1].startswith("NOW ( SPR 8191 )")
    assert ending(script) is Ending.YEAR_LIMIT
    record = fold(script.records, script.variant, game="x", started=0.0)
    for name in ("dipcc", "dipcc-literal", "diplomacy", "transcript"):
        read = FORMATS[name].read(FORMATS[name].write(record), lambda _: script.variant)
        assert (read.ending, read.last.turn) == (Ending.YEAR_LIMIT, record.last.turn)
        assert not [each for each in replay(read) if not each.remark]
