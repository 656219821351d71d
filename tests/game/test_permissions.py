"""Who may send what, and which function takes it."""

import typing

import pytest

from daide_server.game.permissions import ANSWERS, Handling
from daide_server.game.seating import ClientRole
from daide_server.language.messages import ClientMessage
from tests.support.data import table

FRESH_DEPARTURES = {"ADM": "REJ"}
"""What we answer to strangers otherwise: ADM would reach all players."""
ROWS = {
    "NME": "Name",
    "OBS": "Observe",
    "IAM": "Rejoin",
    "HST (turn)": "AskHistory",
    "ORD": "AskResults",
    "GOF, NOT (GOF)": "Go Wait",
    "TME, TME (n)": "AskTime RequestTime",
    "MAP, MDF, SCO, NOW": "AskMap AskMapDefinition AskOwnership AskPosition",
    "SUB, NOT (SUB)": "SubmitOrders CancelOrders CancelOrder",
    "MIS": "AskMissing",
    "DRW, NOT (DRW)": "VoteDraw WithdrawDraw",
    "NOT (TME...)": "CancelTime",
    "SND": "SendPress",
    "ADM": "Admin",
    "PRN, HUH": "Complaint",
}


def test_every_message_has_an_answer_for_every_role() -> None:
    """No client can say anything that the table does not know."""
    assert set(ANSWERS) == set(typing.get_args(ClientMessage))
    assert all(len(row.by_role) == len(ClientRole) for row in ANSWERS.values())


def test_a_handler_takes_each_message_that_is_let_through() -> None:
    """And none takes one that no role may send."""
    for row in ANSWERS.values():
        assert (row.handler is not None) is (Handling.HANDLE in row.by_role)


def test_every_row_of_the_document_is_compared() -> None:
    assert {command for command, *_ in table("answers")} == set(ROWS)


@pytest.mark.parametrize("command", ROWS)
def test_the_table_is_that_of_the_document(command: str) -> None:
    """Where it says plainly ok, REJ or silent, so do we."""
    [cells] = [cells for each, *cells in table("answers") if each == command]
    cells[0] = FRESH_DEPARTURES.get(command, cells[0])
    rows = {message.__name__: row.by_role for message, row in ANSWERS.items()}
    for name in ROWS[command].split():
        # The document has no column for those who are offered a loaded game.
        for cell, answer in zip(cells, rows[name][: len(cells)], strict=True):
            if cell:  # an empty one depends on more than the role
                said = Handling.HANDLE.value if cell == "bare MIS" else cell
                assert answer.value == said, (name, cells)
