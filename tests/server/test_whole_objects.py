"""Objects are whole after `__init__`: no attribute is born in another method."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import daide_server

PACKAGE = Path(daide_server.__file__).parent
MODULES = sorted([*(PACKAGE / "server").glob("*.py"), *(PACKAGE / "app").glob("*.py")])


@pytest.mark.parametrize(
    "path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_no_attribute_is_born_outside_of_init(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef):
            functions = [each for each in node.body if isinstance(each, FUNCTIONS)]
            made = {
                name
                for each in functions
                if each.name == "__init__"
                for name in _assigned(each)
            }
            declared = {
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            }
            later = {name for each in functions for name in _assigned(each)}
            assert later <= made | declared, node.name


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _assigned(function: ast.AST) -> Iterator[str]:
    """Yield the attributes of `self` that a method stores."""
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            yield node.attr
