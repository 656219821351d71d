"""The descriptor of a setting: metadata of a field of a component's class.

    @frozen
    class SessionLimits:
        im_seconds: float = setting(SECONDS, 30.0, "Seconds until IM must be there.")

    @frozen
    class ServerSettings:
        session: SessionLimits = component(SessionLimits, "limits", "One client")

The classes are the values that the components take. `table` collects their fields.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import Attribute, AttrsInstance, field, fields, frozen

from .kinds import SWITCH, Kind, TomlValue

SettingT = TypeVar("SettingT")

_METADATA = "setting"


@frozen(kw_only=True)
class Component:
    """The metadata that `component` adds to a field."""

    field: str
    section: str
    title: str
    saved: bool


@frozen(eq=False, kw_only=True)
class Setting:
    """A setting: its place in files, its option, its kind and default; a dict key."""

    component: Component
    field: str
    default: object
    kind: Kind[Any]
    """Which values are accepted."""
    help: str
    """One sentence, shown in the file, on the command line and in the README."""
    key: str
    """The name in the section of the file."""
    option: str
    """The long option of the command line; empty if there is none."""
    formerly: str
    """The key in old files without sections, if it was different."""

    @property
    def path(self) -> str:
        """Return section and key, which identify the setting."""
        return f"{self.component.section}.{self.key}"

    @property
    def place(self) -> str:
        """Return section and key as the file spells them."""
        section = self.component.section
        return f"[{section}] {self.key}" if section else self.key

    @property
    def parameter(self) -> str:
        """Return the option's name in Python; empty if there is no option."""
        return self.option.removeprefix("--").replace("-", "_")

    def written(self, value: object) -> TomlValue:
        """Return *value* as TOML."""
        found: TomlValue = self.kind.write(value)
        return found

    def value_in(self, settings: object) -> object:
        """Return the value of the setting in *settings*, an instance of the whole."""
        values: object = getattr(settings, self.component.field)
        found: object = getattr(values, self.field)
        return found


def setting(  # noqa: PLR0913 - the columns of a table
    kind: Kind[SettingT],
    default: SettingT,
    help: str,  # noqa: A002 - click's word
    *,
    key: str = "",
    option: str = "",
    formerly: str = "",
) -> SettingT:
    """Return a field that is a setting; for the arguments see `Setting`."""
    row = {"kind": kind, "help": help, "option": option, "formerly": formerly}
    return field(default=default, metadata={_METADATA: {**row, "key": key}})


def switch(text: str, *, default: bool = False, **more: str) -> bool:
    """Return a field that is a setting, on or off; *more* is as for `setting`."""
    return setting(SWITCH, default, text, **more)


def component(
    values: Callable[[], SettingT], section: str, title: str, *, saved: bool = False
) -> SettingT:
    """Return a field for the settings of one component, an instance of its class.

    They are in one *section* of the file (empty: before the first one), under *title*.
    With *saved* they are stored in saved games, because games depend on them.
    """
    metadata = {_METADATA: (section, title, saved)}
    return field(factory=values, metadata=metadata)


def rows_of(whole: type[AttrsInstance]) -> tuple[Setting, ...]:
    """Return all settings of the components of *whole*, in order."""
    return tuple(row for each in fields(whole) for row in _rows(each))


def _rows(attribute: "Attribute[AttrsInstance]") -> list[Setting]:
    section, title, saved = attribute.metadata[_METADATA]
    owner = Component(field=attribute.name, section=section, title=title, saved=saved)
    assert attribute.type is not None
    return [
        _row(owner, each)
        for each in fields(attribute.type)
        if _METADATA in each.metadata
    ]


def _row(owner: Component, attribute: "Attribute[AttrsInstance]") -> Setting:
    given = attribute.metadata[_METADATA]
    key, default = given["key"] or attribute.name, attribute.default
    named = {**given, "key": key}
    return Setting(component=owner, field=attribute.name, default=default, **named)
