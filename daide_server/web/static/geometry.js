// Points and lines on a board, in the units of its picture.

export const plus = ([x, y], [dx, dy]) => [x + dx, y + dy];

export const between = ([x, y], [toX, toY], share) => [x + (toX - x) * share, y + (toY - y) * share];

export const distance = ([x, y], [toX, toY]) => Math.hypot(toX - x, toY - y);

export function toward(start, end, length) {
  const whole = distance(start, end);
  return whole === 0 ? start : between(start, end, length / whole);
}

export function lengthOf(line) {
  return line.slice(1).reduce((sum, point, place) => sum + distance(line[place], point), 0);
}

// The point at a share of the length of a line.
export function along(line, share) {
  let left = lengthOf(line) * share;
  for (let place = 1; place < line.length; place += 1) {
    const step = distance(line[place - 1], line[place]);
    if (left <= step) {
      return toward(line[place - 1], line[place], left);
    }
    left -= step;
  }
  return line[line.length - 1];
}

// A line without pieces at its ends; a short one keeps its middle.
export function trimmed(line, first, last) {
  const whole = lengthOf(line);
  const start = Math.min(first, whole * 0.35);
  const end = whole - Math.min(last, whole * 0.45);
  const kept = [along(line, start / (whole || 1))];
  let passed = 0;
  for (let place = 1; place < line.length - 1; place += 1) {
    passed += distance(line[place - 1], line[place]);
    if (passed > start && passed < end) {
      kept.push(line[place]);
    }
  }
  return [...kept, along(line, end / (whole || 1))];
}

// A bent line between two points, so that moves in both directions are seen.
export function bow(start, end, bulge) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  return Array.from({ length: 13 }, (_, step) => {
    const share = step / 12;
    const aside = 4 * bulge * share * (1 - share);
    return plus(between(start, end, share), [-dy * aside, dx * aside]);
  });
}

export const path = (line) => line.map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

// Whether a line goes through a box around a middle.
export function crosses(line, { x, y, width, height }) {
  return line.slice(1).some(([toX, toY], place) => {
    const [fromX, fromY] = line[place];
    let [first, last] = [0, 1];
    for (const [from, to, middle, size] of [[fromX, toX, x, width], [fromY, toY, y, height]]) {
      const [low, high] = [middle - size / 2 - from, middle + size / 2 - from];
      if (to === from) {
        if (low > 0 || high < 0) {
          return false;
        }
      } else {
        const [one, other] = [low / (to - from), high / (to - from)];
        first = Math.max(first, Math.min(one, other));
        last = Math.min(last, Math.max(one, other));
      }
    }
    return first <= last;
  });
}
