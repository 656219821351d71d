"""The options of HLO are those of the document."""

from daide_server.language.hello_options import BY_TOKEN, HelloOption
from daide_server.language.tokens import PARAMETER_CATEGORY, TOKENS_BY_NAME, category


def test_each_option_has_a_parameter_token_of_its_own() -> None:
    """Category 0x49 of the token tables."""
    tokens = [TOKENS_BY_NAME[option.value.token] for option in HelloOption]

    assert {category(token) for token in tokens} == {PARAMETER_CATEGORY}
    assert len(set(tokens)) == len(HelloOption)


def test_options_are_found_by_their_tokens() -> None:
    """As HLO is read."""
    assert [BY_TOKEN[option.value.token] for option in HelloOption] == [*HelloOption]


def test_an_option_with_a_number_says_so_in_the_grammar() -> None:
    """As the appendix writes it."""
    assert HelloOption.MOVEMENT_LIMIT.value.production == "MTL number"
    assert HelloOption.ANY_ORDERS.value.production == "AOA"
