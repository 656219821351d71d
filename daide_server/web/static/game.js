// The page of a game: board, player, panels, card, and the stream of a running game.

import { Board } from "./board.js";
import { Card } from "./card.js";
import { json } from "./dom.js";
import { refresh } from "./fresh.js";
import { Live } from "./live.js";
import * as panels from "./panels.js";
import { Player } from "./player.js";
import { Press } from "./press.js";
import { Story } from "./story.js";
import { tabs } from "./tabs.js";
import { Waiting } from "./waiting.js";

const ADDRESS_MS = 300;
// Addresses are relative to the page as it was asked for; the turn's address, which
// the script sets, may be deeper.
const BASE = document.baseURI;

function absolute(address) {
  return address && new URL(address, BASE).href;
}

class GamePage {
  constructor(main, game, view) {
    this.main = main;
    this.game = game;
    const find = (selector) => main.querySelector(selector);
    this.heading = find("#turn-title");
    this.spoken = find("#turn-spoken");
    this.board = new Board(find(".board"), view);
    this.card = new Card(find("#card"), this.board, absolute(main.dataset.choices));
    const addressOf = (turn) => this.addressOf(turn);
    this.press = new Press(find("#press"), addressOf);
    this.story = new Story(main, addressOf, (turn) => this.player.jump(this.indexOf(turn)));
    this.waiting = new Waiting(find("#waiting"), game);
    this.player = new Player(find(".controls"), game.turns.length, (index, how) => this.show(index, how));
    this.board.zoom.listen(find(".controls"));
    this.listenToUnits();
    this.listenToPowers();
  }

  start() {
    this.board.fetchOutline(absolute(this.main.dataset.outline));
    const linked = this.press.linkedTurn(this.game);
    const asked = this.indexOf(linked ?? this.main.dataset.turn);
    if (linked !== undefined) {
      this.main.querySelector("#tab-press").click();
    }
    this.player.go(asked >= 0 ? asked : this.lastPlayed());
    this.main.classList.add("ready");
    if (this.main.dataset.stream && this.game.running !== false) {
      this.live = new Live(absolute(this.main.dataset.stream), this.handlers(), {
        changed: (on) => this.main.classList.toggle("connected", on),
        refused: () => this.lookForEnd(),
      });
    }
  }

  // Panels that only the server draws (centres by year, scores) are fetched when they
  // are visible, and at the end of a game, because its server may stop then.
  freshen(always = false) {
    const isSeen = this.main.querySelector("[data-fresh]:not([hidden])");
    if (this.stale && (always || isSeen)) {
      this.stale = false;
      refresh(this.main).then((done) => (this.stale ||= !done));
    }
  }

  show(index, { animate, speed, playing }) {
    const turn = this.game.turns[index];
    this.board.show(turn, { animate, speed });
    panels.orders(this.main.querySelector("#orders"), this.game, turn);
    panels.powers(this.main.querySelector("#powers"), this.game, turn, this.status);
    this.heading.textContent = turn.title + (turn.open ? (this.game.running ? ", being played" : ", not played") : "");
    this.story.show(this.game, turn);
    this.press.show(this.game, turn);
    document.title = `${turn.headline || this.game.headline} · ${this.game.name}`;
    this.player.slider.setAttribute("aria-valuetext", turn.title);
    if (!playing) {
      this.spoken.textContent = `${this.heading.textContent}. ${turn.headline}`;
    }
    if (this.card.pinned) {
      this.card.show(this.game, turn, this.card.unit, { pinned: true });
    } else {
      this.card.close();
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.setAddress(turn), ADDRESS_MS);
  }

