from daide_server.wire.errors import ErrorCode, WireError


def test_the_codes_are_those_of_the_document() -> None:
    """The table of section 1.4 has no gaps."""
    assert [code.value for code in ErrorCode] == list(range(0x01, 0x0F))


def test_an_error_says_its_code() -> None:
    error = WireError(ErrorCode.WRONG_VERSION)

    assert error.code is ErrorCode.WRONG_VERSION
    assert "0x05" in str(error)
