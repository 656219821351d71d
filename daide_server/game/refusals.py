"""Why NME, OBS and IAM are refused. Clients get a plain REJ; this is for the log."""

from enum import Enum


class JoinRefusal(Enum):
    """Why a client that asks to join is refused; the value says it in words."""

    ALREADY_JOINED = "already joined"
    TOO_MUCH = "too much joining and leaving in this game"
    UNUSABLE_NAME = "name too long, or with unprintable characters"
    NO_OPEN_SEAT = "game full"
    SEAT_TAKEN = "seat taken"
    NO_GAME = "no game"
    NAME_LEFT = "name taken: that player has left its seat, expected IAM"
    NOT_RUNNING = "game not running"
    WRONG_PASSCODE = "wrong passcode"
    PASSCODE_REFUSED = "passcode refused"
    """It is wrong, and a seat could have been had by the right one."""
    SEAT_OCCUPIED = "seat occupied"