  setAddress(turn) {
    const address = this.addressOf(turn.id);
    if (address && !this.player.playing && address !== location.href.replace(/#.*/, "")) {
      history.replaceState(null, "", address);
    }
  }

  addressOf(turn) {
    return absolute(this.main.dataset.turnAddress?.replace("{turn}", encodeURIComponent(turn)));
  }

  indexOf(turn) {
    return this.game.turns.findIndex((each) => each.id === turn);
  }

  get turn() {
    return this.game.turns[this.player.index];
  }

  lastPlayed() {
    const last = this.game.turns.length - 1;
    return this.game.turns[last].open && last > 0 ? last - 1 : last;
  }

  // Units, orders on the board and rows of orders

  listenToUnits() {
    const unitOf = (event) => event.target.closest?.("[data-unit]")?.dataset.unit;
    for (const place of [this.board.element, this.main.querySelector("#orders")]) {
      place.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.point(unitOf(event)));
      place.addEventListener("pointerleave", () => this.point(undefined));
      place.addEventListener("click", (event) => this.pin(unitOf(event)));
    }
    this.board.units.addEventListener("focusin", (event) => this.point(unitOf(event)));
    this.board.units.addEventListener("keydown", (event) => this.unitKey(event));
    this.main.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.card.unit) {
        this.closeCard();
      }
    });
  }

  point(id) {
    if (this.card.pinned) {
      return;
    }
    this.board.mark(id);
    if (id) {
      this.card.show(this.game, this.turn, id);
    } else {
      this.card.close();
    }
  }

  pin(id) {
    if (!id || (this.card.pinned && this.card.unit === id)) {
      this.closeCard();
      return;
    }
    this.card.pinned = false;
    this.board.mark(id);
    this.card.show(this.game, this.turn, id, { pinned: true });
  }

  closeCard() {
    const unit = this.card.unit;
    const had = this.card.place.contains(document.activeElement);
    this.card.close();
    this.board.mark(undefined);
    if (had) {
      this.board.ids.get(unit)?.focus();
    }
  }

  // Arrow keys go to the nearest unit in their direction; one unit is a tab stop.
  unitKey(event) {
    const aim = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const here = event.target.closest("[data-unit]");
    if (!aim || !here) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const middle = (made) => {
      const box = made.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(here);
    let [best, least] = [undefined, Infinity];
    for (const made of this.board.ids.values()) {
      const [dx, dy] = [middle(made)[0] - x, middle(made)[1] - y];
      const ahead = dx * aim[0] + dy * aim[1];
      const cost = ahead + 2 * Math.abs(dx * aim[1] + dy * aim[0]);
      if (made !== here && ahead > 1 && cost < least) {
        [best, least] = [made, cost];
      }
    }
    if (best) {
      here.setAttribute("tabindex", "-1");
      best.setAttribute("tabindex", "0");
      best.focus();
    }
  }

  listenToPowers() {
    const powerOf = (event) => event.target.closest?.("[data-power]")?.dataset.power;
    const table = this.main.querySelector("#powers");
    table.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.board.only(powerOf(event) ?? this.power));
    table.addEventListener("pointerleave", () => this.board.only(this.power));
    table.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-only]");
      if (button) {
        this.power = this.power === button.dataset.only ? undefined : button.dataset.only;
        for (const each of table.querySelectorAll("button[data-only]")) {
          each.setAttribute("aria-pressed", String(each.dataset.only === this.power));
        }
        this.board.only(this.power);
      }
    });
  }

  // Events of a running game

  handlers() {
    return {
      reset: (game) => this.reset(game),
      end: (game) => this.end(game),
      turn: (turn) => this.addTurn(turn),
      open: (turn) => this.setOpen(turn),
      status: (status) => this.setStatus(status),
      press: (each) => this.addPress(each),
      promises: (all) => this.setPromises(all),
    };
  }

  isFollowing() {
    return this.player.index >= this.lastPlayed();
  }

  reset(game) {
    const following = this.isFollowing();
    const shown = this.turn.id;
    this.game = game;
    this.player.setCount(game.turns.length);
    this.stale = true;
    this.freshen();
    const same = this.indexOf(shown);
    this.player.go(following || same < 0 ? this.lastPlayed() : same);
  }

  end(game) {
    this.reset(game);
    this.freshen(true);
    this.main.classList.remove("running");
    this.setStatus(undefined);
    this.live?.end();
  }

  // A game that ended while the page was disconnected has no stream any more.
  async lookForEnd() {
    const game = await json(absolute(this.main.dataset.game)).catch(() => undefined);
    if (game && !game.running) {
      this.end(game);
    }
  }

  addTurn(turn) {
    const following = this.isFollowing();
    const known = this.game.turns.findIndex((each) => each.id === turn.id && !each.open);
    if (known >= 0) {
      return;
    }
    this.game.turns = [...this.game.turns.filter((each) => !each.open), turn];
    this.stale ||= Boolean(turn.after?.centres) || turn.id.startsWith("F");
    this.freshen();
    this.player.setCount(this.game.turns.length);
    if (following && !this.player.playing) {
      this.player.go(this.game.turns.length - 1, { animate: true });
    }
  }

  setOpen(turn) {
    this.game.turns = [...this.game.turns.filter((each) => !each.open), turn];
    this.player.setCount(this.game.turns.length);
    this.story.show(this.game, this.turn);
  }

  setStatus(status) {
    this.status = status;
    this.waiting.show(status);
    panels.powers(this.main.querySelector("#powers"), this.game, this.turn, status);
  }

  setPromises(all) {
    this.game.promises = all;
    this.press.show(this.game, this.turn);
  }

  addPress(each) {
    this.game.press = [...(this.game.press ?? []), each];
    this.press.show(this.game, this.turn);
  }
}

const main = document.querySelector("main.game");
for (const link of document.querySelectorAll("a[href], link[rel=icon]")) {
  link.setAttribute("href", link.href);
}
let page;
tabs(main, () => page?.freshen());
const [game, view] = await Promise.all([json(absolute(main.dataset.game)), json(absolute(main.dataset.board))]);
page = new GamePage(main, game, view);
page.start();
