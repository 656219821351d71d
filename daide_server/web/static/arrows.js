// Orders as lines: arrows, dotted supports, dashed convoys; broken where they failed.

import { svg } from "./dom.js";
import { along, between, bow, path, toward, trimmed } from "./geometry.js";
import { FAILED, MOVES, UNDRAWN } from "./turns.js";

const MEETING = 0.55;

export class Arrows {
  constructor(place, view) {
    this.place = place;
    this.badge = view.badge;
    this.middle = view.width / 2;
    this.far = new Set((view.far ?? []).map(([one, other]) => `${one} ${other}`));
  }

  // Whether a move leaves the picture at one side and comes back at the other.
  isFar(from, to) {
    return this.far.has(`${from.split("/")[0]} ${to.split("/")[0]}`);
  }

  outward([x, y]) {
    return [x + (x > this.middle ? 2.4 : -2.4) * this.badge, y];
  }

  // Returns a group for each order that can be drawn, moves last, and what names must
  // avoid: the boxes of marks, and lines.
  draw(turn, units, standing) {
    this.units = units;
    this.marks = [];
    this.shafts = [];
    this.taken = new Set([...standing.values()].map((unit) => unit.at.split("/")[0]));
    this.moves = new Map();
    const orders = (turn.orders ?? []).filter((order) => !UNDRAWN.has(order.result));
    for (const order of orders.filter(({ kind }) => MOVES.has(kind))) {
      this.moves.set(order.unit, this.line(order, orders));
    }
    const drawn = orders
      .map((order) => [order, this.shapes(order)])
      .filter(([, shapes]) => shapes.length > 0);
    const rank = (order) => 2 * !FAILED.has(order.result) + MOVES.has(order.kind);
    drawn.sort(([one], [other]) => rank(one) - rank(other));
    const groups = drawn.map(([order, shapes]) =>
      svg(
        "g",
        {
          class: `order power-${order.power}${FAILED.has(order.result) ? " failed" : ""}`,
          "data-unit": order.unit,
          "data-power": order.power,
        },
        ...shapes,
      ),
    );
    return { groups, marks: this.marks, lines: this.shafts };
  }

  mark([x, y], share) {
    this.marks.push({ x, y, width: 2 * share * this.badge, height: 2 * share * this.badge });
  }

  start(id) {
    const unit = this.units.get(id);
    return unit && this.place(unit);
  }

  end(order) {
    return this.place({ at: order.to });
  }

  line(order, orders) {
    const start = this.start(order.unit);
    if (!start) {
      return null;
    }
    const end = this.end(order);
    if (this.isFar(this.units.get(order.unit).at, order.to)) {
      return FAILED.has(order.result) ? [start, this.outward(start)] : [this.outward(end), end];
    }
    if (order.via?.length) {
      return [start, ...order.via.map((sea) => this.place({ at: sea })), end];
    }
    const province = (at) => at.split("/")[0];
    const here = province(this.units.get(order.unit).at);
    const opposite = orders.some(
      (other) =>
        MOVES.has(other.kind) &&
        this.units.has(other.unit) &&
        province(other.to) === here &&
        province(this.units.get(other.unit).at) === province(order.to),
    );
    return opposite ? bow(start, end, 0.09) : [start, end];
  }

  shapes(order) {
    if (MOVES.has(order.kind)) {
      return this.arrow(order, this.moves.get(order.unit));
    }
    const at = this.start(order.unit);
    if (!at) {
      return [];
    }
    switch (order.kind) {
      case "support_hold":
        return this.start(order.target) ? this.support(order, at, this.start(order.target), 0.62) : [];
      case "support_move":
        return this.support(order, at, this.meeting(order), 0);
      case "convoy":
        return [this.ring(at), ...this.strokes("convoy", trimmed([at, this.meeting(order)], this.badge * 0.75, 0))];
      case "disband":
      case "remove":
        return [this.cross(at, 0.36)];
      default:
        return [];
    }
  }

  meeting(order) {
    const line = this.moves.get(order.target);
    if (line) {
      return along(line, MEETING);
    }
    const from = this.start(order.target) ?? this.end(order);
    return between(from, this.end(order), MEETING);
  }

  arrow(order, line) {
    if (!line) {
      return [];
    }
    const failed = FAILED.has(order.result);
    const stays = failed || this.taken.has(this.units.get(order.unit).at.split("/")[0]);
    const room = this.taken.has(order.to.split("/")[0]) ? 0.66 : 0.12;
    const shown = trimmed(line, this.badge * (stays ? 0.6 : 0.15), this.badge * room);
    const tip = shown[shown.length - 1];
    const size = this.badge * (failed ? 0.32 : 0.44);
    const base = toward(tip, shown[shown.length - 2], size);
    const half = toward([0, 0], [tip[1] - base[1], base[0] - tip[0]], size * 0.55);
    const head = `${path([tip, [base[0] + half[0], base[1] + half[1]], [base[0] - half[0], base[1] - half[1]]])}Z`;
    const shaft = trimmed(shown, 0, size * 0.7);
    this.shafts.push(shown);
    this.mark(between(tip, base, 0.5), 0.24);
    const shapes = [
      svg("path", { class: "edge", d: path(shaft) }),
      svg("path", { class: "edge head", d: head }),
      svg("path", { class: `shaft ${order.kind}`, d: path(shaft) }),
      svg("path", { class: "head", d: head }),
    ];
    return failed ? [...shapes, this.cross(along(shown, 0.5), 0.17)] : shapes;
  }

  support(order, at, end, room) {
    const line = trimmed([at, end], this.badge * 0.62, this.badge * room);
    const tip = line[line.length - 1];
    this.mark(tip, 0.16);
    const shapes = [
      ...this.strokes("support", line),
      svg("circle", { class: "dot", cx: tip[0].toFixed(1), cy: tip[1].toFixed(1), r: (this.badge * 0.12).toFixed(1) }),
    ];
    return FAILED.has(order.result) ? [...shapes, this.cross(along(line, 0.5), 0.15)] : shapes;
  }

  strokes(kind, line) {
    this.shafts.push(line);
    return [svg("path", { class: `edge ${kind}`, d: path(line) }), svg("path", { class: `shaft ${kind}`, d: path(line) })];
  }

  ring([x, y]) {
    this.mark([x, y], 0.72);
    return svg("circle", { class: "ring", cx: x.toFixed(1), cy: y.toFixed(1), r: (this.badge * 0.68).toFixed(1) });
  }

  cross([x, y], share) {
    const size = this.badge * share;
    this.mark([x, y], share + 0.06);
    const d = `M${(x - size).toFixed(1)} ${(y - size).toFixed(1)}l${(2 * size).toFixed(1)} ${(2 * size).toFixed(1)}m0 ${(-2 * size).toFixed(1)}l${(-2 * size).toFixed(1)} ${(2 * size).toFixed(1)}`;
    return svg("g", { class: "cross" }, svg("path", { class: "cross-edge", d }), svg("path", { class: "cross-line", d }));
  }
}
