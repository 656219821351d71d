"""Write the tables and bytes of docs/protocol.md from the tables that the server uses.

make protocol
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from daide_server.board.results import OrderNote, OrderResult
from daide_server.daide.commands import CLIENT_MESSAGES, SERVER_MESSAGES, HelloOption
from daide_server.daide.frames import (
    FINAL_MESSAGE,
    INITIAL_MESSAGE,
    ErrorCode,
    FrameType,
    encode_tokens,
    error_message,
    representation_message,
)
from daide_server.daide.grammar import Level
from daide_server.daide.press import PRESS_LEVELS
from daide_server.daide.tokens import MNEMONICS, TOKENS_BY_NAME, Token, category
from daide_server.daide.vocabulary import DIALECTS, NORMAN, Vocabulary, from_text

TOP = Path(__file__).parents[1]
DOCUMENT = TOP / "docs" / "protocol.md"
TRANSCRIPT = TOP / "tests" / "transcripts" / "first_turn.txt"
BEGIN = "<!-- written by make protocol: {} -->\n"
END = "<!-- until here -->\n"
STANDARD = Vocabulary.standard()
BYTES_SHOWN = 32
"""The longest frame of a server that is shown in hexadecimal."""
TEXT_SHOWN = 72

CLIENT_EXAMPLES: Mapping[str, str] = {
    "NME (string) (string)": "NME ('MyBot') ('1.0')",
    "OBS": "OBS",
    "IAM (power) (number)": "IAM (FRA) (6334)",
    "HLO": "HLO",
    "MAP": "MAP",
    "MDF": "MDF",
    "YES (acknowledgable_command)": "YES (MAP ('standard'))",
    "REJ (acknowledgable_command)": "REJ (MAP ('standard'))",
    "NOW": "NOW",
    "SCO": "SCO",
    "ORD": "ORD",
    "HST (turn)": "HST (SPR 1901)",
    "TME (number)": "TME (30)",
    "TME": "TME",
    "ADM (string) (string)": "ADM ('MyBot') ('Good luck')",
    "SUB (order) (order) ...": "SUB ((FRA AMY PAR) MTO BUR) ((FRA FLT BRE) HLD)",
    "SUB (turn) (order) (order) ...": "SUB (SPR 1901) ((FRA AMY PAR) HLD)",
    "NOT (negatable_command)": "NOT (GOF)",
    "MIS": "MIS",
    "GOF": "GOF",
    "DRW": "DRW",
    "DRW (power power_list)": "DRW (FRA ENG)",
}
"""An example of each message of a client, by its production."""

SERVER_EXAMPLES: Mapping[str, str] = {
    "YES (any_token_sequence)": "YES (NME ('MyBot') ('1.0'))",
    "REJ (any_token_sequence)": "REJ (GOF)",
    "MAP (string)": "MAP ('standard')",
    "MDF (power_list) (mdf_provinces) (mdf_adjacencies)": (
        "MDF (ENG FRA) (((ENG LON) (FRA BRE)) (ECH)) ((LON (FLT ECH)) (BRE (FLT ECH)) "
        "(ECH (FLT LON BRE)))"
    ),
    "HLO (owner) (number) (variant)": "HLO (FRA) (6334) ((LVL 0) (MTL 60))",
    "NOW (turn) [units units ...]": "NOW (SUM 1901) (FRA AMY PAR MRT (BUR GAS))",
    "SCO [sco_entries sco_entries ...]": "SCO (FRA PAR BRE MAR) (UNO BEL)",
    "THX (any_token_sequence) (order_note)": "THX ((FRA AMY PAR) MTO BUR) (MBV)",
    "MIS [units units ...]": "MIS (FRA AMY PAR)",
    "MIS (number)": "MIS (1)",
    "ORD (turn) (order) (compound_order_result)": (
        "ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (SUC)"
    ),
    "SVE (string)": "SVE ('game1')",
    "LOD (string)": "LOD ('game1')",
    "OFF": "OFF",
    "TME (number)": "TME (60)",
    "HUH (any_token_sequence)": "HUH (SUB (ERR FRA))",
    "CCD (power)": "CCD (FRA)",
    "NOT (negated_server_message)": "NOT (CCD (FRA))",
    "ADM (string) (string)": "ADM ('Server') ('The last round')",
    "SLO (power)": "SLO (FRA)",
    "DRW": "DRW",
    "SMR (turn) [summaries summaries ...]": (
        "SMR (FAL 1905) (FRA ('MyBot') ('1.0') 18) (ENG ('Other') ('2') 0 1904)"
    ),
    "DRW (power_list)": "DRW (FRA ENG)",
    "OUT (power)": "OUT (ENG)",
    "FRM (power) (power_list) (any_token_sequence)": (
        "FRM (ENG) (FRA) (PRP (PCE (ENG FRA)))"
    ),
}
"""An example of each message of the server, by its production."""

PRESS_EXAMPLES: Mapping[int, str] = {
    10: "SND (ENG) (PRP (PCE (FRA ENG)))",
    20: "SND (ENG) (PRP (XDO ((ENG FLT LON) MTO NTH)))",
    30: "SND (ENG) (PRP (AND (PCE (FRA ENG)) (DMZ (FRA ENG) (ECH))))",
    40: "SND (ENG) (PRP (SCD (FRA BEL) (ENG NWY)))",
    50: "SND (ENG) (PRP (CHO (1 1) (SCD (FRA BEL)) (SCD (FRA HOL))))",
    60: "SND (ENG) (QRY (ALY (ENG GER) VSS (FRA)))",
    70: "SND (ENG) (WHT (ENG FLT LON))",
    80: "SND (ENG) (EXP (SPR 1901) (PRP (PCE (FRA ENG))))",
    90: "SND (ENG) (PRP (FOR (FAL 1901) (XDO ((FRA AMY PIC) MTO BEL))))",
    100: "SND (ENG) (IFF (PCE (ENG GER)) THN (PRP (PCE (FRA ENG))))",
    110: "SND (ENG) (PRP (XOY (FRA) (ENG)))",
    120: "SND (ENG) (PRP (FWD (ENG) (GER) (FRA)))",
    130: "SND (ENG) (WHY (PRP (PCE (FRA ENG))))",
    140: "SND (ENG) (ANG (PRP (PCE (FRA ENG))))",
    150: "SND (ENG) (PRP (ROF))",
    160: "SND (ENG) (PRP (ULB (FRA 2.5)))",
    8000: "SND (ENG) ('Shall we share the Channel?')",
}
"""A message of each press level."""


def blocks() -> Mapping[str, Callable[[], str]]:
    """Return what writes each block of the document, by its name."""
    return {
        "frames": frames,
        "errors": errors,
        "tokens": tokens,
        "standard map": standard_map,
        "dialects": dialects,
        "client messages": lambda: messages(CLIENT_MESSAGES, CLIENT_EXAMPLES),
        "server messages": lambda: messages(SERVER_MESSAGES, SERVER_EXAMPLES),
        "options": options,
        "notes": notes,
        "press": press,
        "first turn": first_turn,
    }


def written(text: str) -> str:
    """Return the text of the document with all blocks as they must be."""
    for name, write in blocks().items():
        begin = BEGIN.format(name)
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(END)
        text = f"{before}{begin}\n{write()}\n{END}{after}"
    return text


def table(*rows: tuple[str, ...]) -> str:
    """Return a table of Markdown; the first row is its heading."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{'---|' * len(rows[0])}")
    return "\n".join(lines) + "\n"


