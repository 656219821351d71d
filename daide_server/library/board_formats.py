"""Boards in files of any known format: read, checked, written.

`_READERS` maps file extensions to readers, `WRITERS` names of formats to writers.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from attrs import evolve
from msgspec import Struct
from msgspec.structs import replace

from daide_server.atlas import aiserver, assistant
from daide_server.atlas.checking import AtlasError, Flaw, MapFault, flaws, losses
from daide_server.atlas.toml_writer import line_of, to_toml
from daide_server.board.map import Variant, VariantError

from . import variants
from .archive import write_output
from .texts import read_bytes, read_text, unmarked

NAMED_AS_OURS = "a shipped board has this name, and records mean that board"

FileLine = tuple[str, int]
"""A file and a line of it; 0 is no line."""


class Board(Struct, frozen=True):
    """A board and its faults: repairs, flaws, and harmless remarks."""

    variant: Variant
    faults: tuple[MapFault, ...]
    remarks: tuple[MapFault, ...]


def read_board(name: str, *, sibling_borders: bool = False) -> Board:
    """Return the board in the file *name*, or the shipped board called *name*.

    *sibling_borders* decides how collections of the Move Assistant are read, see
    `atlas.assistant`. Raises `AtlasError` if no board results.
    """
    path = variants.shipped_file(name) or Path(name)
    readers = _SIBLING_READERS if sibling_borders else _READERS
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise AtlasError(MapFault(_unknown(path), name))
    try:
        return reader(path)
    except OSError as error:
        raise AtlasError(MapFault(error.strerror or str(error), name)) from error


def write_board(variant: Variant, path: Path, form: str) -> list[Path]:
    """Write *variant* to *path* in the format *form*, a key of `WRITERS`.

    Returns the files written. For AiServer's five files, *path* is a folder or the
    path of any of them. Raises `AtlasError` if a file cannot be written or the format
    cannot express the board.
    """
    written = []
    try:
        for place, text in WRITERS[form](variant, path).items():
            write_output(place, text.encode())
            written.append(place)
    except OSError as error:
        problem = error.strerror or str(error)
        raise AtlasError(MapFault(problem, str(error.filename or path))) from error
    return written


def _unknown(path: Path) -> str:
    endings = ", ".join(_READERS)
    if path.suffix:
        return f"found a file called {path.suffix}, expected one of {endings}"
    if path.exists():
        what = "a folder" if path.is_dir() else "a file without an ending"
        return f"found {what}, expected a file called {endings}"
    known = ", ".join(variants.variant_names())
    return f"no board has this name, expected one of {known}, or files called {endings}"


def _checked(
    variant: Variant,
    repairs: tuple[MapFault, ...],
    place_of: Callable[[Flaw], FileLine],
) -> Board:
    """Return the board with its flaws and remarks, each with its place."""
    found = flaws(variant)
    faults = [MapFault(each.problem, *place_of(each)) for each in found]
    marks = list(zip(found, faults, strict=True))
    return Board(
        variant,
        (*repairs, *(fault for flaw, fault in marks if not flaw.remark)),
        tuple(fault for flaw, fault in marks if flaw.remark),
    )


# One function per format


def _read_toml(path: Path) -> Board:
    try:
        variant = variants.read_variant(path)
    except VariantError as error:
        found = variants.errors_of(path) or (str(error),)
        raise AtlasError(*map(MapFault, found)) from error
    text = read_text(path)
    board = _checked(variant, (), lambda flaw: (str(path), line_of(text, flaw.keys)))
    if not _has_name_of_another_map(variant):
        return board
    problem = f"{variant.name!r}: {NAMED_AS_OURS}"
    remark = MapFault(problem, str(path), line_of(text, ("name",)))
    return replace(board, remarks=(*board.remarks, remark))


def _has_name_of_another_map(variant: Variant) -> bool:
    """Return whether a shipped board has the name of *variant* and another map."""
    return variants.shipped_file(variant.name) is not None and not variants.same_map(
        variant, variants.load_variant(variant.name)
    )


def _read_aiserver(path: Path) -> Board:
    """Return the board in a file and the files of the same name in its folder."""
    files = _beside(path)
    if "mdf" not in files:
        path.stat()  # A file that is not there is an OSError.
        raise AtlasError(MapFault("there is no .mdf beside it", str(path)))
    reading = aiserver.read(
        path.stem.lower(),
        {extension: _decoded(file.read_bytes()) for extension, file in files.items()},
        {extension: str(file) for extension, file in files.items()},
    )

    def place_of(flaw: Flaw) -> FileLine:
        lines = (reading.lines[key] for key in flaw.keys if key in reading.lines)
        return str(files["mdf"]), next(lines, 1)

    return _checked(reading.variant, reading.repairs, place_of)


def _beside(path: Path) -> Mapping[str, Path]:
    """Return the files of one variant by extension, in any case.

    A `.nam` may be in the folder `names`, as in AiServer's distribution.
    """
    found: dict[str, Path] = {}
    for folder in (path.parent, path.parent / "names"):
        for each in sorted(folder.iterdir()) if folder.is_dir() else ():
            extension = each.suffix[1:].lower()
            same = each.stem.lower() == path.stem.lower()
            if same and extension in aiserver.EXTENSIONS:
                found.setdefault(extension, each)
    return found


def _read_statements(path: Path, *, sibling_borders: bool = False) -> Board:
    text = _decoded(read_bytes(path))
    description = assistant.read_statements(
        text, str(path), sibling_borders=sibling_borders
    )
    return _assistant_board(path, description)


def _read_json_map(path: Path) -> Board:
    return _assistant_board(
        path, *assistant.read_json(_decoded(read_bytes(path)), str(path))
    )


def _assistant_board(
    path: Path, description: assistant.Description, repairs: tuple[MapFault, ...] = ()
) -> Board:
    name = path.stem.lower()
    variant = assistant.variant_of(name, description, str(path))
    return _checked(variant, repairs, lambda _: (str(path), 0))


def _decoded(content: bytes) -> str:
    """Return the text of *content*: UTF-8, or else Latin-1, as old files are."""
    text = unmarked(content)
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _toml_files(variant: Variant, path: Path) -> Mapping[Path, str]:
    # Records name the board: a copy that may be changed needs a name of its own.
    return {path: to_toml(evolve(variant, name=path.stem.lower()))}


def _aiserver_files(variant: Variant, path: Path) -> Mapping[Path, str]:
    stem = path / variant.name if path.is_dir() else path.with_suffix("")
    return {
        stem.with_name(f"{stem.name}.{extension}"): text
        for extension, text in aiserver.write(variant).items()
    }


def _assistant_files(variant: Variant, path: Path) -> Mapping[Path, str]:
    write = (
        assistant.write_json
        if path.suffix.lower() == ".json"
        else assistant.write_statements
    )
    return {path: write(assistant.describe(variant))}


_READERS: Mapping[str, Callable[[Path], Board]] = {
    ".toml": _read_toml,
    **{f".{extension}": _read_aiserver for extension in aiserver.EXTENSIONS},
    ".txt": _read_statements,
    ".json": _read_json_map,
}
_SIBLING_READERS: Mapping[str, Callable[[Path], Board]] = {
    **_READERS,
    ".txt": partial(_read_statements, sibling_borders=True),
}
WRITERS: Mapping[str, Callable[[Variant, Path], Mapping[Path, str]]] = {
    "toml": _toml_files,
    "aiserver": _aiserver_files,
    "move-assistant": _assistant_files,
    "position": lambda variant, path: {
        path: variants.start_question(variant).decode() + "\n"
    },
}
"""Names of formats to functions that return the texts of the files, by path."""


# What a format cannot represent: the differences after it is read back


def board_losses(variant: Variant, form: str, *, as_json: bool) -> Iterator[str]:
    """Yield the data that a file in *form*, a key of `board_formats.WRITERS`, loses.

    The Move Assistant's map is *as_json* or in statements.
    """
    if form == "position":
        # Other boards than ours have their map nowhere else.
        if variants.start_board(variant) is None:
            yield f"the map: `adjudicate --map` must name the board {variant.name}"
        return
    if form == "move-assistant" and as_json:
        form = "json"
    read_back = _READ_BACK.get(form)
    if read_back is None:
        return
    try:
        yield from losses(variant, read_back(variant))
    except AtlasError as error:
        yield from (f"what cannot be read back: {fault}" for fault in error.faults)


def _aiserver_again(variant: Variant) -> Variant:
    files = aiserver.write(variant)
    return aiserver.read(variant.name, files, dict.fromkeys(files, "")).variant


def _statements_again(variant: Variant) -> Variant:
    text = assistant.write_statements(assistant.describe(variant))
    return assistant.variant_of(variant.name, assistant.read_statements(text))


def _json_again(variant: Variant) -> Variant:
    description, _ = assistant.read_json(
        assistant.write_json(assistant.describe(variant))
    )
    return assistant.variant_of(variant.name, description)


_READ_BACK: Mapping[str, Callable[[Variant], Variant]] = {
    "aiserver": _aiserver_again,
    "move-assistant": _statements_again,
    "json": _json_again,
}
"""Without `toml`, which loses nothing."""
