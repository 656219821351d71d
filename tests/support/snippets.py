"""The commands and programs that the documents show.

A comment on the line before a block says how it is run:

- `<!-- not run: REASON -->`: not at all;
- `<!-- file: NAME -->`: it is a file, which later blocks use;
- `<!-- goes on -->`: a server, which later blocks use; it is ended with the page.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

TOP = Path(__file__).parents[2]
_BLOCK = re.compile(
    r"(?m)^(?:<!-- (not run|file|goes on)(?:: (.+))? -->\n)?"
    r"```([\w-]+)\n((?s:.*?))^```$"
)
SHELL = "sh"
PYTHON = "python"
NOT_RUN = "not run"
FILE = "file"
GOES_ON = "goes on"


@frozen
class Snippet:
    """A block of a page; `mark` and `value` are what the comment before it says."""

    page: str
    line: int
    mark: str
    value: str
    language: str
    code: str

    @property
    def is_run(self) -> bool:
        """Whether the block is a program that the tests start."""
        return self.language in (SHELL, PYTHON) and self.mark not in (NOT_RUN, FILE)


def every_page() -> list[Path]:
    """Return the documents whose blocks are run."""
    return [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted(TOP.glob("docs/*.md"))]


def snippets(page: Path) -> Sequence[Snippet]:
    """Return the blocks of *page* in their order."""
    text = page.read_text("utf-8")
    name = page.relative_to(TOP).as_posix()
    return [
        Snippet(
            name,
            text.count("\n", 0, found.start()) + 1,
            *(found.group(number) or "" for number in (1, 2, 3, 4)),
        )
        for found in _BLOCK.finditer(text)
    ]
