// Elements made from values. Names, press and orders come from strangers: they become
// text nodes and attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined && value !== null) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#icon-${name}` }));
}

export function chip(power) {
  return element("span", { class: `chip power-${power.id}`, "aria-hidden": "true" }, power.letter);
}

export async function json(address) {
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (!answer.ok) {
    throw new Error(`${answer.status} for ${address}`);
  }
  return answer.json();
}
