"""One name, one meaning: what is public is defined in one module of the package."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "daide_server"

SAME_ROLE = {
    "errors": "the errors of its package",
    "journal": "the journal of games, and the command that shows it",
    "map_names": "the names of a map in its format",
    "options": "settings of a game, and of the command line",
    "reading": "the reader of its format",
    "replay": "replaying records, and the command that does it",
    "shapes": "the JSON of its format",
    "writing": "the writer of its format",
}
"""Files of one name in several packages, and the role that they share."""


def defined(path: Path) -> Iterator[str]:
    """Yield the public classes and assigned names at the top of a module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (each for target in targets for each in _names(target))
            case ast.AnnAssign(target=target):
                yield from _names(target)
            case _:
                pass


def _names(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def modules_by_name() -> dict[str, set[str]]:
    found = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for name in defined(path):
            if not name.startswith("_"):
                found[name].add(str(path.relative_to(PACKAGE)))
    return found


def several(found: dict[str, set[str]]) -> dict[str, set[str]]:
    return {name: places for name, places in found.items() if len(places) > 1}


def test_types_and_constants_have_one_definition() -> None:
    names = {
        name: places
        for name, places in modules_by_name().items()
        if name[0].isupper() or name.isupper()
    }

    assert not several(names)


def test_files_of_one_name_have_one_role() -> None:
    found = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        if path.stem not in {"__init__", "__main__"}:
            found[path.stem].add(str(path.relative_to(PACKAGE)))

    assert several(found).keys() == SAME_ROLE.keys()


@pytest.mark.parametrize(
    "word",
    [
        *("doorkeeper", "switchboard", "hall", "ground", "house rules"),
        *("is told", "are told", "was told", "at sight", "found out", "last words"),
    ],
)
def test_words_that_nobody_searches_for_do_not_come_back(word: str) -> None:
    """Style: the words of the rulebook, DATC, DAIDE, trio and TCP, and no others."""
    found = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if f" {word} " in line.lower().replace("`", " ")
    ]

    assert not found
