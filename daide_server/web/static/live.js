// The event stream of the page. A browser reconnects by itself, with Last-Event-ID, if
// a stream is cut, but not if it was refused, as by a server that is starting; `Live`
// does. A hidden page closes its connection after a minute: a browser opens only six
// for each host.

const HIDDEN_MS = 60_000;
const AGAIN_MS = 2_000;
const MOST_AGAIN_MS = 30_000;
const nothing = () => {};

export class Live {
  // `handlers` has a function for each name of an event; it gets the data, and whether
  // this is the first event of a stream that does not resume an earlier one.
  // `changed` is called with whether there is a connection, `refused` when the server
  // has no such stream; `resumes`: whether a cut stream resumes after its last event.
  constructor(address, handlers, { changed = nothing, refused = nothing, resumes = true } = {}) {
    this.address = address;
    this.handlers = handlers;
    this.changed = changed;
    this.refused = refused;
    this.resumes = resumes;
    this.wait = AGAIN_MS;
    document.addEventListener("visibilitychange", () => this.follow());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.open());
    this.open();
  }

  open() {
    clearTimeout(this.again);
    if (this.source || this.ended) {
      return;
    }
    this.isFirst = true;
    this.source = new EventSource(this.address);
    this.source.addEventListener("open", () => {
      this.wait = AGAIN_MS;
      this.changed(true);
    });
    this.source.addEventListener("error", () => this.lose());
    for (const [name, handle] of Object.entries(this.handlers)) {
      this.source.addEventListener(name, (event) => {
        // "open" is also what the browser calls a connection that is made.
        if (event.data !== undefined) {
          const isFirst = this.isFirst;
          this.isFirst = false;
          handle(JSON.parse(event.data), isFirst);
        }
      });
    }
  }

  lose() {
    this.changed(false);
    const isRefused = this.source?.readyState === EventSource.CLOSED;
    if (this.resumes && !isRefused) {
      return;
    }
    this.close();
    this.again = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, MOST_AGAIN_MS);
    if (isRefused) {
      this.refused();
    }
  }

  close() {
    clearTimeout(this.again);
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
