"""The settings of the saved games to load, which win over all others."""

from pathlib import Path

from daide_server.settings.table import Layer, SettingsError
from daide_server.storage.saves import SaveError, read_settings

from .settings import TABLE, ServerSettings


def saved_layer(settings: ServerSettings) -> Layer:
    """Return the settings of the saved games that *settings* say are to be loaded.

    Raises `SettingsError` if they cannot be read.
    """
    folder = settings.service.load
    if folder is None:
        return {}
    try:
        saved = read_settings(Path(folder))
    except SaveError as error:
        raise SettingsError(str(error)) from error
    return {} if saved is None else TABLE.read(saved, folder)
