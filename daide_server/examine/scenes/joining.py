"""Joining (RM, NME, MAP, MDF, HLO), frames of bytes, other boards, lines."""

from functools import partial

from daide_server.board.names import Power
from daide_server.daide import commands, messages, tokens
from daide_server.examine import scene
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene import FRESH, FRESH_ORDERS, ORDERS, SceneGroup, steps
from daide_server.examine.scene_log import Opened, SceneLog
from daide_server.examine.scripted_game import SceneSetup, bytewise, split_headers

FIRST_TURN = "first-turn"
JOINING = SceneGroup("joining", control=FIRST_TURN, joins=False)
FEW_STARTS = 3
NO_IM = "no IM"
SPIN_SECONDS = 2.0
SPIN_RATE = 10
"""Tries a second from which a bot is in a loop."""
USUAL_LEVELS = (10, 20, 130, 8000)
"""The levels that are played without --thorough."""


def joined(log: SceneLog) -> scene.SceneFinding:
    """Judge that the bot has come, and answered MAP."""
    if log.is_joined:
        opened, names = log.of(Opened), log.said(messages.Name)
        if len(names) > len(opened):
            return scene.differs(f"sent NME {len(names)} times; a connection needs one")
        return scene.passes(f"YES (MAP) after {opened[0].seconds:.1f} s to connect")
    if log.exit is None and not log.of(Opened):
        return scene.fails("did not connect")
    if log.said(messages.RefuseMap):
        return scene.differs("REJ (MAP)")
    if log.lost is None and log.exit is None and NO_IM in log.words:
        return scene.fails(f"connected, and did not send IM: {log.words[NO_IM]}")
    if log.lost is None and log.exit is None and not log.said(messages.Name):
        return scene.fails(f"connected, and sent no correct NME: {log.last_words}")
    return scene.trouble(log) or scene.passes("YES (MAP)")


@JOINING(
    "joins | sends IM and NME, and answers MAP within 60 s | CS IM, MS NME",
    joined,
    control="",
)
async def join_only(play: BotConversation) -> None:
    """Wait until the bot has answered MAP."""
    await play.join()
    if play.connection is not None and not play.connection.has_im:
        play.log.words[NO_IM] = play.connection.unfinished or "it sent nothing"


@JOINING(
    f"{FIRST_TURN} | orders all its units in SPR 1901 | MS SUB",
    scene.ordered_legally,
    control="joins",
)
async def first_turns(play: BotConversation, number: int = 1, pause: float = 0) -> None:
    """Join, and after a *pause* play turns; the last one is not ended."""
    if await play.join():
        await play.sleep(pause)
        play.begin()
        await scene.turns(play, number - 1)
        await play.orders()


JOINING("second-turn | orders all its units in a second turn, too | MS SUB")(
    partial(first_turns, number=2)
)

for name, starts in (("rm-at-once", FEW_STARTS), ("rm-at-once-often", 20)):
    JOINING(
        f"{name} | joins in each of {starts} starts when RM comes immediately | CS RM",
        scene.should(joined),
        setup=SceneSetup(rm_delay=0.0),
        control="joins",
        fault=1,
        starts=starts,
        is_long=starts > FEW_STARTS,
    )(join_only)

JOINING(
    "full-rm | reads the names in RM, also those of the standard board | CS RM",
    setup=SceneSetup(full_rm=True),
    fault=2,
)(first_turns)


def not_spinning(what: str) -> scene.JudgeScene:
    """Return a judge of how often a bot retries *what*."""

    def judged(log: SceneLog) -> scene.SceneFinding:
        tries = log.figures["tries"]
        did = f"{tries:.0f} {what} in {SPIN_SECONDS:.0f} s"
        is_spinning = tries / SPIN_SECONDS >= SPIN_RATE
        return scene.fails(did) if is_spinning else scene.passes(did)

    return judged


@JOINING(
    f"name-refused | fewer than {SPIN_RATE} tries a second after REJ (NME) | MS NME",
    not_spinning("NME"),
    fault=5,
)
async def refuse_name(play: BotConversation) -> None:
    """Answer each NME with REJ, for a while."""
    play.override = scene.answering(messages.Name, play.rejected)
    play.may_close = True
    await play.until_said(play.measures.start_seconds, messages.Name)
    await play.sleep(SPIN_SECONDS)
    play.log.figures["tries"] = len(play.log.said(messages.Name))


JOINING(
    "slow-definition | waits for MDF, and answers MAP within 60 s | MS MDF",
    setup=SceneSetup(mdf_delay=2.0),
    fault=3,
)(first_turns)


def plays_or_refuses(log: SceneLog) -> scene.SceneFinding:
    """Judge that the bot either plays, or says that it cannot: both readings pass."""
    if log.said(messages.RefuseMap):
        return scene.passes("REJ (MAP)")
    found = scene.ordered_legally(log)
    if log.said(messages.AskMapDefinition) or not log.is_joined:
        return found
    return found if not log.refusals else scene.fails(f"YES without MDF; {found.did}")


