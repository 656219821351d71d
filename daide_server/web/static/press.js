// Press in plain English, turn by turn, beginning with the turn that is shown; of all
// powers, or between some of them. The template writes the same elements.

import { chip, element } from "./dom.js";
import { isFinal } from "./turns.js";

const MAX_PRESS = 400;
const LINKED = /^#press-(\d+)$/;

// The sender and the recipients of a message, as one text.
const thread = (each) => [...new Set([each.sender, ...each.recipients])].sort().join(" ");

export class Press {
  constructor(place, addressOf) {
    this.panel = place.closest(".panel");
    this.list = place.querySelector(".press-list");
    this.note = place.querySelector(".press-note");
    this.threads = place.querySelector("select");
    this.addressOf = addressOf;
    this.linked = Number(LINKED.exec(location.hash)?.[1] ?? 0);
    this.threads.addEventListener("change", () => this.draw());
    new MutationObserver(() => this.draw()).observe(this.panel, { attributeFilter: ["hidden"] });
  }

  show(game, turn) {
    this.game = game;
    this.turn = turn;
    this.stale = true;
    this.draw();
  }

  // The turn of the message that the address names, if there is one.
  linkedTurn(game) {
    return (game.press ?? []).find((each) => this.linked && each.number === this.linked)?.turn;
  }

  // Draws only while the panel is visible.
  draw() {
    if (this.panel.hidden || !this.game) {
      return;
    }
    if (this.stale) {
      this.listThreads();
    }
    this.stale = false;
    const wanted = this.threads.value;
    const said = (this.game.press ?? []).filter((each) => !wanted || thread(each) === wanted);
    const byTurn = grouped(said, (each) => each.turn);
    this.promised = grouped(this.game.promises ?? [], (each) => each.message);
    let left = MAX_PRESS;
    const sections = [];
    for (const [id, title] of this.turns()) {
      const told = (byTurn.get(id) ?? []).slice(0, left);
      left -= told.length;
      if (told.length || id === this.turn.id) {
        sections.push(this.section(title, told));
      }
    }
    this.list.replaceChildren(...sections);
    this.note.textContent = this.game.press_note ?? "";
    if (this.linked) {
      this.list.querySelector(`#press-${this.linked}`)?.scrollIntoView({ block: "center" });
    }
  }

  // The turns whose press is shown: that of the board first, then earlier ones.
  turns() {
    const index = this.game.turns.indexOf(this.turn);
    const turns = this.game.turns.slice(0, index + 1).reverse();
    const found = turns.map((each) => [each.id, each.title]);
    return isFinal(this.game, this.turn) ? [["", "After the end"], ...found] : found;
  }

  section(title, told) {
    const items = told.map((each) => this.message(each));
    const none = element("li", { class: "empty" }, "Nothing was said in this turn.");
    return element("section", {}, element("h3", {}, title), element("ol", {}, ...(items.length ? items : [none])));
  }

  message(each) {
    const isLinked = each.number && each.number === this.linked;
    const sender = this.game.powers.find((power) => power.id === each.sender);
    const said = element("p", {}, sender ? chip(sender) : null, ` ${each.words}`);
    if (!each.number) {
      return element("li", { class: "vote" }, said);
    }
    return element(
      "li",
      { class: isLinked ? "message linked" : "message", id: `press-${each.number}` },
      said,
      element("a", { class: "when", href: `${this.addressOf(each.turn || this.turn.id)}#press-${each.number}`, "aria-label": `Link to message ${each.number}` }, `#${each.number}`),
      element("details", {}, element("summary", {}, "DAIDE"), element("code", {}, each.text)),
      ...(this.promised.get(each.number) ?? []).map((found) => this.promise(found)),
    );
  }

  promise(each) {
    const decided = this.game.turns.find((turn) => turn.id === each.decided);
    return element(
      "p",
      { class: `promise ${each.verdict.replace(" ", "-")}` },
      element("span", { class: "verdict" }, `${this.title(each.power)}: ${each.verdict}${decided ? ` in ${decided.title}` : ""}`),
      ...(each.why ? [" ", element("span", { class: "why" }, each.why)] : []),
    );
  }

  title(id) {
    return this.game.powers.find((power) => power.id === id)?.title ?? id;
  }

  listThreads() {
    const talks = grouped(this.game.press ?? [], thread);
    const title = (id) => this.title(id);
    const words = (key) => (key.split(" ").length === this.game.powers.length ? "all powers" : key.split(" ").map(title).join(", "));
    const options = [...talks]
      .sort(([, one], [, other]) => other.length - one.length)
      .map(([key, found]) => element("option", { value: key }, `${words(key)} (${found.length})`));
    const chosen = this.threads.value;
    this.threads.replaceChildren(element("option", { value: "" }, `anybody (${(this.game.press ?? []).length})`), ...options);
    this.threads.value = talks.has(chosen) ? chosen : "";
  }
}

function grouped(list, key) {
  const found = new Map();
  for (const each of list) {
    const name = key(each);
    if (!found.has(name)) {
      found.set(name, []);
    }
    found.get(name).push(each);
  }
  return found;
}
