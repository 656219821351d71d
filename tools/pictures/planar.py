"""The graph of neighbours without the edges that do not fit into the plane."""

import random
from collections import Counter

import networkx as nx
from picture_file import neighbours

from daide_server.board.map import Variant

TRIES = 12
"""How many planar subgraphs are computed; the one with most edges is drawn."""
PACIFIC = (
    "BRS KAM", "BRS NWP", "NPO NWP", "CPO NWP", "CPO WPO", "PIS WPO", "PIS IND",
    "PIS JSE", "PIS QSL", "PIS TSE", "PIS NZE", "SPO NZE", "SPO SWP", "SPO RIS",
    "MBL RIS",
)  # fmt: skip
SEAMS = {"world": PACIFIC, "world3": PACIFIC}
"""The borders at which a map that goes around the world is cut open."""


def planar_part(variant: Variant, chance: random.Random) -> nx.Graph:
    """Return the planar subgraph with most edges that is found, of the neighbours."""
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
    """Return a planar subgraph of *full*, by removing the edges that cross locally.

    Most crossings are straits that fleets and armies cross. The edge whose removal
    makes the surroundings of most provinces planar is removed, until the graph is
    planar; then edges that still fit are added again.
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
    """Return how many non-planar surroundings the removal of each edge makes planar."""
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
    """Return a planar subgraph of *full* that grows breadth first from *start*."""
    found = nx.Graph()
    found.add_node(start)
    for one, other in nx.bfs_edges(full, start):
        found.add_edge(one, other)
        for near in sorted(set(full[other]) & set(found) - {one}):
            found.add_edge(other, near)
            if not nx.check_planarity(found)[0]:
                found.remove_edge(other, near)
    return found
