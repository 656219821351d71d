// The names on a board: large enough to be read, and never under a unit or a mark.
// A name that is in the way moves to the best free place nearby; outside its province
// it has a line to it. A name without a place is hidden; the card of a unit shows it.

import { svg } from "./dom.js";
import { crosses, distance, path } from "./geometry.js";

const [LEAST_PX, MOST_PX] = [9, 14];
const [CAPITALS, BASE_LINE, GAP] = [0.9, 0.35, 0.15];
const [DIRECTIONS, RINGS, FEW_RINGS] = [24, 20, 8];
const [OUTSIDE_COST, LINE_COST] = [2.5, 1.2];
const RANKS = ["land", "sea", "coast", "beyond"];

export class Labels {
  constructor(picture, names, view) {
    this.view = view;
    this.usual = Number(names.getAttribute("font-size"));
    this.leaders = svg("path", { class: "leaders" });
    this.element = svg("svg", { class: "board-names", viewBox: `0 0 ${view.width} ${view.height}`, "aria-hidden": "true" }, this.leaders, names);
    this.names = names;
    this.lands = [...picture.querySelectorAll("[data-province]")];
    this.stars = picture.querySelectorAll("[data-centre]");
  }

  // Measures what does not change: places, widths in ems, faces, stars.
  measure() {
    const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2, width, height });
    this.taken = [...this.stars].map((star) => middle(star.getBBox()));
    this.lands = this.lands.map((face) => ({ face, box: face.getBBox(), name: face.dataset.province }));
    this.all = [...this.names.querySelectorAll("text")].map((text) => {
      const name = text.firstChild.data;
      const x = Number(text.getAttribute("x"));
      const y = Number(text.getAttribute("y")) - BASE_LINE * this.usual;
      const from = text.dataset.from?.split(" ").map(Number) ?? [x, y];
      const kind = text.getAttribute("class");
      return { text, name, x, y, from, kind, rank: RANKS.indexOf(kind), ems: text.getBBox().width / this.usual + GAP };
    });
    this.all.sort((one, other) => one.rank - other.rank);
  }

  // `scale` is that from the picture to pixels; `marks` are boxes that must stay free,
  // `lines` are crossed only if necessary.
  place(scale, marks, lines) {
    if (!this.all) {
      this.measure();
    }
    const size = Math.min(Math.max(this.usual, LEAST_PX / scale), MOST_PX / scale);
    this.rings = size > this.usual * 1.01 ? FEW_RINGS : RINGS;
    this.size = size;
    this.lines = lines;
    const taken = [...this.taken, ...marks];
    const waiting = [];
    const found = new Map();
    const put = (label, box) => {
      found.set(label, box);
      if (box) {
        taken.push(box);
      }
    };
    for (const label of this.all) {
      const box = this.box(label, label.x, label.y);
      if (this.isFree(box, taken) && !this.crossed(box)) {
        put(label, box);
      } else {
        waiting.push(label);
      }
    }
    for (const label of waiting) {
      put(label, label.rank < 2 ? this.best(label, taken) : this.kept(label, taken));
    }
    this.write(found);
  }

  box(label, x, y) {
    return { x, y, width: label.ems * this.size, height: CAPITALS * this.size };
  }

  isFree(box, taken) {
    const { width, height } = this.view;
    const isInside = box.x > box.width / 2 && box.x < width - box.width / 2 && box.y > box.height / 2 && box.y < height - box.height / 2;
    return isInside && !taken.some((other) => overlap(box, other));
  }

  kept(label, taken) {
    const box = this.box(label, label.x, label.y);
    return this.isFree(box, taken) ? box : undefined;
  }

  crossed(box) {
    return this.lines.filter((line) => crosses(line, box)).length;
  }

  isHome(label, box) {
    const point = new DOMPoint(box.x, box.y);
    const under = this.lands.filter(({ box: { x, y, width, height } }) => box.x > x && box.x < x + width && box.y > y && box.y < y + height);
    const found = under.find(({ face }) => face.isPointInFill(point));
    return label.kind === "sea" ? !found : found?.name === label.name;
  }

  best(label, taken) {
    let [best, least] = [undefined, Infinity];
    for (let ring = 0; ring < this.rings; ring += 1) {
      const radius = (ring * this.size) / 2;
      if (radius > least) {
        break;
      }
      for (let turn = 0; turn < (ring ? DIRECTIONS : 1); turn += 1) {
        const angle = (2 * Math.PI * turn) / DIRECTIONS;
        const box = this.box(label, label.x + Math.cos(angle) * radius, label.y + Math.sin(angle) * radius);
        if (this.isFree(box, taken)) {
          const cost = radius + this.size * (LINE_COST * this.crossed(box));
          const whole = cost < least && !this.isHome(label, box) ? cost + this.size * OUTSIDE_COST : cost;
          [best, least] = whole < least ? [box, whole] : [best, least];
        }
      }
    }
    return best;
  }

  // Reads geometry before it writes anything: the browser computes the layout once.
  write(found) {
    const leaders = [...found].filter(([label, box]) => box && this.needsLeader(label, box));
    this.leaders.setAttribute("d", leaders.map(([{ from }, { x, y }]) => path([from, [x, y]])).join(""));
    this.names.setAttribute("font-size", this.size.toFixed(2));
    for (const [{ text }, box] of found) {
      text.classList.toggle("crowded", !box);
      if (box) {
        text.setAttribute("x", box.x.toFixed(1));
        text.setAttribute("y", (box.y + BASE_LINE * this.size).toFixed(1));
      }
    }
  }

  needsLeader(label, box) {
    const away = distance(label.from, [box.x, box.y]);
    return label.rank < 2 && away > this.size && (away > 3 * this.size || !this.isHome(label, box));
  }
}

function overlap(one, other) {
  return Math.abs(one.x - other.x) * 2 < one.width + other.width && Math.abs(one.y - other.y) * 2 < one.height + other.height;
}
