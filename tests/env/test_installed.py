"""The other tests here are left out without the packages of the extra `env`."""

import sys

import pytest

from tests.support.needed import need_package


@pytest.mark.parametrize("name", ["numpy", "gymnasium", "pettingzoo"])
def test_the_packages_of_environments_are_installed(name: str) -> None:
    assert need_package(name).__name__ == name


def test_without_them_an_import_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import daide_server.env  # noqa: PLC0415 - the package itself needs none of them

    # `delattr` would first look for it, and import it.
    monkeypatch.delitem(vars(daide_server.env), "GameBatch", raising=False)
    monkeypatch.delitem(sys.modules, "daide_server.env.batch", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=r"GameBatch needs numpy: pip install"):
        _ = daide_server.env.GameBatch
