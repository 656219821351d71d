"""Change the code in one place at a time, and count the changes that tests notice.

make mutants MUTANTS=60 SECONDS=300

For each package a sample of its mutants is drawn, by a fixed seed. Each is written into
a copy of the tree, where the tests of the package run until one fails, first those that
name the changed module. What survives is printed: a test is missing, or does nothing.
"""

import argparse
import ast
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parents[1]
PACKAGES = {
    "judge": ("tests/judge",),
    "daide": ("tests/daide",),
    "game": ("tests/game",),
    "bots/lines": ("tests/lines", "tests/bots/test_bridge.py"),
    "server": ("tests/server", "tests/simulation"),
    "tournament/run": ("tests/tournament",),
}
"""Each package that is changed, and the tests that should notice."""
SEED = 17
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
PRELOADED = ("attrs", "click", "hypothesis", "msgspec", "pytest", "trio")
"""What each run of the tests needs, imported once."""
QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""For what was imported before pytest could look at it."""


class Mutant(NamedTuple):
    """A change: which node of a module, counted as `sites` walks it."""

    path: Path
    number: int
    line: int


def is_site(node: ast.AST) -> bool:
    """Return whether *node* can be changed."""
    match node:
        case ast.Compare(ops=[operator]):
            return type(operator) in COMPARISONS
        case ast.BinOp(op=operator):
            return type(operator) in OPERATORS
        case ast.Constant(value=bool() | int()):
            return True
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.IfExp() | ast.If():
            return True
        case ast.Break() | ast.Continue():
            return True
        case _:
            return False


def sites(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what can be changed; annotations and decorators are no code that runs."""
    if is_site(node):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        if isinstance(node, ast.Assert) and name == "msg":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from sites(child)


def change(node: ast.AST) -> None:
    """Change *node* in place."""
    match node:
        case ast.Compare():
            node.ops = [COMPARISONS[type(node.ops[0])]()]
        case ast.BinOp():
            node.op = OPERATORS[type(node.op)]()
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp():
            node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        case ast.IfExp() | ast.If():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Break() | ast.Continue():
            other = ast.Continue if isinstance(node, ast.Break) else ast.Break
            node.__class__ = other
        case _:
            raise TypeError(f"found {type(node).__name__}, expected a site")


def mutants(package: str) -> list[Mutant]:
    """Return all mutants of *package*."""
    return [
        Mutant(path.relative_to(TOP), number, getattr(node, "lineno", 0))
        for path in sorted((TOP / "daide_server" / package).rglob("*.py"))
        for number, node in enumerate(sites(ast.parse(path.read_text("utf-8"))))
    ]


def changed(mutant: Mutant) -> tuple[str, str, str]:
    """Return the module with the change, and the changed line before and after it."""
    tree = ast.parse((TOP / mutant.path).read_text("utf-8"))
    node = list(sites(tree))[mutant.number]
    before = ast.unparse(node).splitlines()[0]
    change(node)
    return ast.unparse(tree), before, ast.unparse(node).splitlines()[0]


def run_tests(folder: Path, tests: Sequence[str], seconds: float) -> str:
    """Return `killed`, `survived` or `too slow`, of the tests in *folder*.

    *seconds* are of processor time; a test that waits for ever gets ten times as many.
    """
    pid = os.fork()
    if pid == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)
            signal.alarm(10 * int(seconds) + 1)
            os._exit(be_tests(folder, tests))
        finally:
            os._exit(2)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return "too slow"
    return "killed" if code else "survived"


def be_tests(folder: Path, tests: Sequence[str]) -> int:
    """Return the exit code of the tests, which this process now is."""
    os.chdir(folder)
    output = os.open("output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.path.insert(0, str(folder))
    # For programs that tests start elsewhere.
    os.environ["PYTHONPATH"] = str(folder)
    options = ("-x", "-q", "-m", "not long", "-p", "no:cacheprovider", *QUIET)
    return int(import_module("pytest").main([*options, *tests]))


def used() -> float:
    """Return the seconds of processor time of all tests so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tests_of(package: str, module: str) -> list[str]:
    """Return the tests of *package*, those that name *module* first."""
    folders, word = PACKAGES[package], re.compile(rf"\b{module}\b")
    files = [file for each in folders for file in TOP.glob(f"{each}/**/test_*.py")]
    naming = [file for file in files if word.search(file.read_text("utf-8"))]
    naming.sort(key=lambda file: file.stem != f"test_{module}")
    return [*(str(file.relative_to(TOP)) for file in naming), *folders]


def examine(package: str, count: int, seconds: float, folder: Path) -> str:
    """Try *count* mutants of *package*, or those that *seconds* allow."""
    begin = used()
    if run_tests(folder, tests_of(package, ""), seconds) != "survived":
        print((folder / "output").read_text("utf-8"))
        sys.exit(f"{package}: its tests fail, or take too long, without a change")
    limit = 2 * (used() - begin) + 5
    everything = mutants(package)
    sample = random.Random(SEED).sample(everything, min(count, len(everything)))
    results: list[str] = []
    for mutant in sample:
        if used() - begin > seconds:
            break
        place = folder / mutant.path
        original = place.read_text("utf-8")
        text, before, after = changed(mutant)
        place.write_text(text, "utf-8")
        results.append(run_tests(folder, tests_of(package, mutant.path.stem), limit))
        place.write_text(original, "utf-8")
        if results[-1] == "survived":
            print(f"{mutant.path}:{mutant.line}: {before}  ->  {after}", flush=True)
    noticed = len(results) - results.count("survived")
    return (
        f"| {package} | {len(everything)} | {len(results)} | {noticed} "
        f"| {results.count('too slow')} | {noticed / max(1, len(results)):.0%} |"
    )


def main() -> None:
    """Print what survived, then a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=60, help="for each package")
    parser.add_argument(
        "--seconds", type=float, default=300, help="of processor time, for each package"
    )
    parser.add_argument(
        "packages", nargs="*", default=list(PACKAGES), metavar=" | ".join(PACKAGES)
    )
    asked = parser.parse_args()
    for name in PRELOADED:
        import_module(name)
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kept in ("daide_server", "tests", "maps", "config", "docs", "examples"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(TOP / kept, folder / kept, ignore=ignored)
        for kept in ("pyproject.toml", "README.md", "CONTRIBUTING.md"):
            shutil.copy(TOP / kept, folder)
        rows = [
            examine(package, asked.mutants, asked.seconds, folder)
            for package in asked.packages
        ]
    print("| package | mutants | tried | noticed | of these too slow | score |")
    print("| --- | --- | --- | --- | --- | --- |")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
