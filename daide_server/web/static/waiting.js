// Who owes orders in a running game, and the time left.

const SHORT = 5;

export class Waiting {
  constructor(place, game) {
    this.place = place;
    this.titles = new Map(game.powers.map((power) => [power.id, power.title]));
    setInterval(() => document.hidden || this.tick(), 1000);
  }

  show(status) {
    this.status = status;
    this.tick();
  }

  tick() {
    const words = this.words(Date.now() / 1000);
    if (this.place.textContent !== words) {
      this.place.textContent = words;
    }
  }

  words(now) {
    if (!this.status) {
      return "";
    }
    const { owing = [], stage = "playing", since, until } = this.status;
    if (stage !== "playing") {
      return stage;
    }
    const names = owing.map((power) => this.titles.get(power) ?? power);
    const whom = names.length > 3 ? `${names.length} powers` : names.join(", ");
    const waited = since && now - since >= SHORT ? ` for ${clock(now - since)}` : "";
    const left = until ? `, ${clock(until - now)} left` : waited;
    return whom ? `waiting for ${whom}${left}` : "";
  }
}

function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
