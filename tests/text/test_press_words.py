"""Press and promises in words."""

import re

import pytest

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.daide.vocabulary import Vocabulary, to_text
from daide_server.examine.scenes.press import press_examples
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.formats.tables.order_rows import promise_rows
from daide_server.records.record import DrawVote, Message
from daide_server.text.game_report import promise_report
from daide_server.text.press_words import MAX_DEPTH, press_words
from tests.promises.test_study import XDO_KEPT, agreed, game

# Press in plain English: every form of every level, and what is no press at all


TUR, ITA, AUS = Power("TUR"), Power("ITA"), Power("AUS")


def told(variant: Variant, text: str, *to: Power) -> str:
    """Return what Turkey says, to Italy if to nobody else, without its own name."""
    message = Message(None, TUR, to or (ITA,), text, None)
    return press_words(variant).sentence(message).removeprefix("Turkey ")


PLAIN = """
PRP ( DMZ ( TUR ITA ) ( GAL BUR ) )
=> proposes to Italy: both stay out of Galicia and Burgundy

YES ( PRP ( PCE ( TUR ITA ) ) )
=> says yes to Italy: peace

REJ ( PRP ( ALY ( TUR ITA ) VSS ( AUS RUS ) ) )
=> says no to Italy: an alliance against Austria and Russia

PRP ( AND ( PCE ( TUR ITA ) ) ( XDO ( ( TUR AMY BUL ) MTO RUM ) ) )
=> proposes to Italy: peace; and the Turkish army in Bulgaria moves to Rumania

INS ( NOT ( XDO ( ( ITA FLT ( SPA SCS ) ) MTO WES ) ) )
=> insists to Italy: the Italian fleet in Spain (south coast) does not move to the
Western Mediterranean Sea

PRP ( ORR ( NOT ( ALY ( TUR ) VSS ( ITA ) ) ) ( AND ( DRW ) ( SLO ( ITA ) ) ) )
=> proposes to Italy: one of these: no alliance of Turkey against Italy; or (a draw; and
a solo of Italy)

PRP ( CHO ( 1 2 ) ( PCE ( AUS TUR ) ) ( DRW ) )
=> proposes to Italy: one to two of these: peace between Austria and Turkey; or a draw

PRP ( SCD ( TUR RUM BUL ) ( UNO SER ) )
=> proposes to Italy: Turkey owns Rumania and Bulgaria and nobody owns Serbia

PRP ( FOR ( ( SPR 1905 ) ( FAL 1906 ) ) ( DMZ ( TUR ) ( BLA ) ) )
=> proposes to Italy: from Spring 1905 to Fall 1906: Turkey stays out of the Black Sea

IFF ( PCE ( TUR ITA ) ) THN ( PRP ( ALY ( TUR ITA ) VSS ( AUS ) ) ) ELS ( INS ( DRW ) )
=> says to Italy: if this holds (peace), it proposes: an alliance against Austria;
otherwise it insists: a draw

FRM ( RUS ) ( TUR ) ( PRP ( PCE ( RUS TUR ) ) )
=> forwards to Italy: Russia proposes to Turkey: peace

IDK ( QRY ( PCE ( ITA AUS ) ) )
=> tells Italy that it does not know: the question whether this is so: peace between
Italy and Austria

TRY ( PRP PCE )
=> tells Italy that it understands PRP and PCE

HOW ( AUS )
=> asks Italy how to attack Austria

'It\\'s war'
=> writes to Italy: It's war

Hello there, friend!
=> writes to Italy: Hello there, friend!
"""
"""Press that Turkey sends to Italy, and what is said of it."""


@pytest.mark.parametrize("case", PLAIN.strip().split("\n\n"))
def test_press_is_plain_english(standard: Variant, case: str) -> None:
    text, words = (" ".join(each.split()) for each in case.split("=>"))

    assert told(standard, text) == words


