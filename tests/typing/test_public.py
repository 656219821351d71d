"""What is public is listed; its types are what `typed_*.py` beside this file say.

Those programs use public names with `assert_type`, and misuse them on lines that must
be errors. `make check` runs mypy over them, as over all tests, `make pyright` pyright.
"""

import shutil
import subprocess
import sys
from inspect import ismodule
from pathlib import Path

from daide_server import bots
from tests.support.needed import need_package
from tests.support.public_api import LIST, public_api


def test_what_is_public_is_listed() -> None:
    """`make api` writes the list; what has changed belongs into a news fragment."""
    assert public_api() == LIST.read_text("utf-8")


def test_the_page_of_the_api_has_every_name_of_the_bots(tmp_path: Path) -> None:
    """With its docstring. Sphinx says nothing of a page that is empty."""
    need_package("sphinx")
    source, site = tmp_path / "docs", tmp_path / "site"
    source.mkdir()
    shutil.copy(LIST.parent / "conf.py", source)
    shutil.copy(LIST.parent / "api.md", source / "index.md")
    build = (sys.executable, "-m", "sphinx", "-q", "-b", "html", source, site)
    subprocess.run(build, check=True, capture_output=True)
    page = (site / "index.html").read_text("utf-8")
    names = [name for name, each in vars(bots).items() if not ismodule(each)]
    public = [name for name in names if not name.startswith("_")]
    assert len(public) > 50
    assert not [name for name in public if f'id="daide_server.bots.{name}"' not in page]
