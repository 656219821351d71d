"""The public names, with their signatures: what docs/api.md promises.

`make api` writes the list; a test compares it, so that nothing changes unnoticed.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs" / "api.md"
LIST = TOP / "docs" / "public-api.txt"
_DIRECTIVE = re.compile(r"\.\. auto(module|function|class|exception):: ([\w.]+)")
_CALLABLE = (ast.FunctionDef, ast.AsyncFunctionDef)


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
            nested = map(_indented, _definition(_source(path, each), each))
            lines += map(_indented, [each, *nested])
    return "\n".join(lines) + "\n"


def _names(module: str) -> list[str]:
    """Return what *module* exports, or what it defines without an underscore."""
    body = _tree(module).body
    imported = [
        one for node in body if isinstance(node, ast.ImportFrom) for one in node.names
    ]
    exported = sorted(one.name for one in imported if one.asname == one.name)
    return exported or [name for node in body for name in _defined(node)]


def _source(module: str, name: str) -> str:
    """Return the module in which *name* of *module* is defined; nothing is imported."""
    if any(name in _defined(node) for node in _tree(module).body):
        return module
    package = module if _path(module).stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and name in {
            one.name for one in node.names
        }:
            parts = package.split(".")
            above = parts[: len(parts) + 1 - node.level] if node.level else []
            return _source(".".join([*above, node.module or ""]), name)
    raise LookupError(f"{module} has no {name}")


def _path(module: str) -> Path:
    """Return the file of *module*, with types if those are apart."""
    place = TOP.joinpath(*module.split("."))
    files = place / "__init__.pyi", place / "__init__.py", place.with_suffix(".py")
    return next(file for file in files if file.exists())


def _tree(module: str) -> ast.Module:
    return ast.parse(_path(module).read_text("utf-8"))


def _definition(module: str, name: str) -> Iterator[str]:
    """Yield the signature of *name*; of a class, those of what is public in it."""
    for node in _tree(module).body:
        if name not in _defined(node):
            continue
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(map(ast.unparse, node.bases))
            yield f"class {name}({bases})" if bases else f"class {name}"
            public = filter(_defined, node.body)
            yield from map(_indented, map(_signature, public))
        else:
            yield _signature(node)


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


if __name__ == "__main__":
    LIST.write_text(public_api(), "utf-8")
