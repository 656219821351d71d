"""Square brackets in statements: punctuation around a name or a list."""

from collections.abc import Iterator


def bare(text: str) -> str:
    """Return a name without blanks and brackets around it."""
    return text.strip(" \t[]")


def inside(text: str) -> str:
    """Return *text* without the brackets that enclose all of it."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and "]" not in text[1:-1]:
        return text[1:-1]
    return text


def listed(text: str) -> Iterator[str]:
    """Yield what commas outside brackets separate."""
    rest = text
    while rest.strip():
        part, _, rest = split_outside(rest, ",")
        yield part


def split_outside(text: str, mark: str) -> tuple[str, str, str]:
    """Return *text* before and after the first *mark* that no brackets enclose."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == mark and depth == 0:
            return text[:place], mark, text[place + 1 :]
    return text, "", ""
