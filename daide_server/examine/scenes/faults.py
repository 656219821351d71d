"""Faults in games: refused orders, lost connections, absent powers, saves."""

from collections import Counter
from itertools import count

from attrs import evolve

from daide_server.board.names import Power
from daide_server.board.results import OrderNote
from daide_server.daide import messages
from daide_server.daide.frames import encode_tokens
from daide_server.examine import scene, scripted_game
from daide_server.examine.conversation import BotConversation, Override, as_the_game
from daide_server.examine.scene import FRESH, FRESH_ORDERS, ORDERS, SceneGroup, steps
from daide_server.examine.scene_log import Heard, SceneLog

# Refused orders: what a bot does after THX with a note, and after MIS

REFUSED = SceneGroup("refused orders", is_shared=True)
NOTED_SECONDS = 2.0
MOST_MESSAGES = 20
"""The most messages because of two MIS; a bot that sends more is in a loop."""
MOST_TRIES = 3
"""The most times that a bot may send a refused order; above, it is in a loop."""


def noting(note: OrderNote, times: int | None = None) -> Override:
    """Return answers that refuse orders with *note*, the first *times* or always."""
    left = count() if times is None else iter(range(times))

    def answer(message: messages.ClientMessage) -> list[messages.ServerMessage] | None:
        if not isinstance(message, messages.SubmitOrders) or next(left, None) is None:
            return None
        return [messages.OrderNoted(each.as_sent, note) for each in message.orders]

    return answer


def no_bare_orders(log: SceneLog) -> scene.SceneFinding:
    """Judge that a replacement came in SUB, or did not come at all."""
    if log.unreadable:
        return scene.fails(f"sent what is no message: {log.unreadable[0].text}")
    return scene.ordered(log)


@REFUSED(
    "order-refused | replaces a refused order by SUB, or leaves it | MS THX",
    no_bare_orders,
    fault=9,
)
async def refused_once(play: BotConversation) -> None:
    """Refuse the first SUB of a turn with FAR, and play the next turn."""
    play.override = noting(OrderNote.NOT_ADJACENT, 1)
    play.fresh()
    await play.submitted()
    units = play.game.state.position.units_of(play.game.power)
    play.say(messages.MissingUnits(units))
    await play.sleep(NOTED_SECONDS / 2)
    await play.fresh_orders()


def not_for_ever(log: SceneLog) -> scene.SceneFinding:
    """Judge how often the same refused order came."""
    found = scene.trouble(log)
    if found is not None:
        return found
    refused = Counter(
        each.as_sent for each in log.refusals if each.note is OrderNote.NOT_YOUR_UNIT
    )
    most = max(refused.values(), default=0)
    if most > MOST_TRIES:
        return scene.fails(f"sent the same refused order {most} times")
    return scene.ordered(log) if log.turns else scene.passes("gave up")


@REFUSED(
    f"order-refused-always | sends the same refused order {MOST_TRIES} times at "
    "most | MS THX",
    not_for_ever,
    fault=10,
)
async def refused_always(play: BotConversation) -> None:
    """Refuse all orders with NYU, for a while."""
    play.override = noting(OrderNote.NOT_YOUR_UNIT)
    play.fresh()
    await play.sleep(NOTED_SECONDS)
    play.override = as_the_game
    await play.fresh_orders()


@REFUSED("every-note | continues after each note of THX | MS THX", no_bare_orders)
async def other_notes(play: BotConversation) -> None:
    """Refuse one SUB with each note, turn by turn."""
    for note in OrderNote:
        if note is not OrderNote.OK:
            play.override = noting(note, 1)
            play.fresh()
            if not await play.submitted(len(play.log.said(messages.SubmitOrders))):
                return
    play.override = as_the_game
    await play.fresh_orders()


def no_endless_answers(log: SceneLog) -> scene.SceneFinding:
    """Judge that two MIS did not start an endless exchange of messages."""
    number = log.figures.get("messages", 0)
    if number > MOST_MESSAGES:
        return scene.fails(f"{number:.0f} messages because of two MIS")
    return no_bare_orders(log)


@REFUSED(
    "missing-told | continues after MIS with a unit, and with none | MS MIS",
    no_endless_answers,
)
async def missing_told(play: BotConversation) -> None:
    """Say MIS for a unit that was ordered, and for none."""
    await play.fresh_orders()
    units = play.game.state.position.units_of(play.game.power)
    known = len(play.log.of(Heard))
    play.say(messages.MissingUnits(units[:1]), messages.MissingUnits(()))
    await play.sleep(NOTED_SECONDS / 4)
    play.log.figures["messages"] = len(play.log.of(Heard)) - known
    await play.fresh_orders()


# Absent powers

FAULTS = SceneGroup("faults", is_shared=True)
RETURN_SECONDS = 8.0
ANSWER_SECONDS = 2.0
ENGLAND = Power("ENG")
TURNS_WATCHED = 3
"""Turns before the absence of a power, and after it."""


FAULTS(
    "disorder | continues after CCD and NOT (CCD) of another power | MS CCD", fault=23
)(
    steps(
        FRESH,
        scene.says(messages.InDisorder(ENGLAND)),
        ORDERS,
        FRESH,
        scene.says(messages.BackInControl(ENGLAND)),
        ORDERS,
        FRESH_ORDERS,
    )
)