JOINING(
    "unknown-board | asks for MDF and plays the board fva, or REJ (MAP) | MS MAP",
    plays_or_refuses,
    setup=SceneSetup(board="fva", power=Power("FRA")),
    fault=4,
)(first_turns)
JOINING(
    "unknown-map-name | YES or REJ to a MAP of another name | MS MAP",
    plays_or_refuses,
    setup=SceneSetup(map_name="standard_2"),
)(first_turns)


JOINING("slow-hello | waits for HLO while other powers join | MS HLO")(
    partial(first_turns, pause=3.0)
)
JOINING(
    "hello-again | continues after a second HLO | MS HLO",
    control="second-turn",
    joins=True,
    is_shared=True,
)(steps(lambda play: play.say(play.game.greeting()), FRESH_ORDERS))


for year in (1000, 8180):
    JOINING(
        f"first-year-{year} | orders for SPR {year}, or REJ (MAP) | MS NOW",
        plays_or_refuses,
        setup=SceneSetup(first_year=year),
        fault=29,
    )(first_turns)

for level in commands.LANGUAGE_LEVELS[1:]:
    JOINING(
        f"level-{level} | plays in a game with LVL {level} | MS HLO",
        control="second-turn",
        is_long=level not in USUAL_LEVELS,
        setup=scene.at_level(level),
    )(first_turns)

BOARDS = SceneGroup("boards", joins=False, fault=4)
for board, power, what in (
    ("fva", "AUS", "a board for two"),
    ("modern", "FRN", "a board of 141 provinces"),
    ("hundred3", "BUR", "a board with other homes"),
):
    BOARDS(
        f"board-{board} | asks for MDF and plays {what}, or REJ (MAP) | MS MDF",
        plays_or_refuses,
        setup=SceneSetup(board=board, power=Power(power)),
    )(first_turns)

LINES = SceneGroup("lines", control="", joins=False, lines_only=True)
LINES("flushes | flushes its lines, also into a pipe | Lines", joined, fault=28)(
    join_only
)


# Frames: bytes that come in pieces, long and unknown messages, repetitions

PIECES = SceneGroup("frames", joins=False)
FRAMES = SceneGroup("frames", is_shared=True)
HEADER = "CS Message Header"
LONG_TEXT = 16_490
"""Characters of a message of 33,000 bytes: more than a signed length can say."""
MANY_FRAMES = 300
MANY = scene.says(*[messages.TimeLeft(100)] * MANY_FRAMES)
UNKNOWN_COMMAND = tokens.Token(0x48F0)
UNKNOWN_PARAMETER = tokens.Token(0x49F0)

PIECES(
    f"split-bytes | reads messages that come byte by byte | {HEADER}",
    setup=SceneSetup(pace=bytewise),
    fault=6,
)(first_turns)
PIECES(
    f"split-headers | reads a header that comes in two pieces | {HEADER}",
    setup=SceneSetup(pace=split_headers),
    fault=6,
)(first_turns)
PIECES(
    f"padding | ignores the second byte of a header | {HEADER}",
    setup=SceneSetup(padding=True),
    fault=8,
)(first_turns)

FRAMES(
    f"joined-frames | reads hundreds of messages that come in one piece | {HEADER}",
    fault=6,
)(steps(MANY, FRESH, MANY, ORDERS))

FRAMES(
    f"long-message | reads or skips a message of 33,000 bytes | {HEADER}",
    scene.should(scene.ordered),
    fault=7,
)(steps(scene.says(messages.Admin("Server", "x" * LONG_TEXT)), FRESH_ORDERS))


@FRAMES("turn-repeated | orders when SCO and NOW of a turn come twice | MS NOW")
async def same_turn_again(play: BotConversation) -> None:
    """Send SCO and NOW of one turn twice."""
    play.fresh()
    position = play.game.state.position
    play.say(messages.Ownership(position.owners), messages.CurrentPosition(position))
    await play.orders()


FRAMES("unknown-messages | continues after tokens that it does not know | MS HUH")(
    steps(
        lambda play: play.say_tokens(
            (UNKNOWN_COMMAND,), (UNKNOWN_COMMAND, tokens.BRA, tokens.KET)
        ),
        lambda play: play.say_tokens(
            (UNKNOWN_PARAMETER, tokens.BRA, tokens.Token(7), tokens.KET)
        ),
        FRESH_ORDERS,
    )
)

FRAMES("complaints | continues after PRN and HUH | MS HUH")(
    steps(scene.tells("PRN ( ( NME )", "HUH ( ERR NOW ( FRA ) )"), FRESH_ORDERS)
)

FRAMES(
    "unasked-answers | continues after answers that it did not ask for | MS YES",
    scene.should(scene.ordered),
)(
    steps(
        scene.tells("YES ( NOW )", "REJ ( GOF )", "REJ ( NOT ( GOF ) )", "MIS"),
        scene.says(messages.SyntaxRefused(())),
        FRESH_ORDERS,
    )
)
