"""What is wrong with a file, in words for the person who has it."""


class FormatError(ValueError):
    """The text is no record of this format; the message says what, where and why."""
