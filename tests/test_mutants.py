"""The tool behind `make mutants` changes what it says, and nothing else."""

import ast
from itertools import islice

import pytest

from tools.mutants import PACKAGES, TOP, change, changed, mutants, sites


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", "a <= b"),
        ("a is None", "a is not None"),
        ("a and b", "a or b"),
        ("not a", "not not a"),
        ("a + 1", "a - 1"),
        ("True", "False"),
        ("x if a else y", "x if not a else y"),
    ],
)
def test_a_change_is_small(before: str, after: str) -> None:
    """One node of the program."""
    tree = ast.parse(before, mode="eval")
    change(next(sites(tree)))
    assert ast.unparse(tree) == after


def test_what_does_not_run_is_left_alone() -> None:
    """Annotations, decorators, and what an assertion would say."""
    text = "@mark(1)\ndef f(a: Literal[2]) -> Literal[3]:\n    assert a, 4\n"
    assert not list(sites(ast.parse(text)))


@pytest.mark.parametrize("package", PACKAGES)
def test_mutants_differ_from_the_program(package: str) -> None:
    """Each in one place, and each is a program."""
    for mutant in islice(mutants(package), 0, None, 50):
        text, before, after = changed(mutant)
        assert before != after
        original = ast.unparse(ast.parse((TOP / mutant.path).read_text("utf-8")))
        assert text != original
        compile(text, str(mutant.path), "exec")
