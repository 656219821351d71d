"""A client library for bot authors, and the bots that come with the program.

Start with `join` in `client`: it connects, waits until the game begins, and gives a
`RemoteGame`. Iterate over its `turns()`; each is a `View`, and the answer is a call of
`submit`. Underneath, `conversation` turns the frames of one connection into
messages, and matches answers to requests; `view.Knowledge` collects what the server
sends; `entering` repeats attempts to connect and to return for as long as `Retries`
says.

A `Strategy` is a function from a view to orders; `built_in` lists `hold`, `rand` and
`dumb`. Strategies do no I/O; randomness is an argument. `press` makes messages to other
powers, `lines` is the protocol of bots in other languages: JSON lines.

All that a bot needs can be imported from this package, names of boards and orders too.
"""

from daide_server.board.map import Map as Map
from daide_server.board.map import Phase as Phase
from daide_server.board.map import Position as Position
from daide_server.board.map import Season as Season
from daide_server.board.map import Turn as Turn
from daide_server.board.names import Coast as Coast
from daide_server.board.names import Location as Location
from daide_server.board.names import Power as Power
from daide_server.board.names import Province as Province
from daide_server.board.names import Unit as Unit
from daide_server.board.names import UnitType as UnitType
from daide_server.board.orders import Build as Build
from daide_server.board.orders import Convoy as Convoy
from daide_server.board.orders import ConvoyedMove as ConvoyedMove
from daide_server.board.orders import Disband as Disband
from daide_server.board.orders import Hold as Hold
from daide_server.board.orders import Move as Move
from daide_server.board.orders import Order as Order
from daide_server.board.orders import Remove as Remove
from daide_server.board.orders import Retreat as Retreat
from daide_server.board.orders import SupportHold as SupportHold
from daide_server.board.orders import SupportMove as SupportMove
from daide_server.board.orders import Waive as Waive
from daide_server.board.results import OrderNote as OrderNote
from daide_server.board.results import OrderResult as OrderResult
from daide_server.board.results import Report as Report
from daide_server.daide.messages import Accepted as Accepted
from daide_server.daide.messages import Admin as Admin
from daide_server.daide.messages import BackInControl as BackInControl
from daide_server.daide.messages import BracketsRefused as BracketsRefused
from daide_server.daide.messages import DrawDeclared as DrawDeclared
from daide_server.daide.messages import InDisorder as InDisorder
from daide_server.daide.messages import MissingAdjustments as MissingAdjustments
from daide_server.daide.messages import MissingRetreats as MissingRetreats
from daide_server.daide.messages import MissingUnits as MissingUnits
from daide_server.daide.messages import Out as Out
from daide_server.daide.messages import PressDelivered as PressDelivered
from daide_server.daide.messages import Rejected as Rejected
from daide_server.daide.messages import SaveGame as SaveGame
from daide_server.daide.messages import Solo as Solo
from daide_server.daide.messages import Summary as Summary
from daide_server.daide.messages import SwitchOff as SwitchOff
from daide_server.daide.messages import SyntaxRefused as SyntaxRefused
from daide_server.daide.messages import TimeLeft as TimeLeft
from daide_server.daide.messages import TimeStopped as TimeStopped
from daide_server.judge.adjudication import adjudicate as adjudicate
from daide_server.judge.possible import possible_adjustments as possible_adjustments
from daide_server.judge.possible import possible_orders as possible_orders

from .client import join as join
from .client import observe as observe
from .client import rejoin as rejoin
from .entering import RETRIES as RETRIES
from .entering import Retries as Retries
from .errors import CannotConnectError as CannotConnectError
from .errors import ClientError as ClientError
from .errors import ConnectionLostError as ConnectionLostError
from .errors import GameOverError as GameOverError
from .errors import ProtocolFaultError as ProtocolFaultError
from .errors import RefusedError as RefusedError
from .errors import UnsendableError as UnsendableError
from .remote_game import RemoteGame as RemoteGame
from .view import OBSERVER as OBSERVER
from .view import UNANSWERED as UNANSWERED
from .view import BotEvent as BotEvent
from .view import Knowledge as Knowledge
from .view import Returned as Returned
from .view import Strategy as Strategy
from .view import Submission as Submission
from .view import Unanswered as Unanswered
from .view import Unreadable as Unreadable
from .view import View as View
