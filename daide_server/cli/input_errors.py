"""The errors for which an input is refused, and the next one read."""

from typing import Final

from daide_server.atlas.map_faults import AtlasError
from daide_server.board.variant import VariantError
from daide_server.formats.errors import FormatError
from daide_server.pictures.picture import PictureError
from daide_server.records.record import RecordError

INPUT_ERRORS: Final = (
    OSError,
    AtlasError,
    FormatError,
    PictureError,
    RecordError,
    VariantError,
)
