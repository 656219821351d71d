"""The examples of docs/environment.md run."""

import re
from pathlib import Path

import pytest

from tests.support.needed import need_package

PAGE = Path(__file__).parents[2] / "docs" / "environment.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("example", "printed"),
    list(zip(EXAMPLES, ["SPR 1904", "0 ", "(16, 75, "], strict=True)),
    ids=["steps", "learning", "batch"],
)
def test_the_examples_run(
    example: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    need_package("pettingzoo")
    exec(example, {})  # noqa: S102 (our own page)
    assert capsys.readouterr().out.startswith(printed)
