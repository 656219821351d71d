"""Commands as people type them, run in the process of the test."""

from typing import Any

from click.testing import CliRunner, Result

from daide_server.cli import main


def run(*words: object, **how: Any) -> Result:  # noqa: ANN401 - as click takes it
    """Return how the command that *words* are has ended."""
    return CliRunner().invoke(main, [str(word) for word in words], **how)


def printed(*words: object, **how: Any) -> str:  # noqa: ANN401
    """Return what a command prints that succeeds, and has nothing to complain of."""
    result = run(*words, **how)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def refusal(*words: object, code: int = 1, **how: Any) -> str:  # noqa: ANN401
    """Return what a command that fails with *code* says on standard error."""
    result = run(*words, **how)
    assert result.exit_code == code, result.output
    return result.stderr
