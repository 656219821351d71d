// Small boards of running games, which move when a turn is processed.

import { Board } from "./board.js";
import { chip, element, json, svg } from "./dom.js";
import { Live } from "./live.js";

const views = new Map();
const boards = new Map();
const main = document.querySelector("main.lobby");
const cards = main.querySelector(".cards");

function viewOf(address) {
  if (!views.has(address)) {
    views.set(address, json(address));
  }
  return views.get(address);
}

async function boardOf(card) {
  if (!boards.has(card) && card.dataset.board) {
    const board = new Board(card.querySelector(".board"), await viewOf(card.dataset.board), { small: true });
    boards.set(card, board);
    board.fetchOutline(card.dataset.outline);
  }
  return boards.get(card);
}

async function show(card, game, animate) {
  card.querySelector(".turn").textContent = game.title;
  card.querySelector(".headline").textContent = game.headline;
  card.querySelector(".bar-place").replaceChildren(bar(game.seats));
  card.querySelector(".seats-place").replaceChildren(seats(game.seats));
  const board = await boardOf(card);
  if (board && game.last && game.last.id !== board.turn?.id) {
    board.glide(game.last, { animate });
  }
}

function bar(all) {
  const total = all.reduce((sum, seat) => sum + seat.centres, 0) || 1;
  let x = 0;
  const parts = all
    .filter((seat) => seat.centres)
    .map((seat) => {
      const part = svg("rect", { class: `power-${seat.id}`, x, y: 0, width: seat.centres, height: 1 });
      x += seat.centres;
      return part;
    });
  return svg("svg", { class: "bar", viewBox: `0 0 ${total} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
}

function seats(all) {
  const sorted = [...all].sort((one, other) => other.centres - one.centres);
  return element(
    "ul",
    { class: "seats" },
    ...sorted.map((seat) =>
      element(
        "li",
        { class: `power-${seat.id}${seat.won ? " won" : ""}${seat.centres ? "" : " gone"}` },
        chip(seat),
        element("bdi", { class: "who" }, seat.name || seat.title),
        element("span", { class: "hidden-words" }, seat.title),
        element("span", { class: "centres" }, String(seat.centres)),
      ),
    ),
  );
}

// Reloads the page, once, to get a board that it does not have, with its colours.
function fetchBoard(name) {
  const key = `board ${name}`;
  if (!sessionStorage.getItem(key)) {
    sessionStorage.setItem(key, "asked");
    location.reload();
  }
}

function newCard(game) {
  const like = main.querySelector(`[data-board-name="${CSS.escape(game.board)}"][data-outline]`);
  if (!like) {
    fetchBoard(game.board);
  }
  const card = main.querySelector("#new-card").content.firstElementChild.cloneNode(true);
  Object.assign(card.dataset, { game: game.id, boardName: game.board }, like && { outline: like.dataset.outline, board: like.dataset.board });
  card.querySelector("a").href = main.dataset.gameAddress.replace("{game}", encodeURIComponent(game.id));
  card.querySelector(".name span").textContent = game.name;
  cards.prepend(card);
  return card;
}

const own = main.dataset.tournament;
const isShown = (game) => !own || (game.id.startsWith(`${own}-`) && /^\d+$/.test(game.id.slice(own.length + 1)));

function over(card) {
  boards.delete(card);
  card.remove();
  main.dispatchEvent(new CustomEvent("game-over"));
}

// The first list has all running games, later ones those that have changed.
const games = (list, isFirst) => {
  const running = new Set(list.filter((game) => game.running).map((game) => game.id));
  for (const card of isFirst ? [...cards.children] : []) {
    if (!running.has(card.dataset.game)) {
      over(card);
    }
  }
  for (const game of list.filter(isShown)) {
    const known = cards.querySelector(`[data-game="${CSS.escape(game.id)}"]`);
    if (game.running) {
      show(known ?? newCard(game), game, Boolean(known));
    } else if (known) {
      over(known);
    }
  }
  const count = cards.children.length;
  const shown = main.querySelector("#running-count");
  if (shown) {
    shown.textContent = String(count);
    main.querySelector("#nothing-runs").hidden = count > 0;
  }
};

if (cards && main.dataset.stream) {
  new Live(main.dataset.stream, { games }, { resumes: false });
}
