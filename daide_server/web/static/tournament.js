// The page of a tournament: running games move; when one is over, what the server
// wrote about the results is fetched anew. It takes a moment to be stored.

import "./lobby.js";

const STORED_MS = 1500;
const main = document.querySelector("main.tournament");
let waiting = 0;

async function refresh() {
  waiting = 0;
  const answer = await fetch(location.href);
  if (!answer.ok) {
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of main.querySelectorAll("[data-fresh]")) {
    const found = fresh.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    if (found && found.innerHTML !== part.innerHTML) {
      part.replaceChildren(...found.childNodes);
    }
  }
}

main.addEventListener("game-over", () => {
  waiting ||= setTimeout(refresh, STORED_MS);
});
