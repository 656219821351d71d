"""What is kept of running games, and how they are taken up again."""

from typing import Final

from daide_server.classes import frozen
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import FOLDER, FOLDER_OR_NONE, SECONDS, SWITCH, one_of

NO_DURABILITY: Final = "none"


@frozen(kw_only=True)
class JournalSettings:
    """The journals of running games, from which a killed server recovers."""

    folder: str = setting(
        FOLDER,
        "journal",
        "Folder for the journals of running games; it has a folder for each address.",
        option="--journal",
    )
    durability: str = setting(
        one_of(("process", "disk", NO_DURABILITY), metavar="HOW"),
        "process",
        "What an answer survives: process (a crash or kill of the server), disk (of "
        "the machine as well), none.",
        option="--durability",
    )
    recover: str | None = setting(
        FOLDER_OR_NONE,
        None,
        "Folder of journals to continue with in place of that of the address.",
        option="--recover",
    )
    fresh: bool = setting(
        SWITCH,
        default=False,
        help="Record the running games of the journal as broken off; start anew.",
        option="--fresh",
    )
    recovery_wait: float = setting(
        SECONDS,
        60.0,
        "Seconds that a recovered game waits for its clients.",
    )
    recovery_grace: float = setting(
        SECONDS,
        10.0,
        "Seconds that the turn of a recovered game has left at least.",
    )
    keep_journals: bool = setting(
        SWITCH,
        default=False,
        help="Keep the journals of games that are over, in the folder done.",
    )

    @property
    def is_kept(self) -> bool:
        """Return whether there is a journal."""
        return self.durability != NO_DURABILITY
