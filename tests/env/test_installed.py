"""The other tests here are left out without the packages of the extra `env`."""

import pytest

from tests.support.needed import need_package


@pytest.mark.parametrize("name", ["numpy", "gymnasium", "pettingzoo"])
def test_the_packages_of_environments_are_installed(name: str) -> None:
    assert need_package(name).__name__ == name
