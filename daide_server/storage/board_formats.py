"""Boards in files of any format that we know: read, checked, written."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from daide_server.atlas import aiserver, assistant
from daide_server.atlas.assistant import json as stored
from daide_server.atlas.assistant import statements
from daide_server.atlas.checking import Flaw, flaws
from daide_server.atlas.map_faults import AtlasError, MapFault
from daide_server.atlas.toml_writer import line_of, to_toml
from daide_server.board.variant import Variant, VariantError

from .texts import read_text, unmarked
from .variant_identity import same_map, start_question
from .variants import errors_of, load_variant, read_variant, shipped_file, variant_names

NAMED_AS_OURS: Final = "one of our boards has this name, and is meant by records of it"


@frozen
class Board:
    """A board that was read: `faults` are what it suffers from, if it is used."""

    variant: Variant
    faults: tuple[MapFault, ...]
    remarks: tuple[MapFault, ...]


def read_board(name: str, *, sibling_borders: bool = False) -> Board:
    """Return the board in the file *name*, or the variant of ours called so.

    With *sibling_borders*, collections of the Move Assistant are read so. Raises
    `AtlasError` if it is not a board, not even with faults.
    """
    path = shipped_file(name) or Path(name)
    readers = _SIBLING_READERS if sibling_borders else _READERS
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise AtlasError(MapFault(_unknown(path.suffix), name))
    try:
        return reader(path)
    except OSError as error:
        raise AtlasError(MapFault(error.strerror or str(error), name)) from error


def write_board(variant: Variant, path: Path, form: str) -> list[Path]:
    """Write *variant* to *path* in the format called *form*; return the files.

    AiServer's files are several: *path* is a folder, or any of them. Raises
    `AtlasError` if they cannot be written, or the format cannot hold the board.
    """
    written = []
    try:
        for place, text in WRITERS[form](variant, path).items():
            place.write_text(text, encoding="utf-8")
            written.append(place)
    except OSError as error:
        problem = error.strerror or str(error)
        raise AtlasError(MapFault(problem, str(error.filename or path))) from error
    return written


def _unknown(ending: str) -> str:
    endings = ", ".join(_READERS)
    if ending:
        return f"found a file called {ending}, expected one of {endings}"
    known = ", ".join(variant_names())
    return f"no board is called so; there are: {known}, and files called {endings}"


def _checked(
    variant: Variant, mended: tuple[MapFault, ...], locate: Callable[[Flaw], MapFault]
) -> Board:
    found = [(flaw, locate(flaw)) for flaw in flaws(variant)]
    told = [
        (flaw.remark, MapFault(flaw.problem, place.file, place.line))
        for flaw, place in found
    ]
    return Board(
        variant,
        (*mended, *(fault for remark, fault in told if not remark)),
        tuple(fault for remark, fault in told if remark),
    )


# One function per format


def _read_toml(path: Path) -> Board:
    try:
        variant = read_variant(path)
    except VariantError as error:
        found = errors_of(path) or (str(error),)
        raise AtlasError(*map(MapFault, found)) from error
    text = read_text(path)

    def locate(*keys: str) -> MapFault:
        return MapFault("", str(path), line_of(text, keys))

    board = _checked(variant, (), lambda flaw: locate(*flaw.keys))
    if not _takes_a_name_of_ours(variant):
        return board
    remark = evolve(locate("name"), problem=f"{variant.name!r}: {NAMED_AS_OURS}")
    return evolve(board, remarks=(*board.remarks, remark))


def _takes_a_name_of_ours(variant: Variant) -> bool:
    """Return whether one of our boards has this name, and another map."""
    return shipped_file(variant.name) is not None and not same_map(
        variant, load_variant(variant.name)
    )


def _read_aiserver(path: Path) -> Board:
    """Return the board of a file and those beside it, whatever case their names."""
    files = _beside(path)
    if "mdf" not in files:
        raise AtlasError(MapFault("there is no .mdf beside it", str(path)))
    reading = aiserver.read(
        path.stem.lower(),
        {extension: _decoded(file.read_bytes()) for extension, file in files.items()},
        {extension: str(file) for extension, file in files.items()},
    )

    def locate(flaw: Flaw) -> MapFault:
        found = (reading.lines[key] for key in flaw.keys if key in reading.lines)
        return MapFault("", str(files["mdf"]), next(found, 1))

    return _checked(reading.variant, reading.mended, locate)


def _beside(path: Path) -> Mapping[str, Path]:
    """Return the files of one variant by extension; names may be in a folder."""
    found: dict[str, Path] = {}
    for folder in (path.parent, path.parent / "names"):
        for each in sorted(folder.iterdir()) if folder.is_dir() else ():
            extension = each.suffix[1:].lower()
            same = each.stem.lower() == path.stem.lower()
            if same and extension in aiserver.EXTENSIONS:
                found.setdefault(extension, each)
    return found


def _read_statements(path: Path, *, sibling_borders: bool = False) -> Board:
    text = _decoded(path.read_bytes())
    description = statements.read(text, str(path), sibling_borders=sibling_borders)
    return _described(path, description)


def _read_stored(path: Path) -> Board:
    reading = stored.read(_decoded(path.read_bytes()), str(path))
    return _described(path, assistant.Description(reading.sketch), reading.mended)


def _described(
    path: Path, description: assistant.Description, mended: tuple[MapFault, ...] = ()
) -> Board:
    name = path.stem.lower()
    variant = assistant.board(name, description, str(path))
    return _checked(variant, mended, lambda _: MapFault("", str(path)))


def _decoded(content: bytes) -> str:
    """Return the text of an old file, in UTF-8 or else in Latin-1."""
    text = unmarked(content)
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _toml_files(variant: Variant, path: Path) -> Mapping[Path, str]:
    # Called as its file: records name the board, and it is no longer the one it was.
    return {path: to_toml(evolve(variant, name=path.stem.lower()))}


def _aiserver_files(variant: Variant, path: Path) -> Mapping[Path, str]:
    stem = path / variant.name if path.is_dir() else path.with_suffix("")
    return {
        stem.with_name(f"{stem.name}.{extension}"): text
        for extension, text in aiserver.write(variant).items()
    }


def _assistant_files(variant: Variant, path: Path) -> Mapping[Path, str]:
    description = assistant.describe(variant)
    if path.suffix.lower() == ".json":
        return {path: stored.write(description.sketch)}
    return {path: statements.write(description)}


def _position_file(variant: Variant, path: Path) -> Mapping[Path, str]:
    return {path: start_question(variant).decode() + "\n"}


_READERS: Final[Mapping[str, Callable[[Path], Board]]] = {
    ".toml": _read_toml,
    **{f".{extension}": _read_aiserver for extension in aiserver.EXTENSIONS},
    ".txt": _read_statements,
    ".json": _read_stored,
}
_SIBLING_READERS: Final[Mapping[str, Callable[[Path], Board]]] = {
    **_READERS,
    ".txt": partial(_read_statements, sibling_borders=True),
}
WRITERS: Final[Mapping[str, Callable[[Variant, Path], Mapping[Path, str]]]] = {
    "toml": _toml_files,
    "aiserver": _aiserver_files,
    "move-assistant": _assistant_files,
    "position": _position_file,
}
"""Name of a format to the texts of its files, by their paths."""
