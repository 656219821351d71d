"""Make `tests/data/aiserver` and `tests/data/games` from the files of other programs.

FOLDER holds `variants/` and `aiserver/server_language.txt` of AiServer, and `games/`
with records in JSON. `tests/data/README.md` says what is kept of each.

    python tools/collect_test_data.py FOLDER
"""

import json
import lzma
import re
import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "tests" / "data"
STRONGEST = 9 | lzma.PRESET_EXTREME


def main() -> None:
    """Write all files, and print their sizes."""
    (folder,) = map(Path, sys.argv[1:])
    names = sorted(path.stem for path in (folder / "variants").glob("*.mdf"))
    boards = {name: board(folder / "variants", name) for name in names}
    pack(DATA / "aiserver" / "boards.json.xz", boards)
    text = (folder / "aiserver" / "server_language.txt").read_text(encoding="latin-1")
    (DATA / "aiserver" / "grammar.txt").write_text(productions(text))
    for path in sorted((folder / "games").glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        pack(DATA / "games" / f"{path.name}.xz", without_words(record))


def pack(path: Path, content: object) -> None:
    """Write *content* as compressed JSON."""
    text = json.dumps(content, separators=(",", ":"))
    path.write_bytes(lzma.compress(text.encode(), preset=STRONGEST))
    print(f"{path.stat().st_size:7} bytes of {len(text):7}: {path}")


def board(folder: Path, name: str) -> dict[str, object]:
    """Return the messages of a board as nested lists, and its token numbers."""
    read = {
        each: (folder / f"{name}.{each}").read_text(encoding="latin-1")
        for each in ("mdf", "now", "sco", "rem")
    }
    messages = {each: nested(read[each]) for each in ("mdf", "now", "sco")}
    return {**messages, "tokens": dict(re.findall(r"(\w{4}):(\w{3})", read["rem"]))}


def nested(message: str) -> list[Any]:
    """Return a message of DAIDE's text as lists within lists."""
    words = re.sub(r"[^\s()]+", r'"\g<0>"', message)
    spaced = re.sub(r'(?<=[")])\s*(?=["(])', ",", words)
    return json.loads(f"[{spaced}]".translate({ord("("): "[", ord(")"): "]"}))


def productions(text: str) -> str:
    """Return the lines of a grammar without comments and empty lines."""
    lines = (" ".join(line.partition(";")[0].split()) for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def without_words(record: dict[str, Any]) -> dict[str, Any]:
    """Return *record* with an x for each letter that a player wrote."""
    for phase in record["phases"]:
        for message in phase["messages"]:
            message["message"] = re.sub(r"[^\W\d_]", "x", message["message"])
    return record


if __name__ == "__main__":
    main()
