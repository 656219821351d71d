// Reloads the parts of a page that only the server draws.

// Returns whether the server answered.
export async function refresh(main) {
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) {
    return false;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of main.querySelectorAll("[data-fresh]")) {
    const found = fresh.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    if (found && found.innerHTML !== part.innerHTML) {
      part.replaceChildren(...found.childNodes);
    }
  }
  return true;
}
