"""What a format of boards cannot hold of a board: the rest after it is read back."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from daide_server.atlas import aiserver, assistant
from daide_server.atlas.assistant import json_map, statements
from daide_server.atlas.map_faults import AtlasError, losses
from daide_server.board.variant import Variant

from .variant_identity import start_board


def board_losses(variant: Variant, form: str, *, as_json: bool) -> Iterator[str]:
    """Yield what a file in *form*, a key of `board_formats.WRITERS`, does not have.

    The Move Assistant's map is *as_json* or in statements.
    """
    if form == "position":
        yield from _of_position(variant)
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


def _of_position(variant: Variant) -> Iterator[str]:
    """Yield that the map is missing, unless it is that of a board of ours."""
    if start_board(variant) is None:
        yield f"the map: `adjudicate --map` must name the board {variant.name}"


def _aiserver_again(variant: Variant) -> Variant:
    files = aiserver.write(variant)
    return aiserver.read(variant.name, files, dict.fromkeys(files, "")).variant


def _statements_again(variant: Variant) -> Variant:
    text = statements.write(assistant.describe(variant))
    description = statements.read(text, "", sibling_borders=False)
    return assistant.variant_of(variant.name, description, "")


def _json_again(variant: Variant) -> Variant:
    text = json_map.write(assistant.describe(variant).region_map)
    description = assistant.Description(json_map.read(text, "").region_map)
    return assistant.variant_of(variant.name, description, "")


_READ_BACK: Final[Mapping[str, Callable[[Variant], Variant]]] = {
    "aiserver": _aiserver_again,
    "move-assistant": _statements_again,
    "json": _json_again,
}
"""Our own format, `toml`, is not here: it has everything."""
