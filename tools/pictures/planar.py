"""The graph of neighbours, less what cannot be drawn in the plane."""

import random
from collections import Counter

import networkx as nx
from shipping import neighbours

from daide_server.board.variant import Variant

TRIES = 12
"""How often a planar part is looked for; the one with most borders is drawn."""
PACIFIC = (
    "BRS KAM", "BRS NWP", "NPO NWP", "CPO NWP", "CPO WPO", "PIS WPO", "PIS IND",
    "PIS JSE", "PIS QSL", "PIS TSE", "PIS NZE", "SPO NZE", "SPO SWP", "SPO RIS",
    "MBL RIS",
)  # fmt: skip
SEAMS = {"world": PACIFIC, "world3": PACIFIC}
"""Where a map that goes around the world is cut open."""


def planar_part(variant: Variant, chance: random.Random) -> nx.Graph:
    """Return the graph of neighbours, less what cannot be drawn in the plane."""
    full = nx.Graph(sorted(tuple(sorted(pair)) for pair in neighbours(variant.map)))
    full.add_nodes_from(variant.map.provinces)
    seam = [tuple(pair.split()) for pair in SEAMS.get(variant.name, ())]
    full.remove_edges_from(seam)
    if nx.check_planarity(full)[0]:
        return full
    starts = sorted(full)
    chance.shuffle(starts)
    parts = [_grown(full, start) for start in starts[:TRIES]]
    parts.append(_untangled(full, chance))
    return max(parts, key=nx.number_of_edges)


def _untangled(full: nx.Graph, chance: random.Random) -> nx.Graph:
    """Return a planar part of *full*, without the borders that tangle it locally.

    What is not planar is mostly a strait where fleets and armies cross. Of the borders
    without which the surroundings of a province are planar, the one that helps most
    provinces is left out, until all is planar; what can come back then does.
    """
    found = full.copy()
    removed = []
    for radius in (1, 2, 3):
        while votes := _tangles(found, radius):
            edge = max(sorted(votes), key=lambda edge: votes[edge])
            found.remove_edge(*edge)
            removed.append(edge)
    if not nx.check_planarity(found)[0]:
        return nx.Graph()
    chance.shuffle(removed)
    for edge in removed:
        found.add_edge(*edge)
        if not nx.check_planarity(found)[0]:
            found.remove_edge(*edge)
    return found


def _tangles(graph: nx.Graph, radius: int) -> Counter[tuple[str, str]]:
    """Return how many tangled surroundings each edge's removal would make planar."""
    votes: Counter[tuple[str, str]] = Counter()
    for centre in graph:
        near = nx.ego_graph(graph, centre, radius)
        if nx.check_planarity(near)[0]:
            continue
        for edge in list(near.edges()):
            near.remove_edge(*edge)
            if nx.check_planarity(near)[0]:
                votes[min(edge), max(edge)] += 1
            near.add_edge(*edge)
    return votes


def _grown(full: nx.Graph, start: str) -> nx.Graph:
    """Return a planar part of *full* that grows province by province.

    Near provinces come first, so that what does not fit is most likely what is out of
    place on the board as well.
    """
    found = nx.Graph()
    found.add_node(start)
    for one, other in nx.bfs_edges(full, start):
        found.add_edge(one, other)
        for near in sorted(set(full[other]) & set(found) - {one}):
            found.add_edge(other, near)
            if not nx.check_planarity(found)[0]:
                found.remove_edge(other, near)
    return found
