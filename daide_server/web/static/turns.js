// The units and owners of a turn's view, before the turn and after it.

export const FAILED = new Set(["bounced", "cut", "disrupted", "void", "illegal", "replaced"]);
export const UNDRAWN = new Set(["illegal", "replaced"]);
export const MOVES = new Set(["move", "convoyed_move", "retreat"]);

function units(list, dislodged) {
  return new Map(
    list.map(([id, power, type, at]) => [id, { id, power, type, at, dislodged: id in dislodged }]),
  );
}

export const before = (turn) => units(turn.units, turn.dislodged ?? {});

export function after(turn) {
  const changes = turn.after ?? {};
  if (turn.open) {
    return before(turn);
  }
  const gone = new Set(changes.gone ?? []);
  const stays = turn.units
    .filter(([id]) => !gone.has(id))
    .map(([id, power, type, at]) => [id, power, type, changes.moved?.[id] ?? at]);
  return units([...stays, ...(changes.built ?? [])], changes.dislodged ?? {});
}

// The owner of each centre after the turn.
export function owners(turn) {
  const found = new Map();
  for (const [power, centres] of Object.entries(turn.owners)) {
    centres.forEach((centre) => found.set(centre, power));
  }
  for (const [centre, , power] of turn.after?.centres ?? []) {
    if (power) {
      found.set(centre, power);
    } else {
      found.delete(centre);
    }
  }
  return found;
}

export function centreCounts(turn) {
  const counts = {};
  for (const power of owners(turn).values()) {
    counts[power] = (counts[power] ?? 0) + 1;
  }
  return counts;
}

export const orderOf = (turn, id) =>
  (turn.orders ?? []).find((order) => order.unit === id && !UNDRAWN.has(order.result)) ??
  (turn.orders ?? []).find((order) => order.unit === id);

// Whether the game is over after the turn.
export function isFinal(game, turn) {
  const played = game.turns.filter((each) => !each.open);
  return Boolean(game.ending) && (Boolean(turn.open) || played[played.length - 1]?.id === turn.id);
}
