// A turn on a board: the picture below, orders as lines, units as HTML on top.
//
// `show` puts the whole final state of a turn into the document immediately; motion only
// decorates it, with animations of `transform` and `opacity` that the compositor runs.
// So a turn looks the same however it is reached.

import { Arrows } from "./arrows.js";
import { element, svg } from "./dom.js";
import { Labels } from "./labels.js";
import { between, distance, lengthOf } from "./geometry.js";
import { FAILED, MOVES, after, before, orderOf, owners } from "./turns.js";
import { Zoom } from "./zoom.js";

const ARROWS_MS = 150;
const GLIDE_MS = 500;
const BOUNCE_SHARE = 0.35;
const UNIT_PX = [15, 34];
const NAMES = { A: "army", F: "fleet" };
const OUTLINES = new Map();

// Fetches a board's picture once for all boards of the page.
async function outline(address) {
  if (!OUTLINES.has(address)) {
    OUTLINES.set(
      address,
      fetch(address).then(async (answer) => {
        const text = await answer.text();
        return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      }),
    );
  }
  return document.importNode(await OUTLINES.get(address), true);
}

export class Board {
  constructor(place, view, { small = false } = {}) {
    this.view = view;
    this.small = small;
    this.element = place;
    this.powers = new Map(view.powers.map((power) => [power.id, power]));
    this.ids = new Map();
    this.faces = new Map();
    this.stars = new Map();
    this.arrows = new Arrows((unit) => this.spot(unit), view);
    this.lines = svg("svg", { class: "board-orders", viewBox: `0 0 ${view.width} ${view.height}`, "aria-hidden": "true" });
    this.units = element("div", { class: "board-units" });
    if (!small) {
      this.units.setAttribute("role", "group");
      this.units.setAttribute("aria-label", "Units; arrow keys go from one to the next");
    }
    this.ground = element("div", { class: "ground" }, this.lines, this.units);
    place.append(this.ground);
    this.zoom = small ? undefined : new Zoom(place, this.ground);
    this.fit(view.badge);
  }

  // Signs keep their size in pixels within bounds, however large the ground is.
  fit(unit) {
    this.arrows.badge = unit;
    this.lines.style.setProperty("--unit", unit.toFixed(2));
  }

  // Sets the size of a unit in the units of the picture, as in `style.css`.
  resize() {
    this.scale = this.ground.clientWidth / this.view.width;
    if (this.scale) {
      const [least, most] = UNIT_PX;
      this.fit(Math.min(most, Math.max(least, this.view.badge * this.scale)) / this.scale);
      if (this.turn) {
        this.draw();
      }
    }
  }

  async fetchOutline(address) {
    const picture = await outline(address);
    picture.setAttribute("aria-hidden", "true");
    for (const face of picture.querySelectorAll("[data-province]")) {
      this.faces.set(face.dataset.province, face);
    }
    for (const star of picture.querySelectorAll("[data-centre]")) {
      this.stars.set(star.dataset.centre, star);
    }
    const names = picture.querySelector(".names");
    names.remove();
    this.ground.prepend(picture);
    if (!this.small) {
      this.labels = new Labels(picture, names, this.view);
      this.units.before(this.labels.element);
      new ResizeObserver(() => this.resize()).observe(this.ground);
    }
    if (this.turn) {
      this.colour(this.turn);
    }
  }

  // Where a unit stands: beside the new occupant, if it is dislodged.
  spot({ at, dislodged }) {
    const [x, y] = this.view.spots[at] ?? this.view.spots[at.split("/")[0]] ?? [0, 0];
    return dislodged ? [x + this.arrows.badge * 0.75, y - this.arrows.badge * 0.65] : [x, y];
  }

  transform([x, y]) {
    const share = (value) => `${((value / this.view.width) * 100).toFixed(3)}cqw`;
    return `translate(${share(x)}, ${share(y)}) translate(-50%, -50%)`;
  }

  show(turn, { animate = false, speed = 1 } = {}) {
    this.stop();
    this.turn = turn;
    this.marked = undefined;
    this.draw();
    if (animate && !turn.open) {
      this.animate(before(turn), after(turn), speed);
    } else {
      this.colour(turn);
    }
  }

  // Puts units, orders and names where they are after the turn.
  draw() {
    const now = after(this.turn);
    this.place(now, this.turn);
    const { groups, marks, lines } = this.arrows.draw(this.turn, before(this.turn), now);
    this.lines.replaceChildren(...groups);
    this.only(this.power);
    this.mark(this.marked);
    if (this.labels && this.scale) {
      const side = this.arrows.badge;
      const units = [...now.values()].map((unit) => this.spot(unit)).map(([x, y]) => ({ x, y, width: side, height: side }));
      this.labels.place(this.scale, [...units, ...marks], lines);
    }
  }

  // Where a unit is in the frame, as shares of its width and height.
  shown(unit) {
    const [x, y] = this.spot(unit);
    return this.zoom.shown([x / this.view.width, y / this.view.height]);
  }

  // Shows a position without orders; units glide to it from where they stand.
  glide(turn, { animate = false } = {}) {
    const stood = new Map([...this.ids].map(([id, made]) => [id, made.style.transform]));
    this.show(turn);
    if (animate && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      for (const [id, made] of this.ids) {
        const from = stood.get(id);
        if (from && from !== made.style.transform) {
          made.animate([{ transform: from }, { transform: made.style.transform }], { duration: GLIDE_MS, easing: "ease-in-out" });
        }
      }
    }
  }

