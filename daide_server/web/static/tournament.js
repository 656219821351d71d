// The page of a tournament: running games move; when one is over, the parts with
// results are reloaded, as soon as the server has had time to store it.

import { refresh } from "./fresh.js";
import "./lobby.js";

const STORED_MS = 1500;
const main = document.querySelector("main.tournament");
let waiting = 0;

main.addEventListener("game-over", () => {
  waiting ||= setTimeout(() => {
    waiting = 0;
    refresh(main);
  }, STORED_MS);
});
