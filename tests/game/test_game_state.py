"""The state guards itself, and what it can be asked."""

import ast
from collections.abc import Iterator
from pathlib import Path

import daide_server
from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.game.permissions import ClientRole
from daide_server.language.messages import Rejoin
from tests.support.scripts import PASSCODES, Script

PACKAGE = Path(daide_server.__file__).parent
COMPONENTS = (
    "clock",
    "current_turn",
    "draws",
    "game_state",
    "history",
    "load_offers",
    "observers",
    "record_growth",
    "seating",
    "stages",
    "turn_orders",
    "turn_timer",
)
"""The modules of `daide_server.game` whose classes hold what changes."""
MUTABLE = {"dict", "list", "set", "defaultdict", "deque", "Counter", "bytearray"}
FRANCE = Power("FRA")


def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text())


def classes() -> Iterator[ast.ClassDef]:
    """Yield the classes that hold what changes in a game."""
    for name in COMPONENTS:
        for node in ast.walk(tree_of(PACKAGE / "game" / f"{name}.py")):
            if isinstance(node, ast.ClassDef):
                yield node


def assigned(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Yield the attributes that a tree assigns or deletes, and parts of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(
            node.ctx, ast.Load
        ):
            target: ast.expr = node
            while isinstance(target, ast.Subscript):
                target = target.value
            if isinstance(target, ast.Attribute):
                yield target


def is_own(target: ast.Attribute) -> bool:
    """Return whether a target is `self.name`."""
    return isinstance(target.value, ast.Name) and target.value.id == "self"


def state_attributes() -> set[str]:
    """Return the names of the attributes of the state and its components."""
    found = {target.attr for each in classes() for target in assigned(each)}
    for each in classes():
        found.update(
            node.target.id
            for node in each.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        )
    return found


def foreign_assignments(path: Path, attributes: set[str]) -> list[str]:
    """Return where a module assigns attributes of the state that are not its own."""
    text = path.read_text()
    if "daide_server.game" not in text and path.parent.name != "game":
        return []
    return [
        f"{path.relative_to(PACKAGE)}:{target.lineno}: {ast.unparse(target)}"
        for target in assigned(ast.parse(text))
        if not is_own(target)
        and (target.attr in attributes or path.parent.name in {"game", "lobby"})
    ]


def test_nobody_else_assigns_what_is_the_states() -> None:
    """A class assigns its own attributes only; others call its methods."""
    attributes = state_attributes()
    assert {"stage", "client", "in_disorder", "_timeout"} <= attributes
    modules = sorted(PACKAGE.rglob("*.py"))
    assert [
        at for path in modules for at in foreign_assignments(path, attributes)
    ] == []


def test_what_the_state_hands_out_is_read_only() -> None:
    """No public attribute or result is a container that its receiver may change."""
    for each in classes():
        for node in ast.walk(each):
            match node:
                case ast.FunctionDef(name=name, returns=ast.expr() as hint):
                    pass
                case ast.AnnAssign(
                    target=ast.Name(id=name) | ast.Attribute(attr=name),
                    annotation=hint,
                ):
                    pass
                case _:
                    continue
            words = {word.id for word in ast.walk(hint) if isinstance(word, ast.Name)}
            is_public = not name.startswith("_")
            # Lists that are made for the caller may be changed by it.
            is_new = isinstance(node, ast.FunctionDef) and "list" in words
            assert not (is_public and words & MUTABLE) or is_new, f"{each.name}.{name}"


def test_roles_follow_the_game(standard: Variant) -> None:
    """From connected to joined, playing, eliminated from nothing, and over."""
    script = Script(standard, "empty")
    state = script.game.state
    assert state.role_of(ClientId(1)) is ClientRole.CONNECTED
    script.hears("a", "NME ('a') ('1')")
    script.hears("b", "OBS")
    assert state.role_of(ClientId(1)) is ClientRole.JOINED
    assert state.role_of(ClientId(2)) is ClientRole.OBSERVER
    assert state.audience() == ()
    script = Script(standard)
    state = script.game.state
    assert state.role_of(ClientId(1)) is ClientRole.PLAYER
    for power in standard.map.powers:
        script.hears(power, "DRW")
    assert state.role_of(ClientId(1)) is ClientRole.POST_GAME


def test_a_seat_is_claimed_by_its_passcode_while_the_game_runs(
    standard: Variant,
) -> None:
    """Before the start, after the end, and with another number nobody claims it."""
    claim = Rejoin(FRANCE, PASSCODES["FRA"])
    assert Script(standard, "empty").game.state.claimed_seat(claim) is None
    script = Script(standard)
    seat = script.game.state.claimed_seat(claim)
    assert seat is script.game.state.seating[FRANCE]
    assert script.game.state.claimed_seat(Rejoin(FRANCE, 1)) is None
    assert script.game.state.claimed_seat(Rejoin(Power("SPA"), 1)) is None
    for power in standard.map.powers:
        script.hears(power, "DRW")
    assert script.game.state.claimed_seat(claim) is None


def test_a_turn_waits_for_absent_powers_only_with_a_deadline(standard: Variant) -> None:
    """Without one it would never end."""
    for words, over in (((), True), (("mtl=100",), False)):
        script = Script(standard, *words)
        script.loses("FRA")
        powers = [power for power in standard.map.powers if power != FRANCE]
        script.holds(*powers)
        assert bool(script.game.state.history.turns) is over
