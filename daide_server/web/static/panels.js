// The texts beside the board: orders, powers, centres by year, press, scores.
// The templates write the same elements, for those who have no scripts.

import { chip, element, svg } from "./dom.js";
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
  const years = game.years;
  const last = lastYear(years, turn);
  const ended = new Map(isFinal(game, turn) ? game.places.map((each) => [each.power, each]) : []);
  sortRows(place, game, ended);
  for (const row of place.querySelectorAll("tr[data-power]")) {
    const power = row.dataset.power;
    const count = counts[power] ?? 0;
    text(row, ".centres", count);
    text(row, ".change", last ? signed(count - (last.centres[power] ?? 0)) : "");
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

function lastYear(years, turn) {
  const year = Number(/-?\d+/.exec(turn.id)?.[0]);
  const known = years.filter((each) => each.year === "start" || Number(each.year) < year);
  return known[known.length - 1];
}

const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "");

// The centres of each power over the years, as lines with letters at their ends.
export function chart(place, game, majority) {
  const [wide, high, left, right, foot] = [360, 190, 24, 30, 22];
  const years = game.years;
  const most = Math.max(majority, ...years.flatMap((year) => Object.values(year.centres)));
  const x = (index) => left + (index / Math.max(1, years.length - 1)) * (wide - left - right);
  const y = (count) => 8 + (1 - count / most) * (high - foot - 8);
  const lines = game.powers.map((power) => {
    const points = years.map((year, index) => `${x(index).toFixed(1)},${y(year.centres[power.id] ?? 0).toFixed(1)}`);
    return svg("polyline", { class: `power-${power.id}`, "data-power": power.id, points: points.join(" ") });
  });
  const edges = lines.map((line) => svg("polyline", { class: "line-edge", points: line.getAttribute("points") }));
  place.replaceChildren(
    svg(
      "svg",
      { class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "Centres of each power by year; the table below has the numbers" },
      ...[0, majority].map((count) => svg("path", { class: count ? "goal" : "base", d: `M${left} ${y(count)}H${wide - right}` })),
      label(left - 4, y(0) + 3, "0", "end"),
      label(left - 4, y(majority) + 3, majority, "end"),
      ...yearLabels(years, x, high - 6),
      ...edges,
      ...lines,
      ...endLetters(game, years[years.length - 1], y, wide - right + 4),
    ),
  );
}

const label = (x, y, words, anchor, kind = "") =>
  svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: kind || undefined }, String(words));

function yearLabels(years, x, y) {
  const every = Math.ceil(years.length / 8);
  return years
    .map((year, index) => [year, index])
    .filter(([, index]) => index % every === 0)
    .map(([year, index]) => label(x(index), y, year.year, index ? "middle" : "start"));
}

// Letters at the ends of the lines, moved apart where lines meet, up from the years.
function endLetters(game, last, y, x) {
  const [middle, apart] = [3.5, 10];
  const ends = game.powers
    .map((power) => [power, y(last?.centres[power.id] ?? 0) + middle])
    .filter(([power]) => (last?.centres[power.id] ?? 0) > 0)
    .sort(([, one], [, other]) => one - other);
  let free = -Infinity;
  for (const end of ends) {
    end[1] = Math.max(end[1], free);
    free = end[1] + apart;
  }
  let lowest = y(0) + middle;
  for (const end of [...ends].reverse()) {
    end[1] = Math.min(end[1], lowest);
    lowest = end[1] - apart;
  }
  return ends.map(([power, at]) => label(x, at, power.letter, "start", `end-letter power-${power.id}`));
}

export function centresTable(place, game) {
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Year"),
    ...game.powers.map((power) => element("th", { scope: "col" }, element("abbr", { title: power.title }, power.letter))),
  );
  const rows = game.years.map((year) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, year.year),
      ...game.powers.map((power) => element("td", {}, String(year.centres[power.id] || "–"))),
    ),
  );
  place.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}