def hexadecimal(data: bytes) -> str:
    """Return *data* as it is printed."""
    return data.hex(" ", 2).upper()


def frames() -> str:
    """Return the five messages of the connection, with their bytes."""
    shown: Mapping[FrameType, tuple[str, bytes]] = {
        FrameType.INITIAL: (
            "IM, from the client, first: version 1, magic number DA10",
            INITIAL_MESSAGE,
        ),
        FrameType.REPRESENTATION: (
            "RM, from the server: powers and provinces; none for the standard map",
            representation_message(()),
        ),
        FrameType.DIPLOMACY: (
            "DM, both ways: one message in tokens, here GOF",
            encode_tokens((TOKENS_BY_NAME["GOF"],)),
        ),
        FrameType.FINAL: ("FM, both ways: the connection ends", FINAL_MESSAGE),
        FrameType.ERROR: (
            "EM, both ways: the connection ends because of an error, here 0D",
            error_message(ErrorCode.REPRESENTATION_BY_CLIENT),
        ),
    }
    rows = [
        (str(kind.value), words, f"`{hexadecimal(frame)}`")
        for kind, (words, frame) in shown.items()
    ]
    return table(("type", "message", "bytes"), *rows)


def errors() -> str:
    """Return the codes of EM."""
    codes = [f"{code.value:02X} {_words(code.name)}" for code in ErrorCode]
    return "; ".join(codes) + "\n"


def tokens() -> str:
    """Return all tokens by category."""
    listed = sorted(MNEMONICS.items())
    rows = [
        (
            f"{code:02X}",
            " ".join(f"`{name}` {token & 0xFF:02X}" for token, name in each),
        )
        for code, each in groupby(listed, key=lambda item: category(item[0]))
    ]
    return table(("high byte", "token and low byte"), *rows)