@scene.if_ordered
def speaks_again(log: SceneLog) -> scene.SceneFinding:
    """Judge that a power that is back gets press as before."""
    before, after = log.words.get("before", ""), log.words.get("after", "")
    if ENGLAND not in before:
        return scene.ordered(log)
    if ENGLAND not in after and after:
        return scene.fails("sends no press to a power that is back after CCD")
    return scene.passes(f"press to {after or 'nobody'} after NOT (CCD)")


@FAULTS(
    "disorder-and-press | sends press to a power that is back after CCD | MS CCD",
    speaks_again,
    control="press-level-20",
    fault=23,
    setup=scene.at_level(20),
)
async def disorder_with_press(play: BotConversation) -> None:
    """Note whom the bot sends press to, before and after England's absence."""
    for name in ("before", "after"):
        asked: set[str] = set()
        known = len(play.log.said(messages.SendPress))
        for _ in range(TURNS_WATCHED):
            if not (await play.fresh_orders()).is_complete:
                return
        for each in play.log.said(messages.SendPress)[known:]:
            asked.update(each.recipients)
        play.log.words[name] = " ".join(sorted(asked))
        if name == "before":
            play.fresh()
            play.say(messages.InDisorder(ENGLAND))
            await play.orders()
            play.say(messages.BackInControl(ENGLAND))


# Lost connections


async def returned(play: BotConversation) -> None:
    """Wait for the bot to come back, and for its orders."""

    def is_back() -> bool:
        later = [each.message for each in play.log.of(Heard) if each.connection > 1]
        return any(isinstance(each, messages.Rejoin | messages.Name) for each in later)

    if await play.until(is_back, RETURN_SECONDS):
        play.may_close = False
        await play.orders()


def came_back(log: SceneLog) -> scene.SceneFinding:
    """Judge that the bot returned by IAM, with its own power and passcode."""
    claims = log.said(messages.Rejoin)
    if any(each.passcode != scripted_game.SCENE_PASSCODE for each in claims):
        wrong = claims[0].passcode
        return scene.fails(
            f"IAM with passcode {wrong}, not {scripted_game.SCENE_PASSCODE}"
        )
    if claims:
        found = scene.ordered(_since(log, claims[0]))
        return evolve(found, did=f"IAM; then {found.did}")
    later = [each.message for each in log.of(Heard) if each.connection > 1]
    if any(isinstance(each, messages.Name) for each in later):
        return scene.fails("came back by NME, as a new player")
    if log.exit is not None and log.exit.code < 0:
        return scene.fails(log.exit.text)
    return scene.differs("did not come back")


def _since(log: SceneLog, claim: messages.Rejoin) -> SceneLog:
    """Return the log from *claim* on."""
    place = next(
        number
        for number, each in enumerate(log.entries)
        if isinstance(each, Heard) and each.message == claim
    )
    return evolve(log, entries=log.entries[place:])


FAULTS(
    "returns | returns by IAM when the connection is lost | MS IAM",
    came_back,
    fault=24,
    is_shared=False,
)(steps(FRESH_ORDERS, BotConversation.cut, returned))


RETURNS = SceneGroup("faults", control="returns", needs_pass=True, fault=24)


@RETURNS(
    "returns-in-frame | returns by IAM when the connection is lost within a "
    "message | MS IAM",
    came_back,
)
async def lost_in_frame(play: BotConversation) -> None:
    """Close the connection in the middle of a message."""
    await play.fresh_orders()
    connection = play.connection
    assert connection is not None
    frame = encode_tokens(play.tokens_of(messages.Name("x" * 40, "1")))
    connection.send(frame[: len(frame) // 2])
    await play.sleep(ANSWER_SECONDS / 20)
    await play.cut()
    await returned(play)


RETURNS(
    "returns-at-turn | returns by IAM when the connection is lost after NOW | MS IAM",
    came_back,
)(steps(FRESH, BotConversation.cut, returned))


# Saves and administration


@scene.if_ordered
def answered_save(log: SceneLog) -> scene.SceneFinding:
    """Judge that SVE was answered."""
    answers = log.said(messages.AnswerSave)
    if not answers:
        return scene.differs("did not answer SVE")
    return scene.passes("YES (SVE)" if answers[0].saved else "REJ (SVE)")


FAULTS("save | answers SVE by YES or REJ | MS SVE", answered_save)(
    steps(
        FRESH,
        scene.says(messages.SaveGame("examined")),
        ORDERS,
        lambda play: play.until_said(ANSWER_SECONDS, messages.AnswerSave),
    )
)


def answered_load(log: SceneLog) -> scene.SceneFinding:
    """Judge that LOD was answered by IAM or REJ."""
    if log.said(messages.Rejoin):
        return scene.passes("IAM")
    if log.said(messages.RefuseLoad):
        return scene.passes("REJ (LOD)")
    if log.exit is not None and log.exit.code != 0:
        return scene.fails(log.exit.text)
    return scene.differs("did not answer LOD")


@FAULTS("load | answers LOD by IAM or REJ | MS LOD", answered_load, is_shared=False)
async def load(play: BotConversation) -> None:
    """Ask the bot to load a game."""
    play.override = scene.answering(
        messages.Rejoin, lambda claim: messages.Accepted(play.tokens_of(claim))
    )
    await play.fresh_orders()
    play.say(messages.LoadGame("examined"))
    await play.until_said(ANSWER_SECONDS, messages.Rejoin, messages.RefuseLoad)


FAULTS("administration | continues after ADM | MS ADM")(
    steps(
        FRESH,
        scene.says(
            messages.Admin("Server", "a new bot has come"), messages.Admin("", "")
        ),
        ORDERS,
    )
)
