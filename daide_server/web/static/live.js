// One event stream for the page. The browser comes back by itself, with Last-Event-ID;
// a hidden page lets go of its connection after a minute, as hosts get only six.

const HIDDEN_MS = 60_000;

export class Live {
  // `handlers` has a function for each name of an event; it gets the data.
  constructor(address, handlers, changed = () => {}) {
    this.address = address;
    this.handlers = handlers;
    this.changed = changed;
    document.addEventListener("visibilitychange", () => this.follow());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.open());
    this.open();
  }

  open() {
    if (this.source || this.ended) {
      return;
    }
    this.source = new EventSource(this.address);
    this.source.addEventListener("open", () => this.changed(true));
    this.source.addEventListener("error", () => {
      this.changed(false);
      if (this.source?.readyState === EventSource.CLOSED) {
        this.source = undefined;
      }
    });
    for (const [name, handle] of Object.entries(this.handlers)) {
      this.source.addEventListener(name, (event) => {
        // "open" is also what the browser calls a connection that is made.
        if (event.data !== undefined) {
          handle(JSON.parse(event.data));
        }
      });
    }
  }

  close() {
    this.source?.close();
    this.source = undefined;
  }

  // Ends for good: the game is over.
  end() {
    this.ended = true;
    this.close();
    this.changed(false);
  }

  follow() {
    clearTimeout(this.timer);
    if (document.hidden) {
      this.timer = setTimeout(() => this.close(), HIDDEN_MS);
    } else {
      this.open();
    }
  }
}
