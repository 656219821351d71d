"""Classes of `daide_server.classes` behave as those of attrs."""

from copy import copy

import attrs
import pytest
from attrs import evolve, field

from daide_server.classes import define, frozen


@frozen
class Point:
    """A value of two fields."""

    x: int
    y: int


@frozen
class Named(Point):
    """A value that has a field more."""

    name: str = "P"


@frozen
class Nothing:
    """A value without fields."""


@frozen
class Note:
    """A value of which not all counts, and not all is shown."""

    words: str
    _seen: int = field(default=0, eq=False)
    _hidden: int = field(default=1, repr=False)


@define(eq=False)
class Node:
    """A part of something larger, with a field that has no value at first."""

    next: object = None
    later: int = field(init=False)


@frozen
class Refusal(Exception):  # noqa: N818
    """An error that says why."""

    reason: str


@frozen
class Odd:
    """A value with ideas of its own."""

    number: int

    def __repr__(self) -> str:
        return "odd"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odd)

    def __hash__(self) -> int:
        return 7


def test_values_are_equal_whose_fields_are() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(2, 1)
    assert hash(Point(1, 2)) == hash(Point(1, 2))
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing(), Point(1, 2), Point(1, 2)}) == 2


def test_values_of_another_class_differ() -> None:
    others: list[object] = [Named(1, 2), (1, 2), Nothing()]
    assert Point(1, 2) not in others
    assert Named(1, 2, "P") in others


def test_a_field_says_whether_it_counts() -> None:
    assert Note("w", 1) == Note("w", 2)
    assert hash(Note("w", 1)) == hash(Note("w", 2))
    assert Note("w", 1, 1) != Note("w", 1, 2)


def test_values_are_shown_as_attrs_shows_them() -> None:
    shown = [Point(1, 2), Named(1, 2), Nothing(), Note("w"), Refusal("r"), Node()]
    assert [*map(repr, shown)] == [
        "Point(x=1, y=2)",
        "Named(x=1, y=2, name='P')",
        "Nothing()",
        "Note(words='w', _seen=0)",
        "Refusal(reason='r')",
        "Node(next=None, later=NOTHING)",
    ]


def test_a_value_that_contains_itself_can_be_shown() -> None:
    node = Node()
    node.next = [node]
    assert repr(node) == "Node(next=[...], later=NOTHING)"


def test_what_changes_has_no_hash() -> None:
    @define
    class Counter:
        count: int

    assert Counter(1) == Counter(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counter(1))


def test_without_eq_only_the_same_object_is_equal() -> None:
    node = Node()
    assert node == node  # noqa: PLR0124
    assert node != Node()
    assert len({node, Node()}) == 2


def test_errors_are_compared_as_errors() -> None:
    refusal = Refusal("r")
    assert refusal == refusal  # noqa: PLR0124
    assert refusal != Refusal("r")
    assert refusal.args == ("r",)


def test_methods_of_the_class_itself_stay() -> None:
    assert repr(Odd(1)) == "odd"
    assert Odd(1) == Odd(2)
    assert hash(Odd(1)) == 7


def test_values_are_those_of_attrs() -> None:
    point = Point(1, 2)
    assert evolve(point, y=3) == Point(1, 3)
    assert copy(point) == point
    assert [each.name for each in attrs.fields(Named)] == ["x", "y", "name"]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