  // Puts the units of the final state into the document, in the order of their ids.
  place(now, turn) {
    for (const [id, made] of this.ids) {
      if (!now.has(id)) {
        made.remove();
        this.ids.delete(id);
      }
    }
    let next = this.units.firstElementChild;
    for (const unit of [...now.values()].sort((one, other) => one.id - other.id)) {
      const made = this.ids.get(unit.id) ?? this.create(unit);
      if (made === next) {
        next = next.nextElementSibling;
      } else {
        this.units.insertBefore(made, next);
      }
      this.update(made, unit, turn);
    }
    if (!this.small && !this.units.querySelector('[tabindex="0"]')) {
      this.units.firstElementChild?.setAttribute("tabindex", "0");
    }
  }

  create(unit) {
    const power = this.powers.get(unit.power);
    const name = this.small ? "span" : "button";
    const attributes = this.small ? {} : { type: "button", tabindex: "-1" };
    const kind = NAMES[unit.type];
    const made = element(
      name,
      { ...attributes, class: "unit", "data-unit": unit.id, "data-power": unit.power },
      svg("svg", { viewBox: "0 0 28 28", "aria-hidden": "true" }, svg("use", { href: `#unit-${kind}` })),
      element("span", { class: "letter", "aria-hidden": "true" }, power?.letter ?? unit.power[0]),
    );
    this.ids.set(unit.id, made);
    return made;
  }

  update(made, unit, turn) {
    const kind = NAMES[unit.type];
    const built = (turn.after?.built ?? []).some(([id]) => id === unit.id);
    const state = unit.dislodged ? " dislodged" : built ? " built" : "";
    made.className = `unit ${kind} power-${unit.power}${state}`;
    made.style.transform = this.transform(this.spot(unit));
    if (!this.small) {
      made.setAttribute("aria-label", this.label(unit, turn));
    }
  }

  label(unit, turn) {
    const order = orderOf(turn, unit.id);
    const place = this.view.provinces[unit.at.split("/")[0]] ?? unit.at;
    const result = order ? `, ${order.text}: ${order.result ?? "succeeded"}` : "";
    const power = this.powers.get(unit.power)?.title ?? unit.power;
    return `${power}, ${NAMES[unit.type]} in ${place}${unit.dislodged ? ", dislodged" : ""}${result}`;
  }

  // Colours provinces and centres by their owners.
  colour(turn) {
    const found = owners(turn);
    for (const [place, face] of this.faces) {
      const centre = this.view.follows[place];
      paint(face, found.get(centre ?? place), centre && centre !== place ? "land follower" : "land");
    }
    for (const [place, star] of this.stars) {
      paint(star, found.get(place), "star");
    }
  }

  animate(was, now, speed) {
    const pace = { delay: ARROWS_MS / speed, duration: GLIDE_MS / speed, fill: "backwards", easing: "ease-in-out" };
    this.running = [this.lines.animate([{ opacity: 0 }, { opacity: 1 }], { duration: ARROWS_MS / speed })];
    for (const [id, made] of this.ids) {
      const line = this.track(was.get(id), now.get(id));
      const isFar = was.has(id) && this.arrows.isFar(was.get(id).at, now.get(id).at);
      if (line && !isFar) {
        this.running.push(made.animate(this.frames(line), pace));
      } else if (isFar || !was.has(id)) {
        this.running.push(made.animate([{ opacity: 0 }, { opacity: 1 }], pace));
      }
    }
    this.element.classList.add("moving");
    this.timer = setTimeout(() => this.finish(), (ARROWS_MS + GLIDE_MS) / speed);
  }

  // The path of a unit that moves or tries to; `undefined` if it stays.
  track(was, now) {
    if (!was) {
      return undefined;
    }
    const [start, end] = [this.spot(was), this.spot(now)];
    const order = orderOf(this.turn, was.id);
    if (order && MOVES.has(order.kind) && FAILED.has(order.result)) {
      const tried = between(start, this.spot({ at: order.to }), BOUNCE_SHARE);
      return [start, tried, end];
    }
    if (order?.kind === "convoyed_move" && order.via?.length && was.at !== now.at) {
      return [start, ...order.via.map((sea) => this.spot({ at: sea })), end];
    }
    return distance(start, end) < 0.01 ? undefined : [start, end];
  }

  frames(line) {
    const whole = lengthOf(line) || 1;
    let passed = 0;
    return line.map((point, place) => {
      passed += place ? distance(line[place - 1], point) : 0;
      return { transform: this.transform(point), offset: Math.min(1, passed / whole) };
    });
  }

  // Ends all motion in the final state.
  stop() {
    this.running?.forEach((animation) => animation.cancel());
    this.running = undefined;
    if (this.timer) {
      clearTimeout(this.timer);
      this.finish();
    }
  }

  // Colours change after the motion.
  finish() {
    this.timer = undefined;
    this.element.classList.remove("moving");
    this.colour(this.turn);
  }

  // Shows the orders and units of one power, or of all.
  only(power) {
    this.power = power;
    for (const made of this.element.querySelectorAll("[data-power]")) {
      made.classList.toggle("dim", Boolean(power) && made.dataset.power !== power);
    }
  }

  // Marks a unit and its order.
  mark(id) {
    this.marked = id;
    for (const made of this.element.querySelectorAll(".marked")) {
      made.classList.remove("marked");
    }
    if (id) {
      for (const made of this.element.querySelectorAll(`[data-unit="${CSS.escape(id)}"]`)) {
        made.classList.add("marked");
      }
    }
  }
}

function paint(made, power, kind) {
  const wanted = power ? `${kind} owned power-${power}` : kind;
  if (made.getAttribute("class") !== wanted) {
    made.setAttribute("class", wanted);
  }
}
