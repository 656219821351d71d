// The story of the game: a headline for each turn, and how the game ended.

import { chip, element, icon } from "./dom.js";
import { isFinal } from "./turns.js";

export class Story {
  constructor(main, addressOf, go) {
    this.main = main;
    this.addressOf = addressOf;
    this.list = main.querySelector("#story");
    this.list.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-turn]");
      if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        go(link.dataset.turn);
      }
    });
  }

  show(game, turn) {
    const find = (selector) => this.main.querySelector(selector);
    const over = isFinal(game, turn);
    find("#turn-headline").textContent = turn.open && !over ? "" : turn.headline;
    const now = game.turns[game.turns.length - 1];
    find("#game-headline").textContent = game.running && now.open ? now.headline : game.headline;
    find("#game-headline").hidden = over;
    this.main.classList.toggle("over", over);
    find("#final").hidden = !over;
    if (over) {
      find("#final").replaceChildren(...result(game));
    }
    const told = game.turns.filter((each) => !each.quiet);
    const none = element("li", { class: "empty" }, "Nothing has happened yet.");
    this.list.replaceChildren(...(told.length ? told.map((each) => this.headline(each, turn)) : [none]));
  }

  headline(each, turn) {
    return element(
      "li",
      {},
      element(
        "a",
        { href: this.addressOf(each.id), "data-turn": each.id, "aria-current": each.id === turn.id ? "true" : undefined },
        element("b", {}, each.title),
        ` ${each.headline}`,
      ),
    );
  }
}

// The winners, or who led if nobody won.
function result(game) {
  const first = game.places.filter((each) => each.won || (each.place === 1 && game.ending !== "draw"));
  return [
    element("p", { class: "result-words" }, icon("winner"), ` ${game.headline}`),
    element("ul", {}, ...first.map((each) => winner(game.powers.find((power) => power.id === each.power), each))),
  ];
}

function winner(power, each) {
  return element(
    "li",
    {},
    chip(power),
    " ",
    element("b", {}, power.title),
    " ",
    element("bdi", {}, power.name ?? ""),
    " ",
    element("span", { class: "centres" }, String(each.centres)),
  );
}