def test_the_powers_that_talk_are_not_named_again(standard: Variant) -> None:
    peace = "PRP ( DMZ ( TUR ITA AUS ) ( SER ) )"
    others = [power for power in standard.map.powers if power != TUR]

    assert told(standard, peace, ITA, AUS).endswith("all of them stay out of Serbia")
    assert told(standard, peace).endswith(
        "Turkey, Italy and Austria stay out of Serbia"
    )
    assert told(standard, "PRP ( DRW )", *others) == "proposes to all: a draw"


def test_every_form_of_every_level_has_words(standard: Variant) -> None:
    vocabulary = Vocabulary.of(standard.map)
    daide = {word for word in vocabulary.words.values() if word.isalpha()}
    found = list(press_examples(8000, vocabulary))
    for tokens in found:
        text = to_text(tokens, vocabulary)
        said = told(standard, text)
        assert text not in said or text.startswith("'")
        assert not daide.intersection(re.findall(r"\w+", said)), said
    assert len(found) > 50


def test_deeply_nested_press_is_quoted(standard: Variant) -> None:
    depth = MAX_DEPTH + 100
    text = "PRP ( " + "NOT ( " * depth + "DRW" + " )" * depth + " )"

    assert told(standard, text) == f"writes to Italy: {text}"


def test_long_press_is_quoted(standard: Variant) -> None:
    text = f"PRP ( DMZ ( TUR ) ( {'GAL ' * 1000}) )"

    assert told(standard, text) == f"writes to Italy: {text}"


@pytest.mark.parametrize(
    ("powers", "withdrawn", "words"),
    [
        (None, False, "Turkey votes for a draw"),
        ((TUR, ITA), False, "Turkey votes for a draw between Turkey and Italy"),
        (None, True, "Turkey no longer votes for a draw"),
    ],
)
def test_votes_are_told(
    standard: Variant, powers: tuple[Power, ...] | None, words: str, *, withdrawn: bool
) -> None:
    vote = DrawVote(None, TUR, powers, withdrawn, None)

    assert press_words(standard).sentence(vote) == words


# Promises as a person reads them


def test_promises_and_sums(standard: Variant) -> None:
    said = {0: [*agreed(XDO_KEPT), *agreed("PRP (PCE (FRA ENG))")]}
    record = game(standard, said, "FRA: A PAR - BUR")
    assert list(promise_report(record, names_of(standard.map))) == [
        "",
        "Promises",
        (
            "  S1901M FRANCE to ENGLAND: XDO ( ( FRA AMY PAR ) MTO PIC ) - broken in "
            "S1901M: another order was given"
        ),
        "  S1901M FRANCE to ENGLAND: PCE ( FRA ENG ) - kept",
        "  S1901M ENGLAND to FRANCE: PCE ( FRA ENG ) - kept",
        "",
        (
            "  promises of .. to ..        kept      broken  impossible        void"
            " not decided"
        ),
        (
            "  FRANCE to ENGLAND              1           1           -           -"
            "           -"
        ),
        (
            "  ENGLAND to FRANCE              1           -           -           -"
            "           -"
        ),
    ]


def test_a_game_without_agreements_has_no_section(standard: Variant) -> None:
    record = game(standard, {0: [("FRA", "ENG", XDO_KEPT)]}, "")
    assert not list(promise_report(record, names_of(standard.map)))


def test_rows_have_every_promise(standard: Variant) -> None:
    said = {0: [*agreed(XDO_KEPT), ("FRA", "GER", "PRP (PCE (FRA GER))")]}
    record = game(standard, said, "FRA: A PAR - PIC")
    rows = list(promise_rows(record, names_of(standard.map)))
    assert [(row.promiser, row.to, row.state, row.verdict) for row in rows] == [
        ("FRANCE", "ENGLAND", "agreed", "kept"),
        ("FRANCE", "GERMANY", "unanswered", "void"),
        ("GERMANY", "FRANCE", "unanswered", "void"),
    ]
    assert (rows[0].phase, rows[0].decided, rows[0].number) == ("S1901M", "S1901M", 0)
