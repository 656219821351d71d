"""The line that sums up skipped tests."""

from tests.support.needed import summary_of_skips


def test_skips_are_summed_up_on_a_line() -> None:
    reasons = ["needs node", "no IPv6 here", "needs chromium", "needs node"]

    line = summary_of_skips(reasons)

    start = "4 skipped: needs chromium, node; no IPv6 here. `make extras`"
    assert line.startswith(start)
    assert "\n" not in line


def test_what_cannot_be_installed_has_no_hint() -> None:
    assert summary_of_skips(["no IPv6 here"]) == "1 skipped: no IPv6 here"
