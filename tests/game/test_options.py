"""What HLO lists."""

from daide_server.game.options import GameOptions
from daide_server.language.hello_options import HelloOption


def test_the_level_is_always_there_and_the_order_is_the_documents() -> None:
    """Options come in the order in which the document lists them."""
    options = GameOptions(
        level=20,
        press_limit=30,
        movement_limit=100,
        any_orders=True,
        partial_draws=True,
    )
    assert options.as_hello() == (
        (HelloOption.LEVEL, 20),
        (HelloOption.MOVEMENT_LIMIT, 100),
        (HelloOption.ANY_ORDERS, None),
        (HelloOption.PARTIAL_DRAWS, None),
        (HelloOption.PRESS_LIMIT, 30),
    )


def test_options_about_press_are_hidden_without_press() -> None:
    """Below level 10 they have no effect."""
    options = GameOptions(level=0, press_limit=30, partial_draws=True)
    assert options.as_hello() == ((HelloOption.LEVEL, 0),)
