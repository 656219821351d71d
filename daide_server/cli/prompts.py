"""Lines that a person types at a terminal.

With prompt_toolkit, the extra `talk`, the prompt stays below what is printed. Without
it, Python's `input` is used, with history and completion where readline exists.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

PROMPT: Final = "> "


def typed_lines(words: Sequence[str]) -> Iterator[str]:
    """Yield each line until the end of the input (Ctrl-D); Tab completes *words*.

    Raises `KeyboardInterrupt` at Ctrl-C.
    """
    try:
        import prompt_toolkit as _  # noqa: F401, PLC0415 - an extra, slow to import
    except ImportError:
        lines = _lines_of_input(words)
    else:
        lines = _lines_of_prompt_toolkit(words)
    with suppress(EOFError):
        yield from lines


def _lines_of_prompt_toolkit(words: Sequence[str]) -> Iterator[str]:
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - see above
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415 - an extra
    from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415 - an extra

    completer = WordCompleter(words, ignore_case=True)
    session: PromptSession[str] = PromptSession(PROMPT, completer=completer)
    with patch_stdout():
        while True:
            yield session.prompt()


def _lines_of_input(words: Sequence[str]) -> Iterator[str]:
    with suppress(ImportError):
        _complete(words)
    while True:
        yield input(PROMPT)


def _complete(words: Sequence[str]) -> None:
    """Let Tab complete *words*; raises `ImportError` where there is no readline."""
    import readline  # noqa: PLC0415 - not on every system

    def candidate(start: str, number: int) -> str | None:
        found = [word for word in words if word.startswith(start.upper())]
        return found[number] if number < len(found) else None

    readline.set_completer(candidate)
    readline.parse_and_bind("tab: complete")
