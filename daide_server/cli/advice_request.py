"""What the options of `assist` ask for, and the question for the search."""

from attrs import evolve

from daide_server.advice.candidates import candidates
from daide_server.advice.search import AdviceQuery
from daide_server.classes import frozen
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.judge.rules import EDITIONS
from daide_server.pictures.scene import Scene
from daide_server.reports.expectations import power_called
from daide_server.reports.query_positions import without_occupied

from .guess_options import guesses_at
from .input_scenes import scene_of
from .map_option import Boards


@frozen
class AdviceRequest:
    """Whom to advise, in which position, against which guesses."""

    source: str
    power: str
    phase: str | None
    expect: tuple[str, ...]
    weight: tuple[float, ...]
    edition: str
    boards: Boards


def question_of(request: AdviceRequest) -> tuple[AdviceQuery, Scene]:
    """Return the question, and the scene of its position.

    Raises as `scene_of` and `guesses_at`, and `FormatError` if the power is unknown
    or has no orders to give.
    """
    scene = scene_of(request.source, request.phase, request.boards)
    position = without_occupied(scene.position)
    names = names_of(scene.variant.map)
    power = power_called(names, request.power)
    if not candidates(scene.variant.map, position, power, ()).first:
        phase = names.phase_text(position.turn)
        message = f"{names.powers[power]} has nothing to order in {phase}"
        raise FormatError(message)
    rules = EDITIONS[request.edition]
    question = AdviceQuery(scene.variant, position, power, rules=rules)
    guesses = guesses_at(question, request.expect, request.weight)
    return evolve(question, guesses=guesses), scene
