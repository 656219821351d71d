// Zooms and pans a board: by the wheel, two fingers, dragging, keys, buttons. The map
// grows, its signs do not, so crowded units move apart.

const MOST = 6;
const STEP = 1.5;
const PAN = 0.15;
const DRAG_PX = 5;

const between = (least, value, most) => Math.min(most, Math.max(least, value));

export class Zoom {
  constructor(frame, ground) {
    this.frame = frame;
    this.ground = ground;
    this.fingers = new Map();
    this.scale = 1;
    // Where the corner of the ground is, in widths and heights of the frame.
    this.corner = [0, 0];
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.press(event));
    frame.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      frame.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    }
    frame.addEventListener("click", (event) => this.dragged && event.stopPropagation(), { capture: true });
    ground.addEventListener("focusin", (event) => this.bring(event.target));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // The place of a point of the ground in the frame, both as shares.
  shown([x, y]) {
    return [this.corner[0] + x * this.scale, this.corner[1] + y * this.scale];
  }

  share({ clientX, clientY }) {
    const box = this.frame.getBoundingClientRect();
    return [(clientX - box.x) / box.width, (clientY - box.y) / box.height];
  }

  // Zooms around the point `at`, which stays where it is.
  by(factor, at = [0.5, 0.5]) {
    const scale = between(1, this.scale * factor, MOST);
    const corner = this.corner.map((value, axis) => at[axis] - ((at[axis] - value) * scale) / this.scale);
    this.set(scale, corner);
  }

  pan(x, y) {
    this.set(this.scale, [this.corner[0] + x, this.corner[1] + y]);
  }

  set(scale, corner) {
    this.scale = scale;
    this.corner = corner.map((value) => between(1 - scale, value, 0));
    const [x, y] = this.corner.map((value) => `${((value / scale) * 100).toFixed(3)}%`);
    this.ground.style.width = this.ground.style.height = `${scale * 100}%`;
    this.ground.style.transform = `translate(${x}, ${y})`;
    this.frame.classList.toggle("zoomed", scale > 1);
    this.frame.dispatchEvent(new CustomEvent("zoomed"));
  }

  // The wheel scrolls a page back to its top before it zooms the board.
  wheel(event) {
    const isPage = !event.ctrlKey && this.scale === 1 && (event.deltaY > 0 || scrollY > 0);
    if (!isPage) {
      event.preventDefault();
      this.by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), this.share(event));
    }
  }

  press(event) {
    this.dragged = false;
    this.fingers.set(event.pointerId, this.share(event));
  }

  drag(event) {
    const was = this.fingers.get(event.pointerId);
    if (!was) {
      return;
    }
    const now = this.share(event);
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId);
    const { clientWidth: width, clientHeight: height } = this.frame;
    const length = ([x, y], [toX, toY]) => Math.hypot((toX - x) * width, (toY - y) * height);
    if (!others.length && !this.dragged && (this.scale === 1 || length(was, now) < DRAG_PX)) {
      return;
    }
    this.dragged = true;
    this.fingers.set(event.pointerId, now);
    if (others.length) {
      const [[, other]] = others;
      this.by(length(other, now) / Math.max(1, length(other, was)), other);
    } else {
      this.pan(now[0] - was[0], now[1] - was[1]);
    }
  }

  // Pans to a unit that has received the focus.
  bring(unit) {
    const [frame, box] = [this.frame.getBoundingClientRect(), unit.getBoundingClientRect()];
    const [x, y] = this.share({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 });
    if (this.scale > 1 && frame.width && Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5)) > 0.47) {
      this.pan(0.5 - x, 0.5 - y);
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) {
      return;
    }
    const done = {
      "+": () => this.by(STEP),
      "=": () => this.by(STEP),
      "-": () => this.by(1 / STEP),
      0: () => this.set(1, [0, 0]),
      f: () => this.fullScreen(),
      ...(event.shiftKey && {
        ArrowLeft: () => this.pan(PAN, 0),
        ArrowRight: () => this.pan(-PAN, 0),
        ArrowUp: () => this.pan(0, PAN),
        ArrowDown: () => this.pan(0, -PAN),
      }),
    }[event.key];
    if (done) {
      event.preventDefault();
      done();
    }
  }

  // Listens to the buttons of the page, whose `data-zoom` says what they do.
  listen(controls) {
    const acts = { in: () => this.by(STEP), out: () => this.by(1 / STEP), full: () => this.fullScreen() };
    controls.addEventListener("click", (event) => acts[event.target.closest("[data-zoom]")?.dataset.zoom]?.());
    controls.querySelector("[data-zoom=full]").hidden = !document.fullscreenEnabled;
  }

  fullScreen() {
    if (document.fullscreenElement) {
      document.exitFullscreen();
    } else {
      this.frame.closest("main").requestFullscreen?.();
    }
  }
}
