"""Checks of the results that units have in a phase."""

from collections.abc import Iterator
from typing import Final

from daide_server.board.turns import Phase
from daide_server.formats.faults import RecordFault, entries, members, wrong_choice
from daide_server.formats.phase_json.result_words import WORD_OF_CONSEQUENCE

from .raw_phase import RawPhase

_WORDS: Final = tuple(WORD_OF_CONSEQUENCE.values())
RESULT_WORDS: Final = ("", *_WORDS[:2], "maybe", *_WORDS[2:])
"""`maybe` is the `diplomacy` package's word for an undecided result."""


def result_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield unknown words, and results of units that are not there.

    In retreat phases the package repeats the results of the movement phase.
    """
    known = {text.removeprefix("*") for _, _, text in phase.unit_texts}
    elsewhere = phase.turn is not None and phase.turn.phase is not Phase.MOVEMENT
    place = f"{phase.place}.results"
    for where, unit, words in entries(place, phase.held.get("results")):
        if unit not in known and not elsewhere:
            yield RecordFault(where, f"found {unit}, which is not there")
        for at, word in members(where, words):
            plain = word.rpartition(":")[2] if isinstance(word, str) else word
            yield from wrong_choice(at, plain, RESULT_WORDS)
