"""Square brackets in statements: they enclose a name or a list."""

from collections.abc import Iterator


def bare(text: str) -> str:
    """Return a name without the blanks and brackets around it."""
    return text.strip(" \t[]")


def inside(text: str) -> str:
    """Return *text* without the one pair of brackets around all of it, if any."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and "]" not in text[1:-1]:
        return text[1:-1]
    return text


def listed(text: str) -> Iterator[str]:
    """Yield the parts of *text* between the commas outside brackets."""
    rest = text
    while rest.strip():
        part, _, rest = split_outside(rest, ",")
        yield part


def split_outside(text: str, mark: str) -> tuple[str, str, str]:
    """Return *text* before the first *mark* outside brackets, *mark*, and the rest.

    Without such a mark return *text* and two empty texts, as `str.partition` does.
    """
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == mark and depth == 0:
            return text[:place], mark, text[place + 1 :]
    return text, "", ""
