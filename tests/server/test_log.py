"""The log: which events it has, in logfmt, one line each."""

import re
from logging import INFO

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.game.absence import Awaited
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, JoinRefusal
from daide_server.game.stages import Stage
from daide_server.language.messages import Name, Observe
from daide_server.records.entries import TurnTallied
from daide_server.records.record import PlayerTally, RefusedOrder
from daide_server.server.events import (
    ClientConnected,
    ClientContext,
    ClientDisconnected,
    ClientDropped,
    ClientFaulted,
    ClientJoined,
    ClientMisunderstood,
    ClientRefused,
    EntryRecorded,
    Events,
    Noted,
    OrdersRefused,
    SessionFailed,
    Warned,
)
from daide_server.server.log import MAX_REMARKS, MAX_TEXT, LogReader
from daide_server.server.log_lines import (
    CONTROL_CHARACTER,
    line_writer,
    log_record,
)
from tests.support.scripts import Script

LINE = re.compile(r"timestamp=\S+Z level=\w+ event=\S+( \w+=(\S*|\"[^\"]*\"))*")
CLIENT, GAME, FRANCE = ClientId(3), GameId(1), Power("FRA")
SPRING = Turn(Season.SPRING, 1901)


class Log(Events):
    """The log, with its lines in a list."""

    def __init__(self, level: str = "info") -> None:
        self.lines: list[str] = []
        write = line_writer(self.lines.append)
        reader = LogReader(write, level)
        super().__init__(reader, wants_messages=reader.wants_messages)

    @property
    def said(self) -> list[str]:
        """Return the lines without their time stamps."""
        return [line.partition(" ")[2] for line in self.lines]


def complaint(client: ClientId, text: str = "HUH (ERR)") -> Noted:
    """Return that a client complains."""
    return Noted("client.complained", {"client": client, "complaint": text})


def seated() -> Log:
    """Return a log that knows a client in the seat of France."""
    log = Log()
    log(ClientConnected(CLIENT, "192.0.2.1"))
    context = ClientContext(CLIENT, "192.0.2.1", GAME, FRANCE, "a bot")
    log(ClientJoined(context, Name("a bot", "1")))
    log.lines.clear()
    return log


def test_the_start_the_turns_and_the_end_of_a_game_have_a_line_each(
    standard: Variant,
) -> None:
    """Votes and seats have none."""
    script = Script(standard, "year_limit=1901")
    script.holds()
    script.holds()
    log = Log()
    for entry in script.records:
        log(EntryRecorded(GameId(7), entry))
    lines = log.lines
    assert all(LINE.fullmatch(line) for line in lines)
    kinds = [line.split()[2].removeprefix("event=") for line in lines]
    assert kinds == ["game.started", "turn.processed", "turn.processed", "game.ended"]
    assert lines[0].endswith('event=game.started game=7 turn="SPR 1901" press_level=0')
    assert lines[1].endswith('game=7 turn="SPR 1901" units=22')


def test_a_client_is_named_with_all_that_is_known_of_it() -> None:
    """Its address from the first line on, its game, power and name once it has them."""
    log = Log("debug")
    log(ClientConnected(CLIENT, "192.0.2.1"))
    log(ClientFaulted(CLIENT, "WRONG_MAGIC"))
    context = ClientContext(CLIENT, "192.0.2.1", GAME, FRANCE, "a bot")
    log(ClientJoined(context, Name("a bot", "1")))
    log(ClientDropped(CLIENT, "too slow"))
    log(ClientDisconnected(ClientContext(CLIENT)))
    log(ClientDropped(CLIENT, "forgotten by now"))
    known = 'game=1 client=3 power=FRA name="a bot" address=192.0.2.1'
    assert log.said == [
        "level=debug event=client.connected client=3 address=192.0.2.1",
        "level=info event=client.faulted client=3 address=192.0.2.1 fault=WRONG_MAGIC",
        f"level=info event=client.joined {known} said=NME version=1",
        f'level=info event=client.dropped {known} reason="too slow"',
        f"level=info event=client.left {known}",
        'level=info event=client.dropped client=3 reason="forgotten by now"',
    ]


def test_a_refusal_says_why() -> None:
    log = Log()
    log(ClientConnected(CLIENT, "192.0.2.1"))
    log(ClientRefused(ClientContext(CLIENT), Observe(), JoinRefusal.ALREADY_JOINED))
    assert log.said == [
        (
            "level=info event=client.refused client=3 address=192.0.2.1 said=OBS"
            ' reason="already joined"'
        )
    ]


def test_a_refused_order_is_a_warning_with_its_turn() -> None:
    log = seated()
    refused = RefusedOrder(Province("PAR"), "FRA AMY PAR ) MTO MOS", OrderNote("FAR"))
    log(OrdersRefused(ClientContext(CLIENT, power=FRANCE), SPRING, refused))
    assert log.said == [
        (
            'level=warning event=orders.refused game=1 client=3 power=FRA name="a bot"'
            ' address=192.0.2.1 turn="SPR 1901" note=FAR order="FRA AMY PAR ) MTO MOS"'
        )
    ]


