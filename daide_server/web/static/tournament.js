// The page of a tournament: running games move; when one is over, what the server
// wrote about the results is fetched anew. It takes a moment to be stored.

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
