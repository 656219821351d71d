// The names on a small board: large enough to be read, and as many as there is room for.
// What is hidden is told by the card of a unit, and by zooming in on a wider screen.

const LEAST_PX = 9;
const GAP = 0.15;

export function fitNames(picture) {
  const scale = picture.getScreenCTM()?.a;
  const texts = [...picture.querySelectorAll("text")];
  for (const text of texts) {
    text.style.fontSize = "";
    text.classList.remove("crowded");
  }
  picture.classList.remove("fitted");
  const usual = scale ? Math.min(...texts.map((each) => parseFloat(getComputedStyle(each).fontSize))) : 0;
  if (!usual || usual * scale >= LEAST_PX) {
    return;
  }
  const size = LEAST_PX / scale;
  picture.classList.add("fitted");
  for (const text of texts) {
    text.style.fontSize = `${size}px`;
  }
  hideCrowded(texts, GAP * size);
}

// Names of land come first, then of seas, then of coasts.
function hideCrowded(texts, gap) {
  const rank = (text) => (text.classList.contains("coast") ? 2 : text.classList.contains("sea") ? 1 : 0);
  const boxes = new Map(texts.map((text) => [text, text.getBBox()]));
  const placed = [];
  for (const text of [...texts].sort((one, other) => rank(one) - rank(other))) {
    const box = boxes.get(text);
    if (placed.some((other) => overlap(box, other, gap))) {
      text.classList.add("crowded");
    } else {
      placed.push(box);
    }
  }
}

function overlap(one, other, gap) {
  // A line of capitals is lower than its box.
  const high = 0.7 * Math.min(one.height, other.height);
  return (
    one.x < other.x + other.width + gap &&
    other.x < one.x + one.width + gap &&
    Math.abs(one.y - other.y) < high
  );
}
