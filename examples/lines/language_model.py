"""A bot that asks a language model for orders, and lets it negotiate in free text.

It works with any server that implements the chat completions of OpenAI's API:

    OPENAI_BASE_URL   such as http://localhost:11434/v1
    OPENAI_API_KEY    sent as a bearer token
    OPENAI_MODEL      the name of the model
    PRICE             the price of a million input and output tokens: 0.15,0.60
    CACHE             a folder of replies, so that a repeated game needs no calls
    TURN_SECONDS      seconds to think in a turn: 20, at most half of the time left

Free text needs `serve --level 8000`. For refused orders the model is asked once more,
with the notes of the server; units without a legal order in time hold.
"""

import hashlib
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

BASE = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
KEY = os.environ.get("OPENAI_API_KEY", "")
MODEL = os.environ.get("OPENAI_MODEL", "gpt-4o-mini")
PRICES = tuple(map(float, os.environ.get("PRICE", "0,0").split(",")))
CACHE = os.environ.get("CACHE", "")
TURN_SECONDS = float(os.environ.get("TURN_SECONDS", "20"))
COUNTS = "calls", "tokens_in", "tokens_out", "cost", "seconds"
RULES = """You play Diplomacy as {power}. You get JSON: the phase, the state, your
possible orders, how many are due, the last messages, and which of your orders were
refused, and why. Answer with JSON only:
{{"messages": {{"ENGLAND": "..."}}, "orders": ["A PAR - BUR"]}}
Choose one possible order for each unit (or site), exactly as it is written."""


class Player:
    """One game: its messages, and the time left in the turn."""

    def __init__(self, start):
        self.power, self.free = start["power"], start["level"] >= 8000  # noqa: PLR2004
        self.others = set(start["powers"]) - {self.power}
        self.heard, self.used, self.turn, self.ends, self.replies = [], [], None, 0, 0

    def begin(self, turn):
        """Order for a turn, and negotiate."""
        limit = TURN_SECONDS
        if turn["seconds"] is not None:
            limit = min(limit, turn["seconds"] / 2)
        self.turn, self.ends = turn, time.monotonic() + limit
        self.replies = 3 if turn["phase"].endswith("M") else 0
        self.good, self.may_retry, self.may_fill = {}, True, True
        if turn["due"]:
            self.act()

    def hear(self, line):
        """Take press, and reply while there is time."""
        if line["text"] is not None:
            self.heard.append({"from": line["from"], "text": line["text"]})
            if self.turn and self.replies > 0 and time.monotonic() < self.ends:
                self.replies -= 1
                self.act()

    def act(self, refused=()):
        """Ask the model, send its messages, then its orders."""
        phase, (messages, orders) = self.turn["phase"], self.ask(refused)
        for to, text in messages.items():
            if self.free and to in self.others:
                say(type="press", phase=phase, to=[to], text=text[:500])
        used, self.used = self.used, []
        usage = {key: sum(each[key] for each in used) for key in COUNTS}
        usage = {"model": MODEL, **usage} if used else None
        orders = orders[: self.turn["due"]]
        say(type="orders", phase=phase, orders=orders, usage=usage)

    def note(self, line):
        """Ask once more if orders were refused; then hold, disband or waive."""
        if line["late"] or line["phase"] != self.turn["phase"]:
            return
        notes = line["orders"].items()
        self.good |= {unit_of(order): order for order, note in notes if note["ok"]}
        refused = {
            order: note.get("message") for order, note in notes if not note["ok"]
        }
        if refused and self.may_retry and time.monotonic() < self.ends:
            self.may_retry = False
            self.act(refused)
        elif self.may_fill and len(self.good) < self.turn["due"]:
            self.may_fill = False
            possible = self.turn["possible"].items()
            quiet = [still(each) for key, each in possible if key not in self.good]
            missing = quiet[: self.turn["due"] - len(self.good)]
            say(type="orders", phase=line["phase"], orders=missing)

    def ask(self, refused):
        """Return messages and orders; none if the model takes too long."""
        facts = {key: self.turn[key] for key in ("phase", "state", "due", "possible")}
        facts |= {"messages": self.heard[-20:], "refused": dict(refused)}
        answers = []

        def answer():
            text, used = complete(self.power, facts)
            self.used.append(used)
            answers.append(parsed(text))

        asking = threading.Thread(target=answer, daemon=True)
        asking.start()
        asking.join(max(self.ends - time.monotonic(), 0.1))
        if not answers:
            print(self.turn["phase"], "no answer in time", file=sys.stderr)
        return answers[0] if answers else ({}, [])


def unit_of(order):
    """Return the unit of an order, as it stands in `possible`."""
    return " ".join(order.split()[:2])


def still(possible):
    """Return the order to hold, disband or waive, if there is one."""
    quiet = [each for each in possible if each.split()[-1] in {"H", "D", "WAIVE"}]
    return (quiet or possible)[0]


def complete(power, facts):
    """Return the reply of the model, and its usage, which is 0 if it was cached."""
    roles = {"system": RULES.format(power=power), "user": json.dumps(facts)}
    asked = [{"role": role, "content": text} for role, text in roles.items()]
    body = json.dumps({"model": MODEL, "messages": asked}).encode()
    kept = Path(CACHE, hashlib.sha256(body).hexdigest())
    used, began = dict.fromkeys(COUNTS, 0), time.monotonic()
    if CACHE and kept.exists():
        return kept.read_text("utf-8"), used
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
    request = urllib.request.Request(f"{BASE}/chat/completions", body, headers)
    used["calls"] = 1
    try:
        with urllib.request.urlopen(request, timeout=TURN_SECONDS) as response:
            answer = json.load(response)
        text = str(answer["choices"][0]["message"]["content"])
        tokens = answer.get("usage") or {}
        used["tokens_in"] = tokens.get("prompt_tokens") or 0
        used["tokens_out"] = tokens.get("completion_tokens") or 0
        prices = used["tokens_in"] * PRICES[0] + used["tokens_out"] * PRICES[1]
        used |= {"cost": prices / 1e6, "seconds": round(time.monotonic() - began, 3)}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(facts["phase"], f"no answer of the model: {error}", file=sys.stderr)
        if isinstance(error, urllib.error.HTTPError) and error.code in {401, 403, 404}:
            os._exit(1)  # wrong key, address or model: no call will ever succeed
        return "", used
    if CACHE:
        keep(kept, text)
    return text, used


def keep(path, text):
    """Write a reply into the cache; report it if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        part.write_text(text, "utf-8")
        part.replace(path)
    except OSError as error:
        print(f"the reply is not kept: {error}", file=sys.stderr)


def parsed(text):
    """Return messages and orders of a reply, which may have text around the JSON."""
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
        messages = {to: str(text) for to, text in found.get("messages", {}).items()}
        return messages, list(map(str, found.get("orders", [])))
    except (ValueError, TypeError, AttributeError):
        return {}, []


def say(**line):
    """Print a line, and flush it."""
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    for text in sys.stdin:
        line = json.loads(text)
        if line["type"] == "hello":
            say(type="ready", name=f"LLM {MODEL}"[:40], wants=["possible"])
        elif line["type"] == "start":
            player = Player(line)
        elif line["type"] == "turn":
            player.begin(line)
        elif line["type"] == "press":
            player.hear(line)
        elif line["type"] == "noted":
            player.note(line)