def test_a_tally_is_a_line_for_each_thing_that_went_wrong() -> None:
    """And none for who did well."""
    log = seated()
    tallies = {
        FRANCE: PlayerTally(refused=3, syntax_errors=1, late=2),
        Power("GER"): PlayerTally(late=1, silent=True),
        Power("ITA"): PlayerTally(think_median=1.0, think_longest=2.0),
    }
    log(EntryRecorded(GAME, TurnTallied(SPRING, tallies, 9.0)))
    known = 'game=1 client=3 power=FRA name="a bot" address=192.0.2.1 turn="SPR 1901"'
    assert log.said == [
        f"level=warning event=orders.late {known} late=2",
        f"level=info event=orders.counted {known} refused=3 syntax_errors=1",
        'level=warning event=player.silent game=1 power=GER turn="SPR 1901"',
    ]


def test_a_game_that_waits_says_for_whom() -> None:
    """For powers that lack a client, and for clients by their names."""
    log = seated()
    awaited = Awaited(Stage.FORMING, SPRING, (Power("ENG"), Power("GER")), (FRANCE,))
    log(Warned("game.waiting", {"game": GAME, "awaited": awaited, "seconds": 60}))
    paused = Awaited(Stage.PAUSED, SPRING, (FRANCE,), ())
    log(Warned("game.paused", {"game": GAME, "awaited": paused}))
    assert log.said == [
        (
            'level=warning event=game.waiting game=1 turn="SPR 1901" stage=forming'
            ' vacant="ENG GER" unready="FRA:a bot" seconds=60'
        ),
        (
            'level=warning event=game.paused game=1 turn="SPR 1901" stage=paused'
            " vacant=FRA"
        ),
    ]


@pytest.mark.parametrize(
    "text", ["\n", "\r", "\x1b[2K", "\x85", "\u2028", '"\n', "\\\n"]
)
@pytest.mark.parametrize("format", ["logfmt", "json", "console"])
def test_a_client_cannot_forge_a_line(text: str, format: str) -> None:  # noqa: A002
    """Nor garble a terminal: control characters are escaped."""
    lines: list[str] = []
    log = LogReader(line_writer(lines.append, format), "info")
    said = f"a{text}2026 info game.ended"
    log(ClientJoined(ClientContext(CLIENT), Name(said, "1")))
    (line,) = lines
    assert line.isprintable()


VALUES = (
    st.text(st.sampled_from('ab \\"=\n\x00\u2028\u00e9')) | st.none() | st.booleans()
)


@given(VALUES | st.integers() | st.floats())
def test_values_are_written_as_structlog_writes_them(value: object) -> None:
    """Once control characters are escaped."""
    lines: list[str] = []
    write = line_writer(lines.append)
    write(log_record(INFO, "seen", {"value": value}))
    shown = value
    if not isinstance(value, int | float):
        shown = CONTROL_CHARACTER.sub(
            lambda match: match[0].encode("unicode_escape").decode(), str(value)
        )
    renderer = structlog.processors.LogfmtRenderer(bool_as_flag=False)
    assert lines[0].partition(" event=")[2] == renderer(
        None, "", {"event": "seen", "value": shown}
    ).removeprefix("event=")


def test_an_exception_is_one_line_with_its_traceback() -> None:
    log = seated()
    log(SessionFailed(CLIENT, ValueError("a defect")))
    (line,) = log.said
    assert line.startswith("level=error event=session.failed game=1 client=3")
    assert "ValueError: a defect" in line


def test_nothing_below_the_level() -> None:
    """Warnings only, if that is asked for; messages only at debug."""
    log = Log("warning")
    log(Noted("server.stopped"))
    log(Warned("accept.failed", {"reason": "no files"}))
    assert log.said == ['level=warning event=accept.failed reason="no files"']
    assert not log.wants_messages


def test_texts_of_messages_are_wanted_at_debug_only() -> None:
    assert Log("debug").wants_messages


def test_one_client_cannot_fill_the_log() -> None:
    """Its complaints are counted together with its refusals, until it is gone."""
    log = Log()
    for client in (CLIENT, ClientId(4)):
        log(ClientConnected(client, "192.0.2.1"))
    for _ in range(MAX_REMARKS):
        log(complaint(CLIENT))
        log(ClientRefused(ClientContext(CLIENT), Observe(), JoinRefusal.NO_GAME))
        log(Noted("message.unanswered", {"context": ClientContext(CLIENT)}))
        log(ClientMisunderstood(ClientContext(CLIENT), "HUH (ERR)"))
    assert len(log.lines) == MAX_REMARKS
    log(complaint(ClientId(4)))
    assert len(log.lines) == MAX_REMARKS + 1


def test_a_long_text_is_cut() -> None:
    log = Log()
    log(complaint(CLIENT, "H" * 30_000))
    assert len(log.lines[0]) < MAX_TEXT + 200


def test_a_connection_that_joined_nothing_leaves_no_line() -> None:
    """As a health check, which asks and goes."""
    log = Log()
    log(ClientConnected(CLIENT, "192.0.2.1"))
    log(ClientDisconnected(ClientContext(CLIENT, "192.0.2.1", GAME)))
    assert log.said == []
