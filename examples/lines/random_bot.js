// A bot that orders at random, with only the standard library of Node.
"use strict";

const readline = require("node:readline");

// Random numbers from the seed of the game (mulberry32).
let state = 0;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

const pick = (choices) => choices[Math.floor(random() * choices.length)];

// process.stdout may buffer writes to a pipe; writeSync does not.
const fs = require("node:fs");
const say = (line) => fs.writeSync(1, JSON.stringify(line) + "\n");

const hear = {
  hello: () =>
    say({ type: "ready", name: "RandomJS", version: "1", wants: ["possible"] }),
  start: (line) => {
    state = line.seed;
  },
  turn: (line) => {
    if (line.due === 0) return;
    // One entry per unit, or per build site, which may be more than the builds due.
    const orders = Object.values(line.possible).map(pick).slice(0, line.due);
    say({ type: "orders", phase: line.phase, orders });
  },
  noted: (line) => {
    for (const [order, note] of Object.entries(line.orders)) {
      if (!note.ok) console.error(line.phase, order, note.message);
    }
  },
  over: (line) => console.error(line.result, ...line.winners),
};

readline.createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.type in hear) hear[line.type](line);
});
