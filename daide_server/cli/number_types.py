"""Numbers as options and arguments; an error says what was found and expected."""

from typing import Any

import click

from daide_server.settings.kinds import whole


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "n"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - a text, or a default
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """Return the number that *value* stands for."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            expected = whole(self.min, self.max).expected
            return self.fail(f"found {str(value)!r}, expected {expected}", param, ctx)


class Number(click.FloatRange):
    """A number of *min* or more, or above it."""

    name = "x"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - a text, or a default
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Return the number that *value* stands for."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            words = "above {:g}" if self.min_open else "of {:g} or more"
            expected = f"a number {words.format(self.min)}"
            return self.fail(f"found {str(value)!r}, expected {expected}", param, ctx)
