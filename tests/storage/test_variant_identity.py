"""Which shipped variant another one is played on."""

from attrs import evolve

from daide_server.board.variant import Variant
from daide_server.storage.variants import load_variant, same_map, start_question


def test_a_renamed_board_has_the_map_of_the_shipped_one(standard: Variant) -> None:
    assert same_map(evolve(standard, name="mine"), standard)


def test_a_variant_with_fewer_powers_is_on_the_same_map(standard: Variant) -> None:
    fva = load_variant("fva")

    assert same_map(fva, standard)
    assert not same_map(standard, fva)


def test_other_borders_are_another_map(standard: Variant) -> None:
    neighbours = {**standard.map.neighbours}
    node = next(iter(neighbours))
    changed = evolve(standard.map, neighbours=neighbours | {node: ()})

    assert not same_map(evolve(standard, map=changed), standard)


def test_powers_are_compared_by_their_full_names(standard: Variant) -> None:
    titles = {name: title.upper() for name, title in standard.titles.items()}
    other = dict(standard.titles) | {standard.map.powers[0]: "Ruritania"}

    assert same_map(evolve(standard, titles=titles), standard)
    assert not same_map(evolve(standard, titles=other), standard)


def test_a_question_names_the_shipped_variant(standard: Variant) -> None:
    question = start_question(evolve(standard, name="mine"))

    assert b"standard" in question
    assert b"mine" not in question
