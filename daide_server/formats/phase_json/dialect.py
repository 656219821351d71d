"""The differences between the programs that read JSON phase by phase."""

from collections.abc import Mapping

from attrs import field

from daide_server.classes import frozen


@frozen
class Dialect:
    """What one program expects in a file.

    `everybody` is the recipient of public press, `stamps` the units of a time stamp per
    second, `maps` the program's names of our variants, `scoring` the systems that it
    can read (`None`: all in dipcc's document), `keyed_messages` whether messages are an
    object by time stamp.
    """

    everybody: str
    stamps: int
    maps: Mapping[str, str] = field(factory=dict)
    scoring: frozenset[str] | None = None
    keyed_messages: bool = False
