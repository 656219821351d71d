"""Places of units, names and centres on the standard map that are set by hand."""

from collections.abc import Mapping

UNITS: Mapping[str, tuple[float, float]] = {
    "CLY": (316.0, 362.0),
    "NAP": (871.0, 1161.0),
}
NAMES: Mapping[str, tuple[float, float]] = {
    "CLY": (288.0, 388.0),
    "EDI": (365.0, 372.0),
    "NAP": (812.0, 1247.0),
}
CENTRES: Mapping[str, tuple[float, float]] = {}
FOLLOWS: Mapping[str, str] = {
    "APU": "NAP", "ARM": "ANK", "BOH": "VIE", "BUR": "PAR", "CLY": "EDI", "FIN": "STP",
    "GAL": "BUD", "GAS": "BRE", "LVN": "STP", "PIC": "PAR", "PIE": "VEN", "PRU": "BER",
    "RUH": "KIE", "SIL": "BER", "SYR": "SMY", "TUS": "ROM", "TYR": "VIE", "UKR": "SEV",
    "WAL": "LVP", "YOR": "LON",
}  # fmt: skip
"""The supply centre whose colour a province without one has."""
