"""The differences between the programs that read JSON phase by phase."""

from collections.abc import Mapping

from attrs import field, frozen


@frozen
class Dialect:
    """The choices of one program.

    `everybody` is the recipient of a message for all, `stamps` how many of its time
    stamps make a second, `maps` its names for our variants, `scoring` the systems
    that it can read (`None`: all of the document), `keyed_messages` whether
    messages are an object by stamp.
    """

    everybody: str
    stamps: int
    maps: Mapping[str, str] = field(factory=dict)
    scoring: frozenset[str] | None = None
    keyed_messages: bool = False
