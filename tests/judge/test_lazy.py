"""Values that are found once."""

from daide_server.judge.lazy import lazy


class Counter:
    asked = 0

    @lazy
    def value(self) -> int:
        """The value, which is what it was the first time."""
        self.asked += 1
        return self.asked


def test_a_value_is_found_when_it_is_asked_for_and_then_kept() -> None:
    one, other = Counter(), Counter()
    assert one.asked == 0
    assert (one.value, one.value, one.asked) == (1, 1, 1)
    assert other.asked == 0


def test_the_property_itself_has_its_description() -> None:
    assert Counter.value.__doc__ == "The value, which is what it was the first time."
