"""The answer of `assist`: ranked order sets as text, as JSON and as a scene."""

from collections.abc import Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Final

from attrs import evolve

from daide_server.advice.search import AdviceQuery, Search, dangers
from daide_server.classes import frozen
from daide_server.formats.phase_json.map_names import Names, names_of
from daide_server.pictures.scene import Scene
from daide_server.reports.advice_json import advice_json
from daide_server.reports.advice_text import AdviceWriter, RatedProposal

DANGERS_PER_SET: Final = 2
GIVEN_GUESSES: Final = "Expected of the others, who hold where nothing is said:"
ASSUMED_GUESSES: Final = "Assumed of the others, as no --expect says what they do:"


@frozen
class SearchBudget:
    """When the search ends: at `end` on the clock, or after so many evaluations."""

    end: float
    evaluations: int | None


@frozen
class AdviceAnswer:
    """The ranked sets, the best first; *assumed* if no guess was given."""

    question: AdviceQuery
    writer: AdviceWriter
    sets: Sequence[RatedProposal]
    assumed: bool

    def lines(self) -> Iterator[str]:
        """Yield the guesses, and each set with its effects and dangers."""
        power = self._names.powers[self.question.power]
        yield f"{self._names.phase_text(self.question.position.turn)}, {power}"
        yield ASSUMED_GUESSES if self.assumed else GIVEN_GUESSES
        yield from self.writer.expectations()
        for rank, advised in enumerate(self.sets, 1):
            yield ""
            yield from self.writer.lines(advised, rank)

    def json(self) -> str:
        """Return the same as one JSON object."""
        content = advice_json(
            self.writer, self.question, self.sets, assumed=self.assumed
        )
        return content.decode()

    def best_scene(self, scene: Scene) -> Scene:
        """Return *scene* with the outcomes of the best set and the likeliest guess."""
        likeliest = max(self.question.guesses, key=lambda guess: guess.weight)
        orders = self.sets[0].proposal.orders
        reports = self.question.resolution(orders, likeliest).reports
        return evolve(scene, reports=reports)

    @property
    def _names(self) -> Names:
        return names_of(self.question.variant.map)


def answer_to(
    question: AdviceQuery, budget: SearchBudget, *, top: int, assumed: bool
) -> AdviceAnswer:
    """Return the *top* sets that a search within *budget* finds."""
    search = Search(question)
    _run(search, budget)
    sets = [
        RatedProposal(proposal, dangers(search, proposal, DANGERS_PER_SET))
        for proposal in search.ranked(top)
    ]
    names = names_of(question.variant.map)
    writer = AdviceWriter(names, question, search.evaluation)
    return AdviceAnswer(question, writer, sets, assumed)


def _run(search: Search, budget: SearchBudget) -> None:
    for _ in islice(search.steps(), budget.evaluations):
        if budget.evaluations is None and monotonic() >= budget.end:
            return
