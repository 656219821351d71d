// Panels as tabs (ARIA Authoring Practices, "Tabs"); without scripts all are shown.

export function tabs(place, chosen = () => {}) {
  const list = place.querySelector("[role=tablist]");
  const all = [...list.querySelectorAll("[role=tab]")];
  const panel = (tab) => place.querySelector(`#${tab.getAttribute("aria-controls")}`);
  const choose = (wanted) => {
    for (const tab of all) {
      const is = tab === wanted;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
      panel(tab).hidden = !is;
    }
    chosen();
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) {
      choose(tab);
    }
  });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) {
      const next = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
      choose(next);
      next.focus();
      event.preventDefault();
    }
  });
  list.hidden = false;
  choose(all[0]);
}
