// The card of a unit: its order, the result, the reason, and its supporters.

import { chip, element, json } from "./dom.js";
import { after, before, orderOf } from "./turns.js";

const KINDS = {
  move: "Moves",
  convoyed_move: "By convoy",
  support_hold: "Support for units",
  support_move: "Support for moves",
  convoy: "Convoys",
  retreat: "Retreats",
  build: "Builds",
};
const SHOWN = 5;

export class Card {
  constructor(place, board, address) {
    this.place = place;
    this.board = board;
    this.address = address;
    this.choices = new Map();
    this.close();
    board.element.addEventListener("zoomed", () => this.put());
  }

  show(game, turn, id, { pinned = false } = {}) {
    const unit = before(turn).get(id) ?? after(turn).get(id);
    if (!unit) {
      this.close();
      return;
    }
    this.unit = id;
    this.pinned = pinned;
    const power = game.powers.find((each) => each.id === unit.power);
    const order = orderOf(turn, id);
    const where = this.board.view.provinces[unit.at.split("/")[0]] ?? unit.at;
    this.could = element("div", { class: "could" });
    this.place.replaceChildren(
      element("h3", {}, chip(power), ` ${unit.type === "A" ? "Army" : "Fleet"} ${where}`, element("small", {}, ` ${power.title}`)),
      ...this.orderLines(turn, order),
      this.could,
    );
    this.place.hidden = false;
    this.stands = after(turn).get(id) ?? unit;
    this.put();
    this.fetchChoices(turn, unit);
  }

  orderLines(turn, order) {
    if (!order) {
      return [element("p", {}, turn.open ? "Its orders are not processed yet." : "No order.")];
    }
    const units = before(turn);
    const helpers = (order.supporters ?? []).map((id) => units.get(id)).filter(Boolean);
    const result = order.result ?? "succeeded";
    return [
      element("p", {}, element("code", {}, order.text), " ", element("span", { class: `result ${result}` }, order.given === false ? "no order" : result)),
      order.why ? element("p", { class: "why" }, order.why) : null,
      helpers.length
        ? element("p", {}, element("b", {}, "Supported by "), helpers.map((unit) => `${unit.type} ${unit.at}`).join(", "))
        : null,
    ].filter(Boolean);
  }

  // On a wide screen the card stands beside the unit, on a narrow one below the board.
  put() {
    if (!this.unit) {
      return;
    }
    const [x, y] = this.board.shown(this.stands);
    this.place.style.setProperty("--x", `${(x * 100).toFixed(2)}%`);
    this.place.style.setProperty("--y", `${(y * 100).toFixed(2)}%`);
    this.place.classList.toggle("to-left", x > 0.55);
    this.place.classList.toggle("upward", y > 0.45);
  }

  async fetchChoices(turn, unit) {
    if (!this.address) {
      return;
    }
    const key = `${turn.id} ${unit.at}`;
    if (!this.choices.has(key)) {
      const query = new URLSearchParams({ turn: turn.id, unit: unit.at });
      this.choices.set(key, json(`${this.address}?${query}`).catch(() => null));
    }
    const could = this.could;
    const found = await this.choices.get(key);
    if (found && could === this.could) {
      could.replaceChildren(...this.choiceLines(found));
    }
  }

  choiceLines(found) {
    const lines = Object.entries(KINDS)
      .filter(([kind]) => found.orders[kind]?.length)
      .map(([kind, words]) => [words, found.orders[kind]]);
    if (!lines.length) {
      return [];
    }
    return [
      element("b", {}, "It could have done"),
      element(
        "dl",
        {},
        ...lines.flatMap(([words, texts]) => [element("dt", {}, words), element("dd", {}, list(texts, found.unit))]),
      ),
    ];
  }

  close() {
    this.unit = undefined;
    this.pinned = false;
    this.place.hidden = true;
    this.place.replaceChildren();
  }
}

// The texts of orders, without the unit at their beginning.
function list(texts, unit) {
  const short = texts.slice(0, SHOWN).map((text) => text.replace(`${text[0]} ${unit} `, "").replace(/^[-RSC] /, "").replace(/ VIA$/, ""));
  const more = texts.length > SHOWN ? `, and ${texts.length - SHOWN} more` : "";
  return short.join(", ") + more;
}
