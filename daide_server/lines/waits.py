"""How long a bridge waits for its bot, by default."""

from typing import Final

READY_SECONDS: Final = 60.0
"""Until the bot says that it is ready."""
FILL_SECONDS: Final = 5.0
"""After the bot's last orders, until those that it has forgotten are completed."""
