"""Names in saved games of the `diplomacy` package that differ from ours.

Its boards `modern`, `colonial`, `empire`, `world` and `pure` have other names of
powers, and other abbreviations of some places. Our files have ours everywhere.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

OUR_BOARDS = {
    "standard_age_of_empires": "age_of_empires",
    "standard_age_of_empires_2": "age_of_empires_2",
    "standard_fleet_rome": "fleet_rome",
    "standard_france_austria": "fva",
    "standard_germany_italy": "gvi",
}
"""Our boards that have other names in the `diplomacy` package."""


def _pairs(words: str) -> Mapping[str, str]:
    """Return the names of the package with ours, such as `CHINA=CHN HOLLAND=HOL`."""
    pairs = (pair.partition("=") for pair in words.split())
    return {theirs: ours for theirs, _, ours in pairs}


_POWERS: Mapping[str, Mapping[str, str]] = {
    "pure": _pairs(""),
    "modern": _pairs(
        "BRITAIN=BRT EGYPT=EGY FRANCE=FRN POLAND=POL SPAIN=SPA UKRAINE=UKR"
    ),
    "colonial": _pairs("BRITAIN=BRI CHINA=CHN HOLLAND=HOL JAPAN=JAP"),
    "empire": _pairs(
        "BRITISHCOLUMBIA=BCO CALIFORNIA=CLF CUBA=CUB FLORIDA=FLO HEARTLAND=HEA "
        "MEXICO=MXC NEWYORK=NYK PERU=PRU QUEBEC=QBC TEXAS=TEX"
    ),
    "world": _pairs(
        "ARGENTINA=ARG BRAZIL=BRZ CHINA=CHN EUROPE=EUR FROZENANTARCTICA=FAN "
        "GHANA=GHN INDIA=IDA KENYA=KNY LIBYA=LBY NEAREAST=NEE OZ=OZZ "
        "PACIFICRUSSIA=PRU QUEBEC=QUE SOUTHAFRICA=SAA UNITEDSTATES=USA "
        "WESTERNCANADA=WCA"
    ),
}
"""Powers with different names, by board; all others are those of `board.notation`."""
_PLACES: Mapping[str, Mapping[str, str]] = {
    "pure": _pairs("MOS=STP"),
    "modern": _pairs("CRP=CEN NWY=NOR SLK=SLV SOG=STR SVE=SVL"),
    "colonial": _pairs("AND=ADS ANG=AGR ECS=ECH FOR=FMS SCS=SCH SUM=SMT"),
    "empire": _pairs("ECS=ECR GOF=GFO MIS=MSR NME=NMX NSC=NOV SCS=SCR WCS=WCR"),
    "world": _pairs("ANG=AGL NSU=NSD SCS=SCH"),
}
_NAMED = re.compile(rb'"map"\s*:\s*"(?:' + "|".join(_PLACES).encode() + rb')"')
_WORD = re.compile(r"\b[A-Z]{3}\b")
STATE_TABLES = (
    "units",
    "centers",
    "retreats",
    "builds",
    "homes",
    "influence",
    "civil_disorder",
)
"""The tables of a state, by power."""
_MISSHAPEN = (AttributeError, KeyError, TypeError)
"""The exceptions for a file whose phases are malformed."""


class _Heading(Struct):
    """The keys that show whether the `diplomacy` package wrote a file."""

    map: str
    daide: Raw | UnsetType = UNSET


def in_our_words(text: str | bytes) -> bytes:
    """Return a saved game of the package with our names, any other text unchanged.

    Invalid text is returned too: its reader says what is wrong.
    """
    content = text.encode() if isinstance(text, str) else text
    if not _NAMED.search(content):
        return content
    try:
        heading = msgspec.json.decode(content, type=_Heading)
        if heading.map not in _PLACES or heading.daide is not UNSET:
            return content
        game = msgspec.json.decode(content)
        words = _Words(_POWERS[heading.map], _PLACES[heading.map])
        for phase in game["phases"]:
            words.translate(phase)
    except (msgspec.DecodeError, ValueError, RecursionError, *_MISSHAPEN):
        return content
    return msgspec.json.encode(game)


class _Words(Struct, frozen=True):
    """The names of one board."""

    powers: Mapping[str, str]
    places: Mapping[str, str]

    def translate(self, phase: dict[str, Any]) -> None:
        """Replace the names in *phase* by ours."""
        self._tables(phase, ("orders", "results"))
        self._tables(phase["state"], STATE_TABLES)
        messages = phase.get("messages") or []
        if isinstance(messages, dict):
            messages = messages.values()
        for message in messages:
            for key in ("sender", "recipient"):
                message[key] = self.powers.get(message[key], message[key])

    def _tables(self, owner: dict[str, Any], keys: tuple[str, ...]) -> None:
        for key in keys:
            if key in owner:
                owner[key] = self._translated(owner[key])

    def _translated(self, value: Any) -> Any:  # noqa: ANN401 - any JSON
        match value:
            case str():
                return self.powers.get(value) or _WORD.sub(self._place, value)
            case list():
                return [self._translated(each) for each in value]
            case dict():
                return {
                    self._translated(key): self._translated(at)
                    for key, at in value.items()
                }
            case _:
                return value

    def _place(self, found: re.Match[str]) -> str:
        return self.places.get(found[0], found[0])
