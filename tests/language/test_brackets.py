from hypothesis import given
from hypothesis import strategies as st

from daide_server.language.brackets import are_paired, bracketed, only_parts, parts
from daide_server.language.tokens import BRA, GOF, KET, Tokens

PAIRED = st.recursive(
    st.just((GOF,)),
    lambda inner: st.lists(inner, max_size=4).map(
        lambda parts: (BRA, *(token for part in parts for token in part), KET)
    ),
)


@given(st.lists(PAIRED))
def test_what_is_bracketed_pairs(pieces: list[Tokens]) -> None:
    assert are_paired(tuple(token for piece in pieces for token in piece))


@given(st.lists(PAIRED))
def test_one_bracket_too_many_does_not_pair(pieces: list[Tokens]) -> None:
    tokens = tuple(token for piece in pieces for token in piece)

    assert not are_paired((*tokens, BRA))
    assert not are_paired((KET, *tokens, BRA))


@given(st.lists(st.lists(PAIRED)))
def test_parts_are_what_the_outermost_brackets_enclose(
    contents: list[list[Tokens]],
) -> None:
    inside = [
        tuple(token for each in content for token in each) for content in contents
    ]
    tokens = tuple(token for each in inside for token in bracketed(each))

    assert parts((GOF, *tokens, GOF)) == inside
    assert only_parts(tokens) == inside


def test_parts_alone_means_nothing_between_and_no_bracket_open() -> None:
    assert only_parts((BRA, KET, GOF)) is None
    assert only_parts((BRA, BRA, KET)) is None
    assert only_parts((KET, BRA)) is None
