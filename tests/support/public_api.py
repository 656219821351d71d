"""The public names, with their signatures: what docs/api.md promises.

`make api` writes the list; a test compares it, so that nothing changes unnoticed.
"""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).parents[2]
PAGE: Final = TOP / "docs" / "api.md"
LIST: Final = TOP / "docs" / "public-api.txt"
_DIRECTIVE: Final = re.compile(r"\.\. auto(module|function|class):: ([\w.]+)")
_CALLABLE: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def public_api() -> str:
    """Return a line for each public name, and for each field and method of a class."""
    lines: list[str] = []
    for kind, path in _DIRECTIVE.findall(PAGE.read_text("utf-8")):
        module, _, name = path.rpartition(".")
        if kind != "module":
            lines += [path, *map(_indented, _definition(_source(module, name), name))]
            continue
        lines.append(path)
        for each in _names(path):
            lines += [_indented(each), *_nested(_definition(_source(path, each), each))]
    return "\n".join(lines) + "\n"


def _names(module: str) -> list[str]:
    """Return what *module* exports, or what it defines without an underscore."""
    listed: list[str] | None = getattr(import_module(module), "__all__", None)
    if listed is not None:
        return sorted(listed)
    return [name for node in _tree(module).body for name in _defined(node)]


def _source(module: str, name: str) -> str:
    """Return the module in which *name* of *module* is defined."""
    lazy: dict[str, str] = getattr(import_module(module), "_MODULES", {})
    return lazy.get(name, module)


def _tree(module: str) -> ast.Module:
    # Not imported: a module may need what is not installed.
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return ast.parse(Path(spec.origin).read_text("utf-8"))


def _definition(module: str, name: str) -> Iterator[str]:
    """Yield the signature of *name*; of a class, those of what is public in it."""
    for node in _tree(module).body:
        if name not in _defined(node):
            continue
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(map(ast.unparse, node.bases))
            yield f"class {name}({bases})" if bases else f"class {name}"
            for member in node.body:
                yield from map(_indented, map(_signature, _public(member)))
        else:
            yield _signature(node)


def _public(node: ast.stmt) -> Iterator[ast.stmt]:
    if _defined(node):
        yield node


def _defined(node: ast.stmt) -> list[str]:
    """Return the public names that *node* defines."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            names = [node.name]
        case ast.Assign():
            names = [each.id for each in node.targets if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            names = [name]
        case _:
            names = []
    return [name for name in names if not name.startswith("_")]


def _signature(node: ast.stmt) -> str:
    if isinstance(node, _CALLABLE):
        returned = ast.unparse(node.returns) if node.returns else ""
        marks = {ast.unparse(each) for each in node.decorator_list}
        word = "property" if marks & {"property", "lazy", "cached_property"} else "def"
        word = f"async {word}" if isinstance(node, ast.AsyncFunctionDef) else word
        return f"{word} {node.name}({ast.unparse(node.args)}) -> {returned}"
    if isinstance(node, ast.AnnAssign):
        return f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}"
    return ast.unparse(node)


def _indented(line: str) -> str:
    return f"  {line}"


def _nested(lines: Iterator[str]) -> Iterator[str]:
    return map(_indented, map(_indented, lines))


if __name__ == "__main__":
    LIST.write_text(public_api(), "utf-8")
