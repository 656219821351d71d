"""The table of settings: read, combined, and what is wrong with a file."""

import pytest
from attrs import frozen

from daide_server.settings.descriptor import component, setting
from daide_server.settings.kinds import SECONDS, SWITCH, either, one_of, text, whole
from daide_server.settings.table import SettingsError, SettingsTable

SIZES = either(whole(0), 0, None)


@frozen
class Kitchen:
    """A component whose settings are saved."""

    ovens: int | None = setting(SIZES, None, "How many.", option="--ovens")
    open: bool = setting(SWITCH, default=True, help="Whether it is.")


@frozen
class Bar:
    """Another one."""

    close: float = setting(
        SECONDS, 60.0, "When.", key="close_seconds", formerly="closing"
    )
    drink: str = setting(one_of(("tea", "rum")), "tea", "What.")


@frozen
class Sign:
    """A second component of a section."""

    text: str = setting(text("TEXT"), "Welcome", "What is on it.")


@frozen(kw_only=True)
class Inn:
    """All settings."""

    kitchen: Kitchen = component(Kitchen, "kitchen", "The kitchen", saved=True)
    bar: Bar = component(Bar, "bar", "The bar")
    sign: Sign = component(Sign, "bar", "The sign")


TABLE = SettingsTable(Inn)


def test_nothing_given_is_the_defaults() -> None:
    assert TABLE.compose() == Inn()


def test_the_last_layer_wins() -> None:
    """Setting by setting; the value that stands for none wins too."""
    first = TABLE.read({"kitchen": {"ovens": 3, "open": False}}, "file")
    second = TABLE.read({"kitchen": {"ovens": 0}}, "option")
    assert TABLE.compose(first, second).kitchen == Kitchen(None, open=False)
    assert TABLE.compose(second, first).kitchen == Kitchen(3, open=False)


def test_layers_go_on_top_of_a_base() -> None:
    base = Inn(bar=Bar(close=5.0, drink="rum"))
    layer = TABLE.read({"bar": {"drink": "tea"}}, "file")
    assert TABLE.compose(layer, base=base).bar == Bar(close=5.0, drink="tea")


def test_what_is_saved_is_read_again() -> None:
    """The components that say so, all of their settings."""
    inn = Inn(kitchen=Kitchen(3, open=False), sign=Sign("Closed"))
    saved = TABLE.saved(inn)
    assert saved == {"kitchen": {"ovens": 3, "open": False}}
    assert TABLE.compose(TABLE.read(saved, "save")).kitchen == inn.kitchen


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (
            {"kitchen": {"ovens": -1}},
            "[kitchen] ovens: found -1, expected a whole number of 0 or more",
        ),
        (
            {"bar": {"drink": "gin"}},
            "[bar] drink: found 'gin', expected one of tea, rum",
        ),
        (
            {"bar": {"ovens": 1}},
            "[bar] ovens: found in [bar], expected [kitchen] ovens",
        ),
        (
            {"closing": 1},
            "closing: found outside a section, expected [bar] close_seconds",
        ),
        ({"drink": "tea"}, "drink: found outside a section, expected [bar] drink"),
        ({"bra": {"drink": "tea"}}, "[bra]: no such section; did you mean [bar]?"),
        (
            {"bar": {"clos_seconds": 1}},
            "[bar] clos_seconds: no such setting; did you mean [bar] close_seconds?",
        ),
        (
            {"bar": {"x": 1}},
            "[bar] x: no such setting; there are close_seconds, drink, text",
        ),
        ({"colour": 1}, "colour: no such setting"),
        ({"cellar": {}}, "[cellar]: no such section; there are [kitchen], [bar]"),
        ({"bar": 5}, "bar: found 5, expected a section [bar]"),
    ],
)
def test_each_fault_is_named(found: dict[str, object], problem: str) -> None:
    """Where, what was found, what was expected."""
    with pytest.raises(SettingsError) as caught:
        TABLE.read(found, "inn.toml")
    assert str(caught.value) == f"inn.toml: {problem}"


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        TABLE.read({"closing": 1, "bar": {"drink": 1, "x": 2}, "y": {}}, "inn.toml")
    assert len(str(caught.value).splitlines()) == 4


def test_two_settings_of_one_place_are_a_fault_of_ours() -> None:
    @frozen
    class Twice:
        one: Bar = component(Bar, "bar", "One")
        two: Bar = component(Bar, "bar", "Two")

    with pytest.raises(AssertionError, match="one place"):
        SettingsTable(Twice)
