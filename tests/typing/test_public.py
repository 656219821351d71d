"""What is public is listed, and its types are what the listed programs say.

`public_names.txt` is the list that docs/api.md stands for. The programs beside this file
use the public names with `assert_type`; `make check` runs mypy over them, as over all
tests, and pyright checks them where it is installed.
"""

import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.needed import need_program

HERE = Path(__file__).parent
TOP = HERE.parents[1]
PROGRAMS = sorted(HERE.glob("typed_*.py"))
