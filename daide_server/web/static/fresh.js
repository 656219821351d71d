// Parts of a page that only the server draws: what it says of them now replaces them.

export async function refresh(main) {
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
