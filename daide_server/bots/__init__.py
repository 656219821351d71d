"""A client library for bot authors, and the bots that come with the program.

Start with `join` in `client`: it connects, waits until the game begins, and gives a
`RemoteGame`. Iterate over its `turns()`; each is a `View`, and the answer is a call of
`submit`. Underneath, `conversation` matches answers to requests, `knowledge` collects
what the server sends, and `link` turns the frames of one connection into messages;
`entering` repeats attempts to connect and to return for as long as `retries` says.
A `Strategy` is a function from a view to orders; `hold`, `rand` and `dumb` are three,
listed in `built_in`. Strategies do no I/O; randomness is an argument.

All that a bot needs can be imported from this package, names of boards and orders too.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daide_server.board.map import (
        Map,
    )
    from daide_server.board.names import (
        Coast,
        Location,
        Power,
        Province,
        Unit,
        UnitType,
    )
    from daide_server.board.orders import (
        Build,
        Convoy,
        ConvoyedMove,
        Disband,
        Hold,
        Move,
        Order,
        Remove,
        Retreat,
        SupportHold,
        SupportMove,
        Waive,
    )
    from daide_server.board.position import (
        Position,
    )
    from daide_server.board.results import (
        OrderNote,
        OrderResult,
        Report,
    )
    from daide_server.board.turns import (
        Phase,
        Season,
        Turn,
    )
    from daide_server.judge.adjudication import (
        adjudicate,
    )
    from daide_server.judge.possible import (
        possible_adjustments,
        possible_orders,
    )
    from daide_server.language.messages import (
        Accepted,
        BackInControl,
        DrawDeclared,
        InDisorder,
        Out,
        PressDelivered,
        Rejected,
        Solo,
        Summary,
    )

    from .bot_events import (
        UNANSWERED,
        BotEvent,
        Returned,
        Submission,
        Unanswered,
        Unreadable,
    )
    from .client import (
        join,
        observe,
        rejoin,
    )
    from .errors import (
        CannotConnectError,
        ClientError,
        ConnectionLostError,
        GameOverError,
        ProtocolFaultError,
        RefusedError,
        UnsendableError,
    )
    from .knowledge import (
        Knowledge,
    )
    from .remote_game import (
        RemoteGame,
    )
    from .retries import (
        RETRIES,
        Retries,
    )
    from .view import (
        OBSERVER,
        Strategy,
        View,
    )

__all__ = [
    "OBSERVER",
    "RETRIES",
    "UNANSWERED",
    "Accepted",
    "BackInControl",
    "BotEvent",
    "Build",
    "CannotConnectError",
    "ClientError",
    "Coast",
    "ConnectionLostError",
    "Convoy",
    "ConvoyedMove",
    "Disband",
    "DrawDeclared",
    "GameOverError",
    "Hold",
    "InDisorder",
    "Knowledge",
    "Location",
    "Map",
    "Move",
    "Order",
    "OrderNote",
    "OrderResult",
    "Out",
    "Phase",
    "Position",
    "Power",
    "PressDelivered",
    "ProtocolFaultError",
    "Province",
    "RefusedError",
    "Rejected",
    "RemoteGame",
    "Remove",
    "Report",
    "Retreat",
    "Retries",
    "Returned",
    "Season",
    "Solo",
    "Strategy",
    "Submission",
    "Summary",
    "SupportHold",
    "SupportMove",
    "Turn",
    "Unanswered",
    "Unit",
    "UnitType",
    "Unreadable",
    "UnsendableError",
    "View",
    "Waive",
    "adjudicate",
    "join",
    "observe",
    "possible_adjustments",
    "possible_orders",
    "rejoin",
]

_MODULES = {
    "Accepted": "daide_server.language.messages",
    "BackInControl": "daide_server.language.messages",
    "BotEvent": "daide_server.bots.bot_events",
    "Build": "daide_server.board.orders",
    "CannotConnectError": "daide_server.bots.errors",
    "ClientError": "daide_server.bots.errors",
    "Coast": "daide_server.board.names",
    "ConnectionLostError": "daide_server.bots.errors",
    "Convoy": "daide_server.board.orders",
    "ConvoyedMove": "daide_server.board.orders",
    "Disband": "daide_server.board.orders",
    "DrawDeclared": "daide_server.language.messages",
    "GameOverError": "daide_server.bots.errors",
    "Hold": "daide_server.board.orders",
    "InDisorder": "daide_server.language.messages",
    "Knowledge": "daide_server.bots.knowledge",
    "Location": "daide_server.board.names",
    "Map": "daide_server.board.map",
    "Move": "daide_server.board.orders",
    "OBSERVER": "daide_server.bots.view",
    "Order": "daide_server.board.orders",
    "OrderNote": "daide_server.board.results",
    "OrderResult": "daide_server.board.results",
    "Out": "daide_server.language.messages",
    "Phase": "daide_server.board.turns",
    "Position": "daide_server.board.position",
    "Power": "daide_server.board.names",
    "PressDelivered": "daide_server.language.messages",
    "ProtocolFaultError": "daide_server.bots.errors",
    "Province": "daide_server.board.names",
    "RETRIES": "daide_server.bots.retries",
    "RefusedError": "daide_server.bots.errors",
    "Rejected": "daide_server.language.messages",
    "RemoteGame": "daide_server.bots.remote_game",
    "Remove": "daide_server.board.orders",
    "Report": "daide_server.board.results",
    "Retreat": "daide_server.board.orders",
    "Retries": "daide_server.bots.retries",
    "Returned": "daide_server.bots.bot_events",
    "Season": "daide_server.board.turns",
    "Solo": "daide_server.language.messages",
    "Strategy": "daide_server.bots.view",
    "Submission": "daide_server.bots.bot_events",
    "Summary": "daide_server.language.messages",
    "SupportHold": "daide_server.board.orders",
    "SupportMove": "daide_server.board.orders",
    "Turn": "daide_server.board.turns",
    "UNANSWERED": "daide_server.bots.bot_events",
    "Unanswered": "daide_server.bots.bot_events",
    "Unit": "daide_server.board.names",
    "UnitType": "daide_server.board.names",
    "Unreadable": "daide_server.bots.bot_events",
    "UnsendableError": "daide_server.bots.errors",
    "View": "daide_server.bots.view",
    "Waive": "daide_server.board.orders",
    "adjudicate": "daide_server.judge.adjudication",
    "join": "daide_server.bots.client",
    "observe": "daide_server.bots.client",
    "possible_adjustments": "daide_server.judge.possible",
    "possible_orders": "daide_server.judge.possible",
    "rejoin": "daide_server.bots.client",
}


def __getattr__(name: str) -> object:
    """Return an export; its module is imported when it is used (PEP 562)."""
    if name not in _MODULES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(_MODULES[name]), name)