def standard_map() -> str:
    """Return the tokens of the standard map's powers and provinces."""
    named: list[tuple[Token, str]] = [*STANDARD.powers.items()]
    named += STANDARD.provinces.items()
    rows = [
        (
            f"{code:02X}",
            " ".join(f"`{name}` {token & 0xFF:02X}" for token, name in each),
        )
        for code, each in groupby(sorted(named), key=lambda item: category(item[0]))
    ]
    return table(("high byte", "power or province and low byte"), *rows)


def dialects() -> str:
    """Return the tokens whose codes differ between programs."""
    usual = DIALECTS[NORMAN]
    differing = sorted(
        token
        for token in usual
        if any(words[token] != usual[token] for words in DIALECTS.values())
    )
    rows = [
        (f"{token:04X}", *(words[token] for words in DIALECTS.values()))
        for token in differing
    ]
    return table(("code", *DIALECTS), *rows)


def messages(levels: tuple[Level, ...], examples: Mapping[str, str]) -> str:
    """Return the messages of *levels*, each with its example."""
    forms = [form for level in levels for form in _forms(level)]
    rows = [(f"`{form}`", f"`{examples[form]}`") for form in forms]
    return table(("message", "example"), *rows)


def _forms(level: Level) -> Iterator[str]:
    for line in level.rules.splitlines():
        name, _, form = line.strip().partition(" = ")
        if name in {"client_message", "server_message"}:
            yield form


def options() -> str:
    """Return the options of HLO."""
    rows = [
        (
            f"`({option.value.production})`",
            _words(option.name),
            str(option.value.from_level),
        )
        for option in HelloOption
    ]
    return table(("option", "means", "from level"), *rows)


def notes() -> str:
    """Return the notes of THX and the results of ORD."""
    of_orders = [f"`{note.value}` {_words(note.name)}" for note in OrderNote]
    results = [f"`{each.value}` {_words(each.name)}" for each in OrderResult]
    results.append("`RET` the unit is dislodged")
    return f"THX: {'; '.join(of_orders)}\n\nORD: {'; '.join(results)}\n"


def press() -> str:
    """Return the productions of each press level, with an example."""
    sections = []
    by_number = groupby(
        sorted(PRESS_LEVELS, key=lambda level: level.number), lambda each: each.number
    )
    for number, group in by_number:
        levels = list(group)
        shown = _grammar(line for each in levels for line in each.rules.splitlines())
        example = PRESS_EXAMPLES[number]
        title = f"**Level {number}: {levels[0].title}.** `{example}`"
        sections.append(f"{title}\n\n```text\n{shown}\n```\n")
    return "\n".join(sections)


def _grammar(lines: Iterable[str]) -> str:
    """Return rules of the grammar, with the alternatives of a name below each other."""
    forms: dict[str, list[str]] = {}
    for line in lines:
        name, _, form = line.strip().partition(" = ")
        if form:
            forms.setdefault(name, []).append(form)
    shown = []
    for name, [first, *others] in forms.items():
        shown.append(f"{name} = {first}")
        shown += [f"{' ' * len(name)} | {form}" for form in others]
    return "\n".join(shown)


def first_turn() -> str:
    """Return the first turn of a bot, as text and, but for long answers, as bytes."""
    lines = ["```text", "client: IM", f"    {hexadecimal(INITIAL_MESSAGE)}"]
    lines += ["server: RM, no names: the standard map"]
    lines += [f"    {hexadecimal(representation_message(()))}"]
    comments: list[str] = []
    for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines()[2:]:
        if line.startswith("# "):
            comments.append(line)
        elif line.startswith("FRA"):
            lines += ["", *comments, *_exchange(line)]
            comments.clear()
    return "\n".join([*lines, "```\n"])


def _exchange(line: str) -> list[str]:
    who = "client" if line[3] == ">" else "server"
    text = line[5:]
    if text.endswith("..."):
        return [f"{who}: {text} for each other unit"]
    frame = encode_tokens(from_text(text, STANDARD))
    if len(text) > TEXT_SHOWN:
        text = f"{text[: text.rindex(' (', 0, TEXT_SHOWN)]} ..."
    is_long = who == "server" and len(frame) > BYTES_SHOWN
    return [f"{who}: {text}", *([] if is_long else [f"    {hexadecimal(frame)}"])]


def _words(name: str) -> str:
    return name.lower().replace("_", " ")


def main() -> None:
    """Write the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(written(text), encoding="utf-8")


if __name__ == "__main__":
    main()
