// Which turn is shown: steps, playback at five speeds, the slider, keys, held buttons.

const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP_MS = 1600;
const HOLD_MS = 400;
const REPEAT_MS = 110;

const showKeys = () => document.querySelector("#keys").showModal();

export class Player {
  // Calls show(index, {animate, speed, playing}) whenever another turn is to be seen.
  constructor(controls, count, show) {
    this.controls = controls;
    this.show = show;
    this.count = count;
    this.index = 0;
    this.speed = 1;
    this.playing = false;
    this.slider = controls.querySelector("input[type=range]");
    this.play = controls.querySelector("[data-do=play]");
    this.rate = controls.querySelector("[data-do=speed]");
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.listen();
  }

  listen() {
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.rate.addEventListener("change", () => this.setSpeed(Number(this.rate.value)));
    this.controls.addEventListener("click", (event) => this.click(event));
    for (const name of ["previous", "next"]) {
      this.repeatWhileHeld(this.controls.querySelector(`[data-do=${name}]`), name === "next" ? 1 : -1);
    }
    document.addEventListener("keydown", (event) => this.key(event));
  }

  click(event) {
    const button = event.target.closest("[data-do]");
    const done = {
      first: () => this.jump(0),
      previous: () => this.jump(this.index - 1),
      play: () => this.toggle(),
      next: () => this.step(),
      last: () => this.jump(this.count - 1),
      keys: () => showKeys(),
    }[button?.dataset.do];
    if (done) {
      event.preventDefault();
      done();
    }
  }

  repeatWhileHeld(button, by) {
    let timer;
    const stop = () => clearInterval(timer);
    button.addEventListener("pointerdown", () => {
      stop();
      timer = setTimeout(() => {
        timer = setInterval(() => this.jump(this.index + by), REPEAT_MS);
      }, HOLD_MS);
    });
    for (const name of ["pointerup", "pointerleave", "pointercancel", "blur"]) {
      button.addEventListener(name, stop);
    }
  }

  key(event) {
    const at = event.target;
    const isPan = event.shiftKey && event.key.startsWith("Arrow");
    if (event.ctrlKey || event.metaKey || event.altKey || isPan || at.closest("input, select, textarea, dialog, .board-units, [role=tablist]")) {
      return;
    }
    const done = {
      ArrowRight: () => (event.repeat ? this.jump(this.index + 1) : this.step()),
      j: () => this.step(),
      ArrowLeft: () => this.jump(this.index - 1),
      k: () => this.jump(this.index - 1),
      Home: () => this.jump(0),
      End: () => this.jump(this.count - 1),
      " ": () => at.closest("button, a, summary") || this.toggle(),
      p: () => this.toggle(),
      ">": () => this.faster(1),
      "<": () => this.faster(-1),
      "?": () => showKeys(),
    }[event.key];
    if (done && !(event.key === " " && at.closest("button, a, summary"))) {
      event.preventDefault();
      done();
    }
  }

  faster(by) {
    const place = SPEEDS.indexOf(this.speed) + by;
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, place))]);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.rate.value = String(speed);
  }

  toggle() {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.index === this.count - 1) {
      this.go(0);
    }
    this.playing = true;
    this.describe();
    this.tick();
  }

  tick() {
    clearTimeout(this.timer);
    if (!this.playing) {
      return;
    }
    if (this.index >= this.count - 1) {
      this.pause();
      return;
    }
    this.go(this.index + 1, { animate: true });
    this.timer = setTimeout(() => this.tick(), STEP_MS / this.speed);
  }

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    this.describe();
  }

  // Goes one turn further, with motion.
  step() {
    if (this.playing) {
      this.pause();
    }
    if (this.index < this.count - 1) {
      this.go(this.index + 1, { animate: true });
    }
  }

  // Goes to any turn, without motion.
  jump(index) {
    if (this.playing) {
      this.pause();
    }
    this.go(Math.min(this.count - 1, Math.max(0, index)));
  }

  go(index, { animate = false } = {}) {
    this.index = index;
    this.describe();
    const moving = animate && !document.hidden && !this.still.matches;
    this.show(index, { animate: moving, speed: Math.max(1, this.speed), playing: this.playing });
  }

  setCount(count) {
    this.count = count;
    this.describe();
  }

  describe() {
    this.slider.max = String(this.count - 1);
    this.slider.value = String(this.index);
    this.play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.play.querySelector("use").setAttribute("href", this.playing ? "#icon-pause" : "#icon-play");
    for (const [name, off] of [
      ["first", this.index === 0],
      ["previous", this.index === 0],
      ["next", this.index >= this.count - 1],
      ["last", this.index >= this.count - 1],
    ]) {
      this.controls.querySelector(`[data-do=${name}]`).setAttribute("aria-disabled", String(off));
    }
  }
}
