// The texts beside the board that change with the turn: orders and powers.
// The templates write the same elements, for browsers without scripts.

import { chip, element } from "./dom.js";
import { FAILED, centreCounts, isFinal } from "./turns.js";

export function orders(place, game, turn) {
  const sections = game.powers.map((power) => {
    const given = (turn.orders ?? []).filter((order) => order.power === power.id);
    return given.length ? powerOrders(power, given) : null;
  });
  const found = sections.filter(Boolean);
  const empty = !turn.open ? "No orders." : game.running ? "Orders are shown when the turn has been processed." : "The game ended before this turn was processed.";
  place.replaceChildren(...(found.length ? found : [element("p", { class: "empty" }, empty)]));
}

function powerOrders(power, given) {
  return element(
    "section",
    { class: `power-orders power-${power.id}`, "data-power": power.id },
    element("h3", {}, chip(power), ` ${power.title}`),
    element("ul", {}, ...given.filter((order) => order.kind !== "waive").map(orderRow), ...waives(given)),
  );
}

// Builds that a power waived, in one row.
function waives(given) {
  const { length } = given.filter((order) => order.kind === "waive");
  return length ? [element("li", { class: "order-row" }, element("code", {}, length > 1 ? `WAIVE × ${length}` : "WAIVE"))] : [];
}

function orderRow(order) {
  const result = order.result ?? "succeeded";
  const failed = FAILED.has(result) || result === "dislodged";
  return element(
    "li",
    { class: failed ? "order-row failed" : "order-row", "data-unit": order.unit || undefined },
    element("code", {}, order.text),
    failed ? element("span", { class: "result" }, result) : null,
    order.why ? element("span", { class: "why" }, order.why) : null,
  );
}

export function powers(place, game, turn, status) {
  const counts = centreCounts(turn);
  // What a power had before the first turn of the year.
  const first = game.turns.find((each) => each.id.slice(1, -1) === turn.id.slice(1, -1));
  const ended = new Map(isFinal(game, turn) ? game.places.map((each) => [each.power, each]) : []);
  sortRows(place, game, ended);
  for (const row of place.querySelectorAll("tr[data-power]")) {
    const power = row.dataset.power;
    const count = counts[power] ?? 0;
    text(row, ".centres", count);
    text(row, ".change", signed(count - (first.owners[power]?.length ?? 0)));
    row.querySelector("rect")?.setAttribute("width", count);
    row.classList.toggle("gone", count === 0 && !turn.units.some(([, owner]) => owner === power));
    text(row, ".conduct", turn.players?.[power]?.words ?? "");
    const owing = (status?.owing ?? []).includes(power);
    row.classList.toggle("owing", owing);
    const vacant = (status?.vacant ?? []).includes(power);
    const out = ended.get(power)?.eliminated;
    text(row, ".state", owing ? "thinking" : vacant ? "vacant" : out === undefined ? "" : `eliminated ${out}`);
    text(row, ".place", ended.get(power)?.place ?? "");
  }
}

// At the end of the game the best comes first.
function sortRows(place, game, ended) {
  const body = place.querySelector("tbody");
  const order = ended.size ? [...ended.keys()] : game.powers.map((power) => power.id);
  const rows = new Map([...body.rows].map((row) => [row.dataset.power, row]));
  if (body.childNodes.length > rows.size || order.some((power, index) => body.rows[index] !== rows.get(power))) {
    body.replaceChildren(...order.map((power) => rows.get(power)));
  }
}

function text(row, selector, value) {
  const cell = row.querySelector(selector);
  const wanted = String(value);
  if (cell && cell.textContent !== wanted) {
    cell.textContent = wanted;
  }
}

const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "");
